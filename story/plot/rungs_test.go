package plot_test

import (
	"testing"

	"fabula/personas"
	"fabula/story/plot"
)

func group(words ...string) [][]personas.Text { return [][]personas.Text{plain(words...)} }

func plain(words ...string) []personas.Text {
	var out []personas.Text
	for _, w := range words {
		out = append(out, personas.Text{Plain: w})
	}
	return out
}

// Ensure that a word that is denied in its clause does not count, and that one
// which only looks denied does.
func TestDeniedWords(t *testing.T) {
	d := plot.Detect{Any: group("herbs", "柴胡")}
	for text, want := range map[string]bool{
		"Here are the herbs.":                          true,
		"I did not find the herbs.":                    false,
		"I never had any herbs.":                       false,
		"I don't have the herbs, but here is silver.":  false,
		"No, here are the herbs.":                      true,
		"I could not find them at first. Here, herbs.": true,
		"I did not bring salt, I brought herbs.":       true,
		"Not only herbs: silver too.":                  true,
		"Why not take the herbs?":                      true,
		"I have no herbs. Wait: here are the herbs.":   true,
		"柴胡给你。":                                        true,
		"我没有柴胡。":                                       false,
		"我没带来柴胡。":                                      false,
		"不是柴胡。":                                        false,
		"没找到，柴胡在这儿。":                                   true,
		"不过柴胡有了。":                                      true,
		"你要不要柴胡？":                                      true,
		"我不得不把柴胡给你。":                                   true,
		"别碰柴胡。":                                        false,
	} {
		if _, got := d.Match(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	d.Denied = true
	if _, got := d.Match("I have no herbs."); !got {
		t.Error("denied words are to count where the author says so")
	}
}

// Ensure that an intent needs act and object in one sentence, and that nothing
// is done by asking, supposing or denying.
func TestIntent(t *testing.T) {
	d := plot.Detect{Intent: &plot.Intent{Act: "give", Object: plain("herbs", "柴胡")}}
	for text, want := range map[string]bool{
		"Here are the herbs.":                 true,
		"I give you my herbs.":                true,
		"Take this: herbs for your brother.":  true,
		"I hand over what I have. The herbs?": false,
		"Should I give you the herbs?":        false,
		"If I give you the herbs, will it do": false,
		"I won't give you the herbs.":         false,
		"I like herbs.":                       false,
		"I give you silver.":                  false,
		"柴胡给你。":                               true,
		"拿着，柴胡。":                              true,
		"柴胡要给你吗？":                             false,
		"要是给你柴胡呢":                             false,
		"我不给你柴胡。":                             false,
		"柴胡真贵。":                               false,
		"我带来了柴胡。":                             true,
	} {
		e, got := d.Match(text)
		if got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if got && (e.Rung != plot.Intents || text[e.Start:e.End] != e.Quote) {
			t.Errorf("%q: evidence %+v", text, e)
		}
	}
}

// Ensure that what is like an example is at least shown, that it decides where
// the beat says how alike is enough, and that near misses and questions do not.
func TestLikeAnExample(t *testing.T) {
	b := &plot.Beat{ID: "b", Fires: plain("I hand the herbs to Adu", "我把柴胡交给阿渡"), Not: plain("I ask Adu about the herbs", "我问阿渡柴胡的事")}
	for text, want := range map[string]plot.Verdict{
		"I hand Adu the herbs.":        plot.Unsure,
		"I asked Adu about the herbs.": plot.Not,
		"It rains.":                    plot.Not,
		"柴胡我交给阿渡了。":                    plot.Unsure,
		"我问阿渡柴胡。":                      plot.Not,
	} {
		if got, e := b.Notice("n.b", text, nil); got != want {
			t.Errorf("%q: %s, want %s (%+v)", text, got, want, e)
		}
	}
	b = &plot.Beat{ID: "b", Fires: b.Fires, Not: b.Not, Like: 0.7}
	for text, want := range map[string]plot.Verdict{
		"I hand Adu the herbs.":         plot.Happened,
		"Do I hand the herbs to Adu?":   plot.Unsure,
		"I don't hand the herbs to Adu": plot.Unsure,
	} {
		if got, e := b.Notice("n.b", text, nil); got != want {
			t.Errorf("like 0.7: %q: %s, want %s (%+v)", text, got, want, e)
		}
	}
}

// Ensure that the judge confirms or drops what examples propose, is not asked
// where words decide or nothing is near, and that its doubt keeps the words'.
func TestJudge(t *testing.T) {
	b := &plot.Beat{ID: "b", Fires: plain("I hand the herbs to Adu"), Detect: plot.Detect{Any: group("take the herbs"), Judge: personas.Text{Plain: "the player hands over herbs"}}}
	asked := 0
	judge := func(v plot.Verdict) plot.Judge {
		return func(_ *plot.Beat, key, text string) (plot.Verdict, plot.Evidence) {
			asked++
			return v, plot.Evidence{Rung: plot.Judged, Score: 0.9}
		}
	}
	for _, c := range []struct {
		text  string
		says  plot.Verdict
		want  plot.Verdict
		asked int
	}{
		{"Take the herbs.", plot.Not, plot.Happened, 0},
		{"It rains.", plot.Happened, plot.Not, 0},
		{"I hand Adu the herbs.", plot.Happened, plot.Happened, 1},
		{"I hand Adu the herbs.", plot.Not, plot.Not, 1},
		{"I hand Adu the herbs.", plot.Unsure, plot.Unsure, 1},
	} {
		asked = 0
		if got, _ := b.Notice("n.b", c.text, judge(c.says)); got != c.want || asked != c.asked {
			t.Errorf("%q, judge %s: %s, asked %d times", c.text, c.says, got, asked)
		}
	}
	b.Fires = nil // nothing proposes: the judge is asked each time
	if got, _ := b.Notice("n.b", "It rains.", judge(plot.Happened)); got != plot.Happened {
		t.Errorf("got %s", got)
	}
}

// Ensure that what only resembles an example has to be seen in two of three
// turns, unless it cannot be taken back, and that a person's word is taken at
// once.
func TestSteady(t *testing.T) {
	for _, irreversible := range []bool{false, true} {
		s := &plot.Script{Languages: []string{"en"}, Start: "n", Nodes: []*plot.Node{{ID: "n", Beats: []*plot.Beat{{
			ID: "b", Once: true, Irreversible: irreversible, Like: 0.7, Fires: plain("I hand the herbs to Adu")}}}}}
		if faults := plot.Compile(s); len(faults) > 0 {
			t.Fatal(faults)
		}
		st := s.Initial()
		st.Node = "n"
		turn := func(h plot.Hearing) int {
			h.By, st.InTurn = "player", nil
			fired, doubts := s.Hear(&st, h)
			if len(fired)+len(doubts) > 1 {
				t.Errorf("%d fired, %d doubts", len(fired), len(doubts))
			}
			return len(fired)
		}
		first := turn(plot.Hearing{Text: "I hand Adu the herbs."})
		between := turn(plot.Hearing{Text: "It rains."})
		second := turn(plot.Hearing{Text: "There: I hand the herbs to Adu."})
		if want := 0; !irreversible && (first != want || between != 0 || second != 1) {
			t.Errorf("fired %d, %d, %d", first, between, second)
		}
		if irreversible && first != 1 {
			t.Errorf("irreversible: fired %d at once", first)
		}
		if irreversible {
			continue
		}
		st.Beats, st.Seen = nil, nil
		if turn(plot.Hearing{Text: "I hand Adu the herbs.", Reject: []string{"n.b"}}) != 0 || turn(plot.Hearing{Text: "It rains.", Accept: []string{"n.b"}}) != 1 {
			t.Error("a person's word is to be taken")
		}
	}
}
