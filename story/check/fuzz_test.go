package check_test

import (
	"testing"

	"fabula/personas/source"
	"fabula/story/check"
	"fabula/story/check/space"
	"fabula/story/plot"
)

// FuzzConditions looks for conditions that a rule cannot bear, and for a
// comparison that is said never to hold though some state makes it hold.
func FuzzConditions(f *testing.F) {
	for _, src := range []string{`trust > 3`, `not (trust + trust >= 6) or sky == "rain"`, `visits("shop") in [1, 2, 3] and told("adu.salt")`,
		`trust - 9223372036854775807 < visits`, `sold and beat("landing.pays")`, `exit("landing.goes") != true`, `false`, `turns_total >= 0`} {
		f.Add(src)
	}
	s := ferry(f)
	few := space.Limits{States: 2000} // a condition may have it count without an end
	f.Fuzz(func(t *testing.T, src string) {
		x := source.Cond{Src: src, Pos: source.Pos{File: "f", Line: 1, Col: 1}}
		if _, faults := s.CompileCond(x); src == "" || len(faults) > 0 {
			return
		}
		line := s.Nodes[0].Lines[0]
		before := line.When
		line.When, s.Personas[0].Secrets[0].Unlock = x, x
		defer func() { line.When = before }()
		for _, found := range check.Examine(s, few).Findings {
			if found.Pos == x.Pos && found.Code == check.CodeNever && found.Args[0] == src && holdsSomewhere(s, x) {
				t.Errorf("%s: said never to hold", src)
			}
		}
	})
}

// holdsSomewhere tries every value of the variables.
func holdsSomewhere(s *plot.Script, x source.Cond) bool {
	st := s.Initial()
	for trust := range 4 {
		for _, sold := range []bool{false, true} {
			for _, sky := range []string{"rain", "snow"} {
				st.Vars["trust"], st.Vars["sold"], st.Vars["sky"] = plot.IntValue(trust), plot.BoolValue(sold), plot.EnumValue(sky)
				if s.Holds(x, st) {
					return true
				}
			}
		}
	}
	return false
}
