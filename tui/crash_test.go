package tui_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"fabula/story"
	"fabula/story/store"
	"fabula/tui"
	"fabula/worlds"
)

// crashAs names the place where the child process of a test panics.
const crashAs = "FABULA_TEST_CRASH"

func TestMain(m *testing.M) {
	if at := os.Getenv(crashAs); at != "" {
		crashing(at)
		return
	}
	os.Exit(m.Run())
}

// crashing runs the workbench and panics in it.
func crashing(at string) {
	var armed atomic.Bool
	if at == "update" {
		time.AfterFunc(300*time.Millisecond, func() { armed.Store(true) })
	}
	o := tui.Options{Name: "ferry", StateDir: os.Getenv("FABULA_TEST_DIR"), Err: &worlds.LoadError{World: "ferry"}}
	switch at {
	case "command":
		o.Open = func() (*story.Session, error) { panic("boom in a command") }
	case "never":
		w, err := worlds.OpenFS(ferry, "ferry")
		if err != nil {
			panic(err)
		}
		tree, err := store.Open(o.StateDir)
		if err != nil {
			panic(err)
		}
		if o.Session, err = story.New(story.Config{Script: w.Script, Store: tree}); err != nil {
			panic(err)
		}
	case "update":
		o.Now = func() time.Time { return time.Now() }
		w, err := worlds.OpenFS(ferry, "ferry")
		if err != nil {
			panic(err)
		}
		o.Session, err = story.New(story.Config{Script: w.Script})
		if err != nil {
			panic(err)
		}
		o.Status = func(string) tui.Status {
			if armed.Load() {
				panic("boom in update")
			}
			return tui.Status{Name: "x"}
		}
	}
	if err := tui.Run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Ensure that closing the window keeps what was being written.
func TestHangupKeepsTheDraft(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashAs+"=never", "FABULA_TEST_DIR="+dir, "TERM=xterm-256color")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, f) }()
	time.Sleep(500 * time.Millisecond)
	_, _ = f.WriteString("mitten im Satz")
	time.Sleep(200 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "workbench.json"))
	if err != nil || !strings.Contains(string(kept), "mitten im Satz") {
		t.Errorf("kept %q, %v", kept, err)
	}
}

// Ensure that a panic leaves the terminal as it was, with a note (R46).
func TestTerminalIsRestoredAfterAPanic(t *testing.T) {
	for _, at := range []string{"command", "update"} {
		t.Run(at, func(t *testing.T) {
			dir := t.TempDir()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), crashAs+"="+at, "FABULA_TEST_DIR="+dir, "TERM=xterm-256color")
			f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got := make(chan string, 1)
			go func() {
				b, _ := io.ReadAll(f) // ends with an error when the child is gone
				got <- string(b)
			}()
			for range 40 {
				_, _ = f.WriteString("r")
				time.Sleep(25 * time.Millisecond)
			}
			_ = cmd.Wait()
			_ = f.Close()
			checkRestored(t, <-got, dir, at)
		})
	}
}

func checkRestored(t *testing.T, out, dir, at string) {
	t.Helper()
	off, show := strings.LastIndex(out, "\x1b[?1049l"), strings.LastIndex(out, "\x1b[?25h")
	if off < strings.LastIndex(out, "\x1b[?1049h") {
		t.Errorf("the alternate screen stayed on: %q", tail(out))
	}
	if show < strings.LastIndex(out, "\x1b[?25l") {
		t.Errorf("the cursor stayed hidden: %q", tail(out))
	}
	if !strings.Contains(out[max(off, 0):], "fabula crashed: boom in") {
		t.Errorf("the person is not told: %q", tail(out))
	}
	notes, err := filepath.Glob(filepath.Join(dir, "crash-*.txt"))
	if err != nil || len(notes) != 1 {
		t.Fatalf("notes %v, %v", notes, err)
	}
	note, err := os.ReadFile(notes[0])
	if err != nil || !strings.Contains(string(note), "crash_test.go") {
		t.Errorf("note: %v: %.200s", err, note)
	}
}

func tail(s string) string { return s[max(len(s)-400, 0):] }
