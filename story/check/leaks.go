package check

import (
	"slices"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/plot"
)

// leaks finds texts that give a secret away and can be read while it is
// locked: by the player, or by the persona that must not tell it yet.
func leaks(c *checker) {
	var all []personas.Secret
	var owners []*personas.Persona
	for _, p := range c.s.Personas {
		for _, sec := range p.Secrets {
			all, owners = append(all, sec), append(owners, p)
		}
	}
	watch, safe := lint.NewWatch(all), make([]map[string]bool, len(all))
	for _, p := range c.passages {
		if p.kind != heard && p.kind != told {
			continue
		}
		for _, wording := range p.text.All() {
			for _, sec := range watch.Told(wording) {
				i := slices.IndexFunc(all, func(x personas.Secret) bool { return x.Pos == sec.Pos && x.ID == sec.ID })
				if safe[i] == nil {
					safe[i] = c.unlockedNodes(*sec)
				}
				c.leak(p, wording, owners[i], *sec, safe[i])
			}
		}
	}
}

func (c *checker) leak(p passage, wording string, owner *personas.Persona, sec personas.Secret, safe map[string]bool) {
	if p.kind == told && len(p.known) > 0 && !slices.Contains(p.known, owner.ID) {
		return // nobody reads it who must not know
	}
	if p.node != nil && safe[p.node.ID] || c.guarded(p, sec) {
		return
	}
	bare := &personas.Persona{ID: owner.ID}
	for _, f := range lint.Reply(lint.Input{Persona: bare, Locked: []personas.Secret{sec}, Text: wording}) {
		if f.Code == lint.CodeLeak {
			c.fail(slices.Concat(p.allow, owner.Allow), p.text.Pos, CodeLeak, f.Args...)
			return
		}
	}
}

// guarded reports a passage that is only read while the secret is unlocked.
func (c *checker) guarded(p passage, sec personas.Secret) bool {
	premises, node := append(exprs(c.s, p.when...), p.facts...), ""
	if p.node != nil {
		node = p.node.ID
		premises = append(premises, entered(node))
	}
	return follows(c.s, node, premises, c.s.Expr(sec.Unlock))
}

// unlockedNodes lists the nodes that are only entered once a secret is
// unlocked, where it stays unlocked: each way in says so, or starts in such a
// node.
func (c *checker) unlockedNodes(sec personas.Secret) map[string]bool {
	goal, grows := c.s.Expr(sec.Unlock), growing(c.s, c.effects)
	safe := map[string]bool{}
	if !lasting(goal, grows) {
		return safe
	}
	for _, n := range c.s.Nodes {
		safe[n.ID] = n.ID != c.s.Start
	}
	for changed := true; changed; {
		changed = false
		for _, n := range c.s.Nodes {
			for _, e := range n.Exits {
				if safe[e.To] && !safe[n.ID] && !c.unlocks(n, e, goal, grows) {
					safe[e.To], changed = false, true
				}
			}
		}
	}
	return safe
}

// unlocks reports whether taking an exit shows that goal holds.
func (c *checker) unlocks(n *plot.Node, e *plot.Exit, goal *plot.Expr, grows map[string]bool) bool {
	taken := append(happened(n, "exit:"+e.ID), entered(n.ID))
	before := append(exprs(c.s, e.When), taken...)
	if when := c.s.Expr(n.When); when != nil && lasting(when, grows) {
		before = append(before, when)
	}
	return follows(c.s, n.ID, before, goal) ||
		follows(c.s, e.To, append(exprs(c.s, c.s.Node(e.To).When), taken...), goal)
}
