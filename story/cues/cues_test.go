package cues_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/personas"
	"fabula/story/cues"
	"fabula/story/plot"
)

func texts(all ...string) []personas.Text {
	var out []personas.Text
	for _, s := range all {
		out = append(out, personas.Text{Plain: s})
	}
	return out
}

func known() plot.Cues {
	return plot.Cues{
		Emotion:     []string{"calm", "angry"},
		Action:      []string{"nod", "laugh", "sigh", "draw_sword", "draw", "stroke_cuff"},
		Environment: []string{"sky_darkens", "lamp_flickers"},
	}
}

// Ensure that directions are found in every bracket, form and language, and
// that everything else stays text.
func TestParse(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string // "kind id quote"
	}{
		"asterisks":             {"*nods* Fine.", []string{"action nod *nods*"}},
		"round":                 {"Fine. (laughs)", []string{"action laugh (laughs)"}},
		"square":                {"[sigh] Fine.", []string{"action sigh [sigh]"}},
		"wide":                  {"（笑）行。", []string{"action laugh （笑）"}},
		"a phrase in Chinese":   {"（轻轻叹了口气）走吧。【点头】", []string{"action sigh （轻轻叹了口气）", "action nod 【点头】"}},
		"past and participle":   {"*nodded slowly* (sighing)", []string{"action nod *nodded slowly*", "action sigh (sighing)"}},
		"id as written":         {"*draw_sword*", []string{"action draw_sword *draw_sword*"}},
		"words with others":     {"*draws his sword*", []string{"action draw_sword *draws his sword*"}},
		"the longer cue wins":   {"*draws a breath*", []string{"action draw *draws a breath*"}},
		"environment":           {"(The lamp flickers.) Hush.", []string{"environment lamp_flickers (The lamp flickers.)"}},
		"emotion":               {"(angry) Out!", []string{"emotion angry (angry)"}},
		"inside another":        {"(he *nods*) Yes.", []string{"action nod (he *nods*)"}},
		"inside a long aside":   {"(he looks at the river for a long time and then *nods* once)", []string{"action nod *nods*"}},
		"unknown":               {"*dances* (aside) [1] （旁白）", nil},
		"speech in brackets":    {"(I would nod if I could but I never learnt how)", nil},
		"not marked":            {"He nods and laughs.", nil},
		"never closed":          {"*nods and (laughs", nil},
		"over a line break":     {"*nods\nor so*", nil},
		"multiplication":        {"3 * 4 * 5", nil},
		"words in wrong order":  {"*his sword draws near*", []string{"action draw *his sword draws near*"}},
		"empty":                 {"** () （）", nil},
		"a word that begins so": {"*nodule*", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, c := range cues.Parse(tc.text, known()) {
				got = append(got, c.Kind+" "+c.ID+" "+tc.text[c.Start:c.End])
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzParse looks for texts that break it, and for spans outside of them.
func FuzzParse(f *testing.F) {
	f.Add("*nods* （笑） [sigh")
	f.Add("(a *b* (c) 【\xff】")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, c := range cues.Parse(text, known()) {
			if c.Start < end || c.End <= c.Start || c.End > len(text) {
				t.Errorf("span %d..%d after %d of %d", c.Start, c.End, end, len(text))
			}
			end = c.End
		}
	})
}
