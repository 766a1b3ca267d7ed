package plot

import (
	"maps"
	"slices"
	"strings"

	"fabula/personas/source"
)

// Adopt carries the state of an older script over to this one: renamed things
// get their present ids, new variables their default, values outside the
// domain are clamped, variables that are gone are dropped. The faults tell of
// what was lost (CodeClamped, CodeVanishedVar, CodeVanishedNode); with a node
// that is gone, State.Node stays as it was and the caller offers a jump.
func (s *Script) Adopt(st State) (State, []source.Fault) {
	out := st.Clone()
	faults := s.adoptVars(&out, st.Vars)
	out.Beats = s.renamed(st.Beats, wasBeat)
	out.Exits = s.renamed(st.Exits, wasExit)
	out.Visits = s.renamed(st.Visits, wasNode)
	out.Told = s.renamed(st.Told, wasSecret)
	out.Greeted = s.renamed(st.Greeted, wasPersona)
	out.Anchors = rekey(st.Anchors, s.anchorNow)
	out.Learned = rekey(st.Learned, s.learnedNow)
	out.Days = rekey(st.Days, s.eventNow)
	for i, key := range out.InTurn {
		out.InTurn[i] = s.now(wasBeat, key)
	}
	out.Speaker = s.now(wasPersona, st.Speaker)
	out.Node = s.now(wasNode, st.Node)
	if st.Confirm != "" {
		_, id, _ := strings.Cut(s.now(wasExit, st.Node+"."+st.Confirm), ".")
		out.Confirm = id
	}
	if out.Node != "" && s.Node(out.Node) == nil {
		faults = append(faults, source.Fault{Code: CodeVanishedNode, Args: []string{out.Node, source.Nearest(out.Node, s.known("node"))}})
	}
	return out, faults
}

func (s *Script) adoptVars(out *State, old map[string]Value) []source.Fault {
	var faults []source.Fault
	out.Vars = make(map[string]Value, len(s.Vars))
	for _, v := range s.Vars {
		before, ok := old[v.ID]
		if !ok {
			out.Vars[v.ID] = v.Default
			continue
		}
		after := v.Clamp(before)
		if out.Vars[v.ID] = after; after != before {
			faults = append(faults, source.Fault{Pos: v.Pos, Code: CodeClamped, Args: []string{v.ID, before.String(), after.String()}})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if s.Var(name) == nil {
			faults = append(faults, source.Fault{Code: CodeVanishedVar, Args: []string{name, old[name].String()}})
		}
	}
	return faults
}

// renamed maps the keys of counts to present ids.
func (s *Script) renamed(counts map[string]int, kind string) map[string]int {
	return rekey(counts, func(key string) string { return s.now(kind, key) })
}

// rekey renames keys; counts that meet add up.
func rekey(counts map[string]int, now func(string) string) map[string]int {
	if counts == nil {
		return nil
	}
	out := make(map[string]int, len(counts))
	for key, n := range counts {
		out[now(key)] += n
	}
	return out
}

func (s *Script) now(kind, id string) string {
	if now, ok := s.index.was[kind+id]; ok {
		return now
	}
	return id
}

// anchorNow renames the node of "node.anchor".
func (s *Script) anchorNow(key string) string {
	node, id, _ := strings.Cut(key, ".")
	return s.now(wasNode, node) + "." + id
}

// learnedNow renames both halves of "npc:event".
func (s *Script) learnedNow(key string) string {
	npc, what, _ := strings.Cut(key, ":")
	return s.now(wasPersona, npc) + ":" + s.eventNow(what)
}

// eventNow renames a beat, exit or secret.
func (s *Script) eventNow(key string) string {
	for _, kind := range []string{wasBeat, wasExit, wasSecret} {
		if now, ok := s.index.was[kind+key]; ok {
			return now
		}
	}
	return key
}
