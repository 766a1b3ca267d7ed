package tui_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
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
		if err := crashing(at); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// crashing runs the workbench and panics in it once a key is pressed: in the
// command that r starts, in Update, or never.
func crashing(at string) error {
	o := tui.Options{Name: "ferry", StateDir: os.Getenv("FABULA_TEST_DIR"), Err: &worlds.LoadError{World: "ferry"}}
	if at == "command" {
		o.Open = func() (*story.Session, error) { panic("boom in a command") }
		return tui.Run(context.Background(), o)
	}
	w, err := worlds.OpenFS(ferry, "ferry")
	if err != nil {
		return err
	}
	tree, err := store.Open(o.StateDir)
	if err != nil {
		return err
	}
	if o.Session, err = story.New(story.Config{Script: w.Script, Store: tree}); err != nil {
		return err
	}
	defer o.Session.Close()
	if at == "update" {
		var asked atomic.Int32
		o.Now = func() time.Time { asked.Add(1); return time.Now() } // when the screens are made, then when a letter is typed
		o.Status = func(string) tui.Status {
			if asked.Load() > 1 {
				panic("boom in update")
			}
			return tui.Status{Name: "x"}
		}
	}
	return tui.Run(context.Background(), o)
}

// console is a child process in a terminal of its own.
type console struct {
	t   *testing.T
	cmd *exec.Cmd
	tty *os.File
	end chan struct{} // closed when the child has closed the terminal

	mu  sync.Mutex
	out strings.Builder
}

// run starts this test binary as a workbench that panics at a place.
func run(t *testing.T, at, dir string) *console {
	t.Helper()
	c := &console{t: t, cmd: exec.Command(os.Args[0]), end: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), crashAs+"="+at, "FABULA_TEST_DIR="+dir, "TERM=xterm-256color")
	tty, err := pty.StartWithSize(c.cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	c.tty = tty
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill() // only after a failure is it still there
		tty.Close()
	})
	go func() {
		defer close(c.end)
		for buf := make([]byte, 4096); ; {
			n, err := tty.Read(buf)
			c.mu.Lock()
			c.out.Write(buf[:n])
			c.mu.Unlock()
			if err != nil {
				return // the child is gone
			}
		}
	}()
	return c
}

func (c *console) output() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.String()
}

// wait waits until the child has written words.
func (c *console) wait(words string) {
	c.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(c.output(), words); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("waited in vain for %q; output ends in %q", words, tail(c.output()))
		}
	}
}

func (c *console) write(s string) {
	c.t.Helper()
	if _, err := c.tty.WriteString(s); err != nil {
		c.t.Fatal(err)
	}
}

// ended waits for the end of the child and gives its error.
func (c *console) ended() error {
	c.t.Helper()
	select {
	case <-c.end:
	case <-time.After(2 * time.Minute):
		c.t.Fatalf("the child does not end; output ends in %q", tail(c.output()))
	}
	return c.cmd.Wait()
}

// Ensure that closing the window keeps what was being written.
func TestHangupKeepsTheDraft(t *testing.T) {
	dir := t.TempDir()
	c := run(t, "never", dir)
	c.wait("Adu answers")
	c.write("mitten im Satz")
	c.wait("Satz")
	if err := c.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := c.ended(); err != nil {
		t.Errorf("ended with %v", err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "workbench.json"))
	if err != nil || !strings.Contains(string(kept), "mitten im Satz") {
		t.Errorf("kept %q, %v", kept, err)
	}
}

// Ensure that a panic leaves the terminal as it was, with a note (R46).
func TestTerminalIsRestoredAfterAPanic(t *testing.T) {
	for at, shown := range map[string]string{"command": "reload", "update": "Adu answers"} {
		t.Run(at, func(t *testing.T) {
			dir := t.TempDir()
			c := run(t, at, dir)
			c.wait(shown)
			c.write("r")
			if c.ended() == nil {
				t.Error("ended as if nothing had happened")
			}
			checkRestored(t, c.output(), dir, at)
		})
	}
}

// ours is every sequence that may reach the terminal: modes that are set and
// set back, the cursor, erasing, colours.
var ours = regexp.MustCompile("\x1b\\[\\?(1049|25|2026|2004|1002|1003|1006)[hl]|\x1b\\[[0-9;]*[ABCDGHJKLMm]|[\r\n]")

// Ensure that what a person pastes never drives the terminal (R22): neither as
// it comes nor when the draft is shown again.
func TestPasteNeverDrivesTheTerminal(t *testing.T) {
	dir := t.TempDir()
	for _, typed := range []string{"\x1b[200~a\x1b]52;c;aGk=\x07b\x1b[2J\x1b[6n\u009b6n\x1b]8;;http://x\x1b\\c\u202ed\x00 end\x1b[201~", ""} {
		c := run(t, "never", dir)
		c.wait("Adu answers")
		c.write(typed)
		c.wait(" end")
		c.write("\x03\x03")
		if err := c.ended(); err != nil {
			t.Fatal(err)
		}
		for _, r := range ours.ReplaceAllString(c.output(), "") {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e {
				t.Errorf("%U reached the terminal: %q", r, tail(c.output()))
				break
			}
		}
	}
}

// Ensure that a terminal's late answers to somebody else's questions are not
// typed into the text (R52): colours, the device, the place of the cursor.
func TestLateAnswersAreNotTyped(t *testing.T) {
	for _, answer := range [][]string{
		{"\x1b]11;rgb:1616/1818/1d1d\x1b\\"}, {"\x1b]10;rgb:d8d8/", "dcdc/e4e4\x07"}, {"\x1b[?62;22c"}, {"\x1b[12;40R"},
	} {
		c := run(t, "never", t.TempDir())
		c.wait("Adu answers")
		for _, part := range answer {
			c.write(part)
			time.Sleep(20 * time.Millisecond) // two reads; either way nothing may be typed
		}
		c.write("ok")
		c.wait("\x1b[m ok ") // right behind the prompt
		c.write("\x03\x03")
		if err := c.ended(); err != nil {
			t.Fatal(err)
		}
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
