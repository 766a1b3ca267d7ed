package check

import (
	"slices"

	"fabula/story/plot"
)

// silent finds what a node holds and no play ever brings about, though its own
// condition can hold: beats that nobody is there to set off, anchors that nobody
// is there to say, exits that are never taken.
func silent(c *checker) {
	if !c.space.Complete() {
		return
	}
	for _, n := range c.s.Nodes {
		if _, ok := c.space.Reached(n.ID); !ok {
			continue
		}
		for _, b := range n.Beats {
			c.silentBeat(n, b)
		}
		for _, a := range n.Anchors {
			id := n.ID + "." + a.ID
			if c.mayHold("anchor", id) && !c.space.Delivered(id) {
				at, _ := c.space.Reached(n.ID)
				c.along(n.Allow, caution(a.Pos, CodeAnchor, id, a.By), at, false)
			}
		}
		for _, e := range n.Exits {
			c.silentExit(n, e)
		}
	}
}

// mayHold reports a condition that can hold, so that it is not what keeps its
// owner from happening; or one that there is not.
func (c *checker) mayHold(kind, owner string) bool {
	x, ok := c.conditionsBy(kind, owner)
	return !ok || x.Proven && (x.True || !x.False)
}

func (c *checker) silentBeat(n *plot.Node, b *plot.Beat) {
	id := n.ID + "." + b.ID
	if !c.mayHold("beat", id) || c.space.Fires(id) || c.said(CodeUnsayable, b.Detect.Pos) {
		return
	}
	why := b.Speaker
	if n.Ending != nil {
		why = "ending"
	}
	at, _ := c.space.Reached(n.ID)
	c.along(slices.Concat(n.Allow, b.Allow), caution(b.Pos, CodeNeverFires, id, why), at, false)
}

func (c *checker) silentExit(n *plot.Node, e *plot.Exit) {
	id := n.ID + "." + e.ID
	if e.Otherwise || !c.mayHold("exit", id) || c.space.Taken(id) || e.Said != nil && c.said(CodeUnsayable, e.Said.Pos) {
		return
	}
	why := ""
	if x, ok := c.conditionsBy("node", e.To); !e.Stay {
		if _, reached := c.space.Reached(e.To); !reached {
			return // told of at the node
		}
		if ok {
			why = x.Src
		}
	}
	if e.Auto {
		why = "auto"
	}
	at, _ := c.space.Reached(n.ID)
	c.along(slices.Concat(n.Allow, e.Allow), caution(e.Pos, CodeNeverTaken, id, why), at, false)
}
