package plot

import (
	"strconv"

	"fabula/personas"
	"fabula/personas/source"
)

// names of one kind, with the place of the first; the second is a fault.
type registry struct {
	c    *compiler
	kind string
	seen map[string]source.Pos
}

func (c *compiler) registry(kind string) registry { return registry{c, kind, map[string]source.Pos{}} }

// add reports whether id is new; a second one is reported where it stands.
// One that could not be read is nobody's.
func (r registry) add(id string, p source.Pos) bool {
	if id == "" {
		return false
	}
	if first, taken := r.seen[id]; taken {
		r.c.fault(p, CodeDuplicate, r.kind, id, place(first))
		return false
	}
	r.seen[id] = p
	return true
}

func place(p source.Pos) string { return p.File + ":" + strconv.Itoa(p.Line) }

func (c *compiler) indexVars() {
	ids := c.registry("variable")
	for _, v := range c.s.Vars {
		if ids.add(v.ID, v.Pos) {
			c.s.index.vars[v.ID] = v
		}
	}
}

func (c *compiler) indexPersonas() {
	ids := c.registry("persona")
	for _, p := range c.s.Personas {
		if ids.add(p.ID, p.Pos) {
			c.s.index.personas[p.ID] = p
		}
		for _, sec := range p.Secrets {
			c.s.index.secrets[p.ID+"."+sec.ID] = true
			c.was(wasSecret, p.ID+"."+sec.ID, join(olds(p.ID, p.Was), olds(sec.ID, sec.Was)))
		}
	}
	for _, p := range c.s.Personas {
		c.renames(wasPersona, "persona", p.ID, p.Was, p.Pos, func(id string) (source.Pos, bool) {
			other, taken := c.s.index.personas[id]
			if !taken {
				return source.Pos{}, false
			}
			return other.Pos, true
		})
	}
}

func (c *compiler) indexNodes() {
	ids := c.registry("node")
	for _, n := range c.s.Nodes {
		if ids.add(n.ID, n.places.of("node", n.Pos)) {
			c.s.index.nodes[n.ID] = n
			c.indexNode(n)
		}
	}
	for _, n := range c.s.Nodes {
		c.renames(wasNode, "node", n.ID, n.Was, n.places.of("was", n.Pos), func(id string) (source.Pos, bool) {
			other, taken := c.s.index.nodes[id]
			if !taken {
				return source.Pos{}, false
			}
			return other.Pos, true
		})
	}
}

func (c *compiler) indexNode(n *Node) {
	nodes := olds(n.ID, n.Was)
	beats := c.registry("beat")
	for _, b := range n.Beats {
		if beats.add(b.ID, b.places.of("beat", b.Pos)) {
			c.s.index.beats[n.ID+"."+b.ID] = b
			c.was(wasBeat, n.ID+"."+b.ID, join(nodes, olds(b.ID, b.Was)))
		}
	}
	exits := c.registry("exit")
	for _, e := range n.Exits {
		if exits.add(e.ID, e.places.of("exit", e.places.of("to", e.Pos))) {
			c.s.index.exits[n.ID+"."+e.ID] = e
			c.was(wasExit, n.ID+"."+e.ID, join(nodes, olds(e.ID, e.Was)))
		}
	}
	c.indexLines(n, nodes)
}

// indexLines registers lines and anchors of a node together: both give played
// text an id `speaker.node.id`.
func (c *compiler) indexLines(n *Node, nodes []string) {
	lines := c.registry("line")
	for _, l := range n.Lines {
		by := []string{speakerOf(l.By)}
		if p := c.s.Persona(l.By); p != nil {
			l.By = p.ID
			by = olds(p.ID, p.Was)
		}
		id := LineID(n.ID, l)
		if lines.add(id, l.places.of("line", l.Pos)) {
			c.s.index.lines[id] = l
			c.was(wasLine, id, join(by, nodes, olds(l.ID, l.Was)))
		}
	}
	anchors := c.registry("anchor")
	for _, a := range n.Anchors {
		if anchors.add(a.ID, a.places.of("id", a.Pos)) {
			lines.add(speakerOf(a.By)+"."+n.ID+"."+a.ID, a.places.of("id", a.Pos))
		}
	}
}

// renames maps earlier ids of a thing to its present one. An earlier id that
// is somebody's present id is a duplicate.
func (c *compiler) renames(space, kind, id string, was []string, p source.Pos, present func(string) (source.Pos, bool)) {
	for _, old := range was {
		if first, taken := present(old); taken {
			c.fault(p, CodeDuplicate, kind, old, place(first))
			continue
		}
		c.was(space, id, []string{old})
	}
}

// was maps earlier spellings to the present id.
func (c *compiler) was(space, now string, old []string) {
	for _, o := range old {
		if o != now {
			c.s.index.was[space+o] = now
		}
	}
}

func olds(id string, was []string) []string { return append([]string{id}, was...) }

// join gives every dotted combination of the parts.
func join(parts ...[]string) []string {
	out := []string{""}
	for i, part := range parts {
		var next []string
		for _, head := range out {
			for _, tail := range part {
				if i > 0 {
					tail = head + "." + tail
				}
				next = append(next, tail)
			}
		}
		out = next
	}
	return out
}

// personaTexts lists every text of a persona that is shown or prompted.
func personaTexts(p *personas.Persona) []personas.Text {
	out := []personas.Text{p.Name, p.Brief, p.Voice, p.Backstory, p.Greeting}
	out = append(out, p.Traits...)
	for _, list := range [][]personas.Conditional{p.Goals, p.Knows} {
		for _, g := range list {
			out = append(out, g.Text)
		}
	}
	for _, sec := range p.Secrets {
		out = append(out, sec.Text, sec.Cover)
	}
	for _, x := range p.Samples {
		out = append(out, x.Player, x.Reply)
	}
	return out
}
