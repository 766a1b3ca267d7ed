package yarn_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"fabula/story"
	"fabula/story/export/flow"
	"fabula/story/export/played"
	"fabula/story/export/yarn"
)

func init() { checker.Print = yarn.Print }

// Every recorded branch of the demo world plays by the rules, word for word.
func TestRecordedBranchesPlay(t *testing.T) { checker.Branches(t) }

// 2,000 hostile texts are read as they are, as lines and as options.
func TestHostileTextsPlay(t *testing.T) { checker.Hostile(t, norm.NFC.String) }

// The plot plays as our own engine plays it.
func TestPlotPlaysAsHere(t *testing.T) { checker.Walks(t) }

// The test plan expects what is read.
func TestPlan(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Who lit the lamp?"}, story.Input{Choose: "to_kitchen"})
	f, err := flow.Build(in, "en")
	if err != nil {
		t.Fatal(err)
	}
	plan := string(yarn.Plan(f))
	for _, want := range []string{"start: branch_main\n", "option: `Who lit the lamp?`\nselect: 1\nline: `traveller: Who lit the lamp?`\n", "select: 1\n", "stop\n"} {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan lacks %q:\n%s", want, plan)
		}
	}
	if got, want := strings.Count(plan, "\nline: "), len(f.Paths[0].Lines); got != want {
		t.Errorf("the plan expects %d lines, want %d", got, want)
	}
}

// Whatever is written of a text is read as the text.
func FuzzText(f *testing.F) {
	for _, s := range played.Hostile(40) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsAny(s, "\r\n") || !utf8.ValidString(s) {
			return // refused, or made lines, before it comes here
		}
		l, err := parse("x: "+yarn.Escape(s), nil)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if want := strings.Trim(s, " \t"); l.text != want || l.name != "x" {
			t.Errorf("%q is read as %q by %q", s, l.text, l.name)
		}
	})
}
