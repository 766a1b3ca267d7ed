package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/ladder"
)

// voice is an engine that answers, fails or hangs as it is told to.
type voice struct {
	info    engine.Info
	fails   *atomic.Bool // of its choir
	hang    *func(context.Context)
	closed  atomic.Bool
	holding chan struct{} // nil: replies end at once
}

func (v *voice) Info() engine.Info { return v.info }
func (v *voice) Close() error      { v.closed.Store(true); return nil }
func (v *voice) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	if v.hang != nil && r.Priority == engine.Background {
		(*v.hang)(ctx)
		return nil, ctx.Err()
	}
	if v.fails.Load() {
		return nil, fmt.Errorf("%w: cudaMalloc: out of memory", engine.ErrUnavailable)
	}
	return &word{ctx: ctx, held: v.holding}, nil
}

// word is a reply of one token.
type word struct {
	ctx  context.Context
	held chan struct{}
	n    int
}

func (w *word) Next() (engine.Event, error) {
	w.n++
	switch w.n {
	case 1:
		return engine.Token{ID: 1, Text: "Hm."}, nil
	case 2:
		if w.held != nil {
			select {
			case <-w.held:
			case <-w.ctx.Done():
				return engine.Done{Reason: engine.Cancelled}, nil
			}
		}
		return engine.Done{Reason: engine.Stop}, nil
	}
	return nil, io.EOF
}

// choir opens voices by the names of models.
type choir struct {
	mu     sync.Mutex
	opened map[string][]*voice
	ready  func(name string) error
	hold   chan struct{}
	fails  atomic.Bool                           // of big ones
	hang   atomic.Pointer[func(context.Context)] // what a failing one does in the background
}

func (c *choir) open(m catalog.Model) (engine.Engine, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ready != nil {
		if err := c.ready(m.Name); err != nil {
			return nil, err
		}
	}
	if c.opened == nil {
		c.opened = map[string][]*voice{}
	}
	v := &voice{info: m.Info(), holding: c.hold, fails: &atomic.Bool{}}
	if m.Name == "big" {
		v.fails, v.hang = &c.fails, c.hang.Load()
	}
	c.opened[m.Name] = append(c.opened[m.Name], v)
	return v, nil
}

func (c *choir) voice(name string) *voice {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.opened[name]
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

func (c *choir) count(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.opened[name])
}

// two is a folder of a large and a small model.
func two(t *testing.T) string {
	return pool(t, map[string]sample.File{"big": sample.Model("Big", 200), "small": sample.Model("Small", 100)})
}

// answer takes one reply as a story does: from the first rung that gives one.
func answer(t *testing.T, c *catalog.Catalog, a engine.Ask) string {
	t.Helper()
	for r := range c.Rungs(a) {
		if r.Step == engine.StepRecall {
			return "recall " + r.Why
		}
		s, err := r.Generate(t.Context(), engine.Request{})
		if err != nil {
			continue
		}
		for {
			if ev, _ := s.Next(); ev == nil {
				t.Fatal("the stream ended without a word")
			} else if d, over := ev.(engine.Done); over {
				if d.Err == nil {
					return r.Engine.Info().Name + " " + r.Step
				}
				break
			}
		}
	}
	return "nobody"
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// quick loses and wins trust within milliseconds.
var quick = ladder.Policy{Wait: 2 * time.Millisecond, Longest: 5 * time.Millisecond}

// Ensure that an engine which ran out of memory is left for the next, checked
// in the background and taken up again, that both moves are told, and that no
// check outlives the catalogue.
func TestDownAndUpAgain(t *testing.T) {
	defer goleak.VerifyNone(t)
	var mu sync.Mutex
	var told []string
	ch := &choir{}
	c, err := catalog.Open(catalog.Options{Dir: two(t), OpenModel: ch.open, Policy: quick, Moved: func(m ladder.Move) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprint(m.Name, " ", m.Up))
	}})
	if err != nil {
		t.Fatal(err)
	}
	ask := engine.Ask{Language: "en"}
	if got := answer(t, c, ask); got != "big full" {
		t.Fatal(got)
	}
	ch.fails.Store(true)
	if got := answer(t, c, ask); got != "small smaller" {
		t.Error(got)
	}
	until(t, "a check that opens it anew", func() bool { return ch.count("big") > 1 })
	first := steps(rungs(c, "en"))[0]
	if first != "small smaller out_of_memory" {
		t.Errorf("while it is down: %s", first)
	}
	ch.fails.Store(false)
	until(t, "recovery", func() bool { return steps(rungs(c, "en"))[0] == "big full " })
	if got := answer(t, c, ask); got != "big full" {
		t.Error(got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff([]string{"big false", "big true"}, told); diff != "" {
		t.Error(diff)
	}
}

// Ensure that a check waits while somebody is answered, and is called off when a
// reply begins: a chat outranks it. After three times it is made all the same.
func TestAChatOutranksChecks(t *testing.T) {
	var looks, off atomic.Int32
	var latest atomic.Pointer[context.Context]
	ch := &choir{hold: make(chan struct{})}
	hang := func(ctx context.Context) {
		latest.Store(&ctx)
		looks.Add(1)
		<-ctx.Done()
		off.Add(1)
	}
	ch.hang.Store(&hang)
	ch.fails.Store(true)
	c := open(t, catalog.Options{Dir: two(t), OpenModel: ch.open, Policy: quick})
	begin := func() (end func()) {
		t.Helper()
		for r := range c.Rungs(engine.Ask{Language: "en"}) {
			s, err := r.Generate(t.Context(), engine.Request{})
			if err != nil {
				continue
			}
			if r.Engine.Info().Name != "small" {
				t.Fatalf("%s answers", r.Engine.Info().Name)
			}
			return func() {
				ch.hold <- struct{}{}
				for err == nil {
					_, err = s.Next()
				}
			}
		}
		t.Fatal("nobody answers")
		return nil
	}
	end := begin()
	until(t, "all checks to be called off", func() bool { return off.Load() == looks.Load() })
	before := looks.Load()            // one may have been quicker than the reply
	time.Sleep(30 * time.Millisecond) // in which ten would begin
	if now := looks.Load(); before > 1 || now != before {
		t.Errorf("%d checks before a reply, then %d", before, now)
	}
	end()
	for range 6 {
		until(t, "a check", func() bool { return looks.Load() > off.Load() })
		n := looks.Load()
		end = begin() // which calls off what may be
		urgent := (*latest.Load()).Err() == nil
		end()
		if urgent {
			if n < 2 {
				t.Error("no check was called off before")
			}
			return
		}
		until(t, "the check to end", func() bool { return off.Load() >= n })
	}
	t.Error("checks are called off for ever")
}

// Ensure that a model which memory does not suffice for is not opened, and is
// once it does.
func TestMemoryIsAskedBeforeAModelIsOpened(t *testing.T) {
	var scarce atomic.Bool
	scarce.Store(true)
	ch := &choir{}
	c := open(t, catalog.Options{Dir: two(t), OpenModel: ch.open, Policy: quick, Fits: func(m catalog.Model) error {
		if m.Name == "big" && scarce.Load() {
			return fmt.Errorf("big: %w", &engine.Shortage{Need: 8 << 30, Free: 1 << 30, Detail: "needs 8 GiB"})
		}
		return nil
	}})
	for r := range c.Rungs(engine.Ask{Language: "en"}) {
		if r.Engine.Info().Name != "small" || r.Why != ladder.NoMemory || !slices.Equal(r.Args, []string{"big", "8192", "1024"}) {
			t.Errorf("%+v", r)
		}
		break
	}
	if ch.voice("big") != nil {
		t.Error("it was opened all the same")
	}
	standing := c.Ladder(engine.Ask{Language: "en"})
	if len(standing) != 3 || standing[0].Why != ladder.NoMemory || standing[1].Step != engine.StepSmaller || standing[0].Since.IsZero() {
		t.Errorf("standing %+v", standing)
	}
	scarce.Store(false)
	until(t, "memory", func() bool { return steps(rungs(c, "en"))[0] == "big full " })
}

// Ensure that what a person wants leads, in any language, that nothing better
// than it stands below it, and that a change of mind is effective at once.
func TestWishes(t *testing.T) {
	dir := pool(t, map[string]sample.File{
		"big": sample.Model("Big", 300, languages("en")), "mid": sample.Model("Mid", 200, languages("zh")), "small": sample.Model("Small", 100, languages("en")),
	})
	var wish atomic.Pointer[catalog.Wish]
	wish.Store(&catalog.Wish{})
	c := open(t, catalog.Options{Dir: dir, OpenModel: (&choir{}).open, Wish: func(a engine.Ask) catalog.Wish {
		if a.Persona == "adu" {
			return catalog.Wish{Chosen: []string{"recall"}}
		}
		return *wish.Load()
	}})
	for _, test := range []struct {
		wish catalog.Wish
		want []string
	}{
		{catalog.Wish{}, []string{"big full ", "small smaller failed", "recall recall failed"}},
		{catalog.Wish{Chosen: []string{"mid"}}, []string{"mid full ", "small smaller failed", "recall recall failed"}},
		{catalog.Wish{Chosen: []string{"small", "big"}}, []string{"small full ", "big smaller failed", "recall recall failed"}},
		{catalog.Wish{Chosen: []string{"gone"}}, []string{"big smaller unknown", "small smaller failed", "recall recall failed"}},
		{catalog.Wish{Ladder: []string{"small", "recall"}}, []string{"small full ", "recall recall failed"}},
		{catalog.Wish{Chosen: []string{"recall"}}, []string{"recall recall "}},
	} {
		wish.Store(&test.wish)
		if diff := cmp.Diff(test.want, steps(rungs(c, "en"))); diff != "" {
			t.Errorf("%+v: %s", test.wish, diff)
		}
	}
	wish.Store(&catalog.Wish{})
	if got := steps(slices.Collect(c.Rungs(engine.Ask{Language: "en", Persona: "adu"}))); !slices.Equal(got, []string{"recall recall "}) {
		t.Errorf("pinned: %v", got)
	}
	chosen := open(t, catalog.Options{Dir: dir, OpenModel: (&choir{}).open, Choice: "small,mid", Wish: func(engine.Ask) catalog.Wish { return catalog.Wish{Chosen: []string{"big"}} }})
	if diff := cmp.Diff([]string{"small full ", "mid smaller failed", "recall recall failed"}, steps(rungs(chosen, "en"))); diff != "" {
		t.Error("--engine outranks:", diff)
	}
}

// Ensure that nothing stands in for the one engine that was asked for, and that
// one which cannot be had says why.
func TestOnly(t *testing.T) {
	c := open(t, catalog.Options{Dir: two(t), OpenModel: (&choir{ready: func(name string) error {
		if name == "big" {
			return errors.New("no such file")
		}
		return nil
	}}).open})
	for only, want := range map[string][]string{"small": {"small full "}, "big": {"big full "}, "recall": {"recall recall "}, "nobody": {"nobody full "}} {
		all := slices.Collect(c.Rungs(engine.Ask{Only: only}))
		if diff := cmp.Diff(want, steps(all)); diff != "" {
			t.Errorf("%s: %s", only, diff)
		}
		_, err := all[0].Generate(t.Context(), engine.Request{Query: "x"})
		var f *engine.Failure
		why := ""
		if errors.As(err, &f) {
			why = f.Code
		}
		if why != map[string]string{"big": "load", "nobody": "unknown"}[only] {
			t.Errorf("%s: %v", only, err)
		}
	}
	if err := c.Ready(t.Context(), engine.Ask{Only: "big"}); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("ready: %v", err)
	}
}

// Ensure that an engine nobody asks for any more is closed, but not while it
// answers somebody.
func TestIdleEnginesAreClosed(t *testing.T) {
	ch := &choir{hold: make(chan struct{})}
	use := atomic.Pointer[string]{}
	big, small := "big", "small"
	use.Store(&big)
	c := open(t, catalog.Options{Dir: two(t), OpenModel: ch.open, Idle: 20 * time.Millisecond,
		Wish: func(engine.Ask) catalog.Wish { return catalog.Wish{Chosen: []string{*use.Load()}} }})
	var s engine.Stream
	for r := range c.Rungs(engine.Ask{}) {
		var err error
		if s, err = r.Generate(t.Context(), engine.Request{}); err != nil {
			t.Fatal(err)
		}
		break
	}
	use.Store(&small) // a switch while it streams
	old := ch.voice("big")
	for range 5 { // longer than it may be idle
		time.Sleep(10 * time.Millisecond)
		for range c.Rungs(engine.Ask{}) {
			break
		}
	}
	if old.closed.Load() {
		t.Fatal("closed while it answered")
	}
	close(ch.hold)
	for {
		ev, err := s.Next()
		if err != nil {
			break
		}
		if d, over := ev.(engine.Done); over && d.Reason != engine.Stop {
			t.Errorf("the reply ended %+v", d)
		}
	}
	until(t, "the old engine to be closed", func() bool {
		for range c.Rungs(engine.Ask{}) {
			break
		}
		return old.closed.Load()
	})
	if ch.voice("small").closed.Load() {
		t.Error("the one in use was closed")
	}
}

// Ensure that a script is one rung like any other.
func TestScriptsOnALadder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		writeFile(t, file, text)
		return "scripted:" + file
	}
	mute := write("mute", "engine mute\nload 1ms \"gone\" times=1\nreply\nsay \"Hm.\" 1ms\n")
	sound := write("sound", "engine sound\nreply\nsay \"Yes.\" 1ms\n")
	c := open(t, catalog.Options{Choice: mute + "," + sound, Policy: quick})
	if got := answer(t, c, engine.Ask{}); got != "sound smaller" {
		t.Error(got)
	}
	until(t, "recovery", func() bool { return answer(t, c, engine.Ask{}) == "mute full" })
	if r := c.Health(); len(r) != 2 || !r[0].Up || !r[1].Up {
		t.Errorf("%+v", r)
	}
}
