package term_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/term"
)

func pipe(t *testing.T) (*os.File, func() string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return w, func() string {
		w.Close()
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
}

// Ensure that the cursor is placed after a frame, and only while there is a
// frame: on the person's own screen it must not move.
func TestWriterPlacesCursorOnlyOnTheAlternateScreen(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	f, read := pipe(t)
	w := term.NewWriter(f)
	w.SetCursor(term.Cursor{X: 12, Y: 1, Show: true})
	for _, s := range []string{"before", "\x1b[?1049h", "frame", "\x1b[?1049l", "after"} {
		if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatalf("Write(%q) = %d, %v", s, n, err)
		}
	}
	want := "before\x1b[?1049h\x1b[?2026h\x1b[?25lframe\x1b[2;13H\x1b[?25h\x1b[?2026l\x1b[?1049lafter"
	if got := read(); got != want {
		t.Errorf("wrote %q\nwant  %q", got, want)
	}
}

func TestWriterHidesCursor(t *testing.T) {
	t.Setenv("TERM", "linux")
	f, read := pipe(t)
	w := term.NewWriter(f)
	_, _ = w.WriteString("\x1b[?1049h")
	_, _ = w.WriteString("frame")
	if got := read(); got != "\x1b[?1049h\x1b[?25lframe" {
		t.Errorf("wrote %q", got)
	}
}

func TestCrashCatchesEverywhere(t *testing.T) {
	for name, run := range map[string]func(*term.Crash){
		"goroutine": func(c *term.Crash) { c.Go(func() { panic("boom") }) },
		"command":   func(c *term.Crash) { c.Cmd(func() tea.Msg { panic("boom") })() },
		"batch": func(c *term.Crash) {
			m := c.Cmd(tea.Batch(func() tea.Msg { panic("boom") }, func() tea.Msg { return nil }))()
			m.(tea.BatchMsg)[0]()
		},
	} {
		t.Run(name, func(t *testing.T) {
			stopped := make(chan struct{}, 1)
			c := term.NewCrash(t.TempDir(), func() { stopped <- struct{}{} })
			run(c)
			select {
			case <-stopped:
			case <-time.After(5 * time.Second):
				t.Fatal("the program was not stopped")
			}
			var crashed *term.Crashed
			if !errors.As(c.Err(), &crashed) || crashed.What != "boom" {
				t.Fatalf("Err() = %v", c.Err())
			}
			note, err := os.ReadFile(crashed.Note)
			if err != nil || !strings.Contains(string(note), "term_test.go") {
				t.Errorf("note %q: %v: %.80s", crashed.Note, err, note)
			}
		})
	}
}

func TestNoCrash(t *testing.T) {
	c := term.NewCrash(t.TempDir(), func() {})
	if c.Cmd(nil) != nil {
		t.Error("nil command became one")
	}
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}
