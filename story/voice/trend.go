package voice

import (
	"cmp"
	"slices"

	"fabula/personas/lint"
	"fabula/story"
)

// Baseline is what the rules made of a world's replies at one time, to be compared
// with what they make of them later.
type Baseline struct {
	Rules []string              `json:"rules"` // codes of those that were on
	Rows  []Share               `json:"rows"`
	Hits  map[story.ID][]string `json:"hits"` // codes, by alternative
}

// Share is how often a rule hits among the replies of a persona, whatever engine.
type Share struct {
	Persona string `json:"persona"`
	Rule    string `json:"rule"`
	lint.Rate
}

// NewBaseline keeps a report; off are the rules that the world has switched off.
func NewBaseline(r Report, off []string) Baseline {
	b := Baseline{Hits: map[story.ID][]string{}, Rows: shares(r)}
	for _, code := range lint.Codes() {
		if !slices.Contains(off, code) {
			b.Rules = append(b.Rules, code)
		}
	}
	for _, f := range r.Findings {
		if !slices.Contains(b.Hits[f.Alternative], f.Code) {
			b.Hits[f.Alternative] = append(b.Hits[f.Alternative], f.Code)
		}
	}
	return b
}

func shares(r Report) []Share {
	type key struct{ persona, rule string }
	sums := map[key][2]int{}
	for _, row := range r.Rows {
		k := key{row.Persona, row.Rule}
		s := sums[k]
		sums[k] = [2]int{s[0] + row.Hits, s[1] + row.N}
	}
	var out []Share
	for k, s := range sums {
		out = append(out, Share{k.persona, k.rule, lint.NewRate(s[0], s[1])})
	}
	slices.SortFunc(out, func(x, y Share) int { return cmp.Or(cmp.Compare(x.Persona, y.Persona), cmp.Compare(x.Rule, y.Rule)) })
	return out
}

// Change is one thing that got worse since a baseline.
type Change struct {
	Code    string    `json:"code"`
	Rule    string    `json:"rule"`
	Persona string    `json:"persona,omitempty"`
	N       int       `json:"n,omitempty"` // hits that are lost
	Was     lint.Rate `json:"was"`
	Is      lint.Rate `json:"is"`
}

// The codes of changes.
const (
	RuleGone = "trend_rule"  // a rule was on and is not: nothing looks for it now
	HitsLost = "trend_lost"  // a rule no longer hits replies that are still stored as they were
	Worse    = "trend_worse" // a rule hits more often, the intervals apart
)

// Against gives what got worse since a baseline; has tells whether a reply is still
// stored. A rule that finds less in the same replies is worse: the replies did not
// change.
func (b Baseline) Against(was Baseline, has func(story.ID) bool) []Change {
	var out []Change
	lost := map[string]int{}
	for id, codes := range was.Hits {
		for _, code := range codes {
			if !slices.Contains(b.Hits[id], code) && has(id) {
				lost[code]++
			}
		}
	}
	for _, code := range was.Rules {
		switch {
		case !slices.Contains(b.Rules, code):
			out = append(out, Change{Code: RuleGone, Rule: code, N: lost[code]})
		case lost[code] > 0:
			out = append(out, Change{Code: HitsLost, Rule: code, N: lost[code]})
		}
	}
	for _, now := range b.Rows {
		i := slices.IndexFunc(was.Rows, func(s Share) bool { return s.Persona == now.Persona && s.Rule == now.Rule })
		if i >= 0 && was.Rows[i].N > 0 && now.Low > was.Rows[i].High {
			out = append(out, Change{Code: Worse, Rule: now.Rule, Persona: now.Persona, Was: was.Rows[i].Rate, Is: now.Rate})
		}
	}
	return out
}
