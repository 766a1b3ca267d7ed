package chat

import (
	"fmt"
	"strings"
	"time"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/cues"
	"fabula/story/plot"
	"fabula/tui/inspect"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// stepBlock is a stored turn. Its version covers everything that can still
// change about it: how far it came, how many alternatives there are, mark, title.
func (c *Chat) stepBlock(i int) widget.Block {
	step, from := c.path.steps[i], ""
	if i > 0 {
		from = c.path.steps[i-1].Alternative.State.Node
	}
	a := step.Alternative
	return widget.Block{
		Key:     string(step.Turn.ID + a.ID),
		Version: fmt.Sprint(i == 0, len(step.Turn.Children), step.Turn.Status, a.Status, a.Mark, a.Title, step.Turn.ID == c.begins, c.whose),
		Draw: func(w int) widget.Rows {
			if step.Turn.ID == c.begins && i > 1 {
				return append(c.memoryEnds(w), c.drawStep(step, from, i == 0, w)...)
			}
			return c.drawStep(step, from, i == 0, w)
		},
	}
}

// memoryEnds is the line above which an NPC knows only what comes back to it.
func (c *Chat) memoryEnds(w int) widget.Rows {
	p := c.page(w)
	p.gap()
	words := fmt.Sprintf(c.env.Text.Chat.MemoryEnds, c.words().Name(c.whose))
	p.rows = append(p.rows, widget.Rule("", words, w, p.th))
	return p.rows
}

func (c *Chat) drawStep(step story.Step, from string, first bool, w int) widget.Rows {
	p, t, a := c.page(w), step.Turn, step.Alternative
	if !first {
		p.gap()
	}
	p.opening(t, from)
	p.played(a.Lines)
	if a.Text != "" {
		p.reply(a.Speaker, a.Text, a.Human, false)
	}
	p.fired(a.Fired)
	p.doubts(a.Doubts)
	if a.Taken != nil {
		p.taken(a.Taken, a.State)
		if a.State.Node != t.Before.Node {
			p.place(a.State.Node)
		}
	}
	p.played(a.After)
	p.outcome(step)
	return p.rows
}

// opening draws the player's side: input, beats, exit, and the place entered.
func (p *page) opening(t story.Turn, from string) {
	p.input(t.Input)
	p.fired(t.Fired)
	p.doubts(t.Doubts)
	p.taken(t.Taken, t.Before)
	if t.Declined != "" {
		p.note(p.th.Signs.Arrow, p.th.Dim, fmt.Sprintf(p.c.env.Text.Chat.Declined, p.c.words().Exit(t.Declined, t.Before)))
	}
	if from != "" && t.Before.Node != from {
		p.place(t.Before.Node)
	}
}

// reply draws what an NPC said, its cues apart; of one that streams also the cue
// that is still open.
func (p *page) reply(speaker, s string, human, streams bool) {
	body, found := p.c.words().Said(text.Sanitise(s))
	var spans []span
	for _, cue := range found {
		spans = append(spans, span{cue.Start, cue.End})
	}
	if open := cues.Pending(body); streams && open < len(body) {
		spans = append(spans, span{open, len(body)})
	}
	p.speech("", p.th.NPC, p.c.words().Name(speaker), body, style.Style{}, spans)
	if human {
		p.note("", p.th.Dim, p.c.env.Text.Chat.Human)
	}
}

// outcome draws how the turn ended: figures, alternatives, mark, findings.
func (p *page) outcome(step story.Step) {
	a := step.Alternative
	for _, w := range p.c.words().Outcome(step) {
		if t := p.c.env.Text.Chat; w == t.Failed {
			w += ": " + t.TryAgain
		}
		p.note("!", p.th.Warn, w)
	}
	if left, right := p.c.replyFigures(a.Reply), p.alternatives(step); left != nil || right != "" {
		p.figures(left, right)
	}
	p.findings(a.Findings)
}

func (p *page) alternatives(step story.Step) string {
	var parts []string
	if a := step.Alternative; a.Mark || a.Title != "" {
		parts = append(parts, strings.TrimSpace("* "+text.Line(a.Title)))
	}
	if r := step.Alternative.Reply; r != nil {
		parts = append(parts, p.origin(r)...)
	}
	if i, all := nth(step); len(all) > 1 {
		parts = append(parts, fmt.Sprintf(p.c.env.Text.Chat.Alt, i+1, len(all))+" [ ]")
	}
	return strings.Join(parts, "  ")
}

// origin says what is special about how a reply came to be: from which token of
// another, or without which parts of the prompt.
func (p *page) origin(r *story.Reply) (parts []string) {
	switch t := p.c.env.Text; {
	case r.Fork != nil && r.Fork.On:
		parts = append(parts, t.Talk.GoesOn)
	case r.Fork != nil:
		parts = append(parts, fmt.Sprintf(t.Chat.ForkedAt, r.Fork.At+1))
	}
	if len(r.Without) > 0 {
		t := p.c.env.Text
		parts = append(parts, fmt.Sprintf(t.Inspect.Without, inspect.Parts(r.Without, t)))
	}
	return parts
}

// figures draws the numbers of a reply, most important first as far as there
// is room, and a note at the right.
func (p *page) figures(left []string, right string) {
	room := p.body() - text.Width(right) - 1
	var b strings.Builder
	for i, f := range left {
		if n := text.Width(f) + 2*min(i, 1); n <= room {
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(f)
			room -= n
		}
	}
	body := b.String()
	if right != "" {
		body += text.Spaces(p.body()-text.Width(body)-text.Width(right)) + right
	}
	p.add(" ", text.Spaces(p.label), p.th.Dim.Render(body))
}

func (p *page) findings(all []lint.Finding) {
	for _, f := range all {
		st, sign := p.th.Dim, p.th.Signs.Info
		switch f.Level {
		case lint.Error:
			st, sign = p.th.Error, "E"
		case lint.Warning:
			st, sign = p.th.Warn, "W"
		}
		p.note(sign, st, p.c.env.Text.Finding(f.Code, f.Args))
	}
}

// liveBlock is a turn in flight. It is drawn anew at every look at it.
func (c *Chat) liveBlock(i int) widget.Block {
	snap, first, from := c.live[i], i == 0, c.nodeBefore(i)
	return widget.Block{
		Key:  "live" + string(snap.Turn.ID),
		Draw: func(w int) widget.Rows { return c.drawLive(snap, first, from, w) },
	}
}

// nodeBefore is where the path stood before a turn in flight.
func (c *Chat) nodeBefore(i int) string {
	if i > 0 {
		return c.live[i-1].Turn.Before.Node
	}
	for n := len(c.path.steps) - 1; n >= 0; n-- {
		if a := c.path.steps[n].Alternative; a.ID == c.live[i].Turn.Parent {
			return a.State.Node
		}
	}
	return c.path.state.Node
}

func (c *Chat) drawLive(s story.Snapshot, first bool, from string, w int) widget.Rows {
	p := c.page(w)
	if first {
		p.gap()
	}
	p.opening(s.Turn, from)
	p.played(s.Lines)
	if s.Text != "" {
		p.reply(s.Speaker, s.Text, false, true)
	}
	p.played(s.After)
	if s.Speaker != "" && s.Phase != story.Ended {
		p.waiting(s)
	}
	return p.rows
}

// waiting draws what a reply in flight is doing.
func (p *page) waiting(s story.Snapshot) {
	t := p.c.env.Text
	if s.Why != "" && !t.Standing(s.Why) {
		p.note("!", p.th.Warn, fmt.Sprintf(t.Chat.Instead, text.Line(s.Engine.Name), text.Line(t.Why(s.Why, s.WhyArgs...))))
	}
	if s.Phase == story.Streaming {
		p.figures([]string{t.Figure.Speaking, fmt.Sprintf(t.Figure.Tokens, len(s.Tokens))}, t.Chat.StopsEsc)
		return
	}
	secs := 0
	if !s.Started.IsZero() {
		secs = int(p.c.env.Now().Sub(s.Started) / time.Second)
	}
	words := fmt.Sprintf(t.Chat.Waiting, secs)
	if st := p.c.env.Status(p.c.Speaks()); st.Loading {
		words = st.Short(t)
	}
	p.speech("", p.th.NPC, p.c.words().Name(s.Speaker), p.th.Signs.Ellipsis, p.th.Dim, nil)
	p.figures([]string{words}, t.Chat.StopsEsc)
}

// beatsOf lists the beats of a node that a path has fired, and how many it has.
func beatsOf(s *plot.Script, st plot.State) (fired, all int) {
	n := s.Node(st.Node)
	if n == nil {
		return 0, 0
	}
	for _, b := range n.Beats {
		if st.Beats[n.ID+"."+b.ID] > 0 {
			fired++
		}
	}
	return fired, len(n.Beats)
}
