package played

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/flow"
	"fabula/story/plot"
	"fabula/worlds"
)

// Play is how a script is to be played: from the start or another scene, with
// one choice after the other.
type Play struct {
	Story   int      `json:"story"` // index
	Start   string   `json:"start,omitempty"`
	Choices []Choice `json:"choices"`
}

// Choice is named by its place among what is offered, or by what is chosen and
// the scene that it leads to.
type Choice struct {
	N  int    `json:"n"`
	ID string `json:"id,omitempty"`
	To string `json:"to,omitempty"`
}

// Reading is what a player of a script saw.
type Reading struct {
	Lines   []string       `json:"lines"`
	Offered [][]string     `json:"offered"` // before each choice
	Vars    map[string]any `json:"vars"`    // at the end
	Error   string         `json:"error"`
}

// Script is a format that can be played: how it is printed, and a player that
// is not ours, or at least shares nothing with the printer. It fails the test
// where a story does not compile.
type Script struct {
	Print flow.Script
	Play  func(t *testing.T, stories []string, plays []Play) []Reading
}

func (s Script) printed(t *testing.T, in export.Input, lang string) (*flow.Flow, string) {
	t.Helper()
	f, err := flow.Build(in, lang)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Print(f)
	if err != nil {
		t.Fatal(err)
	}
	return f, string(text)
}

// Branches plays every recorded branch of the demo world, in both languages:
// long ones, forks, retries, jumps and several who answer.
func (s Script) Branches(t *testing.T) {
	var texts []string
	var plays []Play
	var want []flow.Path
	for _, lang := range []string{"en", "zh"} {
		said := map[string]string{"en": "Who lit the lamp? <b>& \"quotes\" -> x", "zh": "灯是谁点的？# 一 {hp} *叹气*"}[lang]
		in := Turns(t, lang, story.Input{Text: said}, story.Input{Choose: "to_kitchen"}, story.Input{Text: "Hello."}, story.Input{Text: "-> Hello.\n\n::  Again."})
		for _, in := range []export.Input{in, Forks(t, lang)} {
			f, text := s.printed(t, in, lang)
			for _, p := range f.Paths {
				plays, want = append(plays, played(len(texts), p)), append(want, p)
			}
			texts = append(texts, text)
		}
	}
	if len(plays) < 8 {
		t.Fatalf("only %d branches are exported", len(plays))
	}
	for i, got := range s.Play(t, texts, plays) {
		if got.Error != "" {
			t.Errorf("branch %s: %s", want[i].Branch, got.Error)
		}
		if diff := cmp.Diff(want[i].Lines, got.Lines); diff != "" {
			t.Errorf("branch %s reads otherwise (-ours +theirs):\n%s", want[i].Branch, diff)
		}
	}
}

func played(story int, p flow.Path) Play {
	one := Play{Story: story, Start: p.Start, Choices: []Choice{}}
	for _, c := range p.Choices {
		one.Choices = append(one.Choices, Choice{N: c})
	}
	return one
}

// Hostile plays 2,000 texts that look like syntax, as lines and as choices.
// normal brings a text to the form that the format keeps.
func (s Script) Hostile(t *testing.T, normal func(string) string) {
	f, text := s.printed(t, Talk(t, "en", Hostile(2000)), "en")
	got := s.Play(t, []string{text}, []Play{played(0, f.Paths[0])})[0]
	if got.Error != "" {
		t.Fatal(got.Error)
	}
	var want []string
	for _, l := range f.Paths[0].Lines {
		want = append(want, normal(l))
	}
	if diff := cmp.Diff(want, got.Lines); diff != "" {
		t.Errorf("(-ours +theirs):\n%s", diff)
	}
	i := 0
	for _, scene := range f.Scenes {
		if !scene.Played || len(scene.Choices) == 0 {
			continue
		}
		if want := normal(flow.Shown("", scene.Choices[0].Text)); i >= len(got.Offered) || got.Offered[i][0] != want {
			t.Errorf("choice %d is not offered as %q", i, want)
		}
		i++
	}
	if i < 900 || len(got.Lines) < 1800 {
		t.Errorf("only %d choices and %d lines were compared", i, len(got.Lines))
	}
}

// Walks plays exits alone, at random, and compares text and state with what our
// own engine does.
func (s Script) Walks(t *testing.T) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	in := export.Input{Script: w.Script}
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, lang := range []string{"en", "zh"} {
		f, text := s.printed(t, in, lang)
		to := map[string]string{}
		for _, scene := range f.Scenes {
			for _, c := range scene.Choices {
				to[c.ID] = c.To
			}
		}
		var plays []Play
		var want [][]string
		var ends []plot.State
		for range 80 {
			exits, read, states := Walk(w.Script, lang, 25, func(open []plot.Offer) int { return rnd.IntN(len(open)) })
			one := Play{Choices: []Choice{}}
			for _, e := range exits {
				one.Choices = append(one.Choices, Choice{ID: e, To: to[e]})
			}
			lines, err := flow.Lines(in, lang, read)
			if err != nil {
				t.Fatal(err)
			}
			plays, want, ends = append(plays, one), append(want, lines), append(ends, states[len(states)-1])
		}
		for i, got := range s.Play(t, []string{text}, plays) {
			compare(t, lang, plays[i], want[i], ends[i], got)
		}
	}
}

func compare(t *testing.T, lang string, p Play, want []string, end plot.State, got Reading) {
	t.Helper()
	var way []string
	for _, c := range p.Choices {
		way = append(way, c.ID)
	}
	if got.Error != "" {
		t.Fatalf("%s: walk %s: %s", lang, strings.Join(way, " "), got.Error)
	}
	if diff := cmp.Diff(want, got.Lines); diff != "" {
		t.Fatalf("%s: walk %s (-ours +theirs):\n%s", lang, strings.Join(way, " "), diff)
	}
	for id, v := range end.Vars {
		want := any(v.Str)
		switch v.Kind {
		case plot.Int:
			want = float64(v.Int)
		case plot.Bool:
			want = v.True()
		}
		if got.Vars[id] != want {
			t.Errorf("%s: walk %s: %s is %v, want %v", lang, strings.Join(way, " "), id, got.Vars[id], want)
		}
	}
}
