// Package metrics counts what engines do, for a Prometheus server to fetch.
//
// Names are those of the OpenTelemetry semantic conventions for generative AI
// and for systems, written as Prometheus writes them (dots become underscores,
// the unit is a suffix), and fabula_… where the conventions have none. Buckets
// are theirs too. Figures are those of package latency. No text of a prompt or
// reply, no name of a world or persona is in any of them.
//
// The registry and the format are github.com/prometheus/client_golang, which
// the Prometheus project keeps. Two rules to be warned by lie in alerts.yaml.
// Non-goals: pushing, traces, keeping anything after the program.
package metrics

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fabula/engine"
	"fabula/engine/latency"
)

// Labels of the conventions.
const (
	operation = "gen_ai_operation_name"
	provider  = "gen_ai_provider_name" // the kind of engine
	model     = "gen_ai_request_model" // the engine's name
	tokenType = "gen_ai_token_type"
	errorType = "error_type"
)

// Meter holds the figures of one program. It is safe for concurrent use.
type Meter struct {
	registry *prometheus.Registry

	duration, first, perToken, usage *prometheus.HistogramVec // of the conventions
	queue, gap                       *prometheus.HistogramVec
	prompt, replies, moves           *prometheus.CounterVec
	flying                           *prometheus.GaugeVec
}

// Buckets of the conventions, in seconds and tokens, and finer ones for gaps,
// which are under a millisecond on a card.
var (
	durations = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	firsts    = []float64{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10}
	perTokens = []float64{0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5}
	tokens    = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
	gaps      = []float64{0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 5}
)

// New makes a meter that nobody asks yet.
func New(version string) *Meter {
	m := &Meter{registry: prometheus.NewRegistry()}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, append([]string{operation, provider, model}, labels...))
		m.registry.MustRegister(v)
		return v
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		m.registry.MustRegister(v)
		return v
	}
	m.duration = histogram("gen_ai_server_request_duration_seconds", "From the request to the last token.", durations, errorType)
	m.first = histogram("gen_ai_server_time_to_first_token_seconds", "From the request to the first visible text, of replies that came to their end and did not wait for a load.", firsts)
	m.perToken = histogram("gen_ai_server_time_per_output_token_seconds", "Mean time of a reply between its tokens after the first.", perTokens)
	m.usage = histogram("gen_ai_client_token_usage", "Tokens of prompts and replies.", tokens, tokenType)
	m.queue = histogram("fabula_queue_seconds", "Time that a request waited before anything ran.", durations)
	m.gap = histogram("fabula_token_gap_seconds", "Time between two tokens, every one.", gaps)
	m.prompt = counter("fabula_prompt_tokens_total", "Prompt tokens computed, and found in the cache.", model, "source")
	m.replies = counter("fabula_replies_total", "Replies, by rung of the ladder and how they ended; refused: nothing started.", provider, model, "step", "reason")
	m.moves = counter("fabula_engine_moves_total", "Moves of engines down the ladder and up again.", model, "direction", "why")
	m.flying = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "fabula_replies_in_flight", Help: "Replies asked for and not over."}, []string{model})
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "fabula_build_info", Help: "The version that runs."}, []string{"version"})
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(m.flying, build, newLoad(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the figures in the formats of Prometheus.
func (m *Meter) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Moved notes that an engine is no longer trusted, or is again. why is a code.
func (m *Meter) Moved(name string, up bool, why string) {
	direction := "down"
	if up {
		direction, why = "up", ""
	}
	m.moves.WithLabelValues(name, direction, why).Inc()
}

// labels are those that every histogram has.
func labels(info engine.Info) []string { return []string{"chat", string(info.Kind), info.Name} }

// refused notes a request that nothing came of.
func (m *Meter) refused(info engine.Info, step string, took time.Duration, err error) {
	m.replies.WithLabelValues(string(info.Kind), info.Name, step, "refused").Inc()
	m.duration.WithLabelValues(append(labels(info), class(err))...).Observe(took.Seconds())
}

// over notes a reply that is over.
func (m *Meter) over(info engine.Info, step string, took time.Duration, t latency.Timing, d engine.Done) {
	m.replies.WithLabelValues(string(info.Kind), info.Name, step, string(d.Reason)).Inc()
	failed := ""
	if d.Reason == engine.Fault {
		failed = class(d.Err)
	} else if d.Reason == engine.Cancelled {
		failed = "cancelled"
	}
	all := labels(info)
	m.duration.WithLabelValues(append(all, failed)...).Observe(took.Seconds())
	if t.TTFT > 0 && failed == "" && t.Load == 0 {
		m.first.WithLabelValues(all...).Observe(t.TTFT.Seconds())
	}
	if t.Recalled { // nothing was decoded
		return
	}
	m.queue.WithLabelValues(all...).Observe(t.Queue.Seconds())
	for _, g := range t.Gaps {
		m.gap.WithLabelValues(all...).Observe(g.Seconds())
	}
	if n := len(t.Gaps); n > 0 && failed == "" {
		m.perToken.WithLabelValues(all...).Observe(t.Decode.Seconds() / float64(n))
	}
	m.prompt.WithLabelValues(info.Name, "computed").Add(float64(t.Computed))
	m.prompt.WithLabelValues(info.Name, "reused").Add(float64(t.Reused))
	m.usage.WithLabelValues(append(all, "input")...).Observe(float64(t.Computed + t.Reused))
	m.usage.WithLabelValues(append(all, "output")...).Observe(float64(max(d.Stats.Tokens, t.Tokens)))
}

// class names an error without its words, which could hold what nobody else
// should read.
func class(err error) string {
	for _, row := range []struct {
		is   error
		name string
	}{
		{context.Canceled, "cancelled"}, {engine.ErrTooLong, "too_long"}, {engine.ErrUnsupported, "unsupported"},
		{engine.ErrMemory, "memory"}, {engine.ErrCrashed, "crashed"},
		{engine.ErrIncompatible, "incompatible"}, {engine.ErrUnavailable, "unavailable"},
	} {
		if errors.Is(err, row.is) {
			return row.name
		}
	}
	return "_OTHER" // the conventions' word
}
