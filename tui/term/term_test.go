package term_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

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
			<-stopped
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
