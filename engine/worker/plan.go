package worker

import (
	"slices"
	"time"

	"fabula/engine"
)

// turn is what a pass does for one job: the first n ids that it asks for.
type turn struct {
	seat *seat
	n    int
}

// step says whether the turn decodes: one token whose score is wanted.
func (u turn) step() bool { return u.n == 1 && u.seat.ask.want > 0 && !u.seat.ask.prompt }

func (u turn) run() Run {
	a := u.seat.ask
	return Run{Seq: u.seat.seq, IDs: a.ids[:u.n], Want: max(a.want-(len(a.ids)-u.n), 0), Best: a.best}
}

// background is the share of the sequences that Background jobs may hold, so
// that the prefixes of a chat stay cached: one half, at least one.
func (s *scheduler) background() int { return max(len(s.cache.seqs)/2, 1) }

// The sizes of a chunk of a prompt, in tokens. Facts.Chunk takes about 100 ms.

// beside is for a prompt of a chat while another chat decodes.
func (s *scheduler) beside() int { return min(max(s.facts.Chunk/3, 8), s.facts.Chunk) }

// behind is for a prompt of Background while no chat runs: a chat that comes
// waits for no more than this.
func (s *scheduler) behind() int { return min(max(s.facts.Chunk/2, 8), s.facts.Chunk) }

// small is for a prompt of Background while a chat runs.
func (s *scheduler) small() int { return min(max(s.facts.Chunk/6, 4), 8, s.facts.Chunk) }

// plan chooses the turns of the next pass: one token of every chat that decodes
// and a chunk of one chat's prompt; beside them as much of Background as pace
// allows; without a chat, the same of Background.
func (s *scheduler) plan() []turn {
	var p []turn
	chat, back := s.asking(engine.Chat), s.asking(engine.Background)
	p = s.tokens(p, chat, s.width())
	limit := s.facts.Chunk
	if len(p) > 0 {
		limit = s.beside()
	}
	p = s.prompts(p, chat, limit)
	if len(p) == 0 {
		p = s.tokens(p, back, s.width())
		return s.prompts(p, back, s.behind())
	}
	if len(back) == 0 {
		return p
	}
	decoding := !slices.ContainsFunc(p, func(u turn) bool { return !u.step() })
	deciding := slices.ContainsFunc(back, func(t *seat) bool { return t.seq >= 0 && len(t.ask.ids) == 1 })
	tokens, filled := s.pace.room(s.passes, len(p), decoding, deciding, s.small())
	p = s.tokens(p, back, min(tokens, s.width()))
	if filled > 0 {
		p = s.prompts(p, back, filled)
	}
	return p
}

// width is how many sequences decode in one pass.
func (s *scheduler) width() int {
	n := max(s.facts.Batch, 1)
	if s.facts.Scores > 0 {
		n = min(n, s.facts.Scores)
	}
	return n
}

// asking lists the jobs of a priority, in order of arrival.
func (s *scheduler) asking(p engine.Priority) []*seat {
	var list []*seat
	for _, t := range s.seats {
		if t.ask != nil && t.job.priority() == p {
			list = append(list, t)
		}
	}
	return list
}

// tokens adds jobs that decode, at most most, those that waited longest first.
func (s *scheduler) tokens(p []turn, from []*seat, most int) []turn {
	var list []*seat
	for _, t := range from {
		if t.seq >= 0 && len(t.ask.ids) == 1 {
			list = append(list, t)
		}
	}
	if len(list) > most {
		slices.SortStableFunc(list, func(a, b *seat) int { return a.last - b.last })
		list = list[:max(most, 0)]
	}
	for _, t := range list {
		p = append(p, turn{t, 1})
	}
	return p
}

// prompts adds a chunk of one prompt, and others of which all but one token is
// cached. A second one waits: the chunk may be its prefix as well.
func (s *scheduler) prompts(p []turn, from []*seat, limit int) []turn {
	chunk := false
	for _, t := range from {
		if t.seq >= 0 && len(t.ask.ids) == 1 || s.crowded(p, t) {
			continue // decodes, now or in a later pass
		}
		if t.seq < 0 {
			ids := t.wanted()
			if missing := len(ids) - s.cache.found(ids, len(ids)-t.ask.want); chunk && missing > 1 || !s.admit(t, ids) {
				continue
			}
			if len(t.ask.ids) == 0 {
				s.answer(t, nil)
				continue
			}
		} else if chunk {
			continue
		}
		n := min(len(t.ask.ids), limit)
		if s.facts.Scores > 0 && t.ask.want > s.facts.Scores { // no more of them in one pass
			n = min(n, max(len(t.ask.ids)-t.ask.want, 0)+s.facts.Scores)
		}
		chunk = chunk || n > 1
		p = append(p, turn{t, n})
	}
	return p
}

// crowded says whether the scores of a pass have no room for those of a job.
func (s *scheduler) crowded(p []turn, t *seat) bool {
	if s.facts.Scores == 0 || len(p) == 0 {
		return false
	}
	n := min(t.ask.want, s.facts.Chunk)
	for _, u := range p {
		n += u.run().Want
	}
	return n > s.facts.Scores
}

// wanted is what the sequence of a job without one has to hold in the end.
func (t *seat) wanted() []int32 {
	if t.lent == nil {
		return t.ask.ids
	}
	return slices.Concat(t.lent, t.ask.ids)
}

// admit gives a job a sequence. A chat takes that of the youngest Background job
// when all are at work; what that one held is computed again later.
func (s *scheduler) admit(t *seat, ids []int32) bool {
	if t.job.priority() == engine.Background {
		held := 0
		for _, o := range s.seats {
			if o.seq >= 0 && o.job.priority() == engine.Background {
				held++
			}
		}
		if held >= s.background() {
			return false
		}
	}
	most := len(ids) - t.ask.want
	seq, n := s.cache.take(ids, most)
	if seq < 0 && t.job.priority() == engine.Chat && s.lend() {
		seq, n = s.cache.take(ids, most)
	}
	if seq < 0 {
		return false
	}
	t.seq, t.ask.ids, t.lent = seq, ids[n:], nil
	if t.since.IsZero() {
		t.since = time.Now()
	}
	return true
}

// lend takes the sequence of the Background job that came last.
func (s *scheduler) lend() bool {
	for _, t := range slices.Backward(s.seats) {
		if t.seq < 0 || t.ask == nil || t.job.priority() != engine.Background {
			continue
		}
		held := slices.Clone(s.cache.seqs[t.seq].ids)
		t.release()
		t.lent = held
		return true
	}
	return false
}
