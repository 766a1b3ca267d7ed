package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/story"
	"fabula/story/lab/facts"
	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// factTestLine and the others are the objects of `memory --test --json`.
type factTestLine struct {
	Event string `json:"event"` // asked
	facts.Result
}

type factRowLine struct {
	Event string `json:"event"` // rate
	facts.Row
}

type leaksLine struct {
	Event string `json:"event"` // leaks
	Leaks int    `json:"leaks"` // prompts that hold what was told elsewhere or never
	Of    int    `json:"of"`
}

// testMemory is `memory WORLD --test`. Nothing is stored in the world.
func testMemory(c *cobra.Command, sh *shell, ref string, f memoryFlags) (err error) {
	if len(f.turns) > facts.MostDistances {
		return usage("--turns %v: at most %d numbers", f.turns, facts.MostDistances)
	}
	for _, n := range f.turns {
		if n < 2 || n > mostTurns {
			return usage("--turns %d: 2 to %d", n, mostTurns)
		}
	}
	t, err := openFactTest(ref, sh, f)
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, t.Close()) }()
	npcs := []string{f.npc}
	if f.npc == "" {
		npcs = nil
		for _, p := range t.world.Script.Personas {
			npcs = append(npcs, p.ID)
		}
	}
	p := memoryPrinter{c.OutOrStdout(), lang.For(sh.lang), f.json}
	var all []facts.Result
	for _, npc := range npcs {
		err := facts.Run(c.Context(), t.session, facts.Options{NPC: npc, Language: t.speak, Turns: f.turns, Engine: t.answers, Seed: 1}, func(r facts.Result) error {
			all = append(all, r)
			if r.Right && (r.ReplyRight == nil || *r.ReplyRight) && !f.json {
				return nil
			}
			return p.one(factTestLine{"asked", r}, p.asked(r))
		})
		if err != nil {
			return err
		}
	}
	return p.tested(all)
}

const mostTurns = 1000

// tested prints the rates, and ends with exit code 3 where anything leaked.
func (p memoryPrinter) tested(all []facts.Result) error {
	w := p.words.Memory
	for _, r := range facts.Rows(all) {
		what, of := w.Forms[string(r.Form)], w.InPrompt
		if r.Herbs {
			what = w.Herbs + w.Forms[string(r.Form)]
		}
		if r.Turns > 0 {
			what += fmt.Sprintf(w.After, r.Turns)
		}
		if r.Reply {
			of = w.InReply
		}
		if err := p.one(factRowLine{"rate", r}, fmt.Sprintf("%s  %s  %s", text.Fit(of, 9, ""), text.Fit(what, 46, "…"), rateWords(r.Rate))); err != nil {
			return err
		}
	}
	leaks := facts.Leaks(all)
	if err := p.one(leaksLine{"leaks", leaks, len(all)}, fmt.Sprintf(w.Leaks, leaks, len(all))); err != nil {
		return err
	}
	if leaks > 0 {
		return errReported
	}
	return nil
}

// asked words a question that did not come out right.
func (p memoryPrinter) asked(r facts.Result) string {
	w := p.words.Memory
	why := w.Lacks
	if r.In {
		why = w.Holds
	}
	out := fmt.Sprintf("%s, %s: %s  %s “%s”", r.NPC, w.Forms[string(r.Form)], text.Line(r.Asked), why, r.Key)
	if r.ReplyRight != nil && !*r.ReplyRight {
		out += "  → " + text.Line(r.Reply)
	}
	return out
}

// factTest is a world in which facts are tested.
type factTest struct {
	*opened
	answers string // engine of the replies; empty = none is asked
}

func openFactTest(ref string, sh *shell, f memoryFlags) (*factTest, error) {
	quiet := facts.Quiet{Window: f.window}
	t := &factTest{}
	var err error
	t.opened, err = openApart(ref, sh, playFlags{engine: f.engine, speak: f.speak}, func(o *opened) story.Engines {
		quiet.Other = o.catalog
		return quiet
	})
	if err != nil || f.engine == "" {
		return t, err
	}
	for rung := range t.catalog.Rungs(engine.Ask{Language: t.speak}) {
		t.answers = rung.Engine.Info().Name
		return t, nil
	}
	return t, engine.ErrUnavailable
}
