package chat

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// beats shows the beats of the node in which a turn was taken: which happened,
// which may have, on what evidence; a person's word on one is taken.
type beats struct {
	step story.Step
	all  []seenBeat
	at   widget.List
}

// seenBeat is a beat with what was made of it in the turn.
type seenBeat struct {
	id, key  string
	verdict  plot.Verdict
	evidence plot.Evidence
}

// byBeat opens the beats of the selected turn.
func (c *Chat) byBeat() tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	b := &beats{}
	b.list(c, step)
	if len(b.all) == 0 {
		return screen.Say(c.env.Text.Chat.NoBeats)
	}
	c.lay(b)
	return nil
}

// list lists the beats of a turn.
func (b *beats) list(c *Chat, step story.Step) {
	b.step, b.all = step, nil
	for _, node := range c.nodesOf(step) {
		n := c.env.Session.Script().Node(node)
		if n == nil {
			continue
		}
		for _, x := range n.Beats {
			b.all = append(b.all, b.notice(x.ID, n.ID+"."+x.ID))
		}
	}
	b.at.SetLen(len(b.all))
}

// refresh lists them anew after the path was read: a decision on a turn that is
// no longer on it would be refused.
func (b *beats) refresh(c *Chat) {
	step, ok := c.selected()
	if ok {
		b.list(c, step)
	}
	if !ok || len(b.all) == 0 {
		c.leave()
	}
}

// nodesOf gives the node in which the player spoke, and that of the reply.
func (c *Chat) nodesOf(s story.Step) []string {
	nodes := []string{s.Turn.Before.Node}
	for i := 1; i < len(c.path.steps); i++ {
		if from := c.path.steps[i-1].Alternative.State.Node; c.path.steps[i].Turn.ID == s.Turn.ID && from != nodes[0] {
			nodes = append([]string{from}, nodes...)
		}
	}
	return nodes
}

func (b *beats) notice(id, key string) seenBeat {
	for _, f := range append(b.step.Turn.Fired[:len(b.step.Turn.Fired):len(b.step.Turn.Fired)], b.step.Alternative.Fired...) {
		if f.Beat == key {
			return seenBeat{id, key, plot.Happened, f.Evidence}
		}
	}
	for _, d := range append(b.step.Turn.Doubts[:len(b.step.Turn.Doubts):len(b.step.Turn.Doubts)], b.step.Alternative.Doubts...) {
		if d.Beat == key {
			return seenBeat{id, key, plot.Unsure, d.Evidence}
		}
	}
	return seenBeat{id, key, plot.Not, plot.Evidence{}}
}

func (b *beats) update(*Chat, tea.Msg) tea.Cmd { return nil }

func (b *beats) lists() []*widget.List { return []*widget.List{&b.at} }

func (b *beats) wide() bool { return false }

func (b *beats) title(c *Chat) string { return c.env.Text.Chat.BeatsHere }

func (b *beats) rows(c *Chat) []row {
	k, not := c.env.Text.Keys, c.reasons()
	pick := func(n int) func(*Chat, tea.KeyMsg) tea.Cmd {
		return func(*Chat, tea.KeyMsg) tea.Cmd { b.at.Move(n); return nil }
	}
	return []row{
		bind("beats.accept", k.Accept, widget.Reading, func(c *Chat, _ tea.KeyMsg) tea.Cmd { return b.decide(c, true) }, "+").footer("").unless(not.quiet),
		bind("beats.reject", k.Reject, widget.Reading, func(c *Chat, _ tea.KeyMsg) tea.Cmd { return b.decide(c, false) }, "-").footer("").unless(not.quiet),
		bind("beats.down", k.Down, widget.Reading, pick(1), "j", "down").footer("j k"),
		bind("beats.up", k.Up, widget.Reading, pick(-1), "k", "up"),
		bind("beats.leave", k.LeaveOver, widget.Reading, move((*Chat).leave), "esc", "q").footer("esc"),
	}
}

func (b *beats) draw(c *Chat, w, h int) widget.Rows {
	th, t := c.env.Theme, c.env.Text.Chat
	var rows widget.Rows
	from, to := b.at.Window(h)
	for i := from; i < to; i++ {
		x, mark, name := b.all[i], " ", th.Dim
		if i == b.at.At() {
			mark = th.Accent.Render(th.Signs.Select)
		}
		sign, word := " ", t.BeatNot
		switch x.verdict {
		case plot.Happened:
			sign, word, name = th.Signs.Beat, t.BeatHappened, th.Beat
		case plot.Unsure:
			sign, word, name = "?", t.BeatUnsure, th.Warn
		}
		line := fmt.Sprintf(" %s %s %s  %s", mark, sign, name.Render(text.Line(x.key)), word)
		if x.evidence.Quote != "" {
			line += "  “" + text.Line(x.evidence.Quote) + "”  " + th.Dim.Render(text.Line(x.evidence.Rule))
		}
		rows = append(rows, b.at.Item(i, text.Fit(line, w, th.Signs.Ellipsis)))
	}
	return rows.Fit(w, h)
}

// decide takes the person's word on the selected beat.
func (b *beats) decide(c *Chat, happened bool) tea.Cmd {
	x := b.all[b.at.At()]
	if (x.verdict == plot.Happened) == happened {
		return screen.Say(c.env.Text.Chat.BeatSo)
	}
	s, branch, of, words := c.env.Session, c.path.branch.ID, b.step.Alternative.ID, c.env.Text.Chat
	c.leave()
	return func() tea.Msg {
		to, _, err := s.Decide(branch, of, x.key, happened)
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return tea.BatchMsg{
			func() tea.Msg { return screen.GoTo{Branch: to.ID} },
			changed(to.ID),
			screen.Say(fmt.Sprintf(words.BeatDecided, x.key)),
		}
	}
}
