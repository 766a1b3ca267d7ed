package story

import (
	"sync"

	"fabula/story/plot"
	"fabula/story/prompt"
)

// moment is a turn of a path as an NPC was there for it.
type moment struct {
	step                  *Step
	lines                 []prompt.Spoken // that it heard
	before, during, after bool            // in the cast of S0, of S1, of S2
}

// moments gives the path as an NPC lived through it: what was said while it was
// in the cast, and what it said itself. The player's words are heard by those
// present before and after a move, authored lines and replies by those after
// it, and what an `auto` exit played by those where it led.
func moments(script *plot.Script, path []Step, npc string) []moment {
	var all []moment
	before := false
	for i := range path {
		m := moment{step: &path[i], before: before}
		t, a := &m.step.Turn, &m.step.Alternative
		m.during = present(script, t.Before, npc) || t.Speaker == npc || t.Input.To == npc
		m.after = present(script, a.State, npc)
		m.lines = listen(*m.step, npc, m.before, m.during, m.after)
		if before = m.after; m.before || m.during || m.after {
			all = append(all, m)
		}
	}
	return all
}

// exchanges gives the moments in which something was heard.
func exchanges(all []moment) []prompt.Exchange {
	var out []prompt.Exchange
	for _, m := range all {
		if len(m.lines) > 0 {
			out = append(out, prompt.Exchange{Turn: string(m.step.Turn.ID), Lines: m.lines})
		}
	}
	return out
}

func present(script *plot.Script, st plot.State, npc string) bool {
	for _, m := range script.Cast(st) {
		if m.NPC == npc {
			return true
		}
	}
	return false
}

func listen(step Step, npc string, before, during, after bool) []prompt.Spoken {
	var lines []prompt.Spoken
	say := func(by, text string) {
		if text != "" {
			lines = append(lines, prompt.Spoken{By: by, Text: text})
		}
	}
	t, a := step.Turn, step.Alternative
	if before || during {
		say("player", t.Input.Text)
	}
	switch {
	case during:
		for _, l := range a.Lines {
			say(l.By, l.Text)
		}
		say(a.Speaker, a.Text)
	case before:
		for _, f := range t.Fired {
			for _, l := range f.Lines {
				say(l.By, l.Text)
			}
		}
	}
	arrived := 0 // the last lines of After are those of the auto exit
	if a.Taken != nil {
		arrived = len(a.Taken.Lines)
	}
	for i, l := range a.After {
		if i < len(a.After)-arrived && during || i >= len(a.After)-arrived && after {
			say(l.By, l.Text)
		}
	}
	return lines
}

// pathCache keeps the last paths without their token figures, so that a turn
// on a long branch does not read it all again.
type pathCache struct {
	mu    sync.Mutex
	paths []cachedPath // oldest first
}

type cachedPath struct {
	leaf  ID
	steps []Step
}

// cachedPaths bounds the memory of a session that plays many branches.
const cachedPaths = 8

func (c *pathCache) get(leaf ID) ([]Step, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.paths {
		if p.leaf == leaf {
			return p.steps, true
		}
	}
	return nil, false
}

func (c *pathCache) put(leaf ID, steps []Step) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.paths) == cachedPaths {
		c.paths = c.paths[1:]
	}
	c.paths = append(c.paths, cachedPath{leaf, steps})
}

// path gives the steps down to an alternative, none for "". The steps are
// shared and carry no figures.
func (s *Session) path(leaf ID) ([]Step, error) {
	if leaf == "" {
		return nil, nil
	}
	if steps, ok := s.cache.get(leaf); ok {
		return steps, nil
	}
	steps, err := s.reader.Path(leaf)
	if err != nil {
		return nil, err
	}
	for i := range steps {
		steps[i].Alternative.Reply = nil
	}
	s.cache.put(leaf, steps)
	return steps, nil
}

// extend notes a step that was stored below a path that is known.
func (s *Session) extend(step Step) {
	steps, ok := s.cache.get(step.Turn.Parent)
	if !ok {
		return
	}
	step.Alternative.Reply = nil
	s.cache.put(step.Alternative.ID, append(steps[:len(steps):len(steps)], step))
}
