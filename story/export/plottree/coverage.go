package plottree

import (
	"slices"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

// cover counts what the branches of in came by, over everything in doc.
func cover(in export.Input, doc *Document) Coverage {
	c := Coverage{Branches: []story.ID{}, Nodes: map[string]int{}, Edges: map[string]int{}, Beats: map[string]int{}, Anchors: map[string]int{}, Lines: map[string]int{}}
	for _, n := range doc.Nodes {
		c.Nodes[n.ID] = 0
		for _, b := range n.Beats {
			c.Beats[n.ID+"."+b.ID] = 0
		}
		for _, a := range n.Anchors {
			c.Anchors[n.ID+"."+a.ID] = 0
		}
		for _, id := range n.Lines {
			c.Lines[id] = 0
		}
	}
	for _, e := range doc.Edges {
		c.Edges[e.From+"."+e.Exit] = 0
	}
	seen := map[story.ID]bool{}
	for _, b := range in.Branches {
		c.Branches = append(c.Branches, b.ID)
		var before plot.State
		for _, s := range b.Steps {
			if !seen[s.Alternative.ID] {
				seen[s.Alternative.ID] = true
				c.step(s, before)
			}
			before = s.Alternative.State
		}
	}
	return c
}

// step counts one turn. What is no longer in the world counts nowhere.
func (c *Coverage) step(s story.Step, before plot.State) {
	if s.Turn.Parent != "" {
		c.Turns++
	}
	for id, n := range s.Alternative.State.Visits {
		bump(c.Nodes, id, n-before.Visits[id])
	}
	for _, f := range slices.Concat(s.Turn.Fired, s.Alternative.Fired) {
		bump(c.Beats, f.Beat, 1)
	}
	for _, d := range s.Alternative.Delivered {
		bump(c.Anchors, d.Anchor, 1)
	}
	for _, t := range []*plot.Taken{s.Turn.Taken, s.Alternative.Taken} {
		if t != nil {
			bump(c.Edges, t.Exit, 1)
		}
	}
	for _, l := range slices.Concat(s.Alternative.Lines, s.Alternative.After) {
		bump(c.Lines, l.ID, 1)
	}
}

func bump(counts map[string]int, id string, n int) {
	if _, known := counts[id]; known && n > 0 {
		counts[id] += n
	}
}
