package ladder_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/ladder"
)

func failure(code string) *engine.Failure {
	return &engine.Failure{Code: code, Args: []string{"m"}, Err: errors.New(code)}
}

// moves notes changes of trust.
type moves struct{ all []string }

func (m *moves) note(v ladder.Move) {
	if v.Up {
		m.all = append(m.all, v.Name+" up")
		return
	}
	m.all = append(m.all, v.Name+" down "+v.Why.Code)
}

// Ensure that one slip is forgiven, that faults in a row and grave ones move a
// rung down, once, and that a good reply clears the count.
func TestFaultsMoveDown(t *testing.T) {
	for name, c := range map[string]struct {
		codes []string // "" = a good reply
		want  []string
	}{
		"one slip":               {[]string{ladder.LateFirst}, nil},
		"two in a row":           {[]string{ladder.LateFirst, ladder.LateNext}, []string{"m down gap"}},
		"a good one between":     {[]string{ladder.Crashed, "", ladder.Crashed}, nil},
		"out of memory at once":  {[]string{ladder.OutOfMemory}, []string{"m down out_of_memory"}},
		"not loaded at once":     {[]string{ladder.LoadFailed}, []string{"m down load"}},
		"down is told once":      {[]string{ladder.LoadFailed, ladder.LoadFailed, ladder.Broke}, []string{"m down load"}},
		"loading is no fault":    {[]string{ladder.StillLoading, ladder.StillLoading, ladder.StillLoading}, nil},
		"good when down is late": {[]string{ladder.LoadFailed, ""}, []string{"m down load"}},
	} {
		t.Run(name, func(t *testing.T) {
			var m moves
			h := ladder.New(ladder.Policy{}, nil, m.note)
			for _, code := range c.codes {
				if code == "" {
					h.Served("m")
				} else {
					h.Fault("m", failure(code))
				}
			}
			if diff := cmp.Diff(c.want, m.all); diff != "" {
				t.Error(diff)
			}
			if _, up := h.Up("m"); up != (len(c.want) == 0) {
				t.Errorf("up %v", up)
			}
		})
	}
}

// Ensure that a rung comes back after good checks in a row only, that the wait
// doubles with bad checks and with a relapse, up to its limit, and starts anew
// after a calm time.
func TestChecksMoveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m moves
		h := ladder.New(ladder.Policy{Wait: time.Second, Longest: 6 * time.Second, Calm: time.Minute}, nil, m.note)
		wait := func(want time.Duration) {
			t.Helper()
			names, next := h.Due()
			if len(names) > 0 {
				t.Fatalf("due already: %v", names)
			}
			if got := time.Until(next); got != want {
				t.Fatalf("next check in %v, want %v", got, want)
			}
			time.Sleep(want)
			if names, _ = h.Due(); len(names) != 1 {
				t.Fatalf("due: %v", names)
			}
		}
		h.Fault("m", failure(ladder.OutOfMemory))
		wait(time.Second)
		for _, next := range []time.Duration{2, 4, 6, 6} {
			h.Checked("m", failure(ladder.OutOfMemory))
			wait(next * time.Second)
		}
		h.Checked("m", nil) // one good check is not enough
		wait(time.Second)
		h.Checked("m", failure(ladder.LateFirst)) // and starts the count again
		wait(6 * time.Second)
		h.Checked("m", nil)
		wait(time.Second)
		h.Checked("m", nil)
		if _, up := h.Up("m"); !up {
			t.Fatal("two good checks did not bring it up")
		}
		h.Fault("m", failure(ladder.OutOfMemory)) // a relapse
		wait(6 * time.Second)
		h.Checked("m", nil)
		wait(time.Second)
		h.Checked("m", nil)
		time.Sleep(2 * time.Minute)
		h.Fault("m", failure(ladder.LoadFailed)) // after a calm time
		wait(time.Second)
		want := []string{"m down out_of_memory", "m up", "m down out_of_memory", "m up", "m down load"}
		if diff := cmp.Diff(want, m.all); diff != "" {
			t.Error(diff)
		}
	})
}

// Ensure that what no check can mend is not checked, until it is replaced.
func TestIncompatibleWaitsForAnotherFile(t *testing.T) {
	h := ladder.New(ladder.Policy{}, nil, nil)
	h.Fault("m", failure(ladder.Incompatible))
	if names, next := h.Due(); len(names) > 0 || !next.IsZero() {
		t.Errorf("to be checked: %v, %v", names, next)
	}
	h.Forget("m")
	if _, up := h.Up("m"); !up {
		t.Error("still down")
	}
}

// Ensure that errors get the code of what they are, whoever worded them.
func TestCodes(t *testing.T) {
	for want, err := range map[string]error{
		ladder.NoMemory:     fmt.Errorf("model x: %w", &engine.Shortage{Need: 3 << 30, Free: 1 << 30}),
		ladder.OutOfMemory:  errors.New("CUDA error 2: out of memory"),
		ladder.Killed:       fmt.Errorf("%w: %w", engine.ErrCrashed, engine.ErrMemory),
		ladder.Crashed:      fmt.Errorf("worker died: %w", engine.ErrCrashed),
		ladder.Incompatible: fmt.Errorf("x: %w", engine.ErrIncompatible),
		ladder.Unavailable:  fmt.Errorf("x: %w", engine.ErrUnavailable),
		ladder.Broke:        errors.New("device lost"),
		ladder.LateNext:     fmt.Errorf("x: %w", failure(ladder.LateNext)),
	} {
		f := ladder.Failure("m", err)
		if f.Code != want || f.Args[0] != "m" || !errors.Is(f, err) && want != ladder.LateNext {
			t.Errorf("%v: %+v, want %s", err, f, want)
		}
	}
	if f := ladder.Failure("m", &engine.Shortage{Need: 3 << 30, Free: 1 << 30}); !cmp.Equal(f.Args, []string{"m", "3072", "1024"}) {
		t.Errorf("%v", f.Args)
	}
}
