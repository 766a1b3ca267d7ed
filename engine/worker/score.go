package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"fabula/engine"
	"fabula/engine/score"
)

// scoring is a request for log-probabilities in tokens.
type scoring struct {
	engine.ScoreRequest
	texts [][]int32
}

// scored is a part of one scored text on its way to the parent. Rows travel as
// 4 bytes a number, since gob would take five.
type scored struct {
	Text     int // index
	Tokens   []engine.ScoredToken
	Rows     []byte // of these tokens, one after the other
	Skipped  int
	Computed int
	Reused   int
}

// scoring tokenises what is to be scored and refuses what does not fit.
func (p *prompter) scoring(r engine.ScoreRequest) (prompt, *scoring, error) {
	x := &scoring{ScoreRequest: r}
	pr, err := p.before(r.Messages)
	if err != nil {
		return pr, nil, err
	}
	longest := 0
	for _, text := range r.Texts {
		ids, err := p.b.Tokens(text, false)
		if err == nil {
			err = p.check(ids)
		}
		if err != nil {
			return pr, nil, fmt.Errorf("score: %w", err)
		}
		if r.First > 0 {
			ids, x.End = ids[:min(r.First, len(ids))], false
		}
		x.texts = append(x.texts, ids)
		longest = max(longest, len(ids))
	}
	if len(pr.ids)+longest > p.facts.Context {
		return pr, nil, &TooLong{Prompt: len(pr.ids), Reply: longest, Window: p.facts.Context}
	}
	return pr, x, nil
}

// before is the prompt of what is scored; without messages only what the model
// expects before everything.
func (p *prompter) before(messages []engine.Message) (prompt, error) {
	if len(messages) == 0 {
		pr := p.first(prompt{})
		return pr, p.check(pr.ids)
	}
	return p.tokens(messages)
}

// score plays one job that scores texts. The prompt is brought into a sequence
// once; after each text the sequence is cut back to it.
func (s *server) score(t *seat) done {
	r := &reply{server: s, seat: t, job: t.job}
	r.stats.PromptTokens, r.stats.ControlTokens = len(r.job.prompt.ids), r.job.prompt.count.Control
	x := &scorer{reply: r, ends: s.ends()}
	d := done{Reason: engine.Stop}
	for i := range r.job.score.texts {
		if err := x.text(i); err != nil {
			d = r.broken(err)
			break
		}
	}
	if d.Reason == engine.Stop {
		x.leave()
	}
	r.shared()
	d.Stats = r.stats
	return d
}

// ends lists the tokens that end a turn.
func (s *server) ends() []int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.endings == nil {
		s.endings = []int32{}
		for id := range int32(s.backend.Facts().Vocab) {
			if s.backend.Ends(id) {
				s.endings = append(s.endings, id)
			}
		}
	}
	return s.endings
}

// scorer is the state of a job that scores.
type scorer struct {
	*reply
	ends []int32

	taken bool
	first []float32 // log-probabilities after the prompt
	part  scored
}

// text scores one text and sends it.
func (x *scorer) text(i int) error {
	ids := x.job.score.texts[i]
	x.part = scored{Text: i}
	before := x.job.prompt.ids
	if len(before) == 0 && len(ids) > 0 { // nothing stands before the first token
		before, ids = ids[:1], ids[1:]
		x.part.Skipped, x.taken = 1, false
	}
	if len(before) > 0 {
		if err := x.prompt(before); err != nil {
			return err
		}
		if err := x.tokens(ids); err != nil {
			return err
		}
	}
	x.flush()
	return nil
}

// prompt brings the tokens before a text into the sequence and keeps what the
// model expects after them.
func (x *scorer) prompt(ids []int32) error {
	if x.taken && x.seat.cut(len(ids)) == len(ids) {
		x.part.Reused += len(ids)
		return nil
	}
	before := x.seat.computed
	scores, err := whole(x.seat.prefill(ids, 1, 0))
	if err != nil {
		return err
	}
	x.first = logSoftmax(scores[0].Logits, slices.Clone(scores[0].Logits))
	x.taken = true
	computed := x.seat.computed - before
	x.part.Computed += computed
	x.part.Reused += max(len(ids)-computed, 0)
	return nil
}

// tokens scores the tokens of a text that stands behind the prompt. What comes
// after the last one is only computed where the end is scored too.
func (x *scorer) tokens(ids []int32) error {
	row := x.first
	last := len(ids) - 1
	if x.job.score.End {
		last = len(ids)
	}
	most := max(min(x.facts().Chunk, x.facts().Scores), 1)
	for at := 0; ; {
		x.note(ids, at, row)
		if at >= last {
			return nil
		}
		to := min(at+most, last)
		scores, err := whole(x.seat.decode(ids[at:to], to-at, 0, nil))
		if err != nil {
			return err
		}
		for k := range scores {
			row = logSoftmax(scores[k].Logits, scores[k].Logits)
			if k < len(scores)-1 {
				x.note(ids, at+k+1, row)
			}
		}
		x.part.Computed += to - at
		at = to
	}
}

// note writes down the token at a place of the text, given what the model
// expects there: the end of the turn behind the last one.
func (x *scorer) note(ids []int32, at int, row []float32) {
	switch {
	case at < len(ids):
		x.add(ids[at], float64(row[ids[at]]), row)
	case x.job.score.End && len(x.ends) > 0:
		all := make([]float32, len(x.ends))
		likeliest := x.ends[0]
		for i, id := range x.ends {
			all[i] = row[id]
			if row[id] > row[likeliest] {
				likeliest = id
			}
		}
		x.add(likeliest, score.LogSumExp(all), row)
	}
}

func (x *scorer) add(id int32, logprob float64, row []float32) {
	t := engine.ScoredToken{ID: id, Text: string(x.backend.Piece(id)), Logprob: logprob}
	for _, o := range best(row, x.job.score.Top) {
		t.Top = append(t.Top, engine.TopToken{ID: o, Text: x.called(o), Logprob: row[o]})
	}
	x.part.Tokens = append(x.part.Tokens, t)
	if !x.job.score.Rows {
		return
	}
	for _, v := range row {
		x.part.Rows = binary.LittleEndian.AppendUint32(x.part.Rows, math.Float32bits(v))
	}
	if len(x.part.Rows) > maxFrame/4 {
		x.flush()
	}
}

// called is a token for people to read.
func (r *reply) called(id int32) string {
	if text := r.backend.Piece(id); len(text) > 0 {
		return string(text)
	}
	return r.backend.Name(id)
}

// flush sends what is known of the running text.
func (x *scorer) flush() {
	part := x.part
	x.send(frame{Kind: kindScored, ID: x.job.id, Scored: &part})
	x.part = scored{Text: part.Text}
}

// leave cuts the last text off, so that a chat finds the prompt.
func (x *scorer) leave() {
	if x.taken && len(x.job.prompt.ids) > 0 {
		x.seat.cut(len(x.job.prompt.ids))
	}
}

// whole refuses scores of a part of the vocabulary.
func whole(scores []Scores, err error) ([]Scores, error) {
	if err == nil && slices.ContainsFunc(scores, func(s Scores) bool { return s.IDs != nil }) {
		err = errors.New("score: the backend gave a part of the vocabulary where all was asked for")
	}
	return scores, err
}

// logSoftmax turns logits into log-probabilities; to may be the logits
// themselves.
func logSoftmax(logits, to []float32) []float32 {
	sum := score.LogSumExp(logits)
	for i, v := range logits {
		to[i] = float32(float64(v) - sum)
	}
	return to
}

// best gives the ids of the n largest values, best first; of equals the lower
// id.
func best(row []float32, n int) []int32 {
	n = min(n, len(row))
	if n <= 0 {
		return nil
	}
	ids := make([]int32, 0, n+1)
	for id, v := range row {
		if len(ids) == n && v <= row[ids[n-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(ids, v, func(have int32, v float32) int {
			if row[have] >= v {
				return -1
			}
			return 1
		})
		ids = slices.Insert(ids, at, int32(id))
		ids = ids[:min(len(ids), n)]
	}
	return ids
}
