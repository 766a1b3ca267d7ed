package players_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"fabula/story"
	"fabula/story/playtest/players"
	"fabula/worlds"
)

var demo = func() func(*testing.T) *worlds.World {
	open := sync.OnceValues(func() (*worlds.World, error) { return worlds.Open("fox_lantern") })
	return func(t *testing.T) *worlds.World {
		t.Helper()
		w, err := open()
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
}()

// walk lets a player act through the plot alone: what is said fires beats, no
// NPC replies.
func walk(t *testing.T, kind, lang string, seed uint64, turns int) (acts []story.Input, nodes []string) {
	t.Helper()
	w := demo(t)
	p, ok := players.New(kind, lang, seed)
	if !ok {
		t.Fatalf("no kind %s", kind)
	}
	st := w.Script.Initial()
	w.Script.Enter(&st, w.Script.Start, lang)
	for range turns {
		in, ok := p.Next(w.Script, st)
		if !ok {
			break
		}
		acts = append(acts, in)
		if in.Choose != "" {
			w.Script.Take(&st, w.Script.Exit(st.Node+"."+in.Choose), "choice", lang)
		} else if in.Text != "" {
			w.Script.CountTurn(&st)
			w.Script.PlayerBeats(&st, in.Text, lang)
		}
		if !slices.Contains(nodes, st.Node) {
			nodes = append(nodes, st.Node)
		}
	}
	return acts, nodes
}

// Ensure that every kind acts in both languages, the same way for the same seed,
// gets through the plot, and that no two seeds of a talker are alike.
func TestKinds(t *testing.T) {
	for _, kind := range players.Kinds() {
		for _, lang := range []string{"en", "zh"} {
			first, nodes := walk(t, kind, lang, 1, 60)
			again, _ := walk(t, kind, lang, 1, 60)
			other, _ := walk(t, kind, lang, 2, 60)
			if fmt.Sprint(first) != fmt.Sprint(again) || fmt.Sprint(first) == fmt.Sprint(other) {
				t.Errorf("%s %s: the seed does not decide", kind, lang)
			}
			if len(nodes) < 2 {
				t.Errorf("%s %s saw only %v", kind, lang, nodes)
			}
			for _, in := range first {
				if in.Choose == "" && strings.TrimSpace(in.Text) == "" && !in.Next {
					t.Errorf("%s %s does nothing: %+v", kind, lang, in)
				}
				if kind == "silent" && in.Text != "" {
					t.Errorf("silent says %q", in.Text)
				}
			}
		}
	}
	if _, ok := players.New("nobody", "en", 1); ok {
		t.Error("an unknown kind plays")
	}
}

// Ensure that who seeks beats makes them fire and sees more of the plot than one
// who says nothing, without an ending while something else is open.
func TestSeeker(t *testing.T) {
	for seed := range uint64(4) {
		_, nodes := walk(t, "beat_seeker", "en", seed, 30)
		_, silent := walk(t, "silent", "en", seed, 30)
		if len(nodes) < 5 || len(nodes) < len(silent) {
			t.Errorf("seed %d: %v; silent %v", seed, nodes, silent)
		}
	}
}
