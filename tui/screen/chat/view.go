package chat

import (
	"fmt"
	"strings"

	"fabula/tui/text"
	"fabula/tui/widget"
	"fabula/tui/wording"
)

// sideFrom is the width from which state and figures stand beside the talk.
const (
	sideFrom  = 100
	sideWidth = 38
	leftWidth = 34
)

// layout is how the screen is cut, from top to bottom: title, notice,
// transcript, choices, figures, title of the composer, composer.
type layout struct {
	w, left, side                            int // columns of the talk and of the panes beside it
	notice, head, talk, choices, strip, edit int // rows
}

func (c *Chat) layout() layout {
	l := layout{w: c.w, strip: c.stripHeight()}
	if c.w >= sideFrom && (c.over == nil || !c.over.wide() || c.aside()) {
		l.side = sideWidth
		if c.paned() {
			l.side = min(max(c.w*36/100, 44), 72)
		}
		if c.w >= threeFrom {
			l.left = leftWidth
			l.w -= l.left + 1
		}
		l.w -= l.side + 1
	}
	if c.notice() != "" {
		l.notice = 1
	}
	if c.headed() {
		l.head = 1
	}
	l.choices = len(c.choiceRows(c.w))
	l.edit = c.composer.Height(min(max(c.h/4, 1), 8))
	l.talk = max(c.h-2-l.notice-l.head-l.choices-l.strip-l.edit, 0)
	return l
}

// lines is the height of the transcript.
func (c *Chat) lines() int { return c.layout().talk }

// View draws the screen.
func (c *Chat) View() widget.Rows {
	l, th := c.layout(), c.env.Theme
	c.script.SetSize(l.w, l.talk)
	rows := widget.Rows{c.titleRow()}
	if n := c.notice(); n != "" {
		rows = append(rows, text.Fit(" "+th.Warn.Render(text.Fit(n, min(text.Width(n), c.w-2), th.Signs.Ellipsis)), c.w, ""))
	}
	if l.head > 0 {
		rows = append(rows, c.headRow())
	}
	talk := c.talk(l)
	bar := th.Rule.Render(th.Signs.V)
	if l.left > 0 {
		talk = widget.Beside(c.leftSide(l.left, l.talk), talk, bar)
	}
	if l.side > 0 {
		talk = widget.Beside(talk, c.rightSide(l.side, l.talk), bar)
	}
	rows = append(rows, talk...)
	rows = append(rows, c.choiceRows(c.w)...)
	rows = append(rows, c.strip(c.w)...)
	rows = append(rows, c.composerTitle())
	edit, _, _ := c.composer.View(l.edit, c.placeholder(), th)
	for i, r := range edit {
		prompt := "  "
		if i == 0 {
			prompt = th.Player.Render(th.Signs.Select) + " "
			if c.reading {
				prompt = th.Dim.Render(th.Signs.Select) + " "
			}
		}
		rows = append(rows, c.hits.composer.Item(0, " "+prompt+r+" "))
	}
	return rows.Fit(c.w, c.h)
}

// Cursor is the insertion point.
func (c *Chat) Cursor() (x, y int, show bool) {
	if c.reading || c.h == 0 {
		return 0, 0, false
	}
	l := c.layout()
	_, x, y = c.composer.View(l.edit, "", c.env.Theme)
	return x + 3, c.h - l.edit + y, true
}

// titleRow is the rule above the talk: where one is, and which language.
func (c *Chat) titleRow() string {
	t := c.env.Text.Chat
	node, turn := c.place()
	title := c.words().Title(node)
	if c.path.play.Sandbox {
		title = t.Sandbox
	}
	note := fmt.Sprintf(t.Turn, turn)
	if b := c.path.branch.Name; b != "" {
		note = text.Line(b) + " " + c.env.Theme.Signs.Bullet + " " + note
	}
	if l := c.Speaks(); l != "" {
		note += " " + c.env.Theme.Signs.Bullet + " " + fmt.Sprintf(t.Speaks, c.env.Text.Language(l))
	}
	return widget.Rule(title, note, c.w, c.env.Theme)
}

// notice says who serves when that is not what one would wish for.
func (c *Chat) notice() string {
	if c.env.Session.Stale() != nil {
		return c.env.Text.World.Stale
	}
	return c.env.Status(c.Speaks()).Notice(c.env.Text)
}

// talk draws the transcript with the mark of the selection.
func (c *Chat) talk(l layout) widget.Rows {
	th := c.env.Theme
	if c.over != nil && !c.aside() {
		return c.over.draw(c, l.w, l.talk)
	}
	if c.script.Len() == 0 {
		return widget.Rows{text.Fit(" "+th.Dim.Render(c.env.Text.Chat.Empty), l.w, th.Signs.Ellipsis)}.Fit(l.w, l.talk)
	}
	rows, owner := c.script.View()
	if c.reading {
		mark := th.Accent.Render(th.Signs.Select)
		for i := range rows {
			if owner[i] == c.script.Selected() && strings.HasPrefix(rows[i], " ") && strings.TrimLeft(rows[i], " ") != "" {
				rows[i] = mark + rows[i][1:]
				mark = th.Accent.Render(th.Signs.V)
			}
		}
	}
	for i := range rows {
		rows[i] = c.hits.turns.Item(owner[i], rows[i])
	}
	return rows
}

// composerTitle is the rule above the composer: writing or reading, who
// answers, how much is hidden.
func (c *Chat) composerTitle() string {
	t, l := c.env.Text.Chat, c.layout()
	state := t.Writing
	switch {
	case c.over != nil:
		state = c.over.title(c)
	case c.reading:
		state = t.Reading
	case c.editing.reply != "":
		state = c.env.Text.Talk.EditingReply
	case c.editing.turn != "":
		state = t.Editing
	}
	var notes []string
	if c.note != "" {
		notes = append(notes, c.note)
	}
	if above, below := c.composer.Hidden(l.edit); above+below > 0 {
		notes = append(notes, fmt.Sprintf(t.Lines, above+below))
	}
	if n := c.composer.Len(); n > c.composer.Limit()*3/4 {
		notes = append(notes, fmt.Sprintf(t.Counter, n, c.composer.Limit()))
	}
	if n := c.script.Below(); n > 0 && c.Streaming() {
		notes = append(notes, fmt.Sprintf(c.env.Text.Talk.Paused, n))
	} else if n > 0 {
		notes = append(notes, fmt.Sprintf(t.Below, n))
	}
	notes = append(notes, c.answers())
	return widget.Rule(state, strings.Join(notes, " "+c.env.Theme.Signs.Bullet+" "), c.w, c.env.Theme)
}

// answers says who would reply to what is being written.
func (c *Chat) answers() string {
	t := c.env.Text.Chat
	present := c.present()
	if len(present) == 0 {
		return t.NobodyHere
	}
	speaker := present[0].ID
	for _, p := range present {
		if p.ID == c.path.state.Speaker {
			speaker = p.ID
		}
	}
	if to, _, ok := wording.Addressed(c.composer.Value(), present); ok {
		speaker = to
	}
	return fmt.Sprintf(t.Answers, c.words().Name(speaker))
}

func (c *Chat) placeholder() string {
	if c.path.state.Confirm != "" {
		return c.env.Text.Chat.PlaceholderQ
	}
	return c.env.Text.Chat.Placeholder
}

// rightSide draws the inspector, or scene, cast, state and figures: first what
// stands nowhere else, should the rows not suffice.
func (c *Chat) rightSide(w, h int) widget.Rows {
	if c.paned() {
		if c.w >= threeFrom {
			return c.ins.Both(w, h, c.aside())
		}
		return c.ins.View(w, h, c.aside())
	}
	p := &pane{c: c, th: c.env.Theme, w: w}
	f := c.env.Text.Figure
	if c.w < threeFrom {
		p.scene(f.Node)
		p.cast(f.Cast)
	}
	p.state(f.State)
	p.reply(f.LastReply)
	if c.h < tallFrom {
		p.session(f.Session)
	}
	return p.within(h)
}

// leftSide draws where one is: the branches of the playthrough, scene and cast;
// with the inspector on the other side, the figures too.
func (c *Chat) leftSide(w, h int) widget.Rows {
	p := &pane{c: c, th: c.env.Theme, w: w}
	f := c.env.Text.Figure
	p.branches(c.env.Text.Talk.Branches, max(h/3, 3))
	p.scene(f.Node)
	p.cast(f.Cast)
	if c.paned() {
		p.reply(f.LastReply)
		if c.h < tallFrom {
			p.session(f.Session)
		}
	}
	return p.within(h)
}
