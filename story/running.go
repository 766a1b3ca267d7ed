package story

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/story/plot"
)

// Phase says what a running turn is doing.
type Phase string

// The phases of a running turn.
const (
	Waiting   Phase = "waiting"   // queued, loading or reading the prompt
	Streaming Phase = "streaming" // tokens are coming
	Ended     Phase = "ended"     // stored, or failed
)

// Snapshot is a running turn as it stands. Slices are shared and must not be
// changed; taking one costs no copy of the text.
type Snapshot struct {
	Phase    Phase
	Branch   Branch
	Turn     Turn
	Speaker  string        // who replies; empty = nobody
	Lines    []plot.Played // authored lines before the reply
	Text     string        // of the reply so far
	After    []plot.Played // authored lines after the reply
	Tokens   []engine.Token
	Prefill  *engine.Prefill
	Odds     *engine.Odds // of a grounded reply
	Engine   engine.Info
	Step     string // rung that answers
	Why      string // why not a better one: a code, or a sentence
	WhyArgs  []string
	Seed     uint64
	Started  time.Time // when the request was sent
	Findings []lint.Finding
	Done     *Done // of the last reply that was stored
	Err      error // why the turn ended without a reply
}

// Running is a turn in flight. All methods are safe for concurrent use and
// none but Wait blocks.
type Running struct {
	cancel  context.CancelFunc
	changed chan struct{}
	done    chan struct{}

	mu     sync.Mutex
	events []Event
	snap   Snapshot
	text   strings.Builder
	step   Step
	err    error
	beside []*Running // the others of the same turn
}

func newRunning(cancel context.CancelFunc, b Branch, t Turn) *Running {
	return &Running{cancel: cancel, changed: make(chan struct{}, 1), done: make(chan struct{}),
		snap: Snapshot{Phase: Waiting, Branch: b, Turn: t, Speaker: t.Speaker}}
}

// Changed has a value when something happened since it was last read. It
// holds one: a slow reader misses signals, never the newest state.
func (r *Running) Changed() <-chan struct{} { return r.changed }

// Done is closed once everything of the turn is stored, or has failed.
func (r *Running) Done() <-chan struct{} { return r.done }

// Cancel stops the reply. What came so far is kept and stored.
func (r *Running) Cancel() { r.cancel() }

// Beside gives the replies that were asked for together with this one, this
// one first. It does not change.
func (r *Running) Beside() []*Running {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*Running{r}, r.beside...)
}

// CancelAll stops this reply and those beside it.
func (r *Running) CancelAll() {
	for _, b := range r.Beside() {
		b.cancel()
	}
}

// Events gives the events from the given index on.
func (r *Running) Events(from int) []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	if from >= len(r.events) {
		return nil
	}
	return slices.Clip(r.events[max(from, 0):])
}

// Snapshot gives the turn as it stands.
func (r *Running) Snapshot() Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.snap
	s.Text = r.text.String()
	s.Tokens = slices.Clip(s.Tokens)
	return s
}

// Wait blocks until the turn is over and gives the branch as it then is, the
// last stored step, and what went wrong. The player's input is stored even
// when there is an error; a partial reply is no error: see Reply.Reason.
func (r *Running) Wait() (Branch, Step, error) {
	<-r.done
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snap.Branch, r.step, r.err
}

// emit appends events and signals.
func (r *Running) emit(events ...Event) {
	r.mu.Lock()
	r.events = append(r.events, events...)
	r.mu.Unlock()
	r.signal()
}

// update changes the snapshot and signals.
func (r *Running) update(change func(*Snapshot)) {
	r.mu.Lock()
	change(&r.snap)
	r.mu.Unlock()
	r.signal()
}

// token appends one token to text, snapshot and events.
func (r *Running) token(t engine.Token) {
	r.mu.Lock()
	r.text.WriteString(t.Text)
	r.snap.Phase = Streaming
	r.snap.Tokens = append(r.snap.Tokens, t)
	r.events = append(r.events, Event{Kind: TokenEvent, Token: &t})
	r.mu.Unlock()
	r.signal()
}

// degraded tells that another engine takes over before any text came.
func (r *Running) degraded(rung engine.Rung) {
	d := Degraded{Engine: rung.Engine.Info().Name, Step: rung.Step, Why: rung.Why, Args: rung.Args}
	r.emit(Event{Kind: DegradedEvent, Degraded: &d})
}

// prefilled notes that the prompt was read.
func (r *Running) prefilled(p engine.Prefill) {
	r.mu.Lock()
	r.snap.Prefill = &p
	r.events = append(r.events, Event{Kind: PrefillEvent, Prefill: &p})
	r.mu.Unlock()
	r.signal()
}

// chose notes what a model chose from.
func (r *Running) chose(o engine.Odds) {
	r.mu.Lock()
	r.snap.Odds = &o
	r.events = append(r.events, Event{Kind: OddsEvent, Odds: &o})
	r.mu.Unlock()
	r.signal()
}

// restart prepares for the next speaker of the same input. The text of the
// one before stays readable in snapshots already taken.
func (r *Running) restart(b Branch, t Turn) {
	r.update(func(s *Snapshot) {
		r.text = strings.Builder{}
		done := s.Done
		*s = Snapshot{Phase: Waiting, Branch: b, Turn: t, Speaker: t.Speaker, Done: done}
	})
}

// finish ends the turn. It is called once.
func (r *Running) finish(b Branch, step Step, err error) {
	r.mu.Lock()
	r.snap.Phase, r.snap.Branch, r.snap.Err = Ended, b, err
	r.step, r.err = step, err
	r.mu.Unlock()
	r.cancel()
	r.signal()
	close(r.done)
}

func (r *Running) signal() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}
