package tui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas/source"
	"fabula/tui/keymap"
	"fabula/tui/screen"
	"fabula/tui/term"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// everyKey is a screen whose rows depend on what it shows: it lists all that it
// ever has.
type everyKey interface{ AllKeys() []widget.Binding }

// allKeys lists every row that a screen ever has.
func allKeys(s screen.Screen) []widget.Binding {
	if e, ok := s.(everyKey); ok {
		return e.AllKeys()
	}
	return s.Keys()
}

// remap takes up the person's own keys; what cannot be used is given back.
func (a *app) remap(entries []keymap.Entry) []source.Fault {
	var screens [][]widget.Binding
	for _, p := range pages {
		screens = append(screens, allKeys(a.screens[p.name]))
	}
	var faults []source.Fault
	a.own, faults = keymap.Resolve(entries, a.frameKeys(), screens...)
	return faults
}

// tellKeys says which of the person's own keys cannot be used; the first stays on
// screen, all are in the record.
func (a *app) tellKeys() tea.Cmd {
	var cmd tea.Cmd
	for i := len(a.misbound) - 1; i >= 0; i-- {
		f := a.misbound[i]
		what, todo := lang.Fault(f.Code, f.Args, a.env.Text.Code)
		cmd = a.show(screen.Toast{Text: strings.TrimSpace(f.Pos.String() + ": " + what + "; " + todo), Error: true})
	}
	return cmd
}

// Page is the keys of a screen, for the manual.
type Page struct {
	Title string
	Rows  []widget.Binding
}

// Manual lists every key of the workbench in a language, by screen.
func Manual(language string) []Page {
	o := Options{Lang: language}
	o.defaults()
	return newApp(context.Background(), o, term.NewCrash("", func() {}), nil).manual()
}

// manual lists every row by screen; those of lists and of help come last.
func (a *app) manual() []Page {
	t := a.env.Text
	all := []Page{{t.Palette.Everywhere, a.frameKeys()}}
	for _, p := range pages {
		all = append(all, Page{p.words(&t.Pages).Tab, allKeys(a.screens[p.name])})
	}
	return append(all, Page{t.Palette.Title, newSearch(a.env, "", "", nil).Keys()}, Page{t.Keys.Help.Name, (&help{env: a.env}).Keys()})
}

// CheckKeys says which entries of a key map cannot be used, and why.
func CheckKeys(entries []keymap.Entry) []source.Fault {
	o := Options{}
	o.defaults()
	return newApp(context.Background(), o, term.NewCrash("", func() {}), nil).remap(entries)
}

// translated gives a screen the key that its row has by default for the one that
// the person gave it. A key that was taken away from its row does nothing.
func (a *app) translated(s screen.Screen, m tea.KeyMsg) (tea.KeyMsg, bool) {
	if len(a.own) == 0 || m.Paste {
		return m, true
	}
	rows, typing := s.Keys(), s.Typing()
	if b, ok := widget.Find(a.own.Rows(rows), m, typing); ok {
		if _, moved := a.own[b.ID]; !moved {
			return m, true
		}
		for _, r := range rows {
			if r.ID == b.ID {
				return widget.KeyNamed(r.Keys[0])
			}
		}
	}
	_, was := widget.Find(rows, m, typing)
	return m, !was
}
