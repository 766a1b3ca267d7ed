// Package coverage counts what the stored playthroughs of a world came by:
// nodes entered, exits taken, beats fired, anchors said, and where branches
// stand now. What people played and what simulated players did is counted
// apart: a robot's walk does not show that the story holds. What was said in a
// sandbox is no play and is not counted.
//
// Ids are the present ones, where an author kept the old ones under `was`.
// Non-goals: what could be come by (story/check/space).
package coverage

import (
	"fmt"
	"slices"

	"fabula/story"
	"fabula/story/plot"
)

// Count is how often something happened, each turn counted once however many
// branches share it.
type Count struct {
	People    int
	Simulated int
}

// Any reports whether it happened at all.
func (c Count) Any() bool { return c.People+c.Simulated > 0 }

// Place is a branch that stands in a node, or passed through it.
type Place struct {
	Branch      story.Branch
	Alternative story.ID // the last in the node on its path
	Depth       int      // of its turn
	Stands      bool     // the branch ends there
	Simulated   bool
	Forced      bool // jumped to, here or further up
}

// Coverage is what was counted.
type Coverage struct {
	Nodes   map[string]Count // entered
	Turns   map[string]Count // turns that ended in the node
	Exits   map[string]Count // "node.exit"
	Beats   map[string]Count // "node.beat"
	Anchors map[string]Count // "node.anchor"

	places map[string][]Place // by node, last touched first
}

// At lists the branches that stand in a node or came through it, the last
// touched first.
func (c *Coverage) At(node string) []Place { return c.places[node] }

// Read walks a store once. Script may be nil: ids then stay as they were.
func Read(r story.Reader, s *plot.Script) (*Coverage, error) {
	branches, err := r.Branches()
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	w := walk{out: &Coverage{Nodes: map[string]Count{}, Turns: map[string]Count{}, Exits: map[string]Count{}, Beats: map[string]Count{},
		Anchors: map[string]Count{}, places: map[string][]Place{}},
		simulated: map[story.ID]bool{}, sandbox: map[story.ID]bool{}, steps: map[story.ID]step{}, script: s}
	hidden, err := r.Hidden()
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	for _, b := range slices.Concat(branches, hidden) { // what was played on a hidden branch was played
		w.simulated[b.ID] = slices.Contains(b.Tags, story.SimulatedTag)
		w.sandbox[b.ID] = slices.Contains(b.Tags, story.SandboxTag)
	}
	if err := r.Walk(w.turn); err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	for _, b := range branches {
		w.branch(b)
	}
	w.rename()
	return w.out, nil
}

// rename gives exits, beats and anchors their present ids.
func (w *walk) rename() {
	if w.script == nil {
		return
	}
	keys := func(counts map[string]Count, of func(*plot.State) *map[string]int) map[string]Count {
		out := make(map[string]Count, len(counts))
		for id, n := range counts {
			var st plot.State
			*of(&st) = map[string]int{id: 1}
			st, _ = w.script.Adopt(st)
			for now := range *of(&st) {
				c := out[now]
				out[now] = Count{c.People + n.People, c.Simulated + n.Simulated}
			}
		}
		return out
	}
	w.out.Exits = keys(w.out.Exits, func(st *plot.State) *map[string]int { return &st.Exits })
	w.out.Beats = keys(w.out.Beats, func(st *plot.State) *map[string]int { return &st.Beats })
	w.out.Anchors = keys(w.out.Anchors, func(st *plot.State) *map[string]int { return &st.Anchors })
}

// step is what is kept of an alternative: where it ended, and the one above.
type step struct {
	node   string
	parent story.ID
	depth  int
	jumped bool
	robot  bool
}

type walk struct {
	out       *Coverage
	script    *plot.Script
	simulated map[story.ID]bool // branches
	sandbox   map[story.ID]bool
	steps     map[story.ID]step // by alternative
}

func (w *walk) turn(t story.Turn, alts []story.Alternative) error {
	if w.sandbox[t.Branch] || t.Input.Sandbox {
		return nil
	}
	above := w.steps[t.Parent]
	robot := w.simulated[t.Branch] || above.robot && t.Branch == ""
	add := func(m map[string]Count, id string) {
		c := m[id]
		if robot {
			c.Simulated++
		} else {
			c.People++
		}
		m[id] = c
	}
	before := w.node(t.Before)
	if before != above.node || t.Input.Jump != "" {
		add(w.out.Nodes, before)
	}
	w.happened(add, t.Fired, t.Taken)
	for _, a := range alts {
		at := w.node(a.State)
		if at != before {
			add(w.out.Nodes, at)
		}
		add(w.out.Turns, at)
		w.happened(add, a.Fired, a.Taken)
		for _, d := range a.Delivered {
			add(w.out.Anchors, d.Anchor)
		}
		w.steps[a.ID] = step{node: at, parent: t.Parent, depth: t.Depth, jumped: t.Input.Jump != "", robot: robot}
	}
	return nil
}

func (w *walk) happened(add func(map[string]Count, string), fired []plot.Fired, taken *plot.Taken) {
	for _, f := range fired {
		add(w.out.Beats, f.Beat)
	}
	if taken != nil {
		add(w.out.Exits, taken.Exit)
	}
}

// node is where a state stands, by its present id.
func (w *walk) node(st plot.State) string {
	if w.script == nil || w.script.Node(st.Node) == nil {
		return st.Node
	}
	return w.script.Node(st.Node).ID
}

// branch notes the nodes of a branch's path, each at the last turn in it.
func (w *walk) branch(b story.Branch) {
	seen := map[string]bool{}
	forced := slices.Contains(b.Tags, story.ForcedTag)
	for id := b.Leaf; id != ""; {
		s, known := w.steps[id]
		if !known {
			return // stored while the tree was read
		}
		if !seen[s.node] {
			seen[s.node] = true
			w.out.places[s.node] = append(w.out.places[s.node], Place{Branch: b, Alternative: id, Depth: s.depth,
				Stands: id == b.Leaf, Simulated: w.simulated[b.ID], Forced: forced})
		}
		id = s.parent
	}
}
