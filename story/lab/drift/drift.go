// Package drift measures how far an engine is from another one that it is to
// stand in for: an INT8 build from FP16, a new file from the old one. Both read
// the same replies after the same full prompts of the world (teacher forcing),
// nothing is sampled, and every figure is told apart by NPC, language and place
// in the reply. The worst NPC is the headline, not the mean: a persona breaks
// in one character first.
//
// The method is that of llama.cpp's perplexity tool (KL divergence over the same
// tokens), with in-domain text and the mass of words that a persona never says.
// The noise floor comes first: the reference against itself, its prompts found in
// the cache and two replies in a batch. A build cannot be judged finer than that.
//
// All logarithms are natural, divergences are in nats.
// Non-goals: opening engines, wording, judging what is said (story/lab/judge).
package drift

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fabula/engine"
	"fabula/story/lab/sets"
)

// Options say how much is measured, and how it is judged.
type Options struct {
	// Limit bounds the tokens that one engine computes in one pass, prompts
	// included, 0 = all samples. Every NPC and language gets the same share.
	Limit int
	// Top compares only so many of the likeliest tokens and the rest as one; 0 =
	// the whole distribution, which costs 4 bytes a word of the vocabulary a token.
	Top    int
	Words  []Words // watched, by persona and language
	Limits Limits
	// Least is how many places of each NPC and language are to be compared before
	// anything passes: DefaultLeast is a sensible one, 0 asks for none.
	Least int
	Step  func(Step) // before samples are read; nil = nobody is told
}

// Step is how far a measurement has come. Counts of NPCs and replies are from 1.
type Step struct {
	Persona, Language string
	NPC, NPCs         int // an NPC in one language
	Reply, Replies    int // of this NPC; a limit may end them sooner
	Places            int // compared so far, of all NPCs
	Computed, Limit   int // tokens of A; Limit 0 = none
}

// Engine is one side: what it is, and how it reads.
type Engine struct {
	engine.Info
	engine.Scorer
}

// Left is a sample that was not measured, and why.
type Left struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// Report is what was measured.
type Report struct {
	Made  time.Time `json:"made"`
	World string    `json:"world"`
	Hash  string    `json:"world_hash,omitempty"`
	// Versions are the personas as they were written then.
	Versions []Version   `json:"personas,omitempty"`
	Set      string      `json:"set"` // what was read: "authored", or the id of a calibration set
	A        engine.Info `json:"a"`   // the reference
	B        engine.Info `json:"b"`
	// Samples were to be had, Read of them were read, as many as Limit allows.
	Samples int `json:"samples"`
	Read    int `json:"read"`
	Limit   int `json:"limit"`
	// Computed are the tokens that A and B ran through their models, and A once more
	// for the floor.
	ComputedA     int    `json:"computed_a"`
	ComputedB     int    `json:"computed_b"`
	ComputedFloor int    `json:"computed_floor"`
	Top           int    `json:"top,omitempty"` // 0 = whole distributions were compared
	Floor         []Row  `json:"floor"`         // A against A, by NPC as Rows
	Rows          []Row  `json:"rows"`          // the worst first
	Left          []Left `json:"left,omitempty"`
	// Unread are NPCs that the limit left no tokens for, or whose samples no window
	// held: nothing is known of them, so that B does not pass.
	Unread []string `json:"unread,omitempty"`
	// Few are NPCs of whom fewer places than Least were compared, with their places:
	// no gate that they keep says anything, so that B does not pass.
	Least   int     `json:"least_places"`
	Few     []Few   `json:"few,omitempty"`
	Limits  Limits  `json:"limits"`
	Gates   []Gate  `json:"gates"`
	Passed  bool    `json:"passed"`
	Verdict Verdict `json:"verdict"`
}

// Few is an NPC of whom too few places were compared.
type Few struct {
	Persona  string `json:"persona"`
	Language string `json:"language"`
	Places   int    `json:"places"`
}

// Version is a persona with the hash of its file.
type Version struct {
	Persona string `json:"persona"`
	Hash    string `json:"hash"`
}

// ErrNothing: there is no sample to measure on.
var ErrNothing = errors.New("no sample to read")

// Run measures b against a on samples.
func Run(ctx context.Context, a, b Engine, samples []sets.Sample, o Options) (*Report, error) {
	if len(samples) == 0 {
		return nil, ErrNothing
	}
	r := &Report{Made: time.Now(), A: a.Info, B: b.Info, Samples: len(samples), Limit: o.Limit, Top: o.Top, Limits: o.Limits.orDefault(), Least: o.Least}
	groups := divide(samples)
	for i, g := range groups {
		if o.Limit > 0 && r.ComputedA >= o.Limit {
			r.Unread = append(r.Unread, g.name())
			continue
		}
		words, err := tokenise(ctx, a, g, o.Words)
		if err != nil {
			return nil, fmt.Errorf("drift: %w", err)
		}
		m := &measuring{a: a, b: b, o: o, report: r, group: g, words: words, at: i + 1, of: len(groups), budget: share(o.Limit, r.ComputedA, len(groups)-i)}
		if err := m.run(ctx); err != nil {
			return nil, fmt.Errorf("drift of %s: %w", g.persona, err)
		}
	}
	if r.Read == 0 {
		return r, fmt.Errorf("drift: %w: none of %d fits the window (%s: %s)", ErrNothing, len(samples), r.Left[0].ID, r.Left[0].Why)
	}
	worstFirst(r.Rows)
	r.judge()
	return r, nil
}

// share is what of a limit is left for one of so many groups, 0 = no limit.
func share(limit, used, groups int) int {
	if limit <= 0 {
		return 0
	}
	return max((limit-used)/groups, 1)
}
