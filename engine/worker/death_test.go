//go:build unix

package worker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/worker"
)

func TestCrash(t *testing.T) {
	kill := func(c *worker.Client) { _ = syscall.Kill(c.PID(), syscall.SIGKILL) }
	tests := []struct {
		name string
		say  string
		at   func(*worker.Client)
	}{
		{"ends itself", "half a crash!", nil},
		{"killed", "half a hold!", kill},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var deaths atomic.Int32
			c := start(t, "delay=2ms", func(o *worker.Options) { o.Died = func(string) { deaths.Add(1) } })
			s, err := c.Generate(t.Context(), ask("say:"+tt.say))
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			got := read(t, s, func(e engine.Event) {
				if tok, ok := e.(engine.Token); ok {
					if said += tok.Text; said == "half a hold!" && tt.at != nil {
						tt.at(c)
					}
				}
			})
			if got.done.Reason != engine.Fault || got.done.Err == nil || !strings.HasPrefix(got.text, "half a ") {
				t.Fatalf("%q, %+v", got.text, got.done)
			}
			if got.done.Stats.Tokens != len(got.tokens) {
				t.Errorf("stats %+v for %d tokens", got.done.Stats, len(got.tokens))
			}
			if next := generate(t, c, ask("say:next")); next.text != "next" {
				t.Errorf("next: %q, %+v", next.text, next.done)
			}
			if n := deaths.Load(); n != 1 {
				t.Errorf("told of %d deaths", n)
			}
			if st := c.Status(); st.Restarts != 1 || st.State != worker.Ready || st.PID == 0 {
				t.Errorf("status %+v", st)
			}
		})
	}
}

// A child that dies takes along what was shown; everything else runs again in the
// next one, once and apart from each other, so that only the request that kills
// is lost.
func TestCrashOfSeveral(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query("delay=2ms&seqs=8"))
	shown, err := c.Generate(t.Context(), ask("say:"+strings.Repeat("half a reply ", 30)))
	if err != nil {
		t.Fatal(err)
	}
	if e, err := shown.Next(); err != nil { // its prompt is done
		t.Fatal(e, err)
	}
	g.shut()
	bad, err := c.Generate(t.Context(), ask(strings.Repeat("x", 40)+"say:crash!"))
	if err != nil {
		t.Fatal(err)
	}
	var good []engine.Stream
	for i := range 3 {
		s, err := c.Generate(t.Context(), ask(strings.Repeat(fmt.Sprint(i), 400)+"say:good"))
		if err != nil {
			t.Fatal(err)
		}
		good = append(good, s)
	}
	g.told(c)
	g.open()
	if got := read(t, shown, nil); got.done.Reason != engine.Fault || got.text == "" || !strings.HasPrefix(strings.Repeat("half a reply ", 30), got.text) {
		t.Errorf("shown: %q, %+v", got.text, got.done)
	}
	for i, s := range good {
		if got := read(t, s, nil); got.text != "good" || got.done.Reason != engine.Stop {
			t.Errorf("good %d: %q, %+v", i, got.text, got.done)
		}
	}
	if got := read(t, bad, nil); got.done.Reason != engine.Fault || got.text != "" || got.done.Err == nil {
		t.Errorf("bad: %q, %+v", got.text, got.done)
	}
	if st := c.Status(); st.Restarts != 2 {
		t.Errorf("%d restarts, want 2", st.Restarts)
	}
}

func TestGivesUp(t *testing.T) {
	tests := []struct {
		name, query string
		role        string
		is          error
		text        string
	}{
		{"refused", "load=refuse", "worker", engine.ErrIncompatible, "made for something else"},
		{"crashes at load", "load=crash", "worker", engine.ErrUnavailable, "exit status 7, 2 times in a row"},
		{"speaks something else", "", "garbage", engine.ErrUnavailable, "sent something else than frames"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := start(t, tt.query, func(o *worker.Options) {
				o.Command = func() *exec.Cmd { return self(tt.role) }
				o.Crashes = 2
			})
			_, err := c.Generate(t.Context(), ask("say:x"))
			if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("error %v", err)
			}
			if st := c.Status(); st.State != worker.Failed || st.Err == nil {
				t.Errorf("status %+v", st)
			}
		})
	}
}

func TestNotStarted(t *testing.T) {
	c := start(t, "", func(o *worker.Options) {
		o.Command = func() *exec.Cmd { return exec.Command("/does/not/exist") }
	})
	if _, err := c.Generate(t.Context(), ask("x")); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	if _, err := worker.Start(worker.Options{}); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("no model: %v", err)
	}
}

func TestHang(t *testing.T) {
	t.Run("found by the watch", func(t *testing.T) {
		c := start(t, "", func(o *worker.Options) { o.Ping, o.Misses = 50*time.Millisecond, 40 })
		got := generate(t, c, ask("say:a hang!"))
		if got.done.Reason != engine.Fault || !strings.Contains(got.done.Detail, "no progress") || got.text != "a " {
			t.Errorf("%q, %+v", got.text, got.done)
		}
	})
	t.Run("does not obey a cancel", func(t *testing.T) {
		c := start(t, "", func(o *worker.Options) { o.Grace = 50 * time.Millisecond })
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s, err := c.Generate(ctx, ask("say:a hang!"))
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, s, func(e engine.Event) {
			if tok, ok := e.(engine.Token); ok && tok.ID == ' ' {
				cancel()
			}
		})
		if got.done.Reason != engine.Cancelled || got.text != "a " {
			t.Errorf("%q, %+v", got.text, got.done)
		}
		if next := generate(t, c, ask("say:next")); next.text != "next" {
			t.Errorf("next: %q %+v", next.text, next.done)
		}
	})
}

func TestClose(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query(""))
	g.shut()
	s, err := c.Generate(t.Context(), ask("say:"+strings.Repeat("abcdefg", 20)))
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := c.Generate(t.Context(), ask("say:never"))
	if err != nil {
		t.Fatal(err)
	}
	pid := c.PID()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for _, s := range []engine.Stream{s, waiting} {
		if got := read(t, s, nil); got.done.Reason != engine.Cancelled || got.done.Detail != "closed" {
			t.Errorf("%+v", got.done)
		}
	}
	if _, err := c.Generate(t.Context(), ask("x")); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("after close: %v", err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d: %v", pid, err)
	}
}

// The child stands in a process group of its own, so Ctrl+C does not reach it,
// and what it prints goes to the log, not between the frames.
func TestApart(t *testing.T) {
	var log bytes.Buffer
	c := start(t, "", func(o *worker.Options) { o.Log = &log })
	if got := generate(t, c, ask("say:x")); got.text != "x" {
		t.Fatalf("%q", got.text)
	}
	if group, err := syscall.Getpgid(c.PID()); err != nil || group != c.PID() {
		t.Errorf("process group %d of %d: %v", group, c.PID(), err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "noise on standard output") {
		t.Errorf("log %q", log.String())
	}
}

func TestParentDeath(t *testing.T) {
	cmd := self("parent")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var model string
	var pid int
	if _, err := fmt.Fscan(out, &model, &pid); err != nil || pid == 0 {
		t.Fatalf("child of the child: %q %d %v", model, pid, err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	eventually(t, func() bool { return gone(pid) })
}

// gone is true for a process that ended, even if nobody waits for it.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}
