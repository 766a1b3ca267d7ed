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
	// alike is the part of the best score from which a line is as good, so
	// that another seed may bring another answer.
	alike = 0.85
	// worn scales the score of a line that was said before.
	worn = 0.4
)

// choose picks the line. There is at least one candidate.
func choose(r engine.Request) engine.Candidate {
	said := lastSaid(r.Messages)
	if answers := answering(r, said); len(answers) > 0 {
		return pick(answers, r.Seed)
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

// scored is a candidate with its score.
type scored struct {
	engine.Candidate
	score float64
}

// answering lists the lines that answer the query about equally well, best
// first; none if no line does.
func answering(r engine.Request, said map[string]int) []engine.Candidate {
	query := words(query(r))
	c := index(r.Candidates)
	var hits []scored
	for i, cand := range r.Candidates {
		if c.relevance(i, query) < near {
			continue
		}
		s := c.score(i, query) + cand.Prior
		if said[key(cand.Text)] > 0 {
			s *= worn
		}
		hits = append(hits, scored{cand, s})
	}
	slices.SortStableFunc(hits, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.ID, y.ID))
	})
	var best []engine.Candidate
	for _, h := range hits {
		if h.score >= alike*hits[0].score {
			best = append(best, h.Candidate)
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
