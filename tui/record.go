package tui

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/widget"
)

// deed is one line of the record: what was done, by which key, or what was told.
type deed struct {
	at    time.Time
	key   string // "" = told, or done by name
	words string
	id    string // of the command; "" = a notice
	bad   bool
}

const (
	// keptDeeds is how many lines the record has.
	keptDeeds = 1000

	recordName screen.Name = "record"
)

// note keeps what was told.
func (a *app) note(t screen.Toast) {
	a.put(deed{words: t.Text, bad: t.Error})
}

// done keeps which row was used; moving about is not worth a line.
func (a *app) done(b widget.Binding, key string) {
	a.advance(b.ID)
	if !moves(b.ID) {
		a.put(deed{words: b.Name, id: b.ID, key: key})
	}
}

func (a *app) put(d deed) {
	d.at = a.env.Now()
	if len(a.deeds) >= keptDeeds {
		a.deeds = slices.Delete(a.deeds, 0, keptDeeds/10)
	}
	a.deeds = append(a.deeds, d)
}

// moves reports whether a row only moves the selection or shows a list.
func moves(id string) bool {
	if slices.Contains([]string{"palette", "find", "record", "help"}, id) {
		return true
	}
	_, last, _ := strings.Cut(id, ".")
	return slices.Contains([]string{"up", "down", "pageup", "pagedown", "top", "end", "left", "right", "run"}, last)
}

// watch keeps a key that a screen has a row for.
func (a *app) watch(s screen.Screen, m tea.KeyMsg) {
	if m.Paste {
		return
	}
	typing := s.Typing()
	for _, b := range s.Keys() { // of rows that share a key the first that can be used acts
		if b.When.Holds(typing) && b.Matches(m) && b.Why() == "" {
			a.done(b, m.String())
			return
		}
	}
}

// showRecord lists what was done and told, the newest first.
func (a *app) showRecord() tea.Cmd {
	t := a.env.Text.Record
	s := newSearch(a.env, t.Title, t.None, func(item) tea.Cmd { a.lift(recordName); return nil })
	var items []item
	for _, d := range slices.Backward(a.deeds) {
		it := item{kind: d.at.Format("15:04:05"), name: t.Told, note: d.words, key: d.key, body: folded(d.words)}
		switch {
		case d.id != "":
			it.name, it.note = d.words, d.id
		case d.bad:
			it.name = t.Trouble
		}
		items = append(items, it)
	}
	s.fill(items)
	return a.lay(recordName, s)
}
