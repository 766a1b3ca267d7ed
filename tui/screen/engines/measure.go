package engines

import (
	"fmt"
	"time"

	"fabula/engine/latency"
	"fabula/story"
)

const ms = time.Millisecond

// scales are the edges of the histogram's classes: those that a reader thinks
// in, and finer ones for fast engines.
var scales = [][]time.Duration{
	{20 * ms, 40 * ms, 60 * ms, 100 * ms},
	{2 * ms, 5 * ms, 10 * ms, 15 * ms, 20 * ms, 30 * ms, 40 * ms, 60 * ms, 80 * ms, 100 * ms, 150 * ms},
}

// measured is how long an engine took, over many replies.
type measured struct {
	latency.Summary
	bars [][]latency.Bar // of gaps, by scale
}

// figures are those of all stored replies and, of these, of this session's.
type figures struct{ stored, session measured }

// tallies pools the replies of one engine.
type tallies struct{ stored, session *latency.Tally }

// measure walks a store once. Replies made from since on are this session's;
// one that failed or was stopped counts with what came of it.
func measure(r story.Reader, since time.Time) (map[key]figures, error) {
	all := map[key]tallies{}
	err := r.Walk(func(_ story.Turn, alts []story.Alternative) error {
		for _, a := range alts {
			if a.Reply == nil || a.Reply.Engine.Name == "" {
				continue
			}
			k := key{a.Reply.Engine.Kind, a.Reply.Engine.Name}
			t, known := all[k]
			if !known {
				t = tallies{latency.NewTally(), latency.NewTally()}
				all[k] = t
			}
			timing := a.Reply.Timing()
			t.stored.Add(timing)
			if !a.Made.Before(since) {
				t.session.Add(timing)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("latency of stored replies: %w", err)
	}
	out := make(map[key]figures, len(all))
	for k, t := range all {
		out[k] = figures{summed(t.stored), summed(t.session)}
	}
	return out, nil
}

func summed(t *latency.Tally) measured {
	m := measured{Summary: t.Summary()}
	for _, edges := range scales {
		m.bars = append(m.bars, t.Bars(edges...))
	}
	return m
}
