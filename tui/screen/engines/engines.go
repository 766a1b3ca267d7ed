// Package engines is the screen of who can answer: what is installed and built,
// who serves and why not a better one, and what each cost in time.
//
// Non-goals: choosing (engine/catalog), fetching and building engines.
package engines

import (
	"cmp"
	"maps"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/widget"
)

// Engines is the screen. Its methods are called from one goroutine.
type Engines struct {
	env    *screen.Env
	keeper Keeper // nil: nothing is known of engines here
	born   time.Time
	w, h   int

	list    widget.List
	entries []Entry // of stock, then those that only stored replies know
	stock   Stock
	known   bool // stock was read
	err     error
	figures map[key]figures
	gen     int
	here    story.Branch // that the chat shows

	facts   bool // come before the latency
	scale   int
	marked  key
	beside  bool // the marked engine's latency is shown too
	scroll  widget.List
	warming bool
	pull    *widget.Prompt // where a model comes from, being written
}

// New makes the screen. Replies made from now on are this session's.
func New(env *screen.Env, keeper Keeper) *Engines {
	return &Engines{env: env, keeper: keeper, born: env.Now()}
}

// SetSize sets columns and rows.
func (e *Engines) SetSize(w, h int) {
	e.w, e.h = w, h
	e.pull.SetWidth(w)
}

// Typing reports whether it is being written where a model comes from.
func (e *Engines) Typing() bool { return e.pull != nil }

// Cursor is the insertion point of that.
func (e *Engines) Cursor() (x, y int, show bool) { return e.pull.Cursor(e.h, e.env.Theme) }

// Shown reads what there is.
func (e *Engines) Shown() tea.Cmd { return e.look(0) }

// Update takes one message.
func (e *Engines) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return e.key(m)
	case tea.MouseMsg:
		e.mouse(m)
	case screen.Changed:
		return e.look(0)
	case screen.Went:
		e.here = m.Branch
	case screen.TaskEnded:
		switch {
		case m.ID == warmID:
			e.warming = false
			return e.look(0)
		case fetches(m.ID):
			return e.look(0)
		}
	case looked:
		return e.looked(m)
	case changed:
		return e.changed(m)
	}
	return nil
}

// mouse scrolls, and a click selects an engine. None is chosen by a second one:
// that changes who answers everywhere.
func (e *Engines) mouse(m tea.MouseMsg) {
	was := e.list.At()
	widget.Point(m, e.View, &e.list, &e.scroll)
	if e.list.At() != was {
		e.scroll.Select(0)
	}
}

// looked is what was read.
type looked struct {
	gen     int
	stock   Stock
	figures map[key]figures
	err     error
}

// again is how long after a look another follows while a model is being read.
const again = 500 * time.Millisecond

// look reads what there is and what was measured, in a command, after a pause.
func (e *Engines) look(pause time.Duration) tea.Cmd {
	if e.keeper == nil || e.env.Session == nil {
		return nil
	}
	e.gen++
	gen, keeper, s, here, born, had := e.gen, e.keeper, e.env.Session, e.here, e.born, e.figures
	return func() tea.Msg {
		time.Sleep(pause)
		m := looked{gen: gen, figures: had}
		speak := ""
		if r := s.Reader(); r != nil {
			if p, err := r.Playthrough(here.Playthrough); err == nil { // else nobody has begun yet
				speak = p.Language
			}
			if pause == 0 { // a model that is being read answers nobody
				m.figures, m.err = measure(r, born)
			}
		}
		var err error
		if m.stock, err = keeper.Stock(speak); err != nil {
			m.err = err
		}
		return m
	}
}

func (e *Engines) looked(m looked) tea.Cmd {
	if m.gen != e.gen {
		return nil
	}
	if e.err = m.err; m.err != nil {
		return nil
	}
	was, first := e.selected(), !e.known
	e.stock, e.figures, e.known = m.stock, m.figures, true
	e.entries = slices.Concat(m.stock.Entries, gone(m))
	e.list.SetLen(len(e.entries))
	for i := range e.entries {
		if k := e.entries[i].key(); first && e.serves(&e.entries[i]) || was != nil && k == was.key() {
			e.list.Select(i)
		}
	}
	if m.stock.Serving.Loading {
		return e.look(again)
	}
	return nil
}

// gone lists the engines of stored replies that are no longer there.
func gone(m looked) []Entry {
	var out []Entry
	keys := slices.SortedFunc(maps.Keys(m.figures), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name))
	})
	for _, k := range keys {
		if !slices.ContainsFunc(m.stock.Entries, func(e Entry) bool { return e.key() == k }) {
			out = append(out, Entry{Kind: k.kind, Name: k.name})
		}
	}
	return out
}

// selected is the engine that the list is at; nil when there is none.
func (e *Engines) selected() *Entry {
	if len(e.entries) == 0 {
		return nil
	}
	return &e.entries[e.list.At()]
}

func (e *Engines) serves(x *Entry) bool {
	s := e.stock.Serving.Info
	return x.key() == key{s.Kind, s.Name}
}

// there reports whether an engine can be named by Keeper.Use.
func (x *Entry) there() bool { return x.Use != "" }

// changed is the end of a change of choice.
type changed struct {
	used string // by Entry.Use, or Default
	back string // what was taken back
	err  error
}

// use has the selected engine answer from the next reply on, or takes the choice
// of it back.
func (e *Engines) use() tea.Cmd {
	keeper, name := e.keeper, e.selected().Use
	if e.chosen() {
		name = Default
	}
	return func() tea.Msg { return changed{used: name, err: keeper.Use(name)} }
}

func (e *Engines) rollback() tea.Cmd {
	keeper := e.keeper
	return func() tea.Msg {
		did, err := keeper.Rollback()
		return changed{back: did, err: err}
	}
}

func (e *Engines) changed(m changed) tea.Cmd {
	if m.err != nil {
		return screen.Fail(m.err)
	}
	return tea.Batch(screen.Say(e.said(m)), e.look(0))
}

// chosen reports whether the selected engine is what a person chose.
func (e *Engines) chosen() bool {
	x := e.selected()
	return x != nil && x.there() && x.Use == e.stock.Chosen
}
