package space_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/engine/scripted"
	"fabula/story"
	"fabula/story/check/space"
	"fabula/story/plot"
	"fabula/story/store"
	"fabula/worlds"
)

type ladder []engine.Rung

func (l ladder) Rungs(engine.Ask) iter.Seq[engine.Rung] { return slices.Values(l) }

// fataler is a test, or a draw of one.
type fataler interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// played plays a way in a session, with a store and an engine that replies with
// the way's words, and gives the state at its end.
func played(t fataler, s *plot.Script, dir string, way []space.Step) plot.State {
	var b strings.Builder
	b.WriteString("engine actor\nwindow 4096\nlanguages en zh\n")
	for _, step := range way {
		for _, r := range step.Replies {
			fmt.Fprintf(&b, "\nreply\n  say %q 0ms\n", r.Text)
		}
	}
	b.WriteString("\nreply\n  say \"nobody asked\" 0ms\n")
	eng, err := scripted.Parse([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	session, err := story.New(story.Config{Script: s, Store: tree, Engines: ladder{{Engine: eng}}})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	branch, last, err := session.Begin(story.Start{Language: way[0].Language})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range way[1:] {
		in := story.Input{Text: step.Say, To: step.To, Next: step.Next}
		if _, exit, ok := strings.Cut(step.Choose, "."); ok {
			in.Choose = exit
		}
		r, err := session.Say(context.Background(), branch.ID, in, story.Options{})
		if err != nil {
			t.Fatalf("step %d, %+v: %v", i+1, step, err)
		}
		if branch, last, err = r.Wait(); err != nil {
			t.Fatalf("step %d, %+v: %v", i+1, step, err)
		}
	}
	return last.Alternative.State
}

// Ensure that the ways of the demo world play in a session as they are written,
// and end where they say.
func TestWaysOfTheDemoPlayInASession(t *testing.T) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	sp := space.Explore(w.Script, space.Limits{})
	for _, n := range w.Script.Nodes {
		at, ok := sp.Reached(n.ID)
		way, words := sp.Witness(at)
		if !ok || !words {
			t.Fatalf("%s: %v %v", n.ID, ok, words)
		}
		st := played(t, w.Script, t.TempDir(), way)
		if same := sp.Same(at, &st); st.Node != n.ID || !same {
			t.Errorf("%s: the session ends in %+v", n.ID, st)
		}
	}
}

// Ensure the same of any state of random worlds.
func TestWaysPlayInASession(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		s := script(t)
		sp := space.Whole(s, space.Limits{States: 3000})
		at := sp.State(rapid.IntRange(0, sp.States-1).Draw(t, "state"))
		way, words := sp.Witness(at)
		if !words || len(way) > 12 {
			return
		}
		n++
		st := played(t, s, fmt.Sprintf("%s/%d", dir, n), way)
		if !sp.Same(at, &st) {
			t.Fatalf("the session ends in %+v after %+v\n%s", st, way, written(s))
		}
	})
}
