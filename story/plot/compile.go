package plot

import (
	"slices"
	"strings"

	"fabula/personas"
	"fabula/personas/source"
)

// Compile resolves and types a whole script: it merges every `extend` into its
// node, gives earlier ids their present meaning, checks every reference and
// compiles every condition and effect. It reports all faults in order of
// place. A script with faults can still be asked, what is faulty holds never.
// Compiling twice is harmless.
func Compile(s *Script) []source.Fault {
	c := &compiler{s: s, present: map[string]source.Pos{}}
	s.index = newIndex()
	c.merge()
	c.indexVars()
	c.indexPersonas()
	c.earlier()
	c.indexNodes()
	c.earlier()
	c.world()
	for _, p := range s.Personas {
		c.persona(p)
	}
	for _, l := range s.Lore {
		c.lore(l)
	}
	for _, n := range s.Nodes {
		c.node(n)
	}
	return source.Sort(c.faults)
}

type compiler struct {
	s         *Script
	faults    []source.Fault
	present   map[string]source.Pos // space and id → where it stands
	renamings []renaming
}

func newIndex() index {
	return index{
		nodes: map[string]*Node{}, personas: map[string]*personas.Persona{}, vars: map[string]*Variable{},
		beats: map[string]*Beat{}, exits: map[string]*Exit{}, lines: map[string]*Line{},
		secrets: map[string]bool{}, was: map[string]string{},
		conds: map[string]*Expr{}, effects: map[string]Assign{},
	}
}

func (c *compiler) fault(p source.Pos, code string, args ...string) {
	c.faults = append(c.faults, source.Fault{Pos: p, Code: code, Args: args})
}

// merge moves what `extend` adds into the node it names.
func (c *compiler) merge() {
	kept := make([]*Node, 0, len(c.s.Nodes))
	for _, n := range c.s.Nodes {
		if n.Extends == "" {
			kept = append(kept, n)
		}
	}
	var ids []string
	for _, n := range kept {
		ids = append(ids, n.ID)
	}
	for _, x := range c.s.Nodes {
		if x.Extends == "" {
			continue
		}
		i := slices.IndexFunc(kept, func(n *Node) bool { return n.ID == x.Extends || slices.Contains(n.Was, x.Extends) })
		if i < 0 {
			c.fault(x.Pos, CodeUnknownName, "node", x.Extends, source.Nearest(x.Extends, ids))
			continue
		}
		kept[i].Lines = append(kept[i].Lines, x.Lines...)
		kept[i].Beats = append(kept[i].Beats, x.Beats...)
		kept[i].Exits = append(kept[i].Exits, x.Exits...)
	}
	c.s.Nodes = kept
}

// cond compiles a condition once and remembers it.
func (c *compiler) cond(x source.Cond) {
	e, faults := c.s.CompileCond(x)
	c.faults = append(c.faults, faults...)
	if e != nil {
		c.s.index.conds[x.Src] = e
	}
}

func (c *compiler) effects(list []Effect) {
	for _, e := range list {
		c.cond(e.When)
		if e.Do.Empty() {
			continue // reported where it was read
		}
		a, r := c.s.parseEffect(e.Do.Src)
		if r != nil {
			c.faults = append(c.faults, r.fault(e.Do))
			continue
		}
		c.s.index.effects[e.Do.Src] = a
	}
}

// ref resolves *id, and replaces an earlier id by the present one. An id that
// could not be read was reported there.
func (c *compiler) ref(kind string, id *string, p source.Pos) {
	if *id == "" {
		return
	}
	now, found, near := c.s.resolve(kind, *id)
	if !found {
		c.fault(p, CodeUnknownName, kind, *id, near)
		return
	}
	*id = now
}

// texts checks the placeholders of authored texts.
func (c *compiler) texts(list ...personas.Text) {
	for _, t := range list {
		for _, wording := range t.All() {
			c.placeholders(wording, t.Pos)
		}
	}
}

// Placeholder gives the first stretch of a text that an authored text would fill
// in, or that would be a fault in one.
func (s *Script) Placeholder(text string) (string, bool) {
	for part := range placeholders(text) {
		if part.name != "" {
			return part.raw, true
		}
	}
	for _, slip := range slipped(text, s.fillable()) {
		return slip[0], true
	}
	return "", false
}

// fillable are the names that a placeholder may have.
func (s *Script) fillable() []string {
	known := []string{"player"}
	for _, v := range s.Vars {
		known = append(known, v.ID)
	}
	return known
}

func (c *compiler) placeholders(text string, p source.Pos) {
	if !strings.Contains(text, "{") {
		return
	}
	known := c.s.fillable()
	for part := range placeholders(text) {
		if part.name != "" && !slices.Contains(known, part.name) {
			c.fault(p, CodeUnknownName, "placeholder", part.name, source.Nearest(part.name, known))
		}
	}
	for _, slip := range slipped(text, known) {
		c.fault(p, CodeUnknownName, "placeholder", slip[0], slip[1])
	}
}

// slipped finds braces that would be shown as they stand though a known name is
// in them, with what was meant: {Player}, { player }, {{player}}.
func slipped(text string, known []string) [][2]string {
	var out [][2]string
	for _, inner := range strings.Split(text, "{")[1:] {
		inner, _, closed := strings.Cut(inner, "}")
		i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(strings.TrimSpace(inner), k) })
		switch {
		case !closed || i < 0:
		case strings.Contains(text, "{{"+inner+"}}"):
			out = append(out, [2]string{"{{" + inner + "}}", "{" + known[i] + "}"})
		case inner != known[i]:
			out = append(out, [2]string{"{" + inner + "}", "{" + known[i] + "}"})
		}
	}
	return out
}
