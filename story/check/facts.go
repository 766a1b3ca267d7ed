package check

import (
	"maps"
	"slices"
	"strings"

	"fabula/story/plot"
)

// happened gives what is known at a moment of a node: enter, exit:ID or
// beat:ID.
func happened(n *plot.Node, at string) []*plot.Expr {
	kind, id, found := strings.Cut(at, ":")
	if !found {
		return nil
	}
	return []*plot.Expr{call(kind, n.ID+"."+id, plot.Bool)}
}

// entered says that a node has been entered.
func entered(node string) *plot.Expr {
	one := &plot.Expr{Op: plot.OpLit, Value: plot.IntValue(1), Kind: plot.Int}
	return &plot.Expr{Op: plot.OpGe, Args: []*plot.Expr{call("visits", node, plot.Int), one}, Kind: plot.Bool}
}

func call(name, arg string, k plot.Kind) *plot.Expr {
	lit := &plot.Expr{Op: plot.OpLit, Value: plot.EnumValue(arg), Kind: plot.Enum}
	return &plot.Expr{Op: plot.OpCall, Name: name, Args: []*plot.Expr{lit}, Kind: k}
}

// lasting reports a condition that cannot stop to hold once it holds: events,
// counts from a number on, variables that only grow.
func lasting(e *plot.Expr, grows map[string]bool) bool {
	switch {
	case e == nil || e.Op == plot.OpLit:
		return true
	case e.Op == plot.OpAnd || e.Op == plot.OpOr:
		return lasting(e.Args[0], grows) && lasting(e.Args[1], grows)
	case e.Op == plot.OpVar:
		return e.Kind == plot.Bool && grows[e.Name]
	case e.Op == plot.OpCall:
		return e.Kind == plot.Bool
	case e.Op == plot.OpGe || e.Op == plot.OpGt:
		left, right := e.Args[0], e.Args[1]
		counts := left.Op == plot.OpVar && grows[left.Name] ||
			left.Op == plot.OpCall && left.Name != "turns" && (len(left.Args) > 0 || left.Name == "turns_total")
		return counts && right.Op == plot.OpLit
	}
	return false
}

// growing lists the variables that no effect brings down.
func growing(s *plot.Script, effects []effect) map[string]bool {
	grows := map[string]bool{}
	for _, v := range s.Vars {
		grows[v.ID] = true
	}
	for _, e := range effects {
		for _, a := range s.Assignments(e.Effect) {
			literal := a.Value.Op == plot.OpLit
			up := a.Op == "+=" && literal && a.Value.Value.Int >= 0 || a.Op == "=" && literal && a.Value.Value.True()
			grows[a.Var] = grows[a.Var] && up
		}
	}
	return grows
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
