package scripted_test

import (
	"context"
	"testing"

	"fabula/engine"
	"fabula/engine/score"
	"fabula/engine/scripted"
)

// Ensure that a script with choose lines can be asked as a model can: the first
// line that serves decides, wherever its option is listed, and a script without
// them owns no opinion.
func TestChoose(t *testing.T) {
	e, err := scripted.Parse([]byte("choose \"\" 0.5 \"say …\"\nchoose \"yes\" 0.9 \"lamp\"\nchoose \"no\" 0.8\n"))
	if err != nil {
		t.Fatal(err)
	}
	ask := func(matter string) score.Answer {
		t.Helper()
		a, err := score.Choose(context.Background(), e.(engine.Scorer), score.Question{Options: []string{"Yes.", "No."},
			Ask: func(list string, neutral bool) []engine.Message {
				said := matter
				if neutral {
					said = "…"
				}
				return []engine.Message{{Role: engine.User, Parts: []string{"Say ", said, "\n", list}}}
			}})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask("a lamp"); a.Best != 0 || !a.Agree() || a.P[0] < 0.89 || a.P[0] > 0.91 {
		t.Errorf("lamp: %+v", a)
	}
	if a := ask("a boat"); a.Best != 1 || !a.Agree() || a.P[1] < 0.79 {
		t.Errorf("boat: %+v", a)
	}
	plain, err := scripted.Parse([]byte("reply\nsay \"Well.\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := plain.(engine.Scorer); ok {
		t.Error("a script without choose lines scores")
	}
	for _, bad := range []string{"choose \"yes\"\n", "choose \"yes\" 2\n", "choose \"yes\" much\n"} {
		if _, err := scripted.Parse([]byte(bad + "reply\n")); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
