package term

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/text"
)

// Crash catches panics wherever the program's code runs, writes a note with
// the stack, and ends the program so that the terminal is restored first.
type Crash struct {
	dir  string
	stop func()

	mu   sync.Mutex
	note string
	what string
}

// NewCrash writes notes into dir, which is made when the first one is needed;
// stop must end the program's loop, once, from any goroutine.
func NewCrash(dir string, stop func()) *Crash { return &Crash{dir: dir, stop: stop} }

// Go runs fn in a goroutine. Everything that fabula runs beside the program's
// loop starts here: a panic elsewhere would leave the terminal raw.
func (c *Crash) Go(fn func()) {
	go func() {
		defer c.Catch()
		fn()
	}()
}

// Cmd makes a command whose panic is kept, also inside a batch.
func (c *Crash) Cmd(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer c.Catch()
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = c.Cmd(batch[i])
			}
		}
		return msg
	}
}

// Catch is deferred: it turns a panic into a note and a stopped program.
func (c *Crash) Catch() {
	if r := recover(); r != nil {
		c.record(fmt.Sprint(r), debug.Stack())
		c.stop()
	}
}

func (c *Crash) record(what string, stack []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.what != "" {
		return // the first panic explains the others
	}
	c.what = what
	name := filepath.Join(c.dir, "crash-"+time.Now().Format("20060102-150405")+".txt")
	text := fmt.Sprintf("fabula crashed: %s\n\n%s", what, stack)
	if os.MkdirAll(c.dir, 0o700) == nil && os.WriteFile(name, []byte(text), 0o600) == nil {
		c.note = name
	}
}

// Err reports the panic that ended the program and where its note lies; nil
// when there was none.
func (c *Crash) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.what == "" {
		return nil
	}
	return &Crashed{What: c.what, Note: c.note}
}

// Crashed says that the program ended by a panic.
type Crashed struct {
	What string // the panic's value
	Note string // file with the stack; empty when it could not be written
}

func (e *Crashed) Error() string {
	if e.Note == "" {
		return "fabula crashed: " + text.Line(e.What)
	}
	return "fabula crashed: " + text.Line(e.What) + "; the note is in " + e.Note
}
