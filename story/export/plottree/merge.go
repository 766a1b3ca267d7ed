package plottree

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"fabula/story"
	"fabula/story/export"
)

// ErrWorlds is wrapped where documents of different worlds are to be merged.
var ErrWorlds = errors.New("two worlds")

// Conflict is something that two documents have each in its own way.
type Conflict struct {
	Kind string `json:"kind"` // node, edge, line, persona, variable, cue
	ID   string `json:"id"`
}

// Renumbered is a recorded line of theirs whose id is another's in ours.
type Renumbered struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// Merge adds to ours what theirs has more of: recorded lines, evidence, coverage,
// nodes and lines that ours lacks. The ledger is that of ours: it keeps the ids
// of their lines for ever, so that merging again gives the same. Where an
// authored thing differs, ours stays and the conflict is named.
func Merge(ours, theirs *Document, ids *export.Ledger) (*Document, []Conflict, []Renumbered, error) {
	if ours.World != theirs.World {
		return nil, nil, nil, fmt.Errorf("merge %s with %s: %w", ours.World, theirs.World, ErrWorlds)
	}
	m := merger{out: *ours}
	m.out.State = union(&m, "variable", ours.State, theirs.State, func(v Variable) (string, string) { return v.ID, digest(v) }, nil)
	m.out.Cues = union(&m, "cue", ours.Cues, theirs.Cues, func(c Cue) (string, string) { return c.ID, digest(c) }, nil)
	m.out.Personas = union(&m, "persona", ours.Personas, theirs.Personas, func(p Persona) (string, string) { return p.ID, digest(p) }, nil)
	m.out.Nodes = union(&m, "node", ours.Nodes, theirs.Nodes, func(n Node) (string, string) { return n.ID, n.Hash }, mergeNodes)
	m.out.Edges = union(&m, "edge", ours.Edges, theirs.Edges, func(e Edge) (string, string) { return e.From + "." + e.Exit, e.Hash },
		func(a, b Edge) Edge { a.Evidence = evidences(a.Evidence, b.Evidence); return a })
	m.lines(ours.Lines, theirs.Lines, ids)
	m.out.Coverage = mergeCoverage(ours.Coverage, theirs.Coverage)
	return &m.out, m.conflicts, m.renumbered, m.out.Seal()
}

type merger struct {
	out        Document
	conflicts  []Conflict
	renumbered []Renumbered
}

// union keeps the order of ours and adds what only theirs has. both joins two
// that are the same but for evidence.
func union[T any](m *merger, kind string, ours, theirs []T, of func(T) (id, hash string), both func(a, b T) T) []T {
	out, at := slices.Clone(ours), map[string]int{}
	for i, x := range ours {
		id, _ := of(x)
		at[id] = i
	}
	for _, x := range theirs {
		id, hash := of(x)
		i, there := at[id]
		if !there {
			out = append(out, x)
			continue
		}
		if _, mine := of(ours[i]); mine != hash {
			m.conflicts = append(m.conflicts, Conflict{kind, id})
		} else if both != nil {
			out[i] = both(out[i], x)
		}
	}
	return out
}

func mergeNodes(a, b Node) Node {
	a.Beats, a.Anchors = slices.Clone(a.Beats), slices.Clone(a.Anchors)
	for i := range a.Beats {
		a.Beats[i].Evidence = evidences(a.Beats[i].Evidence, b.Beats[i].Evidence)
	}
	for i := range a.Anchors {
		a.Anchors[i].Evidence = evidences(a.Anchors[i].Evidence, b.Anchors[i].Evidence)
	}
	return a
}

func evidences(a, b []Evidence) []Evidence {
	out := slices.Clone(a)
	for _, e := range b {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// lines joins authored lines by id and recorded ones by where they were said.
func (m *merger) lines(ours, theirs []Line, ids *export.Ledger) {
	m.out.Lines = slices.Clone(ours)
	at, said := map[string]int{}, map[export.Utterance]bool{}
	for i, l := range ours {
		at[l.ID] = i
		if l.From != nil {
			said[utterance(l)] = true
		}
	}
	for _, l := range theirs {
		if l.Status == "recorded" && l.From != nil {
			if said[utterance(l)] {
				continue
			}
			if id := ids.Adopt(utterance(l), l.ID); id != l.ID {
				m.renumbered = append(m.renumbered, Renumbered{l.ID, id})
				l.ID, l.Was = id, append(slices.Clone(l.Was), l.ID)
			}
			m.out.Lines = append(m.out.Lines, l)
			continue
		}
		if i, there := at[l.ID]; !there {
			m.out.Lines = append(m.out.Lines, l)
		} else if ours[i].Hash != l.Hash {
			m.conflicts = append(m.conflicts, Conflict{"line", l.ID})
		}
	}
}

func utterance(l Line) export.Utterance {
	return export.Utterance{Turn: l.From.Turn, Alternative: l.From.Alternative}
}

// mergeCoverage adds counts of branches that the two do not share; where they
// share one, the greater count stands.
func mergeCoverage(a, b Coverage) Coverage {
	shared := slices.ContainsFunc(b.Branches, func(id story.ID) bool { return slices.Contains(a.Branches, id) })
	join := func(x, y int) int {
		if shared {
			return max(x, y)
		}
		return x + y
	}
	counts := func(x, y map[string]int) map[string]int {
		out := maps.Clone(x)
		for id, n := range y {
			out[id] = join(out[id], n)
		}
		return out
	}
	out := Coverage{
		Branches: slices.Clone(a.Branches), Turns: join(a.Turns, b.Turns), Nodes: counts(a.Nodes, b.Nodes), Edges: counts(a.Edges, b.Edges),
		Beats: counts(a.Beats, b.Beats), Anchors: counts(a.Anchors, b.Anchors), Lines: counts(a.Lines, b.Lines),
	}
	for _, id := range b.Branches {
		if !slices.Contains(out.Branches, id) {
			out.Branches = append(out.Branches, id)
		}
	}
	return out
}
