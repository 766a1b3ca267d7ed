package runs

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas/source"
	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// Keys lists what can be done.
func (v *Runs) Keys() []widget.Binding {
	k, t := v.env.Text.Keys, v.env.Text.Runs
	row := func(id string, r lang.Row, disabled func() string, keys ...string) widget.Binding {
		return widget.Binding{ID: "runs." + id, Keys: keys, Name: r.Name, Hint: r.Hint, Footer: true, Disabled: disabled}
	}
	quiet := func(id string, r lang.Row, keys ...string) widget.Binding {
		b := row(id, r, nil, keys...)
		b.Footer = false
		return b
	}
	down := row("down", k.Down, nil, "j", "down")
	down.Label = "j k"
	return []widget.Binding{
		row("stop", t.Stop, v.idle, "s"),
		row("new", t.New, v.noRun, "n"),
		row("several", t.Several, v.noTests, "R"),
		row("rerun", t.Rerun, v.noneFailed, "r"),
		row("open", t.Open, v.noTurn, "enter", "o"),
		row("edit", t.Edit, v.noFile, "e"),
		down, quiet("up", k.Up, "k", "up"),
		quiet("pagedown", k.PageDown, "pgdown"), quiet("pageup", k.PageUp, "pgup"),
		quiet("top", k.Top, "g", "home"), quiet("end", k.End, "G", "end"),
		quiet("back", k.Back, "esc"),
	}
}

func (v *Runs) idle() string {
	if v.batch == nil {
		return v.env.Text.Runs.Quiet
	}
	return ""
}

func (v *Runs) busy() string {
	if v.batch != nil {
		return v.env.Text.Runs.Busy
	}
	return ""
}

func (v *Runs) noRun() string {
	if l, _ := v.at(); l.run == nil {
		return v.env.Text.Runs.NoRun
	}
	return v.busy()
}

func (v *Runs) noTests() string {
	if v.tests == 0 {
		return v.env.Text.Runs.NoTests
	}
	return v.busy()
}

func (v *Runs) noneFailed() string {
	if len(v.failed()) == 0 {
		return v.env.Text.Runs.NoneFailed
	}
	return v.busy()
}

// noTurn is why no turn can be opened.
func (v *Runs) noTurn() string {
	if l, _ := v.at(); l.past == nil && (l.run == nil || l.run.result == nil) {
		return v.env.Text.Runs.NotRun
	}
	return ""
}

func (v *Runs) noFile() string {
	if l, _ := v.at(); l.run == nil || l.run.test == nil {
		return v.env.Text.Runs.NoPlace
	}
	return v.env.NoFiles()
}

// failed lists the runs that failed.
func (v *Runs) failed() (all []*run) {
	for _, r := range v.all {
		if r.failed() {
			all = append(all, r)
		}
	}
	return all
}

func (v *Runs) key(m tea.KeyMsg) tea.Cmd {
	b, instead, ok := screen.Press(v.Keys(), m)
	if !ok {
		return instead
	}
	l, _ := v.at()
	switch b.ID {
	case "runs.stop":
		return func() tea.Msg { return screen.StopTask{ID: taskID} }
	case "runs.new":
		return v.start([]*run{l.run})
	case "runs.several":
		return v.start(v.all[:v.tests:v.tests])
	case "runs.rerun":
		return v.start(v.failed())
	case "runs.open":
		return v.open(l)
	case "runs.edit":
		return v.env.Edit(place(l))
	case "runs.back":
		return func() tea.Msg { return screen.Open{Name: screen.Chat} }
	default:
		v.move(b.Keys[0])
	}
	return nil
}

// move moves the selection past headings.
func (v *Runs) move(k string) {
	was := v.list.At()
	v.list.Key(k, v.h-1)
	v.settled(was)
}

// settled moves the selection past a heading, on in the direction it came in.
func (v *Runs) settled(was int) {
	if v.list.At() < was {
		v.settle(-1)
	} else {
		v.settle(1)
	}
}

// place is what did not come true, or the playtest.
func place(l line) source.Pos {
	if l.failure >= 0 {
		return l.run.result.Failures[l.failure].Pos
	}
	return l.run.test.Pos
}

// open shows the turn of a failure in the chat: the selected one, else the
// first; without one, the end of the run.
func (v *Runs) open(l line) tea.Cmd {
	r := v.env.Session.Reader()
	branch, depth := story.Branch{}, -1
	switch {
	case l.past != nil:
		branch = l.past.branch
	default:
		branch = l.run.result.Branch
		if all := l.run.result.Failures; len(all) > 0 {
			depth = all[max(l.failure, 0)].Turn
		}
	}
	return func() tea.Msg {
		steps, err := r.Path(branch.Leaf)
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		to := screen.GoTo{Branch: branch.ID}
		for _, s := range steps {
			if s.Turn.Depth == depth {
				to.Turn = s.Turn.ID
			}
		}
		return screen.ToChat(to)()
	}
}

// mouse scrolls, a click selects a run, and another opens its turn.
func (v *Runs) mouse(m tea.MouseMsg) tea.Cmd {
	was := v.list.At()
	p := widget.Point(m, v.View, &v.list)
	if p.Again {
		return v.key(widget.Enter)
	}
	v.settled(was)
	return nil
}
