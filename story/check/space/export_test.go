package space

import (
	"fmt"

	"fabula/story/plot"
)

// Whole searches with all that any condition looks at.
func Whole(s *plot.Script, l Limits) *Space {
	w := newWorld(s)
	if l.Turns == 0 {
		l.Turns = DefaultTurns
	}
	r := search(w.compile(w.list.conditions), l)
	return &Space{world: w, main: r, Bounds: r.bounds, States: r.looked()}
}

// Missing says which state is not among those that were found; empty where it
// is, or where nothing was proven.
func (sp *Space) Missing(st *plot.State) string {
	for _, r := range append([]*run{sp.main}, sp.slices...) {
		if len(r.bounds) > 0 {
			continue
		}
		fields := r.m.project(st, "en")
		r.m.pack(r.row, fields)
		if r.table.index[r.table.find(r.row)] == 0 {
			text := ""
			for i := range fields {
				text += fmt.Sprintf(" %s=%s", r.m.called(i), r.m.shown(i, fields[i]))
			}
			return text
		}
	}
	return ""
}

// State gives a state by its number.
func (sp *Space) State(i int) At { return At{sp.main, i} }

// Same reports whether a state of story/plot is the one that was found.
func (sp *Space) Same(at At, st *plot.State) bool {
	lang := "en" // no world of these tests tells other secrets in another language
	at.run.m.pack(at.run.row, at.run.m.project(st, lang))
	return equal(at.run.row, at.run.table.row(at.state))
}
