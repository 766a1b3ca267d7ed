package engines

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// warmID is the task that warms an engine up.
const warmID = "warm"

// Keys lists what can be done.
func (e *Engines) Keys() []widget.Binding {
	k, t := e.env.Text.Keys, e.env.Text.Engines
	row := func(id string, r lang.Row, disabled func() string, keys ...string) widget.Binding {
		return widget.Binding{ID: "engine." + id, Keys: keys, Name: r.Name, Hint: r.Hint, Footer: true, Disabled: disabled}
	}
	quiet := func(id string, r lang.Row, keys ...string) widget.Binding {
		b := row(id, r, nil, keys...)
		b.Footer = false
		return b
	}
	use := t.Use
	if e.chosen() {
		use = t.Unuse
	}
	mark := row("mark", t.Mark, e.nothing, " ")
	mark.Label = "space"
	pull := row("new", t.PullNew, e.noPull, "n")
	pull.Footer = len(e.entries) < 2 // who has an engine rarely fetches one
	build := row("new.build", t.BuildNew, e.noBuild, "N")
	build.Footer = false
	typed := func(id string, r lang.Row, key string) widget.Binding {
		b := row(id, r, nil, key)
		b.When = widget.Typing
		return b
	}
	return []widget.Binding{
		row("use", use, e.noUse, "enter"),
		row("undo", t.Undo, e.noUndo, "u"),
		row("warm", t.Warm, e.noWarm, "w"),
		mark,
		row("compare", t.Compare, e.noPair, "c"),
		row("facts", t.ToFacts, e.nothing, "i"),
		row("zoom", t.Zoom, e.nothing, "z"),
		pull, build,
		quiet("reload", t.Again, "r"),
		quiet("back", k.Back, "esc"),
		quiet("up", k.Up, "k", "up"), quiet("down", k.Down, "j", "down"),
		quiet("pageup", t.PaneUp, "pgup"), quiet("pagedown", t.PaneDown, "pgdown"),
		quiet("top", k.Top, "g", "home"), quiet("end", k.End, "G", "end"),
		typed("new.keep", k.Keep, "enter"), typed("new.leave", k.Leave, "esc"),
	}
}

func (e *Engines) nothing() string {
	t := e.env.Text.Engines
	switch {
	case e.keeper == nil:
		return t.None
	case e.selected() == nil:
		return t.Reading
	}
	return ""
}

// noUse is why the selected engine cannot be chosen. One that is only not trusted
// can be: it answers once it is again.
func (e *Engines) noUse() string {
	if why := e.nothing(); why != "" {
		return why
	}
	x, t := e.selected(), e.env.Text
	switch {
	case !x.there():
		return t.Engines.Gone
	case e.stock.Outranked != "":
		return fmt.Sprintf(t.Engines.Outranked, text.Line(e.stock.Outranked))
	case !e.chosen() && t.Standing(x.Why):
		return t.Why(x.Why, x.Args...)
	}
	return ""
}

func (e *Engines) noUndo() string {
	if why := e.nothing(); why != "" {
		return why
	}
	if len(e.stock.Past) == 0 {
		return e.env.Text.Engines.NoPast
	}
	return ""
}

func (e *Engines) noWarm() string {
	if why := e.nothing(); why != "" {
		return why
	}
	t := e.env.Text.Engines
	switch {
	case !e.serves(e.selected()):
		return t.NotServing
	case !e.stock.Serving.Warms:
		return t.KeepsNone
	case e.here.ID == "":
		return t.NoBranch
	case e.warming:
		return t.IsWarming
	}
	return ""
}

// noPair is why no two engines can be looked at beside each other.
func (e *Engines) noPair() string {
	if why := e.nothing(); why != "" {
		return why
	}
	if e.marked.name == "" || e.marked == e.selected().key() {
		return e.env.Text.Engines.NoPair
	}
	return ""
}

func (e *Engines) key(m tea.KeyMsg) tea.Cmd {
	if e.pull != nil {
		return e.pullKey(m)
	}
	b, instead, ok := screen.Press(e.Keys(), m)
	if !ok {
		return instead
	}
	switch b.ID {
	case "engine.use":
		return e.use()
	case "engine.undo":
		return e.rollback()
	case "engine.warm":
		return e.warm()
	case "engine.new":
		e.newPull()
	case "engine.new.build":
		return e.build()
	case "engine.mark":
		e.mark()
	case "engine.compare":
		e.beside = !e.beside
	case "engine.facts":
		e.facts = !e.facts
		e.scroll.Select(0)
	case "engine.zoom":
		e.scale = (e.scale + 1) % len(scales)
	case "engine.reload":
		return e.look(0)
	case "engine.back":
		return func() tea.Msg { return screen.Open{Name: screen.Chat} }
	case "engine.pageup":
		e.scroll.Move(-e.h / 3)
	case "engine.pagedown":
		e.scroll.Move(e.h / 3)
	default:
		e.list.Key(b.Keys[0], e.h)
		e.scroll.Select(0)
	}
	return nil
}

// mark remembers the selected engine for a comparison, or forgets it.
func (e *Engines) mark() {
	if k := e.selected().key(); e.marked != k {
		e.marked = k
		return
	}
	e.marked = key{}
}

// warm computes what the next prompt of the chat begins with.
func (e *Engines) warm() tea.Cmd {
	s, branch := e.env.Session, e.here.ID
	e.warming = true
	task := screen.Task{
		ID: warmID, Title: fmt.Sprintf(e.env.Text.Engines.Warming, text.Line(e.stock.Serving.Info.Name)),
		Run: func(ctx context.Context, _ func(done, total int, words string)) error { return s.Warm(ctx, branch) },
	}
	return func() tea.Msg { return task }
}

// said words a change of choice.
func (e *Engines) said(m changed) string {
	t := e.env.Text
	switch {
	case m.used == Default:
		return t.Engines.Unused
	case m.used == "" && m.back == "":
		return t.Engines.NoPast
	case m.used == "":
		return fmt.Sprintf(t.Engines.TakenBack, text.Line(m.back))
	}
	for i := range e.entries {
		if x := &e.entries[i]; x.Use == m.used && x.Why != "" {
			return fmt.Sprintf(t.Engines.ForNow, text.Line(m.used), text.Line(t.Why(x.Why, x.Args...)))
		}
	}
	return fmt.Sprintf(t.Engines.Used, text.Line(m.used))
}
