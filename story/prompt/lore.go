package prompt

import (
	"slices"
	"strings"

	"fabula/engine"
	"fabula/personas"
	"fabula/story/plot"
)

// constant lists the lore that is in every prompt of the speaker.
func (a *author) constant() []*personas.Lore {
	return a.loreIf(func(l *personas.Lore) bool { return l.Constant && l.When.Empty() })
}

// keyed lists the lore that the talk or the state calls for now.
func (a *author) keyed() []*personas.Lore {
	return a.loreIf(func(l *personas.Lore) bool {
		if l.Constant {
			return !l.When.Empty() && a.holds(l.When)
		}
		_, fires := called(l, a.spokenOf(l.Depth))
		return fires && a.holds(l.When)
	})
}

func (a *author) loreIf(keep func(*personas.Lore) bool) []*personas.Lore {
	var out []*personas.Lore
	for _, l := range a.in.Script.Lore {
		if knownTo(l.KnownTo, a.in.Speaker.ID) && keep(l) {
			out = append(out, l)
		}
	}
	byPriority(out)
	return out
}

// knownTo reports whether a list of ids, where none means all, holds npc.
func knownTo(list []string, npc string) bool { return len(list) == 0 || slices.Contains(list, npc) }

// called reports whether the talk names the keys of an entry, and by which words.
func called(l *personas.Lore, talk []string) (words []string, ok bool) {
	keys := plot.Detect{Any: [][]personas.Text{l.Keys}, Denied: true}
	if l.Match == "all" {
		keys = plot.Detect{Denied: true}
		for _, k := range l.Keys {
			keys.All = append(keys.All, []personas.Text{k})
		}
	}
	first, ok := heard(keys, talk)
	if len(l.Keys) == 0 || !ok {
		return nil, false
	}
	if len(l.Secondary) == 0 {
		return []string{first}, true
	}
	second, ok := heard(plot.Detect{Any: [][]personas.Text{l.Secondary}, Denied: true}, talk)
	return []string{first, second}, ok
}

// heard matches over all utterances together, since the keys of one entry may
// come from several.
func heard(d plot.Detect, talk []string) (words string, ok bool) {
	var all string
	for _, t := range talk {
		all += t + "\n"
	}
	e, ok := d.Match(all)
	return strings.Join(strings.Fields(e.Quote), " "), ok
}

// spokenOf gives the utterances of this turn and of depth turns before it.
func (a *author) spokenOf(depth int) []string {
	var talk []string
	for _, x := range a.in.History[max(0, len(a.in.History)-max(depth, 0)):] {
		for _, l := range x.Lines {
			talk = append(talk, l.Text)
		}
	}
	talk = append(talk, a.in.Line)
	for _, o := range a.in.Opening {
		talk = append(talk, o.Text)
	}
	return talk
}

// lore writes entries, the most important first.
func (a *author) lore(role engine.Role, entries []*personas.Lore) []item {
	var out []item
	for i, l := range entries {
		cl := stableLore
		var because []string
		if role == engine.User {
			cl = keyedLore
			because, _ = called(l, a.spokenOf(l.Depth))
		}
		out = append(out, item{
			Segment: Segment{Kind: Lore, Source: "lore." + l.ID, Role: role, Text: f(a.say.fact, a.text(l.Text)), Because: because},
			drop:    cl, rank: i,
		})
	}
	return out
}
