// Package game plays a fabula-plot/1 document without any other part of fabula:
// an example of what a game build has to do, and a check that the document holds
// all that it needs. testdata/plot.mjs does the same in plain JavaScript.
//
// What a player says and what it means (beats, spoken exits, told secrets) is
// the game's: it calls Fire, Take and Tell.
package game

import (
	"fmt"
	"maps"

	"fabula/story/export/plottree"
)

// State is where a play stands. Beats and exits are counted by "node.id".
type State struct {
	Node    string         `json:"node"`
	Vars    map[string]any `json:"vars"` // bool, float64 or string
	Beats   map[string]int `json:"beats"`
	Exits   map[string]int `json:"exits"`
	Visits  map[string]int `json:"visits"`
	Told    map[string]int `json:"told"`
	Greeted map[string]int `json:"greeted"`
	Turns   int            `json:"turns"`
	Total   int            `json:"turns_total"`
}

// Clone copies a state.
func (s State) Clone() State {
	s.Vars, s.Beats, s.Exits, s.Visits, s.Told, s.Greeted = maps.Clone(s.Vars), maps.Clone(s.Beats), maps.Clone(s.Exits), maps.Clone(s.Visits), maps.Clone(s.Told), maps.Clone(s.Greeted)
	return s
}

// Plot is a document that can be played.
type Plot struct {
	nodes map[string]*plottree.Node
	edges map[string]*plottree.Edge
	lines map[string]*plottree.Line
	vars  map[string]plottree.Variable
	greet map[string]bool // personas that have a greeting
	start string
}

// New takes a loaded document.
func New(d *plottree.Document) *Plot {
	p := &Plot{map[string]*plottree.Node{}, map[string]*plottree.Edge{}, map[string]*plottree.Line{}, map[string]plottree.Variable{}, map[string]bool{}, d.Start}
	for i := range d.Nodes {
		p.nodes[d.Nodes[i].ID] = &d.Nodes[i]
	}
	for i := range d.Edges {
		p.edges[d.Edges[i].From+"."+d.Edges[i].Exit] = &d.Edges[i]
	}
	for i := range d.Lines {
		p.lines[d.Lines[i].ID] = &d.Lines[i]
	}
	for _, v := range d.State {
		p.vars[v.ID] = v
	}
	for _, who := range d.Personas {
		p.greet[who.ID] = len(who.Greeting) > 0
	}
	return p
}

// Start is the state before the first node is entered.
func (p *Plot) Start() State {
	s := State{Vars: map[string]any{}, Beats: map[string]int{}, Exits: map[string]int{}, Visits: map[string]int{}, Told: map[string]int{}, Greeted: map[string]int{}}
	for id, v := range p.vars {
		s.Vars[id] = plain(v)
	}
	return s
}

func plain(v plottree.Variable) any {
	switch v.Type {
	case "int":
		return float64(v.Default.Int)
	case "bool":
		return v.Default.True()
	}
	return v.Default.Str
}

// Enter moves into a node and gives the ids of the lines that are played;
// "npc.greeting" is a greeting.
func (p *Plot) Enter(s *State, node string) []string {
	n := p.nodes[node]
	s.Node, s.Turns = node, 0
	s.Visits[node]++
	p.assign(s, n.OnEnter)
	played := p.play(s, n, "enter")
	if len(played) > 0 {
		return played
	}
	for _, m := range n.Cast {
		if p.greet[m.NPC] && s.Greeted[m.NPC] == 0 && Holds(m.When, *s, node) {
			s.Greeted[m.NPC]++
			played = append(played, m.NPC+".greeting")
		}
	}
	return played
}

// Turn counts what a player says.
func (p *Plot) Turn(s *State) { s.Turns, s.Total = s.Turns+1, s.Total+1 }

// Tell notes that a secret, "npc.secret", was told.
func (p *Plot) Tell(s *State, secret string) { s.Told[secret]++ }

// Fire has a beat of the present node happen.
func (p *Plot) Fire(s *State, beat string) ([]string, error) {
	n := p.nodes[s.Node]
	for _, b := range n.Beats {
		if b.ID == beat {
			s.Beats[n.ID+"."+beat]++
			p.assign(s, b.Effects)
			return p.play(s, n, "beat:"+beat), nil
		}
	}
	return nil, fmt.Errorf("no beat %s in %s", beat, s.Node)
}

// Open reports whether an exit of the present node is open.
func (p *Plot) Open(s State, exit string) bool {
	e := p.edges[s.Node+"."+exit]
	if e == nil || !p.passable(s, e) {
		return false
	}
	for _, other := range p.edges {
		if e.Otherwise && other.From == e.From && !other.Otherwise && p.passable(s, other) {
			return false
		}
	}
	return true
}

func (p *Plot) passable(s State, e *plottree.Edge) bool {
	if !Holds(e.When, s, e.From) || e.Stay || p.nodes[e.To].When == nil {
		return Holds(e.When, s, e.From)
	}
	after := s.Clone()
	p.leave(&after, e)
	return Holds(p.nodes[e.To].When, after, e.To)
}

func (p *Plot) leave(s *State, e *plottree.Edge) {
	s.Exits[e.From+"."+e.Exit]++
	p.assign(s, e.Effects)
}

// Take takes an exit of the present node, open or not.
func (p *Plot) Take(s *State, exit string) ([]string, error) {
	e := p.edges[s.Node+"."+exit]
	if e == nil {
		return nil, fmt.Errorf("no exit %s in %s", exit, s.Node)
	}
	p.leave(s, e)
	played := p.play(s, p.nodes[e.From], "exit:"+exit)
	if e.Stay {
		return played, nil
	}
	return append(played, p.Enter(s, e.To)...), nil
}

func (p *Plot) play(s *State, n *plottree.Node, at string) []string {
	var played []string
	for _, id := range n.Lines {
		if l := p.lines[id]; l.At == at && Holds(l.When, *s, n.ID) {
			played = append(played, id)
			for _, secret := range l.Tells {
				s.Told[secret]++
			}
		}
	}
	return played
}

func (p *Plot) assign(s *State, effects []plottree.Effect) {
	for _, e := range effects {
		if !Holds(e.When, *s, s.Node) {
			continue
		}
		value := compute(plottree.Parse(e.AST), *s, s.Node)
		switch e.Op {
		case "+=":
			value = s.Vars[e.Var].(float64) + value.(float64)
		case "-=":
			value = s.Vars[e.Var].(float64) - value.(float64)
		}
		if v := p.vars[e.Var]; v.Type == "int" {
			value = min(max(value.(float64), float64(*v.Min)), float64(*v.Max))
		}
		s.Vars[e.Var] = value
	}
}

// Holds reports whether a condition holds; nil always does. node is what
// `visits` alone means.
func Holds(c *plottree.Condition, s State, node string) bool {
	return c == nil || compute(plottree.Parse(c.AST), s, node) == true
}

func compute(t plottree.Tree, s State, node string) any {
	var args []any
	for _, a := range t.Args {
		args = append(args, compute(a, s, node))
	}
	switch t.Op {
	case "lit":
		return t.Value
	case "var":
		return s.Vars[t.Name]
	case "list":
		return args
	case "call":
		return call(t.Name, args, s, node)
	case "not":
		return !args[0].(bool)
	case "and":
		return args[0].(bool) && args[1].(bool)
	case "or":
		return args[0].(bool) || args[1].(bool)
	case "==":
		return args[0] == args[1]
	case "!=":
		return args[0] != args[1]
	case "in":
		for _, x := range args[1].([]any) {
			if x == args[0] {
				return true
			}
		}
		return false
	}
	return arithmetic(t.Op, args[0].(float64), args[1].(float64))
}

func arithmetic(op string, a, b float64) any {
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "+":
		return a + b
	}
	return a - b
}

func call(name string, args []any, s State, node string) any {
	id := node
	if len(args) > 0 {
		id = args[0].(string)
	}
	switch name {
	case "visits":
		return float64(s.Visits[id])
	case "turns":
		return float64(s.Turns)
	case "turns_total":
		return float64(s.Total)
	case "beat":
		return s.Beats[id] > 0
	case "exit":
		return s.Exits[id] > 0
	}
	return s.Told[id] > 0
}
