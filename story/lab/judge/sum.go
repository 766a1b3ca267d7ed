package judge

import (
	"cmp"
	"slices"

	"fabula/personas/lint"
	"fabula/story/golden"
	"fabula/story/lab/stats"
)

// Sum is what a batch comes to.
type Sum struct {
	Items    int // under test
	Controls int
	Labels   int         // lines that people labelled
	Missed   []Judgement // controls that the judge got wrong

	rows          map[rowKey]*Row
	people, judge []bool // a flaw of a labelled line is there: say people, says the judge
	pairs         Pairs
	guess         map[rowKey]*[2]int // right, asked; of items
	known         [2]int             // right, asked; of authors' own lines
	steady        [2]int             // flaw questions that every order answers alike, asked
}

// Row is how often a judge finds a flaw in the replies of a persona by an engine.
type Row struct {
	Persona string `json:"persona"`
	Engine  string `json:"engine"`
	Version int    `json:"version"`
	golden.Flaw
	lint.Rate
}

// Speakers is how often a judge guesses who of a world's NPCs a reply is by.
type Speakers struct {
	Persona string `json:"persona"`
	Engine  string `json:"engine"`
	Version int    `json:"version"`
	lint.Rate
}

// Pairs sums comparisons up.
type Pairs struct {
	N     int     `json:"n"`
	First int     `json:"first"` // pairs that their first line won in both orders
	Other int     `json:"other"`
	Ties  int     `json:"ties"`        // the orders disagree: the noise of the judge
	Place float64 `json:"first_place"` // mean share of what was listed first, 0.5 = no liking of places
}

type rowKey struct {
	persona, engine string
	version         int
	flaw            string
}

func newSum() Sum { return Sum{rows: map[rowKey]*Row{}, guess: map[rowKey]*[2]int{}} }

// trusted is the agreement with people from which on scores are believed.
const trusted = 0.4

// Kappa is Cohen's κ of the judge with people about the flaws of the labelled
// lines; NaN where there are none, or where both always say the same.
func (s Sum) Kappa() stats.Agreement { return stats.Kappa(s.people, s.judge) }

// Trusted reports whether people agree with the judge well enough.
func (s Sum) Trusted() bool { return s.Kappa().Value >= trusted }

// Void reports whether the judge missed a control, so that its scores mean nothing.
func (s Sum) Void() bool { return len(s.Missed) > 0 }

func (s *Sum) add(j Judgement) {
	if j.Control == Label {
		s.Labels++
		for _, v := range j.Flaws {
			s.people, s.judge = append(s.people, slices.Contains(j.Expect, v.Code)), append(s.judge, v.Yes)
		}
		return
	}
	if j.Control != "" {
		s.Controls++
		if j.Missed != "" {
			s.Missed = append(s.Missed, j)
		}
		if g := j.Guess; g != nil {
			s.known[1]++
			if g.Right {
				s.known[0]++
			}
		}
		return
	}
	s.Items++
	if p := j.Preference; p != nil {
		s.pair(*p)
		return
	}
	key := rowKey{j.Persona, j.Engine, j.Version, ""}
	for _, v := range j.Flaws {
		s.flaw(key, v)
	}
	if g := j.Guess; g != nil {
		if s.guess[key] == nil {
			s.guess[key] = &[2]int{}
		}
		s.guess[key][1]++
		if g.Right {
			s.guess[key][0]++
		}
	}
}

func (s *Sum) flaw(key rowKey, v Verdict) {
	key.flaw = v.Code
	r := s.rows[key]
	if r == nil {
		r = &Row{Persona: key.persona, Engine: key.engine, Version: key.version, Flaw: v.Flaw}
		s.rows[key] = r
	}
	r.N++
	if v.Yes {
		r.Hits++
	}
	s.steady[1]++
	if v.Steady {
		s.steady[0]++
	}
}

func (s *Sum) pair(p Preference) {
	s.pairs.Place = (s.pairs.Place*float64(s.pairs.N) + p.First) / float64(s.pairs.N+1)
	s.pairs.N++
	switch p.Winner {
	case 1:
		s.pairs.First++
	case 2:
		s.pairs.Other++
	default:
		s.pairs.Ties++
	}
}

// Rows are the rates of flaws, sorted by persona, engine, version and then the
// gravest first.
func (s Sum) Rows() []Row {
	var out []Row
	for _, r := range s.rows {
		one := *r
		one.Rate = lint.NewRate(r.Hits, r.N)
		out = append(out, one)
	}
	order := golden.FlawCodes()
	slices.SortFunc(out, func(x, y Row) int {
		return cmp.Or(cmp.Compare(x.Persona, y.Persona), cmp.Compare(x.Engine, y.Engine), cmp.Compare(x.Version, y.Version),
			cmp.Compare(slices.Index(order, x.Code), slices.Index(order, y.Code)))
	})
	return out
}

// Speakers are the rates of right guesses, and that of the authors' own lines,
// which is as well as a reply can do.
func (s Sum) Speakers() (rows []Speakers, own lint.Rate) {
	for k, n := range s.guess {
		rows = append(rows, Speakers{k.persona, k.engine, k.version, lint.NewRate(n[0], n[1])})
	}
	slices.SortFunc(rows, func(x, y Speakers) int {
		return cmp.Or(cmp.Compare(x.Persona, y.Persona), cmp.Compare(x.Engine, y.Engine), cmp.Compare(x.Version, y.Version))
	})
	return rows, lint.NewRate(s.known[0], s.known[1])
}

// Pairs are the comparisons.
func (s Sum) Pairs() Pairs { return s.pairs }

// Steady is the share of the questions about flaws that are answered alike in
// every order of the answers.
func (s Sum) Steady() lint.Rate { return lint.NewRate(s.steady[0], s.steady[1]) }
