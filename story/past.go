package story

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"fabula/personas"
	"fabula/story/memory"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// mostPast bounds the sentences about the past that are measured for a prompt.
const mostPast = 48

// digest keeps the summaries that were made of segments by their own words.
type digest struct {
	mu  sync.Mutex
	own map[string][]memory.Point // by hash
}

// mostDigests bounds the memory of a session that plays many branches.
const mostDigests = 1 << 13

// extract sums a segment up by its own words.
func (d *digest) extract(seg memory.Segment, names []string) []memory.Point {
	d.mu.Lock()
	defer d.mu.Unlock()
	points, ok := d.own[seg.Hash]
	if !ok {
		points = memory.Extract(seg.Turns, names)
		if d.own == nil || len(d.own) >= mostDigests {
			d.own = map[string][]memory.Point{}
		}
		d.own[seg.Hash] = points
	}
	return points
}

// sumUp gives the summary that a prompt's assembly asks for once it knows how
// much of the history does not fit: of every segment the one that a model made,
// else one by its own words, which needs nothing and is there at once.
func (s *Session) sumUp(p *plan, a *asking, recorded *Reply) func(int) []prompt.Past {
	return func(left int) []prompt.Past {
		turns := lived(p.script, a)
		turns = turns[:a.cutAt(left, func(depth int) int {
			n := 0
			for n < len(turns) && turns[n].Depth < depth {
				n++
			}
			return n
		})]
		locked := lockedWatch(p.script, a.persona, p.turn.Before)
		names := namesIn(p.script, a.lang)
		segments := memory.Divide(turns, a.lang)
		var all []sentence
		for i, seg := range segments {
			sum := s.summary(seg, names, recorded)
			for _, point := range sum.Points {
				all = append(all, sentence{point.Turn, prompt.Past{Source: sum.source(), Text: point.Text, Rank: rankOf(len(segments)-1-i, point)}})
			}
		}
		var out []prompt.Past
		for _, x := range foremost(all) {
			if x.turn == "" || !a.betrays(locked, x.turn) {
				out = append(out, x.Past)
			}
		}
		return out
	}
}

// sentence is one of a summary, with the turn that it is from.
type sentence struct {
	turn string
	prompt.Past
}

// rankOf says what of a summary goes first: talk of long ago, and what happened
// only when it is four times as old.
func rankOf(age int, p memory.Point) int {
	if p.Event {
		return age
	}
	return 4*age + 2
}

// foremost keeps the lowest ranks, in order of time.
func foremost(all []sentence) []sentence {
	if len(all) <= mostPast {
		return all
	}
	ranks := make([]int, len(all))
	for i, x := range all {
		ranks[i] = x.Rank
	}
	slices.SortFunc(ranks, cmp.Compare)
	most := ranks[mostPast-1]
	out := slices.DeleteFunc(all, func(x sentence) bool { return x.Rank > most })
	return out[max(0, len(out)-mostPast):]
}

// summed is a summary of a segment; own says that its words are those of the talk.
type summed struct {
	memory.Summary
	own bool
}

// source names a summary in a prompt: an author can tell which it was, and a
// replay that it was there.
func (m summed) source() string {
	if m.own {
		return ownSummary + m.Hash
	}
	return modelSummary + m.Hash
}

// The two sources of a summary.
const (
	ownSummary   = "turns."
	modelSummary = "summary."
)

// summary gives that of a segment. Of a recorded reply only those count that
// stood in its prompt.
func (s *Session) summary(seg memory.Segment, names []string, recorded *Reply) summed {
	if seg.Closed && s.reader != nil && (recorded == nil || recorded.had(modelSummary+seg.Hash)) {
		made, ok, err := s.reader.Summary(seg.Hash)
		if err != nil {
			s.log.Warn("summary not read", "error", err)
		}
		if ok && len(made.Points) > 0 {
			return summed{made, false}
		}
	}
	return summed{memory.Summary{Hash: seg.Hash, Points: s.digest.extract(seg, names)}, true}
}

// had reports whether a part of a prompt comes from source.
func (r *Reply) had(source string) bool {
	return slices.ContainsFunc(r.Segments, func(seg SegmentRef) bool { return seg.Source == source })
}

// namesIn lists the names that a summary should not lose: of people and places.
func namesIn(script *plot.Script, lang string) []string {
	var out []string
	add := func(t personas.Text) {
		if n := strings.TrimSpace(t.In(lang, script.Languages...)); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for _, p := range script.Personas {
		add(p.Name)
	}
	for _, n := range script.Nodes {
		add(n.Title)
	}
	return out
}
