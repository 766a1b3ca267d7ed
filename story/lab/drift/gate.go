package drift

import (
	"fmt"
	"slices"
)

// Limits are what a build must keep to, for every NPC.
type Limits struct {
	SameTop float64 `json:"same_top"` // at least
	Mean    float64 `json:"mean_kl"`  // at most
	P99     float64 `json:"p99_kl"`   // at most
	Mass    float64 `json:"mass"`     // ratio, at most
}

// Default are the limits of a first gate: 95 % the same best token, a mean KL of
// 0.01 and a 99th percentile of 0.1, and half as much again of taboo or slang.
// Public logs of an 8B model put weights of five bits near them; weights of eight
// bits are to be clearly better.
var Default = Limits{SameTop: 0.95, Mean: 0.01, P99: 0.1, Mass: 1.5}

// orDefault fills in what is not said.
func (l Limits) orDefault() Limits {
	for _, x := range []struct {
		to    *float64
		value float64
	}{{&l.SameTop, Default.SameTop}, {&l.Mean, Default.Mean}, {&l.P99, Default.P99}, {&l.Mass, Default.Mass}} {
		if *x.to == 0 {
			*x.to = x.value
		}
	}
	return l
}

// The names of gates.
const (
	GateSameTop = "same_top"
	GateMean    = "mean_kl"
	GateP99     = "p99_kl"
	GateTaboo   = "taboo_mass"
	GateSlang   = "slang_mass"
	GateUnread  = "unread" // NPCs that were not read

)

// Gate is one limit, with the worst value of all NPCs and whose it is.
type Gate struct {
	Name     string  `json:"name"`
	Limit    float64 `json:"limit"`
	Value    float64 `json:"value"`
	Floor    float64 `json:"floor"` // the worst value of A against itself
	Persona  string  `json:"persona"`
	Language string  `json:"language"`
	Passed   bool    `json:"passed"`
}

// String is for logs.
func (g Gate) String() string {
	return fmt.Sprintf("%s %.4g of %s (%s), limit %.4g", g.Name, g.Value, g.Persona, g.Language, g.Limit)
}

// judge holds the rows against the limits.
func (r *Report) judge() {
	l := r.Limits
	r.Gates = []Gate{
		r.gate(GateSameTop, l.SameTop, true, func(x Row) (float64, bool) { return x.SameTop, true }),
		r.gate(GateMean, l.Mean, false, func(x Row) (float64, bool) { return x.Mean, true }),
		r.gate(GateP99, l.P99, false, func(x Row) (float64, bool) { return x.P99, true }),
	}
	for _, kind := range []string{Taboo, Slang} {
		g := r.gate(kind+"_mass", l.Mass, false, func(x Row) (float64, bool) {
			for _, m := range x.Masses {
				if m.Kind == kind && m.Words > 0 {
					return m.Ratio, true
				}
			}
			return 0, false
		})
		if g.Persona != "" {
			r.Gates = append(r.Gates, g)
		}
	}
	if n := len(r.Unread); n > 0 {
		r.Gates = append(r.Gates, Gate{Name: GateUnread, Value: float64(n), Persona: r.Unread[0]})
	}
	r.verdict()
}

// Verdict is what a report comes to.
type Verdict string

// The verdicts. A gate that was missed stays missed, however little was compared.
const (
	Passed    Verdict = "passed"
	Missed    Verdict = "missed"
	NotEnough Verdict = "not_enough" // of some NPC too few places were compared
)

// DefaultLeast is how many places of an NPC say something of a share of 95 %: of
// a hundred, five are the misses that it allows.
const DefaultLeast = 100

// verdict sums the gates up.
func (r *Report) verdict() {
	r.Few = r.fewer(r.Least)
	missed := slices.ContainsFunc(r.Gates, func(g Gate) bool { return !g.Passed })
	switch {
	case missed:
		r.Verdict = Missed
	case len(r.Few) > 0:
		r.Verdict = NotEnough
	default:
		r.Verdict = Passed
	}
	r.Passed = r.Verdict == Passed
}

// TooFew lists the NPCs that too little is known of: those of the verdict, and in
// a report that was written before there was a minimum those under DefaultLeast.
func (r *Report) TooFew() (few []Few, least int) {
	if r.Verdict == "" {
		return r.fewer(DefaultLeast), DefaultLeast
	}
	return r.Few, r.Least
}

func (r *Report) fewer(least int) []Few {
	var out []Few
	for _, x := range r.Rows {
		if x.Tokens < least {
			out = append(out, Few{x.Persona, x.Language, x.Tokens})
		}
	}
	return out
}

// gate finds the worst row by a figure; least says that it is to be at least
// the limit. Persona is empty where no row has the figure.
func (r *Report) gate(name string, limit float64, least bool, of func(Row) (float64, bool)) Gate {
	g := Gate{Name: name, Limit: limit, Passed: true}
	worse := func(x, than float64) bool { return x > than && !least || x < than && least }
	for _, row := range r.Rows {
		if v, ok := of(row); ok && (g.Persona == "" || worse(v, g.Value)) {
			g.Value, g.Persona, g.Language = v, row.Persona, row.Language
		}
	}
	for i, row := range r.Floor {
		if v, ok := of(row); ok && (i == 0 || worse(v, g.Floor)) {
			g.Floor = v
		}
	}
	g.Passed = g.Persona == "" || !worse(g.Value, limit)
	return g
}
