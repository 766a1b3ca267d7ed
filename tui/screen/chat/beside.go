package chat

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// atOnce is how many alternatives are asked for at once: as many as fit beside
// each other on a wide screen.
const atOnce = 4

// beside shows the alternatives of one turn next to each other, those that
// stream too.
type beside struct {
	turn  story.Turn
	alts  []story.Alternative // stored, oldest first
	snaps []story.Snapshot    // in flight
	sel   int
	cols  widget.List // what was drawn of the alternatives, for the mouse
	top   int         // rows scrolled
	gen   int
}

// besideRead is the answer of read.
type besideRead struct {
	of   *beside
	gen  int
	turn story.Turn
	alts []story.Alternative
	err  error
}

// several opens the alternatives of the selected turn.
func (c *Chat) several() tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	b := &beside{turn: step.Turn}
	b.sel, _ = nth(step)
	c.lay(b)
	return b.read(c)
}

// askSeveral asks for alternatives of the selected turn, all at once, and shows them.
func (c *Chat) askSeveral() tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	return c.ask(step.Alternative.ID)
}

func (c *Chat) ask(alternative story.ID) tea.Cmd {
	s, id, o := c.env.Session, c.path.branch.ID, c.options()
	o.Count = atOnce
	return c.begin(func(ctx context.Context) (*story.Running, error) {
		return s.Retry(ctx, id, alternative, o)
	})
}

func (b *beside) read(c *Chat) tea.Cmd {
	b.gen++
	gen, r, id := b.gen, c.env.Session.Reader(), b.turn.ID
	return func() tea.Msg {
		turn, err := r.Turn(id)
		m := besideRead{of: b, gen: gen, turn: turn, err: err}
		for _, a := range turn.Children {
			alt, err := r.Alternative(a)
			if err != nil {
				m.err = err
				break
			}
			m.alts = append(m.alts, alt)
		}
		return m
	}
}

func (b *beside) update(c *Chat, msg tea.Msg) tea.Cmd {
	m, ok := msg.(besideRead)
	if !ok || m.of != b || m.gen != b.gen {
		return nil
	}
	if m.err != nil {
		c.leave()
		return screen.Fail(m.err)
	}
	if len(b.alts) == 0 && len(b.snaps) > 0 {
		b.sel = len(m.alts) // the first of those that stream
	}
	b.turn, b.alts = m.turn, m.alts
	if c.run == nil {
		b.snaps = nil
	}
	b.sel = min(b.sel, max(b.len()-1, 0))
	return nil
}

// stream takes a look at the replies in flight: those that are stored meanwhile
// are shown once, as they were read.
func (b *beside) stream(snaps []story.Snapshot) {
	fresh := len(b.snaps) == 0 && len(snaps) > 0
	b.snaps = nil
	for _, s := range snaps {
		if s.Done == nil || !b.has(s.Done.Alternative) {
			b.snaps = append(b.snaps, s)
		}
	}
	if fresh {
		b.sel = len(b.alts)
	}
}

func (b *beside) has(id story.ID) bool {
	for _, a := range b.alts {
		if a.ID == id {
			return true
		}
	}
	return false
}

func (b *beside) len() int { return len(b.alts) + len(b.snaps) }

func (b *beside) lists() []*widget.List {
	b.cols.SetLen(b.len())
	b.cols.Select(b.sel)
	return []*widget.List{&b.cols}
}

func (b *beside) wide() bool { return true }

func (b *beside) title(c *Chat) string {
	return fmt.Sprintf(c.env.Text.Chat.Beside, min(b.sel+1, b.len()), b.len())
}

// narrowest is the fewest columns an alternative is read in.
const narrowest = 34

// draw shows as many alternatives as fit, the selected one among them.
func (b *beside) draw(c *Chat, w, h int) widget.Rows {
	n := b.len()
	if n == 0 {
		return widget.Rows{}.Fit(w, h)
	}
	cols := min(n, max(w/narrowest, 1))
	first := min(max(b.sel-cols/2, 0), n-cols)
	th := c.env.Theme
	var out widget.Rows
	for i := range cols {
		room := (w - cols + 1) / cols
		if i == cols-1 {
			room = w - (cols-1)*(room+1)
		}
		rows := b.column(c, first+i, room)
		rows = b.cols.Items(first+i, rows[min(b.top, max(len(rows)-1, 0)):].Fit(room, h))
		if out == nil {
			out = rows
			continue
		}
		out = widget.Beside(out, rows, th.Rule.Render(th.Signs.V))
	}
	return out
}

// column draws alternative i in w columns.
func (b *beside) column(c *Chat, i, w int) widget.Rows {
	p := c.page(w)
	p.label = 0
	st, mark := p.th.Dim, " "
	if i == b.sel {
		st, mark = p.th.Accent, p.th.Signs.Select
	}
	head := fmt.Sprintf("%s %d ", mark, i+1)
	if i < len(b.alts) {
		a := b.alts[i]
		p.rows = append(p.rows, text.Fit(st.Render(head)+b.note(c, a, p.th), w, p.th.Signs.Ellipsis))
		p.alternative(story.Step{Turn: b.turn, Alternative: a})
		return p.rows
	}
	s := b.snaps[i-len(b.alts)]
	p.rows = append(p.rows, text.Fit(st.Render(head), w, ""))
	if s.Text != "" {
		p.reply(s.Speaker, s.Text, false, true)
	}
	if s.Phase != story.Ended {
		p.waiting(s)
	} else if s.Err != nil {
		p.note("!", p.th.Warn, s.Err.Error())
	}
	return p.rows
}

// note says what is special about a stored alternative.
func (b *beside) note(c *Chat, a story.Alternative, th *style.Theme) string {
	var parts []string
	if a.Mark || a.Title != "" {
		parts = append(parts, strings.TrimSpace("* "+text.Line(a.Title)))
	}
	if r := a.Reply; r != nil {
		parts = append(parts, fmt.Sprintf(c.env.Text.Figure.Seed, r.Seed), text.Line(r.Engine.Name))
	}
	return th.Dim.Render(strings.Join(parts, " "+th.Signs.Bullet+" "))
}

// alternative draws what one alternative says and does.
func (p *page) alternative(step story.Step) {
	a := step.Alternative
	p.played(a.Lines)
	if a.Text != "" {
		p.reply(a.Speaker, a.Text, a.Human, false)
	}
	p.fired(a.Fired)
	p.taken(a.Taken, a.State)
	p.played(a.After)
	for _, w := range p.c.words().Outcome(step) {
		p.note("!", p.th.Warn, w)
	}
	if left := p.c.replyFigures(a.Reply); left != nil {
		p.figures(left, "")
	}
	p.findings(a.Findings)
}

// rows lists the bindings while the alternatives are shown.
func (b *beside) rows(c *Chat) []row {
	k, not := c.env.Text.Keys, c.reasons()
	stored := when(func() bool { return b.sel < len(b.alts) }, c.env.Text.Chat.BusyReply)
	return []row{
		bind("chat.stop", k.Stop, widget.Reading, func(c *Chat, _ tea.KeyMsg) tea.Cmd { c.stopReply(); return nil }, "esc").footer("").unless(not.running),
		bind("beside.leave", k.LeaveOver, widget.Reading, move((*Chat).leave), "esc", "q").footer("esc").unless(not.idle),
		bind("beside.take", k.TakeAlt, widget.Reading, func(c *Chat, _ tea.KeyMsg) tea.Cmd { return b.take(c, b.sel) }, "enter").footer("").unless(stored),
		bind("beside.nth", k.TakeAlt, widget.Reading, func(c *Chat, m tea.KeyMsg) tea.Cmd { return b.digit(m) }, digits()...).label("1…9"),
		bind("beside.prev", k.PrevAlt, widget.Reading, func(*Chat, tea.KeyMsg) tea.Cmd { return b.move(-1) }, "h", "left", "[", "【"),
		bind("beside.next", k.NextAlt, widget.Reading, func(*Chat, tea.KeyMsg) tea.Cmd { return b.move(1) }, "l", "right", "]", "】", "tab").footer("h l"),
		bind("beside.down", k.Down, widget.Reading, func(*Chat, tea.KeyMsg) tea.Cmd { b.top++; return nil }, "j", "down"),
		bind("beside.up", k.Up, widget.Reading, func(*Chat, tea.KeyMsg) tea.Cmd { b.top = max(b.top-1, 0); return nil }, "k", "up"),
		bind("beside.more", k.Several, widget.Reading, func(c *Chat, _ tea.KeyMsg) tea.Cmd { return b.more(c) }, "R").footer("").unless(not.spoken),
		bind("beside.mark", k.Mark, widget.Reading, func(c *Chat, _ tea.KeyMsg) tea.Cmd { return b.mark(c) }, "m").footer("").unless(stored),
	}
}

func (b *beside) move(n int) tea.Cmd {
	b.sel, b.top = min(max(b.sel+n, 0), max(b.len()-1, 0)), 0
	return nil
}

// digit selects an alternative by its number.
func (b *beside) digit(m tea.KeyMsg) tea.Cmd {
	if n, ok := digit(m); ok && n <= b.len() {
		b.sel, b.top = n-1, 0
	}
	return nil
}

// take goes on from alternative i.
func (b *beside) take(c *Chat, i int) tea.Cmd {
	s, id, to := c.env.Session, c.path.branch.ID, b.alts[i].ID
	c.leave()
	return func() tea.Msg {
		br, err := s.Goto(id, to)
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return screen.GoTo{Branch: br.ID}
	}
}

func (b *beside) more(c *Chat) tea.Cmd {
	if len(b.alts) == 0 {
		return nil
	}
	return c.ask(b.alts[min(b.sel, len(b.alts)-1)].ID)
}

func (b *beside) mark(c *Chat) tea.Cmd {
	s, a, id := c.env.Session, b.alts[b.sel], c.path.branch.ID
	again := b.read(c)
	return func() tea.Msg {
		if _, err := s.Mark(a.ID, !a.Mark, a.Title); err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return tea.BatchMsg{again, changed(id)}
	}
}
