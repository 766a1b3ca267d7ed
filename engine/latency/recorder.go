// Package latency turns the stamps of an engine's events into the figures that
// people see: time to the first token, token gaps, decode rate.
//
// Definitions, the same wherever a figure is shown:
//
//	TTFT     request sent → first token with visible text; queue and prefill included
//	         and tokens that were given, not decoded, left out
//	gap      between the stamps of neighbouring tokens, visible or not (ITL)
//	rate     (n − 1) / (last − first), tokens a second; none for n ≤ 1; of a server
//	         that sends several tokens at once, its own count over the same time
//	stall    the longest gap
//	p50 …    nearest rank over all gaps pooled; given only where the count allows
//
// Stamps are the engine's, so drawing and flushing cannot bend them. A recalled
// reply was not decoded: it has a TTFT but neither gaps nor a rate.
// Non-goals: reading clocks, drawing, storing.
package latency

import (
	"time"

	"fabula/engine"
)

// Timing holds the figures of one reply. Zero means "none".
type Timing struct {
	Load     time.Duration   `json:"load,omitempty"`    // waited for the engine to load
	Queue    time.Duration   `json:"queue,omitempty"`   // waited for other replies
	Held     time.Duration   `json:"held,omitempty"`    // after that, while only others ran; part of TTFT and gaps
	Company  float64         `json:"company,omitempty"` // replies that decoded in one pass with it, itself included
	Prefill  time.Duration   `json:"prefill,omitempty"` // spent on the prompt
	Decode   time.Duration   `json:"decode,omitempty"`  // first token to last
	TTFT     time.Duration   `json:"ttft,omitempty"`
	Computed int             `json:"computed"` // prompt tokens run through the model
	Reused   int             `json:"reused"`   // prompt tokens found in the cache
	Tokens   int             `json:"tokens"`   // decoded
	Gaps     []time.Duration `json:"gaps,omitempty"`
	Rate     float64         `json:"rate,omitempty"`  // tokens a second
	Stall    time.Duration   `json:"stall,omitempty"` // the longest gap
	StallAt  int             `json:"stall_at,omitempty"`
	Recalled bool            `json:"recalled,omitempty"` // no model ran: say so in a word
}

// Cold reports whether no prompt token was reused.
func (t Timing) Cold() bool { return t.Reused == 0 }

// Recorder collects the events of one reply. It has one writer; Timing may be
// asked at any time between events.
type Recorder struct {
	recalled bool
	remote   bool // an event can hold several tokens
	prefill  engine.Prefill
	stats    engine.Stats
	done     bool
	seen     bool // visible text came
	ttft     time.Duration
	stamps   []time.Duration
}

// New begins to record a reply of an engine of the given kind.
func New(kind engine.Kind) *Recorder {
	return &Recorder{recalled: kind == engine.Recall, remote: kind == engine.Remote}
}

// Measure gives the figures of a reply that is over, from what is stored of it.
func Measure(kind engine.Kind, prefill engine.Prefill, tokens []engine.Token, stats engine.Stats) Timing {
	r := New(kind)
	r.Add(prefill)
	for _, t := range tokens {
		r.Add(t)
	}
	r.Add(engine.Done{Stats: stats})
	return r.Timing()
}

// Add takes the next event.
func (r *Recorder) Add(e engine.Event) {
	switch e := e.(type) {
	case engine.Prefill:
		r.prefill = e
	case engine.Token:
		if e.Given {
			return
		}
		if e.ID != engine.TailID {
			r.stamps = append(r.stamps, e.At)
		}
		r.visible(e.Text, e.At)
	case engine.Done:
		r.stats, r.done = e.Stats, true
		if n := len(r.stamps); n > 0 {
			r.visible(e.Tail, r.stamps[n-1])
		}
	}
}

func (r *Recorder) visible(text string, at time.Duration) {
	if text != "" && !r.seen {
		r.ttft, r.seen = at, true
	}
}

// Timing gives the figures so far.
func (r *Recorder) Timing() Timing {
	t := Timing{
		Load: r.stats.Load, Queue: r.stats.Queue, Prefill: r.stats.Prefill, Held: r.stats.Held, Company: r.stats.Company,
		TTFT: r.ttft, Computed: r.prefill.Computed, Reused: r.prefill.Reused,
		Recalled: r.recalled,
	}
	if r.recalled {
		return t
	}
	t.Tokens = len(r.stamps)
	t.decode(r.stamps)
	if said := r.stats.Tokens; r.remote && t.Tokens > 0 && said > t.Tokens {
		t.Rate *= float64(said) / float64(t.Tokens)
		t.Tokens = said
	}
	return t
}

// decode fills in what follows from the stamps.
func (t *Timing) decode(stamps []time.Duration) {
	for i := 1; i < len(stamps); i++ {
		gap := stamps[i] - stamps[i-1]
		t.Gaps = append(t.Gaps, gap)
		if gap > t.Stall {
			t.Stall, t.StallAt = gap, i
		}
	}
	if len(stamps) < 2 {
		return
	}
	t.Decode = stamps[len(stamps)-1] - stamps[0]
	t.Rate = rate(len(t.Gaps), t.Decode)
}

// rate is 0 where no time passed: a rate without end is no rate.
func rate(gaps int, took time.Duration) float64 {
	if took <= 0 {
		return 0
	}
	return float64(gaps) / took.Seconds()
}
