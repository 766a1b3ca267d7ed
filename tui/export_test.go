package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/term"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// NewModel makes the root model without a terminal; save is what Run does last.
func NewModel(ctx context.Context, o Options) (model tea.Model, save func()) {
	o.defaults()
	a := newApp(ctx, o, term.NewCrash(o.StateDir, func() {}), nil)
	return a, a.save
}

// Busy reports whether the chat waits for the session.
func Busy(m tea.Model) bool { return m.(*app).chat.Streaming() }

// Plain runs the workbench without a screen.
var Plain = plain

// Rows lists every binding row of the workbench.
func Rows(m tea.Model) []widget.Binding {
	a := m.(*app)
	var rows []widget.Binding
	for _, p := range a.manual() {
		rows = append(rows, p.Rows...)
	}
	return rows
}

// Commands gives what the palette would list here, by its sentence.
func Commands(m tea.Model) map[string]bool {
	all := map[string]bool{}
	for _, it := range m.(*app).commandItems() {
		all[it.note] = true
	}
	return all
}

// Names gives the names that the palette would list here with what they are of,
// without those that only move.
func Names(m tea.Model) map[string][]string {
	all := map[string][]string{}
	for _, it := range m.(*app).commandItems() {
		if !moves(it.id) {
			all[it.name] = append(all[it.name], it.id)
		}
	}
	return all
}

// Here lists the rows of the uppermost screen and of the frame.
func Here(m tea.Model) []widget.Binding { return m.(*app).rows() }

// Search is what typing in the search for anything does, without a screen.
type Search struct {
	items []item
	said  *archive
	r     story.Reader
}

// NewSearch makes one that knows of no name yet.
func NewSearch(dir string, r story.Reader) *Search { return &Search{said: newArchive(dir), r: r} }

// Add adds a thing with a name.
func (s *Search) Add(name string) { s.items = append(s.items, item{name: name}) }

// Search gives how many fit.
func (s *Search) Search(typed string) int {
	found, err := s.said.look(s.r, typed, lang.For("en"), &app{})
	if err != nil {
		panic(err)
	}
	return len(match(s.items, typed, nil)) + len(found.items)
}

// TourSteps is how many steps the tour has.
func TourSteps() int { return len(tourSteps) }

// Screens names everything of which the gallery has to hold a picture: the pages,
// and the frame's own layers over them.
func Screens() []screen.Name {
	all := []screen.Name{helpName, paletteName, findName, recordName}
	for _, p := range pages {
		all = append(all, p.name)
	}
	return all
}

// Top names the screen that has the keyboard.
func Top(m tea.Model) screen.Name { return m.(*app).topName() }
