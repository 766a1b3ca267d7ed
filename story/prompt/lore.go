package prompt

import (
	"slices"
	"strings"

	"fabula/engine"
	"fabula/personas"
)

// constant lists the lore that is in every prompt of the speaker.
func (a *author) constant() []*personas.Lore {
	var out []*personas.Lore
	for _, t := range a.loreCalled() {
		if t.Fired && t.always() {
			out = append(out, t.lore)
		}
	}
	byPriority(out)
	return out
}

// keyed lists the lore that the talk, the state or other lore calls for now.
func (a *author) keyed() []*personas.Lore {
	var out []*personas.Lore
	for _, t := range a.loreCalled() {
		if t.Fired && !t.always() {
			out = append(out, t.lore)
		}
	}
	byPriority(out)
	return out
}

// knownTo reports whether a list of ids, where none means all, holds npc.
func knownTo(list []string, npc string) bool { return len(list) == 0 || slices.Contains(list, npc) }

// lore writes entries, the most important first.
func (a *author) lore(role engine.Role, entries []*personas.Lore) []item {
	cl := stableLore
	if role == engine.User {
		cl = keyedLore
	}
	var out []item
	for i, l := range entries {
		out = append(out, item{
			Segment: Segment{Kind: Lore, Source: loreSource(l.ID), Role: role, Text: f(a.say.fact, a.text(l.Text)), Because: a.because(l)},
			drop:    cl, rank: i,
		})
	}
	return out
}

func loreSource(id string) string { return "lore." + id }

// because gives the words that called an entry, each once.
func (a *author) because(l *personas.Lore) []string {
	var out []string
	for _, t := range a.loreCalled() {
		if t.lore != l {
			continue
		}
		for _, h := range t.Hits {
			if words := strings.Join(strings.Fields(h.Quote), " "); !slices.Contains(out, words) {
				out = append(out, words)
			}
		}
	}
	return out
}
