package chat

import (
	"fmt"
	"strings"
	"time"

	"fabula/story/plot"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// pane collects the rows of the pane beside the talk.
type pane struct {
	c     *Chat
	th    *style.Theme
	w     int
	rows  widget.Rows
	heads []int // rows of the headings
}

// within gives h rows; a heading that would stand at the end with nothing below
// it is left out.
func (p *pane) within(h int) widget.Rows {
	rows := p.rows
	for _, at := range p.heads {
		if at == h-1 {
			rows = rows[:min(at, len(rows))]
		}
	}
	return rows.Fit(p.w, h)
}

// column is the room for names in the pane.
const column = 12

func (p *pane) head(s string) {
	if len(p.rows) > 0 {
		p.rows = append(p.rows, text.Spaces(p.w))
	}
	p.heads = append(p.heads, len(p.rows))
	p.rows = append(p.rows, text.Fit(" "+p.th.Title.Render(s), p.w, p.th.Signs.Ellipsis))
}

func (p *pane) pair(name, value string) {
	p.rows = append(p.rows, widget.Pair(name, value, column, p.w, p.th))
}

func (p *pane) scene(head string) {
	s, st := p.c.env.Session.Script(), p.c.path.state
	n := s.Node(st.Node)
	if n == nil {
		return
	}
	p.head(head)
	p.pair(n.ID, p.c.words().Title(n.ID))
	if tags := p.c.scene(); len(tags) > 0 && !p.c.headed() {
		p.rows = append(p.rows, widget.Paragraph(strings.Join(tags, " "+p.th.Signs.Bullet+" "), 1, p.w, p.th.Dim)...)
	}
	if fired, all := beatsOf(s, st); all > 0 {
		p.pair(strings.ToLower(p.c.env.Text.Figure.Beats), fmt.Sprintf("%d/%d", fired, all))
	}
}

func (p *pane) cast(head string) {
	if len(p.c.path.steps) == 0 {
		return
	}
	p.head(head)
	for _, x := range p.c.present() {
		sign := "  "
		if x.ID == p.c.path.state.Speaker {
			sign = p.th.Accent.Render(p.th.Signs.Select) + " "
		}
		p.rows = append(p.rows, text.Fit(" "+sign+p.th.NPC.Render(p.c.words().Name(x.ID))+" "+p.th.Dim.Render("@"+x.ID), p.w, p.th.Signs.Ellipsis))
	}
	if len(p.c.present()) == 0 {
		p.rows = append(p.rows, text.Fit(" "+p.th.Dim.Render(p.c.env.Text.Chat.NobodyHere), p.w, p.th.Signs.Ellipsis))
	}
}

// state lists the variables, those that the last turn changed first and apart.
func (p *pane) state(head string) {
	s, now := p.c.env.Session.Script(), p.c.path.state
	if len(s.Vars) == 0 || len(p.c.path.steps) == 0 {
		return
	}
	p.head(head)
	before := now
	if n := len(p.c.path.steps); n > 1 {
		before = p.c.path.steps[n-2].Alternative.State
	}
	var same []func()
	for _, v := range s.Vars {
		val, old := now.Vars[v.ID], before.Vars[v.ID]
		if val == old {
			same = append(same, func() { p.pair(v.ID, p.th.Dim.Render(val.String())) })
			continue
		}
		p.pair(v.ID, p.th.Beat.Render(changed1(old, val, p.th)))
	}
	for _, draw := range same {
		draw()
	}
}

func changed1(old, val plot.Value, th *style.Theme) string {
	return old.String() + " " + th.Signs.Arrow + " " + val.String()
}

// noticed is the least wait for other replies that is shown.
const noticed = 20 * time.Millisecond

func (p *pane) reply(head string) {
	t, of, odds, ok := p.c.current()
	if !ok {
		return
	}
	f := p.c.env.Text.Figure
	p.head(head)
	p.pair(f.TTFT, dur(t.TTFT))
	if t.Queue+t.Held >= noticed {
		p.pair(f.Waited, dur(t.Queue+t.Held))
	}
	if t.Company >= 1.05 {
		p.pair(f.Shared, fmt.Sprintf(f.Together, t.Company))
	}
	if t.Recalled {
		p.pair(f.Engine, f.Recalled)
		return
	}
	if t.Rate > 0 {
		p.pair(f.Token, fmt.Sprintf(f.Tokens, t.Tokens)+"  "+fmt.Sprintf(f.Rate, t.Rate))
	}
	if w := strings.TrimPrefix(spreadWords(t.Gaps, p.c), f.Gap+" "); w != "" {
		p.pair(f.Gap, w)
	}
	if odds != nil {
		name, _, _ := strings.Cut(f.Grounded, " ")
		p.pair(name, strings.TrimPrefix(p.c.odds(odds), name+" "))
	}
	if t.Computed+t.Reused > 0 {
		words := fmt.Sprintf(f.Prefill, t.Computed, t.Reused)
		name, value, _ := strings.Cut(words, " ")
		p.pair(name, value)
	}
	p.pair(f.Engine, text.Line(of.Name))
}

func (p *pane) session(head string) {
	bars := p.c.sess.bars()
	if len(bars) == 0 {
		return
	}
	p.head(head + "  " + p.c.env.Text.Figure.Gap + " " + p.c.env.Text.Figure.MS)
	p.rows = append(p.rows, widget.Histogram(bars, column, p.w, p.th)...)
}
