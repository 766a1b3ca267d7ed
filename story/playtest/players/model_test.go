package players_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/story"
	"fabula/story/playtest/players"
)

// Ensure that a model is shown the place, who is there and what was said last, in
// the player's language, that its line is cleaned, and that one which says
// nothing leaves the bank's line.
func TestSpeak(t *testing.T) {
	w := demo(t)
	st := w.Script.Initial()
	w.Script.Enter(&st, w.Script.Start, "en")
	heard := []players.Heard{{Text: "long ago"}}
	for range 9 {
		heard = append(heard, players.Heard{By: "laozhou", Text: "Sit down."}, players.Heard{Text: "Thank you."})
	}
	in := story.Input{Text: "from the bank", To: "laozhou"}
	for _, c := range []struct{ lang, says, want string }{
		{"en", "\n\"Who lit the lamp?\"\nLao Zhou: Me.", "Who lit the lamp?"},
		{"zh", "“灯是谁点的？”", "灯是谁点的？"},
		{"en", "  ", "from the bank"},
		{"en", strings.Repeat("on and on ", 90), strings.TrimSpace(strings.Repeat("on and on ", 24))},
	} {
		p, ok := players.New(players.ModelKind, c.lang, 1)
		if !ok {
			t.Fatal("no player for a model")
		}
		var asked engine.Request
		got, err := p.Speak(context.Background(), func(_ context.Context, r engine.Request) (string, error) {
			asked = r
			return c.says, nil
		}, w.Script, st, heard, in, 7)
		if err != nil || strings.TrimSpace(got.Text) != c.want || got.To != "laozhou" {
			t.Errorf("%q: %+v, %v", c.says, got, err)
		}
		prompt := asked.Messages[1].Parts[0]
		name := w.Script.Persona("laozhou").Name.In(c.lang)
		if !strings.Contains(prompt, name+": Sit down.") || strings.Contains(prompt, "long ago") || asked.Seed != 7 {
			t.Errorf("asked:\n%s", prompt)
		}
	}
	p, _ := players.New("liar", "en", 1)
	if _, err := p.Speak(context.Background(), func(context.Context, engine.Request) (string, error) { return "", engine.ErrUnavailable }, w.Script, st, nil, in, 1); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("%v", err)
	}
}
