package chat

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// budgetName is where the budget of a run lies among the variables; no template
// can write a name with a space.
const budgetName = "run budget"

// Bounds of one run.
const (
	maxCalls = 10_000 // macros called
	maxDepth = 30     // macros within macros
	maxValue = 32 << 10
)

// errLimit: a run used more than its budget; no other conversation will help.
var errLimit = errors.New("it takes too much")

// budget counts what one run has used. The template library passes errors on as
// text, so the one that ended the run is kept here.
type budget struct {
	until        time.Time
	calls, depth int
	broken       error
}

// exceed ends the run.
func (b *budget) exceed(format string, args ...any) error {
	b.broken = fmt.Errorf("%w: "+format, append([]any{errLimit}, args...)...)
	return b.broken
}

// check ends a run that takes too long.
func (b *budget) check() error {
	if b.broken == nil && time.Now().After(b.until) {
		return b.exceed("more than %v", maxRun)
	}
	return b.broken
}

// enter counts one macro call; leave undoes its depth.
func (b *budget) enter() error {
	b.calls++
	b.depth++
	if b.calls > maxCalls || b.depth > maxDepth {
		return b.exceed("macros call each other more than %d deep or %d times", maxDepth, maxCalls)
	}
	return b.check()
}

func (b *budget) leave() { b.depth-- }

// small refuses values that grow without need; what templates keep in variables
// is roles, flags and marks.
func small(value any) error {
	size := 0
	switch v := value.(type) {
	case string:
		size = len(v)
	case map[string]any:
		for _, inner := range v {
			if err := small(inner); err != nil {
				return err
			}
		}
	}
	if size > maxValue {
		return fmt.Errorf("it makes a text of %d bytes, more than %d", size, maxValue)
	}
	return nil
}

// bounded is the output of a run.
type bounded struct {
	budget *budget
	text   strings.Builder
}

// Write refuses more than maxOutput bytes.
func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > maxOutput {
		return 0, b.budget.exceed("it writes more than %d bytes", maxOutput)
	}
	if err := b.budget.check(); err != nil {
		return 0, err
	}
	return b.text.Write(p)
}
