package prompt_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"fabula/personas"
	"fabula/story/plot"
	"fabula/story/prompt"
	"fabula/worlds"
)

// enough states of one node: those of the first would otherwise hide the rest.
const enough = 40

// reachable walks the states of a script in breadth: every open exit, and every
// line that an author gave as an example of what fires a beat.
func reachable(s *plot.Script) []plot.State {
	first := s.Initial()
	s.Enter(&first, s.Start, "en")
	seen, of, queue := map[string]bool{}, map[string]int{}, []plot.State{}
	add := func(st plot.State) {
		key, _ := json.Marshal([]any{st.Node, st.Beats, st.Vars, slices.Sorted(maps.Keys(st.Visits))}) // how often hardly matters
		if !seen[string(key)] && of[st.Node] < enough {
			seen[string(key)] = true
			of[st.Node]++
			queue = append(queue, st)
		}
	}
	add(first)
	for i := 0; i < len(queue); i++ {
		for _, o := range s.Offers(queue[i], "en") {
			if o.Open {
				st := queue[i].Clone()
				s.Take(&st, o.Exit, "choice", "en")
				add(st)
			}
		}
		for _, b := range s.Node(queue[i].Node).Beats {
			for _, example := range b.Fires {
				for _, text := range example.All() {
					st := queue[i].Clone()
					s.PlayerBeats(&st, text, "en")
					add(st)
				}
			}
		}
	}
	return queue
}

// letters is a text without anything that could hide it.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// Ensure that in no reachable state of the demo world a line may be recalled
// that holds the text or an alias of a secret that is locked there, whoever says
// it and whoever's it is: neither an authored line nor an approved reply.
func TestNoRecalledLineBetrays(t *testing.T) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	s := w.Script
	var kept []prompt.Kept // as if a person had starred every secret in every place
	for _, node := range s.Nodes {
		for _, by := range s.Personas {
			for _, owner := range s.Personas {
				for _, secret := range owner.Secrets {
					for _, lang := range s.Languages {
						kept = append(kept, prompt.Kept{ID: node.ID + secret.ID, By: by.ID, Language: lang,
							Text: "… " + secret.Text.In(lang), State: plot.State{Node: node.ID}})
					}
				}
			}
		}
	}
	nodes, told, lines := map[string]bool{}, 0, 0
	for _, st := range reachable(s) {
		nodes[st.Node] = true
		forbidden := map[string]string{} // letters → secret
		for _, owner := range s.Personas {
			for _, secret := range s.Locked(owner, st) {
				for _, words := range append([]personas.Text{secret.Text}, secret.Aliases...) {
					for _, text := range words.All() {
						forbidden[letters(text)] = owner.ID + "." + secret.ID
					}
				}
			}
		}
		for _, m := range s.Cast(st) {
			for _, lang := range s.Languages {
				in := prompt.Input{Script: s, State: st, Speaker: s.Persona(m.NPC), Language: lang, Kept: kept}
				for _, c := range prompt.Candidates(in) {
					lines++
					if strings.HasPrefix(c.Text, "… ") {
						told++
					}
					for text, secret := range forbidden {
						if strings.Contains(letters(c.Text), text) {
							t.Fatalf("at %s, beats %v: %s %q gives %s away", st.Node, st.Beats, c.ID, c.Text, secret)
						}
					}
				}
			}
		}
	}
	if len(nodes) < len(s.Nodes)-1 || told == 0 {
		t.Errorf("%d of %d nodes were reached, %d unlocked secrets among %d lines", len(nodes), len(s.Nodes), told, lines)
	}
	t.Logf("%d nodes, %d lines", len(nodes), lines)
}
