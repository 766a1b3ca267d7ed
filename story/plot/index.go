package plot

import (
	"fabula/personas"
)

// index answers lookups by id. Compile fills it; a Script that was never
// compiled finds nothing and holds no condition but the empty one.
type index struct {
	nodes    map[string]*Node
	personas map[string]*personas.Persona
	vars     map[string]*Variable
	beats    map[string]*Beat // "node.beat"
	exits    map[string]*Exit // "node.exit"
	lines    map[string]*Line // "speaker.node.line"
	secrets  map[string]bool  // "npc.secret"
	was      map[string]string
	conds    map[string]*Expr
	effects  map[string]Assign
}

// Node finds a node by its id or an earlier one; nil if there is none.
func (s *Script) Node(id string) *Node {
	if n, ok := s.index.nodes[id]; ok {
		return n
	}
	return s.index.nodes[s.index.was[wasNode+id]]
}

// Exits counts the exits of all nodes, also those that lead back to their own.
func (s *Script) Exits() int {
	n := 0
	for _, node := range s.Nodes {
		n += len(node.Exits)
	}
	return n
}

// Persona finds a persona by its id or an earlier one; nil if there is none.
func (s *Script) Persona(id string) *personas.Persona {
	if p, ok := s.index.personas[id]; ok {
		return p
	}
	return s.index.personas[s.index.was[wasPersona+id]]
}

// Var finds a state variable; nil if there is none.
func (s *Script) Var(id string) *Variable { return s.index.vars[id] }

// Beat finds a beat by "node.beat", earlier ids included; nil if there is none.
func (s *Script) Beat(id string) *Beat {
	if b, ok := s.index.beats[id]; ok {
		return b
	}
	return s.index.beats[s.index.was[wasBeat+id]]
}

// BeatIDs lists every beat as "node.beat", in script order.
func (s *Script) BeatIDs() []string {
	var all []string
	for _, n := range s.Nodes {
		for _, b := range n.Beats {
			all = append(all, n.ID+"."+b.ID)
		}
	}
	return all
}

// Exit finds an exit by "node.exit", earlier ids included; nil if there is none.
func (s *Script) Exit(id string) *Exit {
	if e, ok := s.index.exits[id]; ok {
		return e
	}
	return s.index.exits[s.index.was[wasExit+id]]
}

// Line finds an authored line by "speaker.node.line" ("narration.node.line"
// where nobody speaks), earlier ids included; nil if there is none.
func (s *Script) Line(id string) *Line {
	if l, ok := s.index.lines[id]; ok {
		return l
	}
	return s.index.lines[s.index.was[wasLine+id]]
}

// Prefixes of the keys of index.was, one name space a kind.
const (
	wasNode    = "node:"
	wasPersona = "persona:"
	wasBeat    = "beat:"
	wasExit    = "exit:"
	wasLine    = "line:"
	wasSecret  = "secret:"
)

// LineID is the stable id of an authored line of a node.
func LineID(node string, l *Line) string { return speakerOf(l.By) + "." + node + "." + l.ID }

func speakerOf(by string) string {
	if by == "" {
		return "narration"
	}
	return by
}
