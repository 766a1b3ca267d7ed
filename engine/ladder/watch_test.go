package ladder_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/ladder"
	"fabula/engine/scripted"
)

// outcome is a reply as its reader saw it.
type outcome struct {
	Text   string
	Reason engine.Reason
	Code   string // of the failure
	Took   time.Duration
}

func parse(t *testing.T, script string) engine.Engine {
	t.Helper()
	e, err := scripted.Parse([]byte("engine m\n" + script))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func code(err error) string {
	var f *engine.Failure
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// ask takes one reply to its end.
func ask(ctx context.Context, w *ladder.Watch, e engine.Engine, r engine.Request) outcome {
	began := time.Now()
	s, err := w.Generate(ctx, e, r)
	if err != nil {
		return outcome{Reason: "refused", Code: code(err), Took: time.Since(began)}
	}
	var o outcome
	for {
		ev, err := s.Next()
		if err == io.EOF {
			return o
		}
		switch ev := ev.(type) {
		case engine.Token:
			o.Text += ev.Text
		case engine.Done:
			o.Text += ev.Tail
			o.Reason, o.Code, o.Took = ev.Reason, code(ev.Err), time.Since(began)
		}
	}
}

// Ensure that every fault a script can play ends the reply in time, with what
// came and its code, and that Health hears of it.
func TestFaultsOfReplies(t *testing.T) {
	const ms = time.Millisecond
	limits := ladder.Limits{FirstToken: 300 * ms, Gap: 100 * ms}
	for name, c := range map[string]struct {
		script string
		want   outcome
		faults int
	}{
		"sound":                  {"reply\nprefill 1 0 200ms\ntext \"a\" 50ms\ntext \"b\" 90ms", outcome{"ab", engine.Stop, "", 340 * ms}, 0},
		"late first token":       {"reply\nprefill 1 0 1s\ntext \"a\"", outcome{"", engine.Fault, ladder.LateFirst, 300 * ms}, 1},
		"late after the prompt":  {"reply\ntext \"a\" 400ms", outcome{"", engine.Fault, ladder.LateFirst, 300 * ms}, 1},
		"never a token":          {"reply\nhang", outcome{"", engine.Fault, ladder.LateFirst, 300 * ms}, 1},
		"a gap":                  {"reply\ntext \"a\" 10ms\ntext \"b\" 50ms\ntext \"c\" 3s", outcome{"ab", engine.Fault, ladder.LateNext, 160 * ms}, 1},
		"hangs after two":        {"reply\ntext \"a\" 10ms times=2\nhang", outcome{"aa", engine.Fault, ladder.LateNext, 120 * ms}, 1},
		"fault after two tokens": {"reply\ntext \"a\" 10ms times=2\nfault \"device lost\"", outcome{"aa", engine.Fault, ladder.Broke, 20 * ms}, 1},
		"crash":                  {"reply\ntext \"a\" 10ms\nkill", outcome{"a", engine.Fault, ladder.Crashed, 10 * ms}, 1},
		"out of memory":          {"reply\nmemory", outcome{"", engine.Fault, ladder.OutOfMemory, 0}, 1},
		"refused":                {"reply\nrefuse \"busy\"", outcome{"", "refused", ladder.Unavailable, 0}, 1},
		"not loaded":             {"load 20ms \"no file\"\nreply", outcome{"", "refused", ladder.LoadFailed, 20 * ms}, 1},
		"no memory to load":      {"load 20ms memory\nreply", outcome{"", "refused", ladder.NoMemory, 20 * ms}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, over := 0, 0
				w := &ladder.Watch{Health: ladder.New(ladder.Policy{}, nil, nil), Key: "m", Name: "m", Limits: limits,
					Began: func() { began++ }, Over: func() { over++ }}
				if diff := cmp.Diff(c.want, ask(t.Context(), w, parse(t, c.script), engine.Request{})); diff != "" {
					t.Error(diff)
				}
				synctest.Wait() // the engine's own stream is read to its end
				if began != 1 || over != 1 {
					t.Errorf("began %d, over %d", began, over)
				}
				if r, _ := w.Health.Up("m"); r.Faults != c.faults {
					t.Errorf("%d faults, want %d", r.Faults, c.faults)
				}
			})
		})
	}
}

// Ensure that a person's stop is no fault, that background work has no
// deadlines, and that a prompt too long is refused as it is.
func TestWhatIsNoFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &ladder.Watch{Health: ladder.New(ladder.Policy{}, nil, nil), Key: "m", Name: "m", Limits: ladder.Limits{FirstToken: time.Second}}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if got := ask(ctx, w, parse(t, "reply\nhang"), engine.Request{}); got.Reason != engine.Cancelled {
			t.Errorf("stopped: %+v", got)
		}
		slow := parse(t, "reply\ntext \"a\" 5s")
		if got := ask(t.Context(), w, slow, engine.Request{Priority: engine.Background}); got.Text != "a" {
			t.Errorf("background: %+v", got)
		}
		if _, err := w.Generate(t.Context(), refusing{engine.ErrTooLong}, engine.Request{}); err != engine.ErrTooLong {
			t.Errorf("too long: %v", err)
		}
		for want, err := range map[string]error{ladder.Unsupported: engine.ErrUnsupported, ladder.NoLine: fmt.Errorf("%w: %w", engine.ErrUnavailable, engine.ErrNoLine)} {
			if got := ask(t.Context(), w, refusing{err}, engine.Request{}); got.Code != want {
				t.Errorf("%v: %+v", err, got)
			}
		}
		if r, _ := w.Health.Up("m"); r.Faults != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// refusing is an engine that refuses.
type refusing struct{ err error }

func (refusing) Info() engine.Info { return engine.Info{Name: "m"} }
func (refusing) Close() error      { return nil }
func (r refusing) Generate(context.Context, engine.Request) (engine.Stream, error) {
	return nil, r.err
}

// slow is an engine that takes its time to load.
type slow struct {
	engine.Engine
	load time.Duration
	err  error
}

func (s slow) Ready(ctx context.Context) error {
	select {
	case <-time.After(s.load):
		return s.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Ensure that the load of a model is apart from the deadline of its first token,
// that a lower rung is not waited for, and that a load that fails is a fault.
func TestLoadIsApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := parse(t, "reply\ntext \"a\" 100ms")
		w := &ladder.Watch{Health: ladder.New(ladder.Policy{}, nil, nil), Key: "m", Name: "m", Limits: ladder.Limits{FirstToken: time.Second}}
		want := outcome{"a", engine.Stop, "", 5100 * time.Millisecond}
		if diff := cmp.Diff(want, ask(t.Context(), w, slow{e, 5 * time.Second, nil}, engine.Request{})); diff != "" {
			t.Error(diff)
		}
		w.Limits.Load = time.Second
		want = outcome{"", "refused", ladder.StillLoading, time.Second}
		if diff := cmp.Diff(want, ask(t.Context(), w, slow{e, 5 * time.Second, nil}, engine.Request{})); diff != "" {
			t.Error(diff)
		}
		if r, up := w.Health.Up("m"); !up || r.Faults != 0 {
			t.Errorf("loading counts as a fault: %+v", r)
		}
		if got := ask(t.Context(), w, slow{e, 0, errors.New("no such file")}, engine.Request{}); got.Code != ladder.LoadFailed {
			t.Errorf("%+v", got)
		}
		if _, up := w.Health.Up("m"); up {
			t.Error("a load that failed did not move it down")
		}
	})
}

// Ensure that checks tell recovery from trouble, by the engine's own probe and
// by one token of the request it failed at.
func TestCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := ladder.Limits{FirstToken: time.Second}
		check := func(e engine.Engine, last *engine.Request) string {
			if f := ladder.Check(t.Context(), "m", e, limits, last); f != nil {
				return f.Code
			}
			return ""
		}
		probed := parse(t, "probe 10ms \"busy\"\nprobe 10ms\nreply")
		loading := parse(t, "load 1ms memory times=2\nreply")
		var got []string
		for range 3 {
			got = append(got, check(probed, nil), check(loading, nil))
		}
		if diff := cmp.Diff([]string{"unavailable", "memory", "", "memory", "", ""}, got); diff != "" {
			t.Error(diff)
		}
		plain := plainly{parse(t, "reply\nmatch \"slow\"\ntext \"a\" 9s\nreply\ntext \"b\" 10ms")}
		if c := check(plain, nil); c != "" {
			t.Errorf("one token: %s", c)
		}
		if c := check(plain, &engine.Request{Query: "slow"}); c != ladder.LateFirst {
			t.Errorf("the request it failed at: %q", c)
		}
		if c := check(refusing{engine.ErrIncompatible}, nil); c != ladder.Incompatible {
			t.Errorf("refused: %q", c)
		}
	})
}

// plainly hides an engine's own probe.
type plainly struct{ e engine.Engine }

func (p plainly) Info() engine.Info { return p.e.Info() }
func (p plainly) Close() error      { return p.e.Close() }
func (p plainly) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	return p.e.Generate(ctx, r)
}

// panicking is a stream that panics.
type panicking struct{ refusing }

func (panicking) Generate(context.Context, engine.Request) (engine.Stream, error) {
	return panicking{}, nil
}
func (panicking) Next() (engine.Event, error) { panic("torn") }

// Ensure that a panic of an engine is a fault of its reply.
func TestPanicIsAFault(t *testing.T) {
	w := &ladder.Watch{Health: ladder.New(ladder.Policy{}, nil, nil), Key: "m", Name: "m"}
	if got := ask(t.Context(), w, panicking{}, engine.Request{}); got.Reason != engine.Fault || got.Code != ladder.Broke {
		t.Errorf("%+v", got)
	}
}

// deaf is an engine whose reply does not stop when told to.
type deaf struct {
	refusing
	release chan struct{}
}

func (d deaf) Generate(context.Context, engine.Request) (engine.Stream, error) { return d, nil }
func (d deaf) Next() (engine.Event, error) {
	<-d.release
	return engine.Done{Reason: engine.Stop}, nil
}

// Ensure that a check ends although the engine does not.
func TestACheckEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		d := deaf{release: make(chan struct{})}
		began := time.Now()
		if f := ladder.Check(ctx, "m", d, ladder.Limits{}, nil); f == nil || time.Since(began) > 5*time.Second {
			t.Errorf("%v after %v", f, time.Since(began))
		}
		close(d.release)
	})
}

// brittle is an engine whose scoring panics.
type brittle struct{ engine.Engine }

func (brittle) Score(context.Context, engine.ScoreRequest) ([]engine.Scored, error) {
	panic("no table")
}

// Ensure that a panic of an engine that scores is a fault, of which Health hears.
func TestPanicOfScoring(t *testing.T) {
	health := ladder.New(ladder.Policy{}, time.Now, nil)
	w := &ladder.Watch{Name: "m", Key: "m", Health: health}
	if _, err := w.Score(t.Context(), brittle{parse(t, "reply\nsay \"a\"")}, engine.ScoreRequest{}); err == nil {
		t.Fatal("no error")
	}
	if r := health.Reports(); len(r) != 1 || r[0].Last == nil {
		t.Errorf("Health was not told: %+v", r)
	}
}
