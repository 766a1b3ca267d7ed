package world

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas/lint"
	"fabula/story/check"
	"fabula/story/plot"
	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
	"fabula/tui/wording"
)

// checked is what a check of the world found, and how it is looked at.
type checked struct {
	script *plot.Script // that was looked at
	report *check.Report
	busy   bool
	shown  bool
	list   widget.List
	way    bool        // the way of the selected finding is shown
	steps  widget.List // rows of it, scrolled
}

// examine searches the world in a command, unless it was searched as it is.
func (v *World) examine() tea.Cmd {
	c := &v.check
	s := v.env.Session.Script()
	c.shown, c.way = true, false
	if c.busy || c.script == s {
		return nil
	}
	c.busy, c.report, c.script = true, nil, s
	return screen.Examine(s)
}

// take takes a finished check of the present script, whoever asked for it.
func (c *checked) take(m screen.Examined, present *plot.Script) {
	c.busy = c.busy && m.Script != c.script
	if m.Script != present {
		return // it was edited meanwhile
	}
	c.script, c.report = m.Script, &m.Report
	c.list.SetLen(len(m.Report.Findings))
	c.list.Select(0)
}

// found gives the selected finding; nil if there is none.
func (c *checked) found() *check.Finding {
	if c.report == nil || c.list.At() >= len(c.report.Findings) {
		return nil
	}
	return &c.report.Findings[c.list.At()]
}

// checkKeys lists what can be done with findings.
func (v *World) checkKeys() []widget.Binding {
	k := v.env.Text.Keys
	return []widget.Binding{
		{ID: "check.way", Keys: []string{"enter"}, Name: k.Way.Name, Hint: k.Way.Hint, Footer: true, Disabled: v.noWay},
		{ID: "world.edit", Keys: []string{"e"}, Name: k.Edit.Name, Hint: k.Edit.Hint, Footer: true, Disabled: v.noFinding},
		{ID: "world.analyse", Keys: []string{"a"}, Name: k.Check.Name, Hint: k.Check.Hint},
		{ID: "check.back", Keys: []string{"esc"}, Name: k.LeaveCheck.Name, Hint: k.LeaveCheck.Hint, Footer: true},
		{ID: "world.up", Keys: []string{"k", "up"}, Name: k.Up.Name, Hint: k.Up.Hint},
		{ID: "world.down", Keys: []string{"j", "down"}, Label: "j k", Name: k.Down.Name, Hint: k.Down.Hint, Footer: true},
		{ID: "world.pageup", Keys: []string{"pgup"}, Name: k.PageUp.Name, Hint: k.PageUp.Hint},
		{ID: "world.pagedown", Keys: []string{"pgdown"}, Name: k.PageDown.Name, Hint: k.PageDown.Hint},
		{ID: "world.top", Keys: []string{"g", "home"}, Name: k.Top.Name, Hint: k.Top.Hint},
		{ID: "world.end", Keys: []string{"G", "end"}, Name: k.End.Name, Hint: k.End.Hint},
	}
}

func (v *World) noWay() string {
	switch f := v.check.found(); {
	case f == nil:
		return v.env.Text.World.NoFinding
	case !wording.Telling(f.Way):
		return v.env.Text.World.NoWay
	}
	return ""
}

func (v *World) noFinding() string {
	if v.check.found() == nil {
		return v.env.Text.World.NoFinding
	}
	return v.env.NoFiles()
}

// checkKey takes a key while findings are shown.
func (v *World) checkKey(b widget.Binding) tea.Cmd {
	c := &v.check
	switch b.ID {
	case "check.way":
		c.way = !c.way
		c.steps.Select(0)
	case "check.back":
		if !c.way {
			c.shown = false
		}
		c.way = false
	case "world.analyse":
		return v.examine()
	case "world.edit":
		return v.env.Edit(c.found().Pos)
	default:
		v.checkMove(b.Keys[0])
	}
	return nil
}

// checkMove moves to another finding, or along a way that is shown.
func (v *World) checkMove(k string) {
	c := &v.check
	if !c.way {
		c.list.Key(k, v.h/2)
		return
	}
	c.steps.Key(k, v.h-1)
}

// findings draws what was found, the selected finding among it, or its way.
func (v *World) findings() widget.Rows {
	th, t, c := v.env.Theme, v.env.Text.World, &v.check
	if c.busy || c.report == nil {
		return widget.Rows{widget.Rule(t.Check, "", v.w, th), text.Fit(" "+th.Dim.Render(t.Searching), v.w, th.Signs.Ellipsis)}
	}
	head := widget.Rule(t.Check, v.proof(), v.w, th)
	if c.way {
		rows := v.wayRows(v.w)
		return append(widget.Rows{head}, c.steps.Scroll(rows, v.h-1)...)
	}
	if len(c.report.Findings) == 0 {
		return append(widget.Rows{head}, widget.Paragraph(t.NoFindings, 1, v.w, style.Style{})...)
	}
	return append(widget.Rows{head}, c.list.Around(v.h-1, v.findingRow)...)
}

// proof says what the findings rest on.
func (v *World) proof() string {
	s := v.check.report.Space
	if s.Complete() {
		return fmt.Sprintf(v.env.Text.Way.Proven, s.States)
	}
	return fmt.Sprintf(v.env.Text.Way.Unproven, s.States)
}

// findingRow draws one finding: where, what; of the selected one what to do.
func (v *World) findingRow(i int) widget.Rows {
	th, c := v.env.Theme, &v.check
	f := &c.report.Findings[i]
	mark := "  "
	if i == c.list.At() {
		mark = th.Accent.Render(th.Signs.Select) + " "
	}
	where := text.Line(f.Pos.String())
	if f.Level != lint.Error {
		where += "  " + lang.Warning(v.env.Text.Code)
	}
	rows := widget.Rows{text.Fit(mark+th.Title.Render(where), v.w, th.Signs.Ellipsis)}
	what, todo := lang.Finding(f.Code, f.Args, v.env.Text.Code)
	rows = append(rows, widget.Paragraph(what, 4, v.w, style.Style{})...)
	if i == c.list.At() && todo != "" {
		rows = append(rows, widget.Paragraph(todo, 4, v.w, th.Dim)...)
	}
	return rows
}

// wayRows draws the selected finding with its way, step by step.
func (v *World) wayRows(w int) widget.Rows {
	th, f := v.env.Theme, v.check.found()
	if f == nil {
		return nil
	}
	rows := v.findingRow(v.check.list.At())
	if f.Forced {
		rows = append(rows, widget.Paragraph(v.env.Text.Way.MayBe, 4, w, th.Warn)...)
	}
	rows = append(rows, widget.Paragraph(v.env.Text.Way.Heading, 4, w, th.Dim)...)
	for _, step := range wording.Way(f.Way, v.env.Text) {
		rows = append(rows, widget.Paragraph(step, 6, w, style.Style{})...)
	}
	return rows
}

// checkNote says in the summary how the last check came out.
func (v *World) checkNote(s *plot.Script) string {
	t, c := v.env.Text.World, &v.check
	switch {
	case c.busy:
		return t.Searching
	case c.report == nil || c.script != s:
		return t.CheckHint
	case len(c.report.Findings) == 0:
		return v.proof()
	}
	return fmt.Sprintf(t.FindingsLine, len(c.report.Findings))
}

// noCheck is why the world cannot be checked.
func (v *World) noCheck() string {
	if why := v.noSession(); why != "" {
		return why
	}
	return v.noNodes()
}
