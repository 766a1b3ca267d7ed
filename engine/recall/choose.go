package recall

import (
	"cmp"
	"slices"
	"strings"

	"fabula/engine"
)

const (
	// near is the relevance from which a line answers what was said.
	near = 0.3
	// faint is the relevance from which a line may answer, if another judge
	// says so.
	faint = 0.05
	// alike is the part of the best score from which a line is as good, so
	// that another seed may bring another answer.
	alike = 0.85
	// worn scales the score of a line that was said before.
	worn = 0.4
)

// choose picks the line. There is at least one candidate.
func (x *index) choose(r engine.Request) engine.Candidate {
	said := lastSaid(r.Messages)
	if best := x.answering(r, said, near, alike, len(r.Candidates)); len(best) > 0 {
		return best[r.Seed%uint64(len(best))].Candidate
	}
	return pick(remarks(r.Candidates, said), r.Seed)
}

// remarks lists what may be said when nothing answers: lines without a cue,
// fresh ones first, then other lines that were not said yet, then whatever was
// said longest ago. A line of the plot (its prior is not 0) is said once: a
// world with little else must not repeat it for ever.
func remarks(cs []engine.Candidate, said map[string]int) []engine.Candidate {
	var general, other []engine.Candidate
	for _, c := range cs {
		switch {
		case c.Cue == "" && (c.Prior == 0 || said[key(c.Text)] == 0):
			general = append(general, c)
		case said[key(c.Text)] == 0:
			other = append(other, c)
		}
	}
	switch {
	case len(general) > 0:
		return freshest(general, said)
	case len(other) > 0:
		return freshest(other, said)
	}
	return freshest(cs, said)
}

func pick(cs []engine.Candidate, seed uint64) engine.Candidate { return cs[seed%uint64(len(cs))] }

// Hit is a line that answers.
type Hit struct {
	engine.Candidate
	Score     float64 // BM25 with the author's prior, less for a line that was said before
	Relevance float64 // share of meaning in common with what was said, 0 to 1
}

// answering lists the lines that are at least so relevant to the query, best
// first, at most n and none that scores below floor of the best.
func (x *index) answering(r engine.Request, said map[string]int, relevance, floor float64, n int) []Hit {
	s := x.look(r.Candidates, query(r))
	defer s.close()
	queue := newQueue(s, said)
	var best []Hit
	for len(best) < n {
		h, line, ok := queue.next()
		if !ok || len(best) > 0 && h.Score < floor*best[0].Score {
			break
		}
		if h.Relevance = s.relevance(line); h.Relevance >= relevance {
			best = append(best, h)
		}
	}
	return best
}

// freshest keeps, of the lines that were not said yet, those with the highest
// prior; once all were said, the half that was said longest ago.
func freshest(cs []engine.Candidate, said map[string]int) []engine.Candidate {
	sorted := slices.Clone(cs)
	slices.SortStableFunc(sorted, func(x, y engine.Candidate) int {
		return cmp.Or(cmp.Compare(said[key(x.Text)], said[key(y.Text)]), cmp.Compare(y.Prior, x.Prior), cmp.Compare(x.ID, y.ID))
	})
	if said[key(sorted[0].Text)] > 0 {
		return sorted[:(len(sorted)+1)/2]
	}
	n := 1
	for n < len(sorted) && said[key(sorted[n].Text)] == 0 && sorted[n].Prior == sorted[0].Prior {
		n++
	}
	return sorted[:n]
}

// lastSaid gives, for every line of the speaker in the conversation, where it
// was said last, counted from 1.
func lastSaid(ms []engine.Message) map[string]int {
	said := map[string]int{}
	n := 0
	for _, m := range ms {
		if m.Role != engine.Assistant {
			continue
		}
		for _, p := range m.Parts {
			n++
			said[key(p)] = n
		}
	}
	return said
}

func key(text string) string { return strings.TrimSpace(text) }

// query is what is answered: the request's, else the end of the last message.
func query(r engine.Request) string {
	if r.Query != "" || len(r.Messages) == 0 {
		return r.Query
	}
	parts := r.Messages[len(r.Messages)-1].Parts
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}
