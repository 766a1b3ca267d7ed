package main

import (
	"fmt"
	"io"
	"slices"

	"fabula/story/check/space"
)

// spaceLine says in `check --json` how many states were searched.
type spaceLine struct {
	Event    string `json:"event"`
	States   int    `json:"states"`
	Turns    int    `json:"turns"` // distinct ways from state to state
	Complete bool   `json:"complete"`
}

// walksLine says in `check --json` how many walks were played.
type walksLine struct {
	Event string `json:"event"`
	Walks int    `json:"walks"`
	Turns int    `json:"turns"`
	Seed  uint64 `json:"seed"`
}

// coverageLine is one thing that walks came by, or could have.
type coverageLine struct {
	Event     string `json:"event"`
	Kind      string `json:"kind"` // node, exit, beat, true, false
	ID        string `json:"id"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Col       int    `json:"col"`
	Hits      int    `json:"hits"`
	Forced    bool   `json:"may_be_impossible,omitempty"` // by force only
	Reachable string `json:"reachable"`                   // yes, no, unknown
}

func jsonCoverage(w io.Writer, c space.Coverage) error {
	if err := writeJSON(w, walksLine{"walks", c.Walks, c.Turns, c.Seed}); err != nil {
		return err
	}
	for _, x := range c.Items {
		line := coverageLine{"coverage", x.Kind, x.ID, x.Pos.File, x.Pos.Line, x.Pos.Col, x.Hits, x.Forced, x.Reachable}
		if err := writeJSON(w, line); err != nil {
			return err
		}
	}
	return nil
}

// rarest is how many of the things that walks came by least are listed.
const rarest = 10

// printCoverage lists what no walk came to although it can be reached, and what
// they came by least.
func (ck *checking) printCoverage(w io.Writer, c space.Coverage) {
	t := ck.words.Way
	fmt.Fprintf(w, t.Coverage+"\n", c.Walks, c.Turns, c.Seed)
	var missed, hit []space.Item
	for _, x := range c.Items {
		switch {
		case x.Hits > 0:
			hit = append(hit, x)
		case x.Reachable != "no":
			missed = append(missed, x)
		}
	}
	slices.SortStableFunc(hit, func(a, b space.Item) int { return a.Hits - b.Hits })
	hit = hit[:min(rarest, len(hit))]
	for _, part := range []struct {
		heading string
		items   []space.Item
	}{{t.Never, missed}, {t.Rarest, hit}} {
		if len(part.items) > 0 {
			fmt.Fprintln(w, part.heading)
		}
		for _, x := range part.items {
			row := fmt.Sprintf(t.Row, t.Kinds[x.Kind], x.ID, x.Hits)
			if x.Forced {
				row = fmt.Sprintf(t.ForcedRow, t.Kinds[x.Kind], x.ID)
			}
			fmt.Fprintf(w, "  %s: %s\n", x.Pos, printable(row))
		}
	}
}
