package catalog

import (
	"cmp"
	"strings"
	"time"

	"fabula/engine"
	"fabula/engine/ladder"
)

// Wish is what is to answer, by a person's configuration or a world.
type Wish struct {
	// Chosen are the kinds and names that a person asked for, best first: they
	// serve in every language.
	Chosen []string
	// Ladder are those that follow, best first; empty = models. Models better
	// than a chosen one are left out.
	Ladder []string
	Limits ladder.Limits // of chat replies; 0 = the default
}

// Deadlines where nobody set one: nothing waits for ever.
const (
	firstToken = 10 * time.Minute // a long prompt on a slow processor takes its time; a worker that hangs is found out by itself
	gap        = time.Minute
	// standby is how long a reply waits for a lower rung to load: the one below
	// answers meanwhile.
	standby = 5 * time.Second
)

// wish gives what is to answer now.
func (c *Catalog) wish(a engine.Ask) Wish {
	w := Wish{Ladder: c.o.Ladder}
	if c.o.Wish != nil {
		w = c.o.Wish(a)
	}
	switch {
	case a.Only != "":
		w.Chosen, w.Ladder = []string{a.Only}, nil
	case c.o.Choice != "":
		w.Chosen, w.Ladder = strings.Split(c.o.Choice, ","), []string{string(engine.Recall)}
	case len(w.Ladder) == 0:
		w.Ladder = []string{string(engine.GGUF)}
	}
	w.Limits.FirstToken = cmp.Or(w.Limits.FirstToken, firstToken)
	w.Limits.Gap = cmp.Or(w.Limits.Gap, gap)
	return w
}
