package bench

import (
	"slices"
	"time"

	"fabula/engine"
	"fabula/engine/latency"
	"fabula/engine/machine"
)

// Format names the shape of a report.
const Format = "fabula-bench/1"

// Report is everything that was measured in one run. Durations are
// nanoseconds.
type Report struct {
	Event       string          `json:"event"`
	Format      string          `json:"format"`
	Date        time.Time       `json:"date"`
	Version     string          `json:"version"` // of fabula
	Percentiles string          `json:"percentiles"`
	Replies     int             `json:"replies"` // asked for, of each size, cold and cached each
	Tokens      int             `json:"tokens"`  // of a reply, at most
	Machine     machine.Machine `json:"machine"`
	Engines     []Result        `json:"engines"`
	Notes       []string        `json:"notes,omitempty"`
}

// Result is what was measured of one engine.
type Result struct {
	Engine  engine.Info   `json:"engine"`
	Fake    bool          `json:"fake,omitempty"` // a script: nothing here is a measurement
	Load    time.Duration `json:"load"`
	WarmUp  time.Duration `json:"warm_up"`
	Memory  int64         `json:"peak_memory,omitempty"` // bytes, of its own process; 0 = not known
	Weights int64         `json:"weights,omitempty"`     // bytes
	Sizes   []Size        `json:"sizes"`
	// Reads is Weights × the best decode rate of a size, bytes a second: what the
	// engine reads at least, the cache of keys and values left out. Share is that
	// of the machine's bandwidth, where the weights are in its memory.
	Reads float64 `json:"reads,omitempty"`
	Share float64 `json:"share,omitempty"`
	OnCPU bool    `json:"on_cpu,omitempty"`
	Fault string  `json:"fault,omitempty"` // why it was left out from some point on
}

func newResult(s Subject) Result {
	info := s.Engine.Info()
	return Result{Engine: info, Fake: info.Kind == engine.Scripted, Load: s.Load, Weights: s.Weights, OnCPU: s.OnCPU}
}

// Size is what was measured at one size of a prompt.
type Size struct {
	Asked   int            `json:"asked"`             // tokens, of recall lines
	Prompt  int            `json:"prompt,omitempty"`  // tokens that the engine counted, the median
	Cold    latency.Spread `json:"ttft_cold"`         // first token, nothing cached
	Cached  latency.Spread `json:"ttft_cached"`       // first token, all but the last line cached
	Reused  int            `json:"reused,omitempty"`  // tokens of a cached prompt that were, the median
	Prefill float64        `json:"prefill,omitempty"` // tokens a second, cold, the median
	Decode  float64        `json:"decode,omitempty"`  // tokens a second, the median
	Gaps    latency.Spread `json:"gaps"`              // pooled
	// PerEvent is how many tokens an event held, where the engine counts more
	// tokens than it sent events: gaps are then between events.
	PerEvent float64  `json:"tokens_per_event,omitempty"`
	Series   []Series `json:"series"` // every single time
	Note     string   `json:"note,omitempty"`

	cold, cached Series
}

const coldName = "cold"

// Series is every time that was taken of one thing, in order, in nanoseconds.
type Series struct {
	Name    string          `json:"name"`
	TTFT    []time.Duration `json:"ttft_ns"`
	Prefill []time.Duration `json:"prefill_ns,omitempty"` // as the engine says, queue left out
	Tokens  []int           `json:"prompt_tokens,omitempty"`
	Reused  []int           `json:"reused,omitempty"`
	Rates   []float64       `json:"decode_rates,omitempty"` // of each reply
	Gaps    []time.Duration `json:"gaps_ns,omitempty"`      // every step

	said, events int
}

func (s *Series) add(m measured) {
	s.TTFT = append(s.TTFT, m.TTFT)
	if m.Recalled {
		return
	}
	s.Prefill, s.Tokens, s.Reused = append(s.Prefill, m.Prefill), append(s.Tokens, m.prompt), append(s.Reused, m.Reused)
	s.Gaps = append(s.Gaps, m.Gaps...)
	if m.Rate > 0 {
		s.Rates = append(s.Rates, m.Rate)
	}
	s.said, s.events = s.said+m.Tokens, s.events+m.events
}

// prefillRates are tokens computed a second, of each reply that computed any.
func (s *Series) prefillRates() []float64 {
	var all []float64
	for i, p := range s.Prefill {
		if n := s.Tokens[i] - s.Reused[i]; n > 0 && p > 0 {
			all = append(all, float64(n)/p.Seconds())
		}
	}
	return all
}

// sum fills in the figures of a size.
func (z *Size) sum(gaps *latency.Histogram) {
	z.cold.Name, z.cached.Name = coldName, "cached"
	z.Series = []Series{z.cold, z.cached}
	z.Cold, z.Cached = latency.SpreadOf(z.cold.TTFT), latency.SpreadOf(z.cached.TTFT)
	z.Gaps = gaps.Spread()
	z.Prompt, z.Reused = median(z.cold.Tokens), median(z.cached.Reused)
	z.Prefill = median(z.cold.prefillRates())
	z.Decode = median(z.Rates())
	if said, events := z.cold.said+z.cached.said, z.cold.events+z.cached.events; said > events && events > 0 {
		z.PerEvent = float64(said) / float64(events)
	}
}

// Rates are the decode rates of all replies, in tokens a second.
func (z *Size) Rates() []float64 {
	var all []float64
	for _, s := range z.Series {
		all = append(all, s.Rates...)
	}
	return all
}

// First are the times to the first token of the cold replies, in seconds.
func (z *Size) First() []float64 {
	var all []float64
	for _, s := range z.Series {
		if s.Name != coldName {
			continue
		}
		for _, d := range s.TTFT {
			all = append(all, d.Seconds())
		}
	}
	return all
}

// sum fills in the figures of an engine.
func (r *Result) sum() {
	for _, z := range r.Sizes {
		r.Reads = max(r.Reads, float64(r.Weights)*z.Decode)
	}
}

// Against gives the share of a bandwidth in bytes a second.
func (r *Result) Against(bandwidth float64) {
	if r.OnCPU && bandwidth > 0 {
		r.Share = r.Reads / bandwidth
	}
}

// median is the nearest-rank one, 0 of nothing.
func median[N int | float64](all []N) N {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[(len(sorted)-1)/2]
}
