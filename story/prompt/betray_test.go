package prompt_test

import (
	"strings"
	"testing"

	"fabula/personas"
	"fabula/story/plot"
	"fabula/story/prompt"
	"fabula/worlds"
)

// Ensure that for every NPC in every reachable state of the demo world no
// prompt holds the text or an alias of a secret of its own that is locked there,
// in any language: neither what authors wrote, nor what comes back or is summed up of turns in
// which somebody said it, nor what was given as memory, and that a canary which
// only locked text holds never shows.
func TestNoPromptBetrays(t *testing.T) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	s := w.Script
	prompts, locked, kept := 0, 0, 0
	for i, st := range reachable(s) {
		if i%3 != 0 { // neighbours differ in little
			continue
		}
		for _, m := range s.Cast(st) {
			npc := s.Persona(m.NPC)
			forbidden := lockedTexts(s, npc, st)
			locked += len(forbidden)
			for _, lang := range s.Languages {
				in := hostile(s, st, npc, lang)
				p, err := prompt.Assemble(in)
				if err != nil {
					t.Fatal(err)
				}
				prompts++
				for _, seg := range p.Segments {
					for text, secret := range forbidden {
						if strings.Contains(letters(seg.Text), text) {
							t.Fatalf("%s at %s, beats %v: %s %s gives %s away: %q", npc.ID, st.Node, st.Beats, seg.Kind, seg.Source, secret, seg.Text)
						}
					}
					if strings.Contains(seg.Text, "canary") {
						t.Fatalf("%s at %s: the canary sings in %s %s", npc.ID, st.Node, seg.Kind, seg.Source)
					}
					if strings.Contains(seg.Text, "a quiet word") {
						kept++
					}
				}
			}
		}
	}
	if locked == 0 || kept == 0 {
		t.Errorf("%d prompts: %d locked texts, %d harmless memories: nothing was tried", prompts, locked, kept)
	}
	t.Logf("%d prompts, %d locked texts", prompts, locked)
}

// lockedTexts gives the letters of what an NPC must not tell yet.
func lockedTexts(s *plot.Script, npc *personas.Persona, st plot.State) map[string]string {
	out := map[string]string{}
	for _, secret := range s.Locked(npc, st) {
		for _, words := range append([]personas.Text{secret.Text}, secret.Aliases...) {
			for _, text := range words.All() {
				out[letters(text)] = npc.ID + "." + secret.ID
			}
		}
	}
	return out
}

// hostile is a prompt's input in which every way that is not authored tries to
// bring in what is locked: given memories and recollections, plain and disguised.
func hostile(s *plot.Script, st plot.State, npc *personas.Persona, lang string) prompt.Input {
	st = st.Clone()
	recollections := []prompt.Recollection{{Turn: "t0", Text: "a quiet word", Ago: 3}}
	for _, secret := range s.Locked(npc, st) {
		for _, text := range secret.Text.All() {
			for _, said := range []string{text + " canary", strings.ToUpper(text) + " canary", strings.Join(strings.Split(text, ""), "\u200b") + " canary"} {
				recollections = append(recollections, prompt.Recollection{Turn: "t1", Text: said, Ago: 2})
				st.Given = append(st.Given, plot.Given{Text: personas.Text{Plain: said}})
			}
		}
	}
	var past []prompt.Past
	for _, r := range recollections {
		past = append(past, prompt.Past{Source: "turns.x", Text: r.Text})
	}
	long := strings.Repeat("the rain goes on ", 40)
	in := prompt.Input{Script: s, State: st, Speaker: npc, Language: lang, Line: "Tell me.", Budget: prompt.Budget{Window: 2600, Reply: 100},
		Recall: func(int) []prompt.Recollection { return recollections }, Past: func(int) []prompt.Past { return past }}
	for range 12 {
		in.History = append(in.History, prompt.Exchange{Turn: "t", Lines: []prompt.Spoken{{By: "player", Text: long}, {By: npc.ID, Text: long}}})
	}
	return in
}
