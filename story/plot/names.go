package plot

import (
	"strconv"
	"strings"

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
			c.stands(wasPersona, p.ID, p.Pos)
			c.renamed(wasPersona, p.ID, p.Was, p.Pos)
		}
		for _, sec := range p.Secrets {
			id := p.ID + "." + sec.ID
			c.s.index.secrets[id] = true
			c.stands(wasSecret, id, sec.Pos)
			c.renamed(wasSecret, id, join([]string{p.ID}, sec.Was), sec.Pos)
			c.moved(wasSecret, id, join(p.Was, olds(sec.ID, sec.Was)))
		}
	}
}

func (c *compiler) indexNodes() {
	ids := c.registry("node")
	for _, n := range c.s.Nodes {
		at := n.places.of("node", n.Pos)
		if ids.add(n.ID, at) {
			c.s.index.nodes[n.ID] = n
			c.stands(wasNode, n.ID, at)
			c.renamed(wasNode, n.ID, n.Was, n.places.of("was", n.Pos))
			c.indexNode(n)
		}
	}
}

func (c *compiler) indexNode(n *Node) {
	beats := c.registry("beat")
	for _, b := range n.Beats {
		id, at := n.ID+"."+b.ID, b.places.of("beat", b.Pos)
		if beats.add(b.ID, at) {
			c.s.index.beats[id] = b
			c.stands(wasBeat, id, at)
			c.renamed(wasBeat, id, join([]string{n.ID}, b.Was), b.places.of("was", b.Pos))
			c.moved(wasBeat, id, join(n.Was, olds(b.ID, b.Was)))
		}
	}
	exits := c.registry("exit")
	for _, e := range n.Exits {
		id, at := n.ID+"."+e.ID, e.places.of("exit", e.places.of("to", e.Pos))
		if exits.add(e.ID, at) {
			c.s.index.exits[id] = e
			c.stands(wasExit, id, at)
			c.renamed(wasExit, id, join([]string{n.ID}, e.Was), e.places.of("was", e.Pos))
			c.moved(wasExit, id, join(n.Was, olds(e.ID, e.Was)))
		}
	}
	c.indexLines(n)
}

// indexLines registers lines and anchors of a node together: both give played
// text an id `speaker.node.id`.
func (c *compiler) indexLines(n *Node) {
	lines := c.registry("line")
	for _, l := range n.Lines {
		by, was := []string{speakerOf(l.By)}, []string(nil)
		if p := c.s.Persona(l.By); p != nil {
			l.By = p.ID
			by, was = []string{p.ID}, p.Was
		}
		id, at := LineID(n.ID, l), l.places.of("line", l.Pos)
		if lines.add(id, at) {
			c.s.index.lines[id] = l
			c.stands(wasLine, id, at)
			c.renamed(wasLine, id, join(by, []string{n.ID}, l.Was), l.places.of("was", l.Pos))
			c.moved(wasLine, id, join(by, n.Was, olds(l.ID, l.Was)))
			c.moved(wasLine, id, join(was, olds(n.ID, n.Was), olds(l.ID, l.Was)))
		}
	}
	anchors := c.registry("anchor")
	for _, a := range n.Anchors {
		if anchors.add(a.ID, a.places.of("id", a.Pos)) {
			lines.add(speakerOf(a.By)+"."+n.ID+"."+a.ID, a.places.of("id", a.Pos))
		}
	}
}

// renaming is an earlier id of a thing, as its author wrote it.
type renaming struct {
	space, now, old string
	at              source.Pos
}

// stands notes where a present id stands.
func (c *compiler) stands(space, id string, at source.Pos) { c.present[space+id] = at }

// renamed notes the earlier ids that a thing was given; earlier checks them
// once everything has its id.
func (c *compiler) renamed(space, now string, was []string, at source.Pos) {
	for _, old := range was {
		c.renamings = append(c.renamings, renaming{space, now, old, at})
	}
}

// moved gives the earlier spellings of an id that come of what it lies in.
func (c *compiler) moved(space, now string, old []string) {
	for _, o := range old {
		if _, taken := c.s.index.was[space+o]; !taken {
			c.s.index.was[space+o] = now
		}
	}
}

// earlier gives the earlier ids noted so far their present meaning. One that is somebody's
// present id, or that two things claim, could mean either: it is a duplicate.
func (c *compiler) earlier() {
	claimed := map[string]renaming{}
	for _, r := range c.renamings {
		key := r.space + r.old
		first, taken := c.present[key]
		if by, twice := claimed[key]; !taken && twice && by.now != r.now {
			first, taken = by.at, true
		}
		if taken {
			c.fault(r.at, CodeDuplicate, strings.TrimSuffix(r.space, ":"), r.old, place(first))
			continue
		}
		claimed[key] = r
		c.s.index.was[key] = r.now
	}
	c.renamings = nil
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
