package prompt_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// Ensure that the lines to recall are those that may be said now, by the
// speaker, in the language.
func TestCandidates(t *testing.T) {
	s := ferry(t)
	again := func(st *plot.State) { st.Visits["landing"] = 2 }
	toldOfBrother := func(st *plot.State) { st.Anchors = map[string]int{"landing.brother": 1} }
	tests := map[string]struct {
		in   prompt.Input
		want []string // id: text
	}{
		"locked, first visit": {prompt.Input{Speaker: s.Persona("adu"), State: at(s), Language: "en"}, []string{
			"adu.landing.brother: My brother is ill.", "adu.landing.asks: Three qian of herbs, Kesang.",
			"adu.sample.1: Look at the water.", "adu.sample.2: Three coins.", "adu.sample.3: Don't know.", "adu.sample.4: Hm.",
			"adu.salt_cellar.cover: The shrine? Nothing but ash.", "adu.greeting: Boat?"}},
		"unlocked, another visit, in Chinese": {prompt.Input{Speaker: s.Persona("adu"), State: at(s, gaveHerbs, again, toldOfBrother), Language: "zh"}, []string{
			"adu.landing.brother: 俺弟弟病了。", "adu.landing.thanks: 记下了。",
			"adu.sample.1: 看水。", "adu.sample.2: 三文。", "adu.sample.4: 嗯。", "adu.greeting: 上船？"}},
		"said in this turn": {prompt.Input{Speaker: s.Persona("adu"), State: at(s, gaveHerbs, again), Language: "zh",
			Opening: []prompt.Spoken{{By: "adu", Text: "记下了。"}, {Text: "嗯。"}}}, []string{
			"adu.landing.brother: 俺弟弟病了。", "adu.sample.1: 看水。", "adu.sample.2: 三文。", "adu.sample.4: 嗯。", "adu.greeting: 上船？"}},
		"a language that nobody wrote": {prompt.Input{Speaker: s.Persona("adu"), State: at(s), Language: "de"}, nil},
		"nothing written":              {prompt.Input{Speaker: s.Persona("qin"), State: at(s), Language: "en"}, nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			tc.in.Script = s
			var got []string
			for _, c := range prompt.Candidates(tc.in) {
				got = append(got, c.ID+": "+c.Text)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Ensure that a line can be called in every language, and that an anchor that
// was not said comes before all else.
func TestCandidateCues(t *testing.T) {
	s := ferry(t)
	got := map[string]engine.Candidate{}
	for _, c := range prompt.Candidates(prompt.Input{Script: s, Speaker: s.Persona("adu"), State: at(s), Language: "en"}) {
		got[c.ID] = c
	}
	want := []engine.Candidate{
		{ID: "adu.sample.1", Cue: "Will you cross?", Text: "Look at the water.", Keys: []string{"过河吗？"}},
		{ID: "adu.landing.brother", Text: "My brother is ill.", Keys: []string{"brother", "弟弟"}, Prior: 1},
		{ID: "adu.landing.asks", Text: "Three qian of herbs, Kesang.", Prior: 0.5},
	}
	for _, w := range want {
		if diff := cmp.Diff(w, got[w.ID]); diff != "" {
			t.Error(diff)
		}
	}
}

// Ensure that without a script or a speaker there is nothing to say.
func TestNoCandidates(t *testing.T) {
	if got := prompt.Candidates(prompt.Input{}); got != nil {
		t.Errorf("got %v", got)
	}
}
