package chat

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/text"
	"fabula/tui/widget"
)

// choosing lists every choice, so that each can be reached: by walking, or by its
// number of as many digits as it takes.
type choosing struct {
	typing bool // the composer had the keys
	list   widget.List
	digits string
}

// listChoices opens the list.
func (c *Chat) listChoices() {
	o := &choosing{typing: !c.reading}
	o.list.SetLen(len(c.path.offers))
	c.lay(o)
}

func (o *choosing) update(*Chat, tea.Msg) tea.Cmd { return nil }

func (o *choosing) lists() []*widget.List { return []*widget.List{&o.list} }

func (o *choosing) wide() bool { return false }

func (o *choosing) title(c *Chat) string {
	s := fmt.Sprintf(c.env.Text.Talk.Choosing, o.list.At()+1, len(c.path.offers))
	if o.digits != "" {
		s += " " + c.env.Theme.Signs.Bullet + " " + fmt.Sprintf(c.env.Text.Talk.ByNumber, o.digits)
	}
	return s
}

func (o *choosing) rows(c *Chat) []row {
	k, d := c.env.Text.Keys, c.env.Text.Deeds
	return []row{
		bind("choices.take", d.TakeChoice, widget.Reading, func(c *Chat, _ tea.KeyMsg) tea.Cmd { return o.take(c) }, "enter").footer(""),
		bind("choices.number", d.TakeChoice, widget.Reading, func(_ *Chat, m tea.KeyMsg) tea.Cmd { o.number(m); return nil }, append(digits(), "0")...).label("0…9"),
		bind("choices.down", k.Down, widget.Reading, o.walk("j"), "j", "down").footer("j k"),
		bind("choices.up", k.Up, widget.Reading, o.walk("k"), "k", "up"),
		bind("choices.pagedown", k.PageDown, widget.Reading, o.walk("pgdown"), "pgdown"),
		bind("choices.pageup", k.PageUp, widget.Reading, o.walk("pgup"), "pgup"),
		bind("choices.top", k.Top, widget.Reading, o.walk("g"), "g", "home"),
		bind("choices.end", k.End, widget.Reading, o.walk("G"), "G", "end"),
		bind("choices.leave", k.LeaveOver, widget.Reading, move(o.leave), "esc", "q", "alt+0").footer("esc"),
	}
}

func (o *choosing) walk(key string) func(*Chat, tea.KeyMsg) tea.Cmd {
	return func(c *Chat, _ tea.KeyMsg) tea.Cmd {
		o.digits = ""
		o.list.Key(key, max(c.lines(), 2))
		return nil
	}
}

// number selects by the digits typed so far; a digit that no longer fits begins
// a new number.
func (o *choosing) number(m tea.KeyMsg) {
	d, ok := digit(m)
	if !ok {
		return
	}
	n, _ := strconv.Atoi(o.digits + strconv.Itoa(d))
	if o.list.Len() < n {
		n, o.digits = d, ""
	}
	if n < 1 || n > o.list.Len() {
		return
	}
	o.digits += strconv.Itoa(d)
	o.list.Select(n - 1)
}

func (o *choosing) leave(c *Chat) {
	c.leave()
	if o.typing {
		c.compose()
	}
}

func (o *choosing) take(c *Chat) tea.Cmd {
	i := o.list.At()
	if i < len(c.path.offers) && c.path.offers[i].Open {
		o.leave(c)
	}
	return c.choose(i)
}

func (o *choosing) draw(c *Chat, w, h int) widget.Rows {
	th := c.env.Theme
	o.list.SetLen(len(c.path.offers))
	from, to := o.list.Window(h)
	var rows widget.Rows
	for i := from; i < to; i++ {
		x := c.path.offers[i]
		mark, st := " ", th.Exit
		if i == o.list.At() {
			mark = th.Accent.Render(th.Signs.Select)
		}
		body := text.Line(x.Label)
		if !x.Open {
			st = th.Dim
			body += " (" + fmt.Sprintf(c.env.Text.Chat.Closed, text.Line(x.Why)) + ")"
		}
		rows = append(rows, o.list.Item(i, text.Fit(fmt.Sprintf(" %s %s  %s", mark, th.Key.Render(fmt.Sprintf("%2d", i+1)), st.Render(body)), w, th.Signs.Ellipsis)))
	}
	return rows.Fit(w, h)
}
