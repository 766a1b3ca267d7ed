package judge_test

import (
	"context"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/scripted"
	"fabula/personas"
	"fabula/story"
	"fabula/story/golden"
	"fabula/story/lab/judge"
	"fabula/story/plot"
	"fabula/worlds"
)

// judging is the demo world with a judge that plays a script.
func judging(t *testing.T, script string) (*worlds.World, *judge.Judge) {
	t.Helper()
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	e, err := scripted.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	return w, judge.New(w.Script, e.(engine.Scorer))
}

// sound is a judge that sees what was planted, and nothing else.
const sound = `choose "" 0.5 "answers: “…”"
choose "yes" 0.95 "speak as a machine" "as an ai language model"
choose "yes" 0.95 "modern slang" "lol"
choose "yes" 0.95 "what the player does or feels" "you tremble"
choose "no" 0.95
`

func items() []judge.Item {
	return []judge.Item{{ID: "1", Persona: "jin", Language: "en", Player: "Well?", Reply: "lol, honestly.", Engine: "e", Version: 2},
		{ID: "2", Persona: "jin", Language: "en", Player: "Well?", Reply: "Forty-one jars.", Engine: "e", Version: 2}}
}

// run judges the items and gives how many controls there were, and the sum.
func run(t *testing.T, script string, flaws ...golden.Flaw) (judge.Sum, []judge.Judgement) {
	t.Helper()
	_, j := judging(t, script)
	var all []judge.Judgement
	sum, err := judge.Batch{Items: items(), Flaws: flaws, Seed: 7}.Run(context.Background(), j, func(one judge.Judgement) error {
		all = append(all, one)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum, all
}

// Ensure that a judge which sees the planted flaws is heard, that its opinions are
// counted by flaw, and that controls stand among the items and not in the counts.
func TestSoundJudge(t *testing.T) {
	sum, all := run(t, sound)
	if sum.Void() || sum.Items != 2 || sum.Controls != 5 || len(all) != 7 {
		t.Fatalf("void %v, %d items, %d controls: %+v", sum.Void(), sum.Items, sum.Controls, sum.Missed)
	}
	if all[0].Control == "" && all[1].Control == "" {
		t.Error("the items come first")
	}
	for _, r := range sum.Rows() {
		want := 0
		if r.Code == golden.Modern {
			want = 1
		}
		if r.Hits != want || r.N != 2 || r.Persona != "jin" || r.Engine != "e" || r.Version != 2 {
			t.Errorf("%+v", r)
		}
	}
	if s := sum.Steady(); s.Rate != 1 {
		t.Errorf("steady %+v", s)
	}
}

// Ensure that judges without a judgement are voided: one that says yes to all, one
// that says no, one that takes the first label, one that likes yes anyway.
func TestVoid(t *testing.T) {
	for name, script := range map[string]string{
		"always yes":  "choose \"\" 0.5 \"answers: “…”\"\nchoose \"yes\" 0.95\n",
		"always no":   "choose \"\" 0.5 \"answers: “…”\"\nchoose \"no\" 0.95\n",
		"first label": "choose \"\" 0.5\n",
		"likes yes":   "choose \"yes\" 0.95\n",
	} {
		if sum, _ := run(t, script); !sum.Void() {
			t.Errorf("%s is heard", name)
		}
	}
}

// Ensure that only planted flaws that are asked about are mixed in.
func TestControlsOfWhatIsAsked(t *testing.T) {
	sum, all := run(t, sound, golden.Flaw{Code: golden.Lectures, Severity: 2})
	if sum.Void() || sum.Controls != 2 {
		t.Errorf("%d controls of %+v", sum.Controls, all)
	}
}

// Ensure that a speaker is guessed with the names taken out, and that what an
// NPC is called does not give it away.
func TestSpeaker(t *testing.T) {
	_, j := judging(t, "choose \"\" 0.5 \"says: “…”\"\nchoose \"Mr Jin\" 0.9 \"says: “___ here, two jars.”\"\nchoose \"Lao Zhou\" 0.9\n")
	g, err := j.Speaker(context.Background(), judge.Item{Persona: "jin", Language: "en", Reply: "Mr Jin here, two jars."})
	if err != nil || !g.Right || g.Who != "jin" || g.Among != 5 {
		t.Errorf("%+v, %v", g, err)
	}
	g, err = j.Speaker(context.Background(), judge.Item{Persona: "jin", Language: "en", Reply: "Rain."})
	if err != nil || g.Right || g.Who != "laozhou" {
		t.Errorf("%+v, %v", g, err)
	}
}

// Ensure that among as many NPCs is guessed wherever the speaker stands in a world of
// many.
func TestSpeakersOfManyNPCs(t *testing.T) {
	e, err := scripted.Parse([]byte("choose \"\" 0.5\n"))
	if err != nil {
		t.Fatal(err)
	}
	script := &plot.Script{Languages: []string{"en"}}
	for _, id := range strings.Split("abcdefgh", "") {
		script.Personas = append(script.Personas, &personas.Persona{ID: id, Name: personas.Text{Plain: id}})
	}
	for _, p := range script.Personas {
		g, err := judge.New(script, e.(engine.Scorer)).Speaker(context.Background(), judge.Item{Persona: p.ID, Language: "en", Reply: "Rain."})
		if err != nil || g.Among != 6 {
			t.Errorf("%s: %+v, %v", p.ID, g, err)
		}
	}
}

// Ensure that a pair is won only by a line that both orders prefer, and that a
// liking of the first place shows and wins nothing.
func TestPair(t *testing.T) {
	one := judge.Item{Persona: "jin", Language: "en", Player: "Well?", Reply: "Two jars.", Against: "Hey dude."}
	for script, want := range map[string]judge.Preference{
		"choose \"\" 0.5 \"player says: “…”\"\nchoose \"jars\" 0.9\n": {Winner: 1, P: 0.9, First: 0.5},
		"choose \"\" 0.5 \"player says: “…”\"\nchoose \"dude\" 0.9\n": {Winner: 2, P: 0.1, First: 0.5},
		"choose \"\" 0.5\n": {Winner: 0, P: 0.5, First: 0.5},
	} {
		_, j := judging(t, script)
		got, err := j.Pair(context.Background(), one)
		if err != nil || got.Winner != want.Winner || abs(got.P-want.P) > 0.01 || abs(got.First-want.First) > 0.01 {
			t.Errorf("%q: %+v, want %+v, %v", script, got, want, err)
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

// Ensure that an engine is known by its weights or script, not by its name.
func TestOwn(t *testing.T) {
	made := func(name, hash string) story.Step {
		info := engine.Info{Kind: engine.GGUF, Name: name, Model: "m", Build: engine.Build{BaseHash: hash}}
		return story.Step{Alternative: story.Alternative{ID: story.ID(name), Speaker: "jin", Text: "Well.", Reply: &story.Reply{Engine: info}}}
	}
	w, _ := judging(t, sound)
	got := judge.Collect(w.Script, []judge.Branch{{Name: "b", Language: "en", Path: []story.Step{made("a", "1"), made("b", "2"), {}}}})
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	by := engine.Info{Kind: engine.GGUF, Name: "renamed", Model: "m", Build: engine.Build{BaseHash: "2"}}
	if own := judge.Own(got, by); len(own) != 1 || own[0].Engine != "b" || judge.Kin(got, by) != "m" {
		t.Errorf("%+v", own)
	}
}

// Ensure that a rubric holds what the author wrote of a persona and neither its
// secrets nor its sample lines, in both languages.
func TestRubric(t *testing.T) {
	w, _ := judging(t, sound)
	p := w.Script.Persona("jin")
	for lang, want := range map[string][]string{"en": {"Mr Jin", "a liar", "Born Tao Si", "damn", "my friend"}, "zh": {"金先生", "爱说谎", "本名陶四", "老子", "朋友"}} {
		got := judge.Rubric(w.Script, p, lang)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %q in %s", lang, part, got)
			}
		}
		for _, s := range p.Samples {
			if strings.Contains(got, s.Reply.In(lang)) {
				t.Errorf("%s: a sample in it: %s", lang, s.Reply.In(lang))
			}
		}
		if strings.Contains(got, p.Secrets[0].Text.In(lang)) {
			t.Errorf("%s: a secret in it", lang)
		}
	}
}

// Ensure that a draw is the seed's, keeps the order and repeats.
func TestDraw(t *testing.T) {
	all := make([]judge.Item, 30)
	for i := range all {
		all[i].N = i
	}
	a, b := judge.Draw(all, 5, 1), judge.Draw(all, 5, 1)
	if len(a) != 5 || len(judge.Draw(all, 99, 1)) != 30 {
		t.Fatalf("%d", len(a))
	}
	for i := range a {
		if a[i].N != b[i].N || i > 0 && a[i].N <= a[i-1].N {
			t.Errorf("%+v %+v", a, b)
		}
	}
}
