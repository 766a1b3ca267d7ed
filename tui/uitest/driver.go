// Package uitest drives a model as bubbletea would, but in order and without a
// terminal: commands run one after the other, time stands still until told.
//
// A test reads as what a person does: press, type, wait for words, look.
// Non-goals: bubbletea's own internals.
package uitest

import (
	"fmt"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/text"
	"fabula/tui/widget"
)

// Clock is a clock that a test moves.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock starts at a fixed moment.
func NewClock() *Clock { return &Clock{at: time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)} }

// Now gives the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Add moves the time on.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// Driver runs one model.
type Driver struct {
	t     testing.TB
	model tea.Model
	msgs  chan tea.Msg
	open  int // commands that have not answered
	Quit  bool
	clock *Clock
}

// New starts a model at a size.
func New(t testing.TB, m tea.Model, clock *Clock, w, h int) *Driver {
	t.Helper()
	d := &Driver{t: t, model: m, msgs: make(chan tea.Msg, 1024), clock: clock}
	d.run(m.Init())
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	d.Settle()
	return d
}

// patience is how long a driver waits for a command before it looks again.
const patience = 20 * time.Millisecond

// deadline ends a wait that will not come true.
const deadline = time.Minute

// Send gives the model a message.
func (d *Driver) Send(m tea.Msg) {
	switch x := m.(type) {
	case nil:
		return
	case tea.QuitMsg:
		d.Quit = true
		return
	case tea.BatchMsg:
		for _, c := range x {
			d.run(c)
		}
		return
	}
	next, cmd := d.model.Update(m)
	d.model = next
	d.run(cmd)
}

// run starts a command; its answer waits until Settle or Wait takes it.
func (d *Driver) run(c tea.Cmd) {
	if c == nil {
		return
	}
	d.open++
	go func() { d.msgs <- c() }()
}

// Settle takes answers until none comes for a moment. Ticks and replies in
// flight may still be open. A moment at whose end something still runs does not
// count: on a busy machine a command may not have had its turn.
func (d *Driver) Settle() {
	for end := time.Now().Add(deadline); d.open > 0; {
		select {
		case m := <-d.msgs:
			d.open--
			d.Send(m)
		case <-time.After(patience):
			if calm() || time.Now().After(end) {
				return
			}
		}
	}
}

// calm reports whether no goroutine but the caller's runs, could run or is in a
// call of the system: whatever is open waits for a timer or for somebody outside.
func calm() bool {
	s := []metrics.Sample{{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/not-in-go:goroutines"}}
	metrics.Read(s)
	return s[0].Value.Uint64() <= 1 && s[1].Value.Uint64()+s[2].Value.Uint64() == 0
}

// Wait takes answers until the view holds words.
func (d *Driver) Wait(words string) {
	d.t.Helper()
	d.Until(fmt.Sprintf("%q on screen", words), func() bool { return strings.Contains(d.Plain(), words) })
}

// Until takes answers until ok.
func (d *Driver) Until(what string, ok func() bool) {
	d.t.Helper()
	if !d.within(deadline, ok) {
		d.t.Fatalf("waited in vain for %s; on screen:\n%s", what, d.Plain())
	}
}

// within takes answers until ok, and reports whether it came true in time.
func (d *Driver) within(limit time.Duration, ok func() bool) bool {
	for end := time.Now().Add(limit); !ok(); {
		if time.Now().After(end) {
			return false
		}
		select {
		case m := <-d.msgs:
			d.open--
			d.Send(m)
		case <-time.After(patience):
		}
	}
	return true
}

// Type sends text as a person types it: rune by rune, with time between.
func (d *Driver) Type(s string) {
	for _, r := range s {
		d.clock.Add(50 * time.Millisecond)
		if r == ' ' {
			d.Send(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}})
			continue
		}
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// Phrase sends text as an input method commits it: in one message.
func (d *Driver) Phrase(s string) {
	d.clock.Add(50 * time.Millisecond)
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)})
}

// Paste sends text as a bracketed paste.
func (d *Driver) Paste(s string) {
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true})
	d.Settle()
}

// Press sends keys by name, with time between, and lets what they start settle.
func (d *Driver) Press(names ...string) {
	d.t.Helper()
	for _, n := range names {
		d.clock.Add(50 * time.Millisecond)
		m, ok := widget.KeyNamed(n)
		if !ok {
			m = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(n)}
		}
		d.Send(m)
		d.Settle()
	}
}

// Resize changes the window.
func (d *Driver) Resize(w, h int) { d.Send(tea.WindowSizeMsg{Width: w, Height: h}) }

// View gives the frame with its escape sequences.
func (d *Driver) View() string { return d.model.View() }

// Plain gives the frame as text.
func (d *Driver) Plain() string { return text.Strip(d.model.View()) }

// Exact fails unless the frame has h rows of w columns.
func (d *Driver) Exact(w, h int) {
	d.t.Helper()
	rows := strings.Split(d.Plain(), "\n")
	if len(rows) != h {
		d.t.Errorf("%d rows, want %d", len(rows), h)
	}
	for i, r := range rows {
		if n := text.Width(r); n != w {
			d.t.Errorf("row %d is %d columns, want %d: %q", i, n, w, r)
		}
	}
}

// Row gives the first row that holds words, "" when none does.
func (d *Driver) Row(words string) string {
	for r := range strings.SplitSeq(d.Plain(), "\n") {
		if strings.Contains(r, words) {
			return r
		}
	}
	return ""
}
