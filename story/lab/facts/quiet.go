package facts

import (
	"context"
	"io"
	"iter"

	"fabula/engine"
)

// QuietName is the engine of Quiet.
const QuietName = "quiet"

// Quiet is a ladder whose first rung answers with a word, whatever is said, so that
// turns between cost nothing; what is asked of another engine goes to that.
type Quiet struct {
	Window int // of the prompts, in tokens
	Other  interface {
		Rungs(engine.Ask) iter.Seq[engine.Rung]
	}
}

// Rungs gives the quiet engine, or the one that is asked for.
func (q Quiet) Rungs(a engine.Ask) iter.Seq[engine.Rung] {
	if a.Only != "" && a.Only != QuietName && q.Other != nil {
		return q.Other.Rungs(a)
	}
	return func(yield func(engine.Rung) bool) {
		yield(engine.Rung{Engine: quiet{q.Window}, Step: engine.StepFull})
	}
}

type quiet struct{ window int }

// Info claims no model.
func (q quiet) Info() engine.Info {
	return engine.Info{Kind: engine.Scripted, Name: QuietName, Context: q.window, Build: engine.Build{Runtime: QuietName}}
}

// Generate says a word.
func (quiet) Generate(context.Context, engine.Request) (engine.Stream, error) {
	return &word{[]engine.Event{engine.Token{ID: 1, Text: "Hm."}, engine.Done{Reason: engine.Stop}}}, nil
}

// Close has nothing to close.
func (quiet) Close() error { return nil }

// word is a stream of given events.
type word struct{ left []engine.Event }

// Next gives the next one.
func (w *word) Next() (engine.Event, error) {
	if len(w.left) == 0 {
		return nil, io.EOF
	}
	e := w.left[0]
	w.left = w.left[1:]
	return e, nil
}
