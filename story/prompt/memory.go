package prompt

import "fabula/story/plot"

// daysPerSeason is how FORMATS 1 reads a clock.
const daysPerSeason = 90

// memories writes what the speaker saw, what it was told of, and the secrets
// that others told it, in script order.
func (a *author) memories() []item {
	var out []item
	for _, m := range a.in.Script.Memories(a.in.State, a.in.Speaker.ID) {
		format := a.say.memory
		if m.Heard {
			format = a.say.heard
		}
		out = append(out, a.user(Memory, m.Beat, format, bare(a.text(m.Text))+a.when(m)))
	}
	return append(out, a.learned()...)
}

// learned covers what `tell` can name beside beats: exits and secrets.
func (a *author) learned() []item {
	var out []item
	told := func(what string) bool { return a.in.State.Learned[a.in.Speaker.ID+":"+what] > 0 }
	for _, n := range a.in.Script.Nodes {
		for _, e := range n.Exits {
			if id := n.ID + "." + e.ID; told(id) && !e.Choice.Empty() {
				out = append(out, a.user(Memory, id, a.say.chosen, a.player(), a.text(e.Choice)))
			}
		}
	}
	for _, p := range a.in.Script.Personas {
		for _, s := range p.Secrets {
			if id := p.ID + "." + s.ID; told(id) && p.ID != a.in.Speaker.ID {
				out = append(out, a.user(Memory, id, a.say.betrayed, a.nameOf(p), a.text(s.Text)))
			}
		}
	}
	return out
}

// when says in which season a memory was made, where the world has a clock.
func (a *author) when(m plot.Memory) string {
	c := a.in.Script.Clock
	if c == nil || m.Ever {
		return ""
	}
	order := []string{"spring", "summer", "autumn", "winter"}
	start := 0
	for i, s := range order {
		if s == c.Start {
			start = i
		}
	}
	then, now := m.Day/daysPerSeason, a.in.State.Vars[c.Var].Int/daysPerSeason
	season := a.say.seasons[order[(start+max(then, 0))%len(order)]]
	switch ago := now - then; {
	case ago <= 0:
		return f(a.say.sameSeason, season)
	case ago <= len(order):
		return f(a.say.lastSeason, season)
	default:
		return f(a.say.yearsAgo, season, ago/len(order))
	}
}

// guarded drops every segment that names a secret which the speaker may not
// tell yet. An author's slip must not undo the lock; the slip itself is a
// finding of `check`.
func (a *author) guarded(items []item) []item {
	for i := range items {
		if a.betrays(items[i].Text) {
			items[i].dropped = WhyLocked
		}
	}
	return items
}

// betrays reports whether a text holds the text or an alias of a locked secret.
func (a *author) betrays(text string) bool {
	return len(a.locked.Told(text)) > 0
}
