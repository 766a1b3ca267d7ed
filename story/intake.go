package story

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/story/cues"
)

// stopGrace is how long an engine may take to end its stream once it was
// cancelled. One that does not is left behind, so that the next input is not
// queued behind a ghost.
const stopGrace = 3 * time.Second

// intake reads the stream of one reply into the running turn.
type intake struct {
	running *Running
	live    *live
	text    strings.Builder
	tokens  []engine.Token
	prefill engine.Prefill
	odds    *engine.Odds
	whole   whole
	guard   *lint.Guard
	cues    *cues.Reader
	hit     *lint.Finding // what ended the reply
	stop    context.CancelFunc
}

// drain reads until the stream ends and gives how it did.
func (in *intake) drain(ctx context.Context, stream engine.Stream) engine.Done {
	left := make(chan struct{})
	defer close(left)
	events := pump(stream, left)
	cancelled := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case ev, ok := <-events:
			if !ok {
				return engine.Done{Reason: engine.Fault, Err: errors.New("the stream ended without a word")}
			}
			if done, over := in.take(ev); over {
				return done
			}
		case <-cancelled:
			cancelled = nil
			timer := time.NewTimer(stopGrace)
			defer timer.Stop()
			late = timer.C
		case <-late:
			if in.hit != nil {
				return engine.Done{Reason: engine.Stop}
			}
			return engine.Done{Reason: engine.Cancelled, Detail: "the engine did not stop"}
		}
	}
}

// pump reads a stream beside the turn, so that an engine that hangs cannot
// hold it. A panic in the engine becomes a fault.
func pump(stream engine.Stream, left <-chan struct{}) <-chan engine.Event {
	events := make(chan engine.Event, 16)
	send := func(ev engine.Event) bool {
		select {
		case events <- ev:
			return true
		case <-left:
			return false
		}
	}
	go func() {
		defer close(events)
		defer func() {
			if r := recover(); r != nil {
				send(engine.Done{Reason: engine.Fault, Err: fmt.Errorf("engine panicked: %v", r)})
			}
		}()
		for {
			ev, err := stream.Next()
			if err != nil || !send(ev) {
				return
			}
			if _, over := ev.(engine.Done); over {
				return
			}
		}
	}()
	return events
}

// take notes one event; over with the last.
func (in *intake) take(ev engine.Event) (done engine.Done, over bool) {
	switch ev := ev.(type) {
	case engine.Prefill:
		in.prefill = ev
		in.running.prefilled(ev)
	case engine.Odds:
		in.odds = &ev
		in.running.chose(ev)
	case engine.Token:
		if in.hit != nil {
			break // the engine has not noticed yet
		}
		ev.At = ev.At.Truncate(time.Microsecond) // what the store keeps
		ev.Text, in.hit = in.guard.Write(in.whole.write(ev.Text))
		in.token(ev)
		if in.hit != nil {
			in.stop()
		}
	case engine.Done:
		if tail := in.tail(ev.Tail); tail != "" {
			in.token(engine.Token{ID: engine.TailID, Text: tail, At: in.last()})
		}
		in.cued(in.cues.Close())
		if in.hit != nil {
			ev.Reason, ev.Detail, ev.Err = engine.Stop, "", nil
		}
		return ev, true
	}
	return engine.Done{}, false
}

// tail is the text that became certain with the end of the stream.
func (in *intake) tail(text string) string {
	if in.hit != nil {
		return ""
	}
	text, in.hit = in.guard.Write(in.whole.write(text))
	if in.hit == nil {
		var held string
		held, in.hit = in.guard.Close()
		text += held
	}
	return text
}

func (in *intake) token(t engine.Token) {
	in.tokens = append(in.tokens, t)
	in.text.WriteString(t.Text)
	in.live.token(t)
	in.running.token(t)
	in.cued(in.cues.Write(t.Text))
}

// cued tells of stage directions as they come.
func (in *intake) cued(all []cues.Cue) {
	for _, c := range all {
		in.running.emit(Event{Kind: CueEvent, Cue: &c})
	}
}

func (in *intake) last() time.Duration {
	if len(in.tokens) == 0 {
		return 0
	}
	return in.tokens[len(in.tokens)-1].At
}
