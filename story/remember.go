package story

import (
	"math"
	"slices"
	"strings"
	"sync"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/memory"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// mostRecalled bounds the past turns that come back in one prompt, mostPinned
// those of them that come because a person pinned them.
const (
	mostRecalled = 8
	mostPinned   = 4
)

// mind keeps what NPCs lived through on the path that was played last, so that
// a turn on a long branch does not index it all again.
type mind struct {
	mu   sync.Mutex
	npcs map[string]*memory.Index // by persona and language
}

// remind gives an NPC its past: the history that it heard, the search for what
// comes back of it, and what sums it up. recorded is the reply that is taken
// anew, nil = none: a summary which was not there then is not there now.
func (s *Session) remind(p *plan, a *asking, path []Step, recorded *Reply) {
	a.moments = moments(p.script, path, a.persona.ID)
	a.history = exchanges(a.moments)
	a.recall, a.past = s.recollect(p, a), s.sumUp(p, a, recorded)
}

// recollect gives the search that a prompt's assembly asks once it knows how
// much of the history does not fit. Only what is in history can come back: the
// ancestors of the turn, as the NPC heard them.
func (s *Session) recollect(p *plan, a *asking) func(int) []prompt.Recollection {
	return func(left int) []prompt.Recollection {
		facts := s.facts(p.script, a)
		n := a.cutAt(left, func(depth int) int { return countBefore(facts, depth) })
		locked := lockedWatch(p.script, a.persona, p.turn.Before)
		s.mind.mu.Lock()
		defer s.mind.mu.Unlock()
		x := s.mind.follow(a.persona.ID+" "+a.lang, facts)
		var out []prompt.Recollection
		add := func(f memory.Fact, because []string, pinned bool) {
			if len(out) == mostRecalled || a.betrays(locked, f.Turn) {
				return
			}
			out = append(out, prompt.Recollection{Turn: f.Turn, Text: f.Text, Day: f.Day,
				Ago: p.turn.Depth - f.Depth, Because: because, Pinned: pinned})
		}
		pins := pinned(facts[:n])
		for _, f := range pins {
			add(f, nil, true)
		}
		for _, r := range x.Search(query(p), n, mostRecalled) {
			if !slices.Contains(pins, r.Fact) {
				add(r.Fact, r.Because, false)
			}
		}
		return out
	}
}

// cutAt gives what counts as before the first exchange that is still history.
func (a *asking) cutAt(left int, before func(depth int) int) int {
	if left >= len(a.history) {
		return before(math.MaxInt)
	}
	for _, m := range a.moments {
		if string(m.step.Turn.ID) == a.history[left].Turn {
			return before(m.step.Turn.Depth)
		}
	}
	return 0
}

// countBefore counts the facts of turns before one; they come in order of time.
func countBefore(facts []memory.Fact, depth int) int {
	n := 0
	for n < len(facts) && facts[n].Depth < depth {
		n++
	}
	return n
}

// pinned gives the newest facts that a person pinned, newest first.
func pinned(facts []memory.Fact) []memory.Fact {
	var out []memory.Fact
	for _, f := range slices.Backward(facts) {
		if f.Pinned && len(out) < mostPinned {
			out = append(out, f)
		}
	}
	return out
}

// lockedWatch looks for the secrets that a persona must not tell in a state.
func lockedWatch(script *plot.Script, p *personas.Persona, st plot.State) *lint.Watch {
	return lint.NewWatch(script.Locked(p, st))
}

// betrays reports whether a turn, as it was heard, names a secret that is locked.
// It looks at the whole of it: what is recalled is cut short, so that a part of
// a secret would not be known for one.
func (a *asking) betrays(locked *lint.Watch, turn string) bool {
	for _, m := range a.moments {
		if string(m.step.Turn.ID) != turn {
			continue
		}
		var all strings.Builder
		for _, l := range m.lines {
			all.WriteString(l.Text + "\n")
		}
		return len(locked.Told(all.String())) > 0
	}
	return false
}

// follow brings the index of an NPC onto a path.
func (m *mind) follow(who string, path []memory.Fact) *memory.Index {
	if m.npcs == nil {
		m.npcs = map[string]*memory.Index{}
	}
	x := m.npcs[who]
	if x == nil {
		x = memory.NewIndex()
		m.npcs[who] = x
	}
	same := 0
	for same < min(x.Len(), len(path)) && x.Fact(same) == path[same] {
		same++
	}
	x.Cut(same)
	for _, f := range path[same:] {
		x.Add(f)
	}
	return x
}

// query is what is said now, with what was said before it in this turn.
func query(p *plan) string {
	parts := []string{p.turn.Input.Text}
	for _, l := range p.lines {
		parts = append(parts, l.Text)
	}
	return strings.Join(parts, "\n")
}

// Horizon gives the turn at which the history of a reply's prompt began; empty
// when all of the path was in it. Before it an NPC knows only what it recalled.
func (r *Reply) Horizon() ID {
	if r == nil || !slices.ContainsFunc(r.Dropped, func(d prompt.Dropped) bool { return strings.HasPrefix(d.What, "history ") }) {
		return ""
	}
	for _, s := range r.Segments {
		if s.Kind == prompt.History && len(s.Source) == idLength {
			return ID(s.Source)
		}
	}
	return ""
}

// idLength is the length of a ULID in text.
const idLength = 26
