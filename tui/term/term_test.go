package term_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/term"
)

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
