package chat

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/engine"
	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// likely is how many likely tokens are kept of every step of a reply.
const likely = 5

// tokens shows a reply token by token: what else was likely at each, how long
// it took, and goes on from another one.
type tokens struct {
	step story.Step
	all  []engine.Token
	at   int // token
	pick int // among its likely ones
}

// byToken opens the selected reply token by token.
func (c *Chat) byToken() tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	t := &tokens{step: step, all: step.Alternative.Reply.Decoded()}
	c.lay(t)
	t.move(0)
	return nil
}

func (t *tokens) update(*Chat, tea.Msg) tea.Cmd { return nil }

func (t *tokens) lists() []*widget.List { return nil }

func (t *tokens) wide() bool { return false }

func (t *tokens) title(c *Chat) string {
	return fmt.Sprintf(c.env.Text.Chat.ByToken, t.at+1, len(t.all))
}

// move goes n tokens on and selects what was drawn there.
func (t *tokens) move(n int) {
	t.at = min(max(t.at+n, 0), len(t.all)-1)
	t.pick = 0
	for i, o := range t.options() {
		if o.ID == t.all[t.at].ID {
			t.pick = i
		}
	}
}

// options lists the likely tokens at the selected one, most likely first; what
// was drawn is among them.
func (t *tokens) options() []engine.TopToken {
	drawn := t.all[t.at]
	for _, o := range drawn.Top {
		if o.ID == drawn.ID {
			return drawn.Top
		}
	}
	own := engine.TopToken{ID: drawn.ID, Text: piece(drawn), Logprob: drawn.Logprob}
	return append(drawn.Top[:len(drawn.Top):len(drawn.Top)], own)
}

func (t *tokens) draw(c *Chat, w, h int) widget.Rows {
	th := c.env.Theme
	table := t.table(c, w)
	words, line := t.words(th, w)
	room := max(h-len(table)-1, 1)
	from := min(max(line-room/2, 0), max(len(words)-room, 0))
	rows := words[from:min(from+room, len(words))]
	rows = append(rows[:len(rows):len(rows)], text.Spaces(w))
	return append(rows, table...).Fit(w, h)
}

// words draws the reply with the selected token apart, and gives its row.
func (t *tokens) words(th *style.Theme, w int) (rows widget.Rows, line int) {
	var b strings.Builder
	used := 1
	b.WriteByte(' ')
	for i, tok := range t.all {
		s := shown(piece(tok))
		st := style.Style{}
		if tok.Given {
			st = th.Dim
		}
		if i == t.at {
			st = th.Selected
			if strings.TrimSpace(s) == "" { // else there is little to see
				s = "[" + s + "]"
			}
		}
		if n := text.Width(s); used+n > w-1 {
			rows = append(rows, text.Fit(b.String(), w, ""))
			b.Reset()
			b.WriteByte(' ')
			used = 1
		}
		if i == t.at {
			line = len(rows)
		}
		b.WriteString(st.Render(s))
		used += text.Width(s)
	}
	return append(rows, text.Fit(b.String(), w, "")), line
}

// piece is a token's own text where it is known: Token.Text is what became
// visible with it, which stop strings and rules hold back.
func piece(t engine.Token) string {
	for _, o := range t.Top {
		if o.ID == t.ID {
			return o.Text
		}
	}
	return t.Text
}

// shown is a token's text on one row, its blanks kept.
func shown(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(text.Sanitise(s))
}

// table draws the figures of the selected token and what else was likely.
func (t *tokens) table(c *Chat, w int) widget.Rows {
	th, f := c.env.Theme, c.env.Text.Figure
	tok := t.all[t.at]
	took := f.TTFT + " " + dur(tok.At)
	switch {
	case tok.Given:
		took = c.env.Text.Chat.GivenToken
	case t.at > 0:
		took = f.Gap + " " + dur(tok.At-t.all[t.at-1].At)
	}
	rows := widget.Rows{text.Fit(" "+th.Dim.Render(took), w, th.Signs.Ellipsis)}
	for i, o := range t.options() {
		rows = append(rows, t.option(c, i, o, w))
	}
	if len(tok.Top) == 0 {
		rows = append(rows, text.Fit(" "+th.Dim.Render(c.env.Text.Chat.NoLikely), w, th.Signs.Ellipsis))
	}
	return rows
}

func (t *tokens) option(c *Chat, i int, o engine.TopToken, w int) string {
	th := c.env.Theme
	mark, name := " ", style.Style{}
	if i == t.pick {
		mark, name = th.Accent.Render(th.Signs.Select), th.Accent
	}
	drawn := " "
	if o.ID == t.all[t.at].ID {
		drawn = "*"
	}
	p := math.Exp(float64(o.Logprob))
	bar := strings.Repeat(th.Signs.Bar, int(p*20+0.5))
	head := fmt.Sprintf(" %s %s %d ", mark, drawn, i+1)
	odds := fmt.Sprintf("%5.1f %% ", p*100)
	if o.Logprob == 0 && len(t.all[t.at].Top) == 0 {
		odds, bar = text.Spaces(8), ""
	}
	return text.Fit(head+odds+name.Render(strconv.Quote(text.Sanitise(o.Text)))+"  "+th.Dim.Render(bar), w, th.Signs.Ellipsis)
}

func (t *tokens) rows(c *Chat) []row {
	k, not := c.env.Text.Keys, c.reasons()
	on := func(f func()) func(*Chat, tea.KeyMsg) tea.Cmd {
		return func(*Chat, tea.KeyMsg) tea.Cmd { f(); return nil }
	}
	pick := func(n int) func() { return func() { t.pick = min(max(t.pick+n, 0), len(t.options())-1) } }
	return []row{
		bind("tokens.fork", k.ForkToken, widget.Reading, func(c *Chat, _ tea.KeyMsg) tea.Cmd { return t.fork(c, t.pick) }, "enter").footer("").unless(not.quiet),
		bind("tokens.nth", k.ForkToken, widget.Reading, func(c *Chat, m tea.KeyMsg) tea.Cmd { return t.digit(c, m) }, digits()...).label("1…9").unless(not.quiet),
		bind("tokens.next", k.NextToken, widget.Reading, on(func() { t.move(1) }), "l", "right").footer("h l"),
		bind("tokens.prev", k.PrevToken, widget.Reading, on(func() { t.move(-1) }), "h", "left"),
		bind("tokens.down", k.Down, widget.Reading, on(pick(1)), "j", "down").footer("j k"),
		bind("tokens.up", k.Up, widget.Reading, on(pick(-1)), "k", "up"),
		bind("tokens.first", k.Top, widget.Reading, on(func() { t.move(-len(t.all)) }), "g", "home"),
		bind("tokens.last", k.End, widget.Reading, on(func() { t.move(len(t.all)) }), "G", "end"),
		bind("tokens.leave", k.LeaveOver, widget.Reading, move((*Chat).leave), "esc", "q").footer("esc"),
	}
}

func (t *tokens) digit(c *Chat, m tea.KeyMsg) tea.Cmd {
	if n, ok := digit(m); ok && n <= len(t.options()) {
		return t.fork(c, n-1)
	}
	return nil
}

// fork goes on from another token than was drawn.
func (t *tokens) fork(c *Chat, i int) tea.Cmd {
	o := t.options()[i]
	if o.ID == t.all[t.at].ID {
		return screen.Say(c.env.Text.Chat.SameToken)
	}
	s, branch, of, at := c.env.Session, c.path.branch.ID, t.step.Alternative.ID, t.at
	c.leave()
	return c.begin(func(ctx context.Context) (*story.Running, error) {
		return s.ForkAt(ctx, branch, of, at, o.ID, story.Options{Top: likely})
	})
}
