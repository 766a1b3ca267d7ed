// Package bench measures engines: how long they take to load, to the first
// token and between tokens, at several sizes of a prompt.
//
// Rules. Figures are those of package latency, taken from the engine's own
// stamps. A cold reply has a prompt that begins like none before; a cached one
// repeats the prompt of the cold one before it but for the last line. Warm-up is
// reported and counts nowhere. Percentiles are nearest-rank, over all gaps of a
// size pooled, and left out where the count is too small. Several engines are
// asked in turns, the order reversed each time (ABBA), so that other load on the
// machine meets all alike. Every single time is in the report.
//
// The loop is closed: one reply at a time, the next is asked for when the last
// is over. That is how a designer uses it; it says nothing about load.
// Non-goals: opening engines, quality of what they say, drawing, load tests.
package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fabula/engine"
	"fabula/engine/latency"
)

// Subject is an engine that is ready to answer.
type Subject struct {
	Engine  engine.Engine
	Load    time.Duration // until it could answer, start of its process included; 0 = nothing to load
	Weights int64         // bytes read for every token; 0 = not known
	OnCPU   bool          // the weights are in the memory whose bandwidth the machine has
	// Memory gives the peak of the process that runs it, in bytes; nil = it has
	// no process of its own.
	Memory func() (int64, bool)
}

// Options say how much is measured. Zero values mean the defaults.
type Options struct {
	Sizes   []int                                // prompt tokens (of recall: lines); nil = 64, 256, 1024 … and the window
	Replies int                                  // cold ones of a size, and as many cached; 0 = 5
	Tokens  int                                  // of a reply, at most; 0 = 64
	Budget  time.Duration                        // of one size of one engine: no reply begins after it, but the first of each; 0 = 30 s
	Step    func(engine string, size, reply int) // before each pair of replies; nil = nobody looks
}

func (o Options) filled() Options {
	if o.Replies <= 0 {
		o.Replies = 5
	}
	if o.Tokens <= 0 {
		o.Tokens = 64
	}
	if o.Budget <= 0 {
		o.Budget = 30 * time.Second
	}
	if o.Step == nil {
		o.Step = func(string, int, int) {}
	}
	return o
}

// Run measures every subject. The report holds what was taken, also after an
// error, which is that of ctx: an engine that fails is reported and left out
// from then on.
func Run(ctx context.Context, subjects []Subject, o Options) (*Report, error) {
	o = o.filled()
	r := &Report{Event: "bench", Format: Format, Date: time.Now().UTC().Truncate(time.Second), Percentiles: "nearest rank",
		Replies: o.Replies, Tokens: o.Tokens}
	takers := make([]*taker, len(subjects))
	for i, s := range subjects {
		r.Engines = append(r.Engines, newResult(s))
		takers[i] = &taker{subject: s, o: o, result: &r.Engines[i]}
	}
	for i := range takers { // the slice does not grow any more
		takers[i].result = &r.Engines[i]
		takers[i].warm(ctx)
	}
	for _, size := range sizes(subjects, o) {
		round(ctx, takers, size)
		if ctx.Err() != nil {
			break
		}
	}
	for _, t := range takers {
		t.close()
	}
	return r, ctx.Err()
}

// round takes one size of all engines, in turns.
func round(ctx context.Context, takers []*taker, size int) {
	for _, t := range takers {
		t.begin(ctx, size)
	}
	for i := range takers[0].o.Replies {
		for j := range takers {
			if i%2 == 1 {
				j = len(takers) - 1 - j
			}
			takers[j].pair(ctx, i)
		}
	}
	for _, t := range takers {
		t.end()
	}
}

// Sizes where nobody names any: each four times the last, and the largest that
// the smallest window holds. A server whose window is not known gets the first
// three.
const (
	smallest  = 64
	growth    = 4
	unstated  = 1024
	mostSizes = 12
)

// recalled are the sizes of recall: lines to choose from.
var recalled = []int{100, 1_000, 10_000, 50_000}

func sizes(subjects []Subject, o Options) []int {
	if len(o.Sizes) > 0 {
		return o.Sizes
	}
	window, without := 0, true
	for _, s := range subjects {
		info := s.Engine.Info()
		if info.Kind != engine.Recall {
			without = false
		}
		if room := info.Context - o.Tokens; info.Context > 0 && (window == 0 || room < window) {
			window = room
		}
	}
	if without {
		return recalled
	}
	if window <= 0 {
		window = unstated
	}
	var all []int
	for n := smallest; n < window && len(all) < mostSizes; n *= growth {
		all = append(all, n)
	}
	return append(all, window)
}

// taker measures one engine.
type taker struct {
	subject Subject
	o       Options
	result  *Result

	build  *builder
	size   *Size
	gaps   *latency.Histogram
	spent  time.Duration
	serial int
}

// warm asks for one short reply; what the first request costs beyond the load
// is seen in it.
func (t *taker) warm(ctx context.Context) {
	t.build = newBuilder(t.subject.Engine, t.o.Tokens)
	start := time.Now()
	first, err := t.build.cold(ctx, smallest, t.next())
	if err == nil {
		first.request.Sampling.MaxTokens = min(t.o.Tokens, 8)
		_, err = ask(ctx, t.subject.Engine, first.request)
	}
	t.result.WarmUp = time.Since(start)
	t.fail(err)
	t.result.Engine = t.subject.Engine.Info() // complete once it has answered
}

func (t *taker) next() int { t.serial++; return t.serial }

func (t *taker) fail(err error) {
	if err != nil && t.result.Fault == "" {
		t.result.Fault = err.Error()
	}
}

// begin starts a size.
func (t *taker) begin(ctx context.Context, size int) {
	t.size, t.spent = nil, 0
	if t.result.Fault != "" || ctx.Err() != nil {
		return
	}
	t.size = &Size{Asked: size}
	t.gaps = latency.NewHistogram()
}

// pair takes a cold reply and the cached one that follows it.
func (t *taker) pair(ctx context.Context, i int) {
	if t.size == nil || t.result.Fault != "" || ctx.Err() != nil || i > 0 && t.spent > t.o.Budget {
		return
	}
	t.o.Step(t.result.Engine.Name, t.size.Asked, i)
	start := time.Now()
	defer func() { t.spent += time.Since(start) }()
	first, err := t.build.cold(ctx, t.size.Asked, t.next())
	if err != nil {
		t.skip(err)
		return
	}
	for _, q := range []struct {
		request engine.Request
		into    *Series
	}{{first.request, &t.size.cold}, {first.again(), &t.size.cached}} {
		m, err := ask(ctx, t.subject.Engine, q.request)
		if err != nil {
			t.skip(err)
			return
		}
		q.into.add(m)
		for _, g := range m.Gaps {
			t.gaps.Record(g)
		}
	}
}

// skip leaves a size out that is too long, and an engine that fails.
func (t *taker) skip(err error) {
	if errors.Is(err, engine.ErrTooLong) {
		t.size.Note = "longer than the window"
		return
	}
	if !errors.Is(err, context.Canceled) {
		t.fail(fmt.Errorf("at %d: %w", t.size.Asked, err))
	}
}

// end closes a size.
func (t *taker) end() {
	if t.size == nil {
		return
	}
	t.size.sum(t.gaps)
	t.result.Sizes = append(t.result.Sizes, *t.size)
}

// close takes what is known only at the end.
func (t *taker) close() {
	if t.subject.Memory != nil {
		if peak, ok := t.subject.Memory(); ok {
			t.result.Memory = peak
		}
	}
	t.result.sum()
}
