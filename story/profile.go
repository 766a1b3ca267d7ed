package story

import (
	"cmp"
	"slices"

	"fabula/story/plot"
)

// Trait is what the player's acts say of the player in one variable: in how many of
// them it was raised, and the words that hold of it.
type Trait struct {
	Var   string
	Words []string // of the variable, those that hold now, in the playthrough's language
	Value plot.Value
	Acts  int // that raised or set it
	Of    int // acts of the player that changed anything
}

// Profile reads the player's character off a path: every variable that has words
// and that an act of the player raised, the most often raised first. An act is an
// exit that the player took, or a beat of what the player said, that changed a
// variable.
func Profile(script *plot.Script, steps []Step, lang string) []Trait {
	if len(steps) == 0 {
		return nil
	}
	raised, of := acts(steps)
	now := steps[len(steps)-1].Alternative.State
	var out []Trait
	for _, v := range script.Vars {
		if len(v.Words) == 0 || raised[v.ID] == 0 {
			continue
		}
		t := Trait{Var: v.ID, Value: now.Vars[v.ID], Acts: raised[v.ID], Of: of}
		for _, w := range v.Words {
			if script.Holds(w.When, now) {
				t.Words = append(t.Words, script.Expand(w.Text.In(lang, script.Languages...), now, lang))
			}
		}
		out = append(out, t)
	}
	slices.SortStableFunc(out, func(a, b Trait) int { return cmp.Compare(b.Acts, a.Acts) })
	return out
}

// acts counts the player's acts, and those that raised each variable.
func acts(steps []Step) (raised map[string]int, of int) {
	raised = map[string]int{}
	act := func(changes []plot.Change) {
		if len(changes) == 0 {
			return
		}
		of++
		seen := map[string]bool{}
		for _, c := range changes {
			if raises(c) && !seen[c.Var] {
				seen[c.Var] = true
				raised[c.Var]++
			}
		}
	}
	for _, step := range steps {
		for _, f := range step.Turn.Fired {
			act(f.Changes)
		}
		if t := step.Turn.Taken; t != nil && t.By != "auto" {
			act(t.Changes)
		}
	}
	return raised, of
}

func raises(c plot.Change) bool {
	if c.After.Kind == plot.Int {
		return c.After.Int > c.Before.Int
	}
	return c.After != c.Before && c.After != (plot.Value{Kind: plot.Bool})
}
