package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/term"
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

// Here lists the rows of the uppermost screen and of the frame.
func Here(m tea.Model) []widget.Binding { return m.(*app).rows() }

// Search is a list that narrows, without a screen.
type Search struct{ items []item }

// NewSearch makes an empty one.
func NewSearch() *Search { return &Search{} }

// Add adds a thing with a name, or with a body that is searched by its words.
func (s *Search) Add(name, body string) {
	s.items = append(s.items, item{name: name, body: folded(body)})
}

// Search gives how many fit.
func (s *Search) Search(typed string) int { return len(match(s.items, typed, nil)) }

// TourSteps is how many steps the tour has.
func TourSteps() int { return len(tourSteps) }
