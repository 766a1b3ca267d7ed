package prompt

import (
	"fabula/engine"
	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/plot"
)

// Kept is a recorded reply that a person approved: marked it, or wrote it. It
// may be said again where the story has come as far.
type Kept struct {
	ID       string // of the alternative
	By       string // persona that says it
	Language string
	Cue      string // what the player had said
	Text     string
	State    plot.State // S1, in which it was said
}

// priorKept is what a kept reply gains over a sample: a person has chosen it
// for this very place.
const priorKept = 0.25

// keptLines are the kept replies of the speaker that may be said now: recorded
// in this node and language, and nothing had happened then that has not
// happened here too.
func (a *author) keptLines() []engine.Candidate {
	var out []engine.Candidate
	for i := range a.in.Kept {
		k := &a.in.Kept[i]
		if k.By != a.in.Speaker.ID || k.Language != a.lang || a.node == nil || k.State.Node != a.node.ID || !reached(k.State, a.in.State) {
			continue
		}
		out = append(out, engine.Candidate{ID: k.By + ".kept." + k.ID, Cue: k.Cue, Text: k.Text, Prior: priorKept})
	}
	return out
}

// reached reports whether all that had happened in a state has happened in
// another one too: beats, exits, visits, secrets told and things learned.
func reached(then, now plot.State) bool {
	for _, pair := range [][2]map[string]int{
		{then.Beats, now.Beats}, {then.Exits, now.Exits}, {then.Visits, now.Visits},
		{then.Told, now.Told}, {then.Learned, now.Learned},
	} {
		for what, n := range pair[0] {
			if n > 0 && pair[1][what] == 0 {
				return false
			}
		}
	}
	return true
}

// everyLocked watches for the secrets of all personas that are locked now: a
// line that is said as it stands must give none away, whoever's it is.
func (a *author) everyLocked() *lint.Watch {
	var all []personas.Secret
	for _, p := range a.in.Script.Personas {
		all = append(all, a.in.Script.Locked(p, a.in.State)...)
	}
	return lint.NewWatch(all)
}
