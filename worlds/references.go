package worlds

import (
	"errors"
	"slices"
	"strconv"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/personas/source"
	"fabula/story/golden"
	"fabula/story/playtest"
	"fabula/story/plot"
)

// references checks what only the whole world can tell: ids that two files
// give, and what playtests and labels name.
func (r *reading) references() {
	lore := map[string]source.Pos{}
	for _, l := range r.script.Lore {
		r.unique(lore, "lore entry", l.ID, l.Pos)
	}
	for _, l := range r.script.Labels {
		if l.Beat != "" && r.script.Beat(l.Beat) == nil {
			r.suspect(source.Fault{Pos: l.Pos, Code: plot.CodeUnknownName, Args: []string{"beat", l.Beat, source.Nearest(l.Beat, r.script.BeatIDs())}})
		}
	}
	tests := map[string]source.Pos{}
	for _, p := range r.playtests {
		r.unique(tests, "playtest", p.ID, p.Pos)
		r.playtest(p)
	}
	first := map[string]source.Pos{}
	for _, g := range r.golden {
		r.goldens(first, g)
	}
}

// goldens checks what golden replies and labels name.
func (r *reading) goldens(first map[string]source.Pos, g *golden.Golden) {
	for _, one := range g.Replies {
		r.unique(first, "golden reply", one.ID, one.Pos)
		r.persona(one.NPC, one.Pos)
		r.node(one.Node, one.Pos)
		state := r.script.Initial()
		for _, s := range one.State {
			r.set(&state, s.Var, s.Value, s.Pos)
		}
		for _, e := range one.Before {
			r.persona(e.By, e.Pos)
		}
		for _, code := range one.Allow {
			r.named("rule", code, slices.Contains(lint.Codes(), code), lint.Codes(), one.Pos)
		}
	}
	for _, l := range g.Labels {
		r.persona(l.NPC, l.Pos)
	}
}

// set checks a value that a variable is given.
func (r *reading) set(state *plot.State, name, value string, at source.Pos) {
	var bad *plot.SetError
	if err := r.script.Set(state, name, value); errors.As(err, &bad) {
		bad.Fault.Pos = at
		r.suspect(bad.Fault)
	}
}

// unique reports an id that another file gave; one file's own are reported
// where it is loaded.
func (r *reading) unique(first map[string]source.Pos, kind, id string, at source.Pos) {
	was, twice := first[id]
	switch {
	case id == "":
	case !twice:
		first[id] = at
	case was.File != at.File:
		r.faults = append(r.faults, source.Fault{Pos: at, Code: CodeDuplicate, Args: []string{kind, id, was.File + ":" + strconv.Itoa(was.Line)}})
	}
}

func (r *reading) playtest(p *playtest.Playtest) {
	r.node(p.Start.Node, p.Start.Pos)
	state := r.script.Initial()
	for _, s := range p.Start.State {
		r.set(&state, s.Var, s.Value, s.Pos)
	}
	for _, m := range p.Start.Memory {
		for _, id := range m.By {
			r.persona(id, m.Text.Pos)
		}
	}
	for _, s := range p.Script {
		r.persona(s.To, s.Pos)
		r.choice(s.Choose, s.Pos)
		if s.Expect != nil {
			r.expect(s.Expect)
		}
	}
}

func (r *reading) expect(e *playtest.Expect) {
	r.node(e.Node, e.Pos)
	r.named("beat", e.Beat, r.script.Beat(e.Beat) != nil, r.ids(nodeBeats), e.Pos)
	r.named("exit", e.Exit, r.script.Exit(e.Exit) != nil, r.ids(nodeExits), e.Pos)
	for _, id := range e.Choices {
		r.choice(id, e.Pos)
	}
	if e.Prompt != nil {
		r.persona(e.Prompt.NPC, e.Pos)
	}
	if !e.State.Empty() {
		_, faults := r.script.CompileCond(e.State)
		r.suspect(faults...)
	}
}

// named reports a name that the script does not know.
func (r *reading) named(kind, id string, known bool, all []string, at source.Pos) {
	if id != "" && !known {
		r.suspect(source.Fault{Pos: at, Code: plot.CodeUnknownName, Args: []string{kind, id, source.Nearest(id, all)}})
	}
}

func (r *reading) node(id string, at source.Pos) {
	all := ids(r.script.Nodes, func(n *plot.Node) string { return n.ID })
	r.named("node", id, r.script.Node(id) != nil, all, at)
}

func (r *reading) persona(id string, at source.Pos) {
	all := ids(r.script.Personas, func(p *personas.Persona) string { return p.ID })
	r.named("persona", id, r.script.Persona(id) != nil, all, at)
}

// choice checks an exit that is named without its node.
func (r *reading) choice(id string, at source.Pos) {
	var all []string
	for _, n := range r.script.Nodes {
		for _, e := range n.Exits {
			all = append(append(all, e.ID), e.Was...)
		}
	}
	r.named("exit", id, slices.Contains(all, id), all, at)
}

// ids gives "node.thing" for everything that of lists in a node.
func (r *reading) ids(of func(*plot.Node) []string) []string {
	var all []string
	for _, n := range r.script.Nodes {
		for _, id := range of(n) {
			all = append(all, n.ID+"."+id)
		}
	}
	return all
}

func nodeBeats(n *plot.Node) []string { return ids(n.Beats, func(b *plot.Beat) string { return b.ID }) }

func nodeExits(n *plot.Node) []string { return ids(n.Exits, func(e *plot.Exit) string { return e.ID }) }

func ids[T any](list []T, of func(T) string) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}
