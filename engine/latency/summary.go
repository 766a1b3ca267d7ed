package latency

import "time"

// Tally pools the figures of many replies of one engine. Recalled replies are
// counted apart and add to no figure. It is not safe for concurrent use.
type Tally struct {
	replies, recalled    int
	ttft, cold, reused   *Histogram
	gaps, queue, prefill *Histogram
	load                 time.Duration
	decode               time.Duration
	decoded              int // gaps inside decode
	tokens               int
}

// NewTally makes an empty one.
func NewTally() *Tally {
	return &Tally{
		ttft: NewHistogram(), cold: NewHistogram(), reused: NewHistogram(),
		gaps: NewHistogram(), queue: NewHistogram(), prefill: NewHistogram(),
	}
}

// Add pools one reply.
func (t *Tally) Add(r Timing) {
	t.replies++
	if r.Recalled {
		t.recalled++
		return
	}
	t.load = max(t.load, r.Load)
	t.tokens += r.Tokens
	t.decoded += len(r.Gaps)
	t.decode += r.Decode
	t.queue.Record(r.Queue)
	t.prefill.Record(r.Prefill)
	for _, g := range r.Gaps {
		t.gaps.Record(g)
	}
	t.first(r)
}

// first records the TTFT. A reply without visible text has none, and one that
// waited for the load says nothing of how the engine serves.
func (t *Tally) first(r Timing) {
	if r.TTFT == 0 || r.Load > 0 {
		return
	}
	t.ttft.Record(r.TTFT)
	if r.Cold() {
		t.cold.Record(r.TTFT)
	} else {
		t.reused.Record(r.TTFT)
	}
}

// Summary is what a report prints of many replies.
type Summary struct {
	Replies  int           `json:"replies"`
	Recalled int           `json:"recalled"` // of these, without a model
	Tokens   int           `json:"tokens"`
	Load     time.Duration `json:"load"`  // the longest wait for the engine to load
	Queue    Spread        `json:"queue"` // per reply
	Prefill  Spread        `json:"prefill"`
	TTFT     Spread        `json:"ttft"`      // replies that did not wait for the load
	Cold     Spread        `json:"ttft_cold"` // of these, nothing reused
	Reused   Spread        `json:"ttft_reused"`
	Gaps     Spread        `json:"gaps"`           // of all replies, pooled
	Rate     float64       `json:"rate,omitempty"` // all gaps over all decode time; 0 = none
}

// Summary gives the figures so far.
func (t *Tally) Summary() Summary {
	return Summary{
		Replies: t.replies, Recalled: t.recalled, Tokens: t.tokens, Load: t.load,
		Queue: t.queue.Spread(), Prefill: t.prefill.Spread(),
		TTFT: t.ttft.Spread(), Cold: t.cold.Spread(), Reused: t.reused.Spread(),
		Gaps: t.gaps.Spread(), Rate: rate(t.decoded, t.decode),
	}
}

// Bars counts the gaps of all replies between edges, as Histogram.Bars does.
func (t *Tally) Bars(edges ...time.Duration) []Bar { return t.gaps.Bars(edges...) }
