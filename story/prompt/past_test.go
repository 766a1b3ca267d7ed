package prompt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/story/prompt"
)

// summary is a Past that has one sentence for each exchange.
func summary(h []prompt.Exchange) func(int) []prompt.Past {
	return func(left int) []prompt.Past {
		var out []prompt.Past
		for i, x := range h[:left] {
			out = append(out, prompt.Past{Source: "turns." + x.Turn, Text: fmt.Sprintf("Point %d was made.", i), Rank: left - i})
		}
		return out
	}
}

// Ensure that a summary stands in place of what is cut, between lore and
// history, in order of time, and nothing of it where all of the history fits;
// that the window always fits; that what is dropped is the oldest and is told of
// as one; and that the next turn's prompt begins the same while the cut stays and
// the window leaves the summary its share: in a smaller one talk comes first.
func TestSummaryOfWhatIsCut(t *testing.T) {
	s := ferry(t)
	rapid.Check(t, func(t *rapid.T) {
		in := prompt.Input{Script: s, State: at(s), Speaker: s.Persona("adu"), Language: "en", Line: "And then?",
			Budget: prompt.Budget{Window: rapid.IntRange(700, 2500).Draw(t, "window"), Reply: 60}}
		for i := range rapid.IntRange(1, 120).Draw(t, "turns") {
			in.History = append(in.History, turn(fmt.Sprint("t", i), fmt.Sprintf("player>The rain goes on, number %d, and on.", i), "adu>Look at the water."))
		}
		in.Past = summary(in.History)
		p, err := prompt.Assemble(in)
		if err != nil {
			t.Fatal(err)
		}
		if p.Tokens > in.Budget.Window-in.Budget.Reply {
			t.Fatalf("%d tokens in %d - %d", p.Tokens, in.Budget.Window, in.Budget.Reply)
		}
		first, kind, last, dropped := "", prompt.Rules, -1, 0
		for _, seg := range p.Segments {
			if seg.Kind == prompt.History && seg.Source != "stub" && first == "" {
				first = seg.Source
			}
			if seg.Kind == prompt.Summary {
				n := 0
				at := strings.Index(seg.Text, "Point ")
				if _, err := fmt.Sscanf(seg.Text[at:], "Point %d", &n); err != nil || n <= last || kind == prompt.History || seg.Role != engine.System {
					t.Fatalf("%q after %s and point %d", seg.Text, kind, last)
				}
				last = n
			}
			kind = seg.Kind
		}
		for _, d := range p.Dropped {
			if d.What == "summary" {
				dropped++
			}
		}
		if cut := first != "t0"; cut != (last >= 0) || dropped > 1 || cut && fmt.Sprint("t", last+1) != first && first != "" {
			t.Fatalf("history begins at %s, the summary ends with %d, %+v", first, last, p.Dropped)
		}
		next := in
		next.History = append(in.History[:len(in.History):len(in.History)], turn("new", "player>And then?", "adu>Hm."))
		next.Past = summary(next.History)
		after, err := prompt.Assemble(next)
		if err != nil {
			t.Fatal(err)
		}
		if first != "" && begins(after) == first && !squeezed(after) {
			if diff := shared(p.Messages[:len(p.Messages)-1], after.Messages); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// squeezed reports whether a summary had to give way to talk.
func squeezed(p prompt.Prompt) bool {
	return slices.ContainsFunc(p.Dropped, func(d prompt.Dropped) bool { return d.What == "summary" && d.Why == prompt.WhyWindow })
}

// begins is the turn with which a prompt's history begins.
func begins(p prompt.Prompt) string {
	for _, seg := range p.Segments {
		if seg.Kind == prompt.History && seg.Source != "stub" {
			return seg.Source
		}
	}
	return ""
}
