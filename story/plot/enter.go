package plot

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"fabula/personas/source"
)

// Initial is the state before the first node is entered: all defaults.
func (s *Script) Initial() State {
	st := State{Vars: make(map[string]Value, len(s.Vars))}
	for _, v := range s.Vars {
		st.Vars[v.ID] = v.Default
	}
	return st
}

// SetError says why a variable cannot be set; Fault has the code and its
// arguments for whoever words it.
type SetError struct{ Fault source.Fault }

// Error is for logs; cmd and tui word the fault.
func (e *SetError) Error() string {
	args := e.Fault.Args
	if e.Fault.Code == CodeSetValue {
		return fmt.Sprintf("set %s: %q is none of %s", args[0], args[1], args[2])
	}
	return fmt.Sprintf("set: %s %s", e.Fault.Code, strings.Join(args, " "))
}

// Set gives a variable a value written as text (`--set x=v`): true or false, a
// whole number inside the domain, a value of the enum. The error is a
// *SetError; st is then unchanged.
func (s *Script) Set(st *State, name, value string) error {
	v := s.Var(name)
	if v == nil {
		r := s.unknownVar(name, 0)
		return &SetError{source.Fault{Code: r.code, Args: r.args}}
	}
	x, ok := v.read(value)
	if !ok {
		return &SetError{source.Fault{Code: CodeSetValue, Args: []string{name, value, v.DomainText()}}}
	}
	vars := maps.Clone(st.Vars)
	if vars == nil {
		vars = map[string]Value{}
	}
	vars[name] = x
	st.Vars = vars
	return nil
}

// read parses a value of v's domain.
func (v *Variable) read(text string) (Value, bool) {
	switch v.Kind {
	case Int:
		n, err := strconv.Atoi(text)
		return IntValue(n), err == nil && n >= v.Min && n <= v.Max
	case Enum:
		return EnumValue(text), v.Clamp(EnumValue(text)) == EnumValue(text)
	default:
		return BoolValue(text == "true"), text == "true" || text == "false"
	}
}

// Enter moves st into a node: counts the visit, starts its turn count, does
// on_enter in order, then plays the lines at enter whose condition holds.
// Where none does, the NPCs present that have not greeted on this path greet,
// in order of the cast. It never takes an exit. An unknown node changes
// nothing.
func (s *Script) Enter(st *State, node, lang string) ([]Played, []Change) {
	n := s.Node(node)
	if n == nil {
		return nil, nil
	}
	st.Node, st.Turns, st.Confirm = n.ID, 0, ""
	bump(&st.Visits, n.ID)
	changes := s.apply(st, n.OnEnter, n.ID)
	s.learn(st, n.Tell)
	if n.Ending != nil {
		st.Ended = true
	}
	lines := s.play(st, n, "enter", lang)
	if len(lines) == 0 {
		lines = s.greet(st, lang)
	}
	return lines, changes
}

// play gives the lines of n at a moment, in list order.
func (s *Script) play(st *State, n *Node, moment, lang string) []Played {
	var out []Played
	for _, l := range n.Lines {
		if l.At == moment && s.holds(l.When, st, n.ID) {
			out = append(out, Played{
				ID: LineID(n.ID, l), By: l.By, Text: s.speak(l.By, l.Text, st, lang),
				Cues: l.Cues, Kind: "line", Status: l.Status,
			})
		}
	}
	return out
}

func (s *Script) greet(st *State, lang string) []Played {
	var out []Played
	for _, m := range s.Cast(*st) {
		p := s.Persona(m.NPC)
		if p == nil || p.Greeting.Empty() || st.Greeted[p.ID] > 0 {
			continue
		}
		bump(&st.Greeted, p.ID)
		out = append(out, Played{
			ID: p.ID + ".greeting", By: p.ID, Kind: "greeting",
			Text: s.speak(p.ID, p.Greeting, st, lang),
		})
	}
	return out
}

// Cast lists who is present in the node of st, each once, in file order.
func (s *Script) Cast(st State) []Member {
	n := s.Node(st.Node)
	if n == nil {
		return nil
	}
	var out []Member
	seen := make(map[string]bool, len(n.Cast))
	for _, m := range n.Cast {
		if !seen[m.NPC] && s.holds(m.When, &st, n.ID) {
			seen[m.NPC] = true
			out = append(out, m)
		}
	}
	return out
}

// learn records what NPCs are told of.
func (s *Script) learn(st *State, tells []Tell) {
	for _, t := range tells {
		bump(&st.Learned, t.To+":"+t.What)
	}
}

// bump counts one more of key.
func bump(m *map[string]int, key string) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[key]++
}
