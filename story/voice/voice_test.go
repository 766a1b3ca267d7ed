package voice_test

import (
	"context"
	"iter"
	"testing"

	"fabula/engine"
	"fabula/engine/scripted"
	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/store"
	"fabula/story/voice"
	"fabula/worlds"
)

// Ensure that the rules leave the demo's authored lines alone, which other hands
// wrote than the labelled cases: 735 replies in two languages, so a rule that
// is wrong once in 500 would most likely show.
func TestAuthoredLinesAreClean(t *testing.T) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	s, n := w.Script, 0
	for _, p := range s.Personas {
		for _, lang := range s.Languages {
			for _, sample := range p.Samples {
				in := story.Judged(s, p, plot.State{Node: s.Start}, lang, sample.Reply.In(lang))
				in.Locked, in.Scene, in.Absent = nil, nil, nil // a sample belongs to a state of its own
				n++
				for _, f := range story.Findings(s, in, lint.Reply) {
					t.Errorf("%s, %s: %s %v in %q", p.ID, lang, f.Code, f.Args, in.Text)
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d lines were tried", n)
	}
}

// one is a ladder of one engine.
type one struct{ engine.Engine }

func (o one) Rungs(engine.Ask) iter.Seq[engine.Rung] {
	return func(yield func(engine.Rung) bool) { yield(engine.Rung{Engine: o.Engine, Step: engine.StepFull}) }
}

// Ensure that rates are told apart by persona, engine and version, that a reply
// counts once for a rule however often it hits, that the path of a branch can be
// judged alone, and that what a person wrote is left out.
func TestJudge(t *testing.T) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	e, err := scripted.Parse([]byte("engine low\nreply\n say \"lol, omg, the rain.\"\nreply\n say \"The rain.\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := story.New(story.Config{Script: w.Script, Store: tree, Engines: one{e}, Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b, _, err := s.Begin(story.Start{})
	if err != nil {
		t.Fatal(err)
	}
	var last story.Step
	for range 2 {
		r, err := s.Say(context.Background(), b.ID, story.Input{Text: "Well?", To: "laozhou"}, story.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if b, last, err = r.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.EditReply(b.ID, last.Alternative.ID, "lol, said the writer."); err != nil {
		t.Fatal(err)
	}
	all, err := voice.Judge(s.Reader(), w.Script, "")
	if err != nil {
		t.Fatal(err)
	}
	want := lint.NewRate(1, 2)
	for _, row := range all.Rows {
		if row.Rule == lint.CodeSlang && (row.Rate != want || row.Persona != "laozhou" || row.Engine != "low" || row.Version != 1) {
			t.Errorf("slang: %+v", row)
		}
	}
	if all.Replies != 2 || len(all.Rows) != len(lint.Rules())+1 {
		t.Errorf("%d replies, %d rows", all.Replies, len(all.Rows))
	}
	path, err := voice.Judge(s.Reader(), w.Script, last.Turn.Parent)
	if err != nil || path.Replies != 1 {
		t.Errorf("the path has %d replies: %v", path.Replies, err)
	}
}
