//go:build terminal

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// terminal is a real terminal: a shell in a tmux server of its own.
type terminal struct {
	t      *testing.T
	socket string
}

// newTerminal starts a shell of the given size with an empty home. Nothing of
// the person's tmux configuration is read.
func newTerminal(t *testing.T, width, height int, env ...string) *terminal {
	t.Helper()
	term := &terminal{t, filepath.Join(t.TempDir(), "tmux")}
	args := []string{"new-session", "-d", "-c", t.TempDir(), "-x", strconv.Itoa(width), "-y", strconv.Itoa(height)}
	for _, v := range env {
		args = append(args, "-e", v)
	}
	term.tmux(append(args, "env", "PS1=ready> ", "LC_ALL=C.utf8", "sh")...)
	t.Cleanup(func() { exec.Command("tmux", "-S", term.socket, "kill-server").Run() })
	term.wait("ready>")
	return term
}

func (x *terminal) tmux(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-f", "/dev/null", "-S", x.socket}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// keys sends named keys (Enter, Escape, C-c, F5); text sends characters.
func (x *terminal) keys(names ...string) {
	x.t.Helper()
	x.tmux(append([]string{"send-keys"}, names...)...)
}

func (x *terminal) text(s string) {
	x.t.Helper()
	x.tmux("send-keys", "-l", s)
}

// command types a shell command and presses Enter.
func (x *terminal) command(format string, args ...any) {
	x.t.Helper()
	x.text(fmt.Sprintf(format, args...))
	x.keys("Enter")
}

func (x *terminal) screen() string { x.t.Helper(); return x.tmux("capture-pane", "-p") }

// patience bounds one wait for the screen: not how fast the program is, but how
// long a model may take on a machine that does much else.
const patience = 2 * time.Minute

// wait polls the screen until it holds every text, and gives the time that took.
func (x *terminal) wait(texts ...string) time.Duration {
	x.t.Helper()
	return x.until(strings.Join(texts, " and "), func(screen string) bool {
		for _, s := range texts {
			if !strings.Contains(screen, s) {
				return false
			}
		}
		return true
	})
}

// until polls the screen until ok holds, within patience.
func (x *terminal) until(what string, ok func(screen string) bool) time.Duration {
	x.t.Helper()
	start, screen := time.Now(), ""
	for time.Since(start) < patience {
		if screen = x.screen(); ok(screen) {
			return time.Since(start)
		}
		time.Sleep(10 * time.Millisecond)
	}
	x.t.Fatalf("the screen never showed %s:\n%s", what, screen)
	return 0
}

// binary is the built program under test.
func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("FABULA_BIN")
	if path == "" {
		t.Fatal("FABULA_BIN names no binary: run make test-terminal")
	}
	return path
}
