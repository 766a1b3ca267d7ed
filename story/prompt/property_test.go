package prompt_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// anyState draws a state that authors can reach or not: the lock must hold in
// every one.
func anyState(t *rapid.T, s *plot.Script) plot.State {
	st := s.Initial()
	s.Enter(&st, rapid.SampledFrom([]string{"landing", "yamen"}).Draw(t, "node"), "en")
	count := func(key string, m *map[string]int) {
		if n := rapid.IntRange(0, 2).Draw(t, key); n > 0 {
			if *m == nil {
				*m = map[string]int{}
			}
			(*m)[key] = n
		}
	}
	count("landing.gives_herbs", &st.Beats)
	count("landing.to_yamen", &st.Exits)
	count("qin:landing.gives_herbs", &st.Learned)
	count("adu:landing.to_yamen", &st.Learned)
	count("adu.salt_cellar", &st.Told)
	count("landing.brother", &st.Anchors)
	st.Vars["sold_adu"] = plot.BoolValue(rapid.Bool().Draw(t, "sold"))
	st.Vars["trust"] = plot.IntValue(rapid.IntRange(0, 5).Draw(t, "trust"))
	st.Vars["day"] = plot.IntValue(rapid.IntRange(0, 800).Draw(t, "day"))
	st.Turns = rapid.IntRange(0, 9).Draw(t, "turns")
	return st
}

func anyHistory(t *rapid.T, most int) []prompt.Exchange {
	words := []string{"Fog.", "看水。", "The shrine and the tax, again and again", "{player}", "Hm", ""}
	var h []prompt.Exchange
	for i := range rapid.IntRange(0, most).Draw(t, "exchanges") {
		x := prompt.Exchange{Turn: "t" + string(rune('a'+i%26))}
		for range rapid.IntRange(1, 4).Draw(t, "lines") {
			x.Lines = append(x.Lines, prompt.Spoken{
				By:   rapid.SampledFrom([]string{"player", "adu", "qin", "", "gone"}).Draw(t, "by"),
				Text: rapid.SampledFrom(words).Draw(t, "text"),
			})
		}
		h = append(h, x)
	}
	return h
}

func anyInput(t *rapid.T, s *plot.Script) prompt.Input {
	return prompt.Input{
		Script: s, State: anyState(t, s), Speaker: rapid.SampledFrom(s.Personas).Draw(t, "speaker"),
		Language: rapid.SampledFrom([]string{"en", "zh", "de", ""}).Draw(t, "lang"),
		History:  anyHistory(t, 6), Line: rapid.SampledFrom([]string{"", "庙和税", "shrine, tax"}).Draw(t, "line"),
	}
}

func whole(p prompt.Prompt) string {
	var b strings.Builder
	for _, m := range p.Messages {
		b.WriteString(strings.Join(m.Parts, "") + "\n")
	}
	return b.String()
}

// Ensure that in no state a prompt or a line to recall holds a locked secret,
// and that an unlocked one is there.
func TestLockedSecretsAreNotThere(t *testing.T) {
	s := ferry(t)
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t, s)
		p, err := prompt.Assemble(in)
		if err != nil {
			t.Fatal(err)
		}
		text := whole(p)
		for _, c := range prompt.Candidates(in) {
			text += strings.Join(append(c.Keys, c.Cue, c.Text), "\n")
		}
		for _, persona := range s.Personas {
			for i := range persona.Secrets {
				sec := &persona.Secrets[i]
				mine := persona == in.Speaker && s.Unlocked(persona, sec, in.State)
				found := false
				for _, words := range sec.Text.All() {
					found = found || strings.Contains(text, words)
				}
				for _, a := range sec.Aliases {
					found = found || !mine && strings.Contains(text, a.Plain)
				}
				if found != mine {
					t.Fatalf("%s.%s: found %v, unlocked for the speaker %v", persona.ID, sec.ID, found, mine)
				}
			}
		}
	})
}

// Ensure that an author's slip does not undo the lock: whatever names the
// secret is dropped and listed, and the player's own words stay.
func TestSlips(t *testing.T) {
	s := ferry(t)
	s.Lore[0].Text = plain("everyone knows of the salt cellar")
	s.Lore[1].Text = plain("the Salt-Cellars are old")
	p := s.Persona("adu")
	p.Samples[0].Reply = plain("盐在地窖。")
	p.Knows[0].Text = plain("the salt is in the cellar, under the shrine; so much is plain")
	in := prompt.Input{Script: s, State: at(s), Speaker: p, Language: "en", Line: "Is there a salt cellar in the shrine?"}
	got, err := prompt.Assemble(in)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(strings.ToLower(whole(got)), "salt cellar"); n != 1 || strings.Contains(whole(got), "盐在地窖") || strings.Contains(whole(got), "so much is plain") {
		t.Errorf("named %d times:\n%s", n, whole(got))
	}
	if len(got.Dropped) != 4 {
		t.Errorf("dropped %+v", got.Dropped)
	}
	for _, d := range got.Dropped {
		if d.Why != prompt.WhyLocked || d.Tokens == 0 {
			t.Errorf("dropped %+v", d)
		}
	}
	for _, c := range prompt.Candidates(in) {
		if strings.Contains(c.Text, "盐在地窖") {
			t.Errorf("candidate %+v", c)
		}
	}
	if !strings.Contains(whole(got), "This is how you answer:\nKesang: How much?") {
		t.Error("the heading went with the first sample")
	}
}

// Ensure that what stands before the last user message is the beginning of the
// next turn's prompt, part by part, so that only what is new is read (R26).
func TestNextTurnGoesOn(t *testing.T) {
	s := ferry(t)
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t, s)
		before, err := prompt.Assemble(in)
		if err != nil {
			t.Fatal(err)
		}
		next := in
		next.State = anyState(t, s)
		next.Line = "And then?"
		next.History = append(in.History[:len(in.History):len(in.History)], prompt.Exchange{Turn: "new", Lines: []prompt.Spoken{
			{By: "player", Text: in.Line}, {By: in.Speaker.ID, Text: "Hm."},
		}})
		after, err := prompt.Assemble(next)
		if err != nil {
			t.Fatal(err)
		}
		n := len(before.Messages) - 1
		if diff := shared(before.Messages[:n], after.Messages); diff != "" {
			t.Fatal(diff)
		}
	})
}

// shared says where prefix stops to be the beginning of all.
func shared(prefix, all []engine.Message) string {
	for i, m := range prefix {
		if m.Role != all[i].Role || strings.Join(m.Parts, "\x00") != strings.Join(all[i].Parts, "\x00") {
			return string(m.Role) + ": " + strings.Join(m.Parts, "|") + " became " + strings.Join(all[i].Parts, "|")
		}
	}
	return ""
}

// Ensure that the same input gives the same bytes, and changes nothing.
func TestPure(t *testing.T) {
	s := ferry(t)
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t, s)
		in.Budget = prompt.Budget{Window: rapid.IntRange(300, 2000).Draw(t, "window"), Reply: 50}
		x, errX := prompt.Assemble(in)
		y, errY := prompt.Assemble(in)
		if (errX == nil) != (errY == nil) || dump(x) != dump(y) {
			t.Fatal("two calls, two prompts")
		}
	})
}
