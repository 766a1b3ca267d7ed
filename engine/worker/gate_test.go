package worker_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/worker"
)

// gate holds the passes of a fake that runs in a child, and tells what was in
// them: with it a test says what happens before what, on a busy machine too.
type gate struct {
	t   *testing.T
	dir string
}

func newGate(t *testing.T) *gate { return &gate{t, t.TempDir()} }

// query adds the gate to a fake's behaviour.
func (g *gate) query(rest string) string { return rest + "&gate=" + url.QueryEscape(g.dir) }

// shut holds every pass from the next on, until it is called off or open.
func (g *gate) shut() {
	g.t.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, "shut"), nil, 0o600); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gate) open() {
	g.t.Helper()
	if err := os.Remove(filepath.Join(g.dir, "shut")); err != nil {
		g.t.Fatal(err)
	}
}

// next lets one pass through a shut gate.
func (g *gate) next() {
	g.t.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, "next"), nil, 0o600); err != nil {
		g.t.Fatal(err)
	}
}

// passes gives what was in the passes so far, that which is held included: for
// each run the first letter of its question and how many tokens, like "a:16 b:1".
func (g *gate) passes() []string {
	raw, err := os.ReadFile(filepath.Join(g.dir, "passes"))
	if err != nil && !os.IsNotExist(err) {
		g.t.Error(err)
	}
	return strings.FieldsFunc(string(raw), func(r rune) bool { return r == '\n' })
}

// wait waits for so many passes.
func (g *gate) wait(n int) {
	g.t.Helper()
	eventually(g.t, func() bool { return len(g.passes()) >= n })
}

// told waits until the child heard of everything that was sent to it, and that
// these replies are to stop.
func (g *gate) told(c *worker.Client, stopped ...engine.Stream) {
	g.t.Helper()
	for _, s := range stopped {
		eventually(g.t, func() bool { return c.Stopped(s) })
	}
	if _, err := c.Count(g.t.Context(), asks("x")); err != nil {
		g.t.Error(err)
	}
}

// paced checks that a chat which came after so many passes was in every one from
// then to its end, and that those in the background were in some.
func (g *gate) paced(from int) {
	g.t.Helper()
	last, beside := from, 0
	all := g.passes()
	for i, p := range all[from:] {
		if strings.Contains(p, "s:") {
			last = from + i
		}
	}
	for i, p := range all[from : last+1] {
		// The pass that ran as the chat came may have been planned without it.
		if i > 0 && !strings.Contains(p, "s:") {
			g.t.Errorf("pass %d of the chat's was without it: %s", i, p)
		}
		if strings.Contains(p, " ") {
			beside++
		}
	}
	if last-from < 60 || beside == 0 {
		g.t.Errorf("%d passes with the chat, %d with others too", last-from, beside)
	}
}

// eventually waits for what must come; how fast is no matter here.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}

// passed writes a pass down and waits for the gate; false = it was called off.
func (f *fake) passed(runs []worker.Run) bool {
	dir := f.load.Get("gate")
	if dir == "" {
		return true
	}
	var what []string
	for _, r := range runs {
		_, question, _ := strings.Cut(f.text(r), "user\n")
		what = append(what, fmt.Sprintf("%.1s:%d", question, len(r.IDs)))
	}
	log, err := os.OpenFile(filepath.Join(dir, "passes"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = fmt.Fprintln(log, strings.Join(what, " "))
		_ = log.Close()
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "shut")); err != nil {
			return true
		}
		if os.Remove(filepath.Join(dir, "next")) == nil {
			return true
		}
		if f.abort.Load() {
			return false
		}
		time.Sleep(100 * time.Microsecond)
	}
}
