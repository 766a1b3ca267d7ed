package chat

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
)

// undo takes back the newest change of the branch; redo does it again.
func (c *Chat) undo() tea.Cmd { return c.env.Rewind(c.env.Session.Undo, c.path.branch.ID, false) }

func (c *Chat) redo() tea.Cmd { return c.env.Rewind(c.env.Session.Redo, c.path.branch.ID, true) }

// goOn has a reply that was stopped or cut go on.
func (c *Chat) goOn() tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	s, id, o := c.env.Session, c.path.branch.ID, story.Options{Top: likely}
	return c.begin(func(ctx context.Context) (*story.Running, error) {
		return s.Continue(ctx, id, step.Alternative.ID, o)
	})
}

// editReply takes the NPC's words of the selected turn into the composer; sent,
// they stand beside the old ones, marked as a person's.
func (c *Chat) editReply() tea.Cmd {
	step, ok := c.selected()
	said := replied(step.Alternative)
	why := c.reasons().turn()
	switch {
	case why == "" && said == "":
		why = c.env.Text.Talk.NoReply
	case why == "" && !c.composer.Empty():
		why = c.env.Text.Chat.SendFirst
	}
	if why != "" || !ok {
		c.compose()
		return screen.Say(why)
	}
	c.reading, c.editing = false, editing{turn: step.Turn.ID, line: said, reply: step.Alternative.ID}
	c.composer.SetValue(said)
	return nil
}

// replied is what a hand may change of an alternative: the reply, or else the
// last authored line.
func replied(a story.Alternative) string {
	if n := len(a.Lines); a.Text == "" && a.Status != story.Failed && n > 0 {
		return a.Lines[n-1].Text
	}
	return a.Text
}

// amended is the answer of amend.
type amended struct {
	was    editing
	branch story.Branch
	err    error
}

// amend stores a changed reply. The composer is cleared once it is stored.
func (c *Chat) amend(raw string) tea.Cmd {
	s, id, was := c.env.Session, c.path.branch.ID, c.editing
	said := strings.TrimSpace(raw)
	if said == was.line {
		c.editing = editing{}
		c.composer.SetValue("")
		return screen.Say(c.env.Text.Talk.SameReply)
	}
	c.storing = true
	return func() tea.Msg {
		b, _, err := s.EditReply(id, was.reply, said)
		return amended{was, b, err}
	}
}

func (c *Chat) amended(m amended) tea.Cmd {
	c.storing = false
	if m.err != nil {
		return screen.Fail(fmt.Errorf(c.env.Text.Chat.Kept, m.err))
	}
	if c.editing == m.was {
		c.editing = editing{}
		c.composer.SetValue("")
	}
	c.reading = true
	return tea.Batch(func() tea.Msg { return screen.GoTo{Branch: m.branch.ID} }, changed(m.branch.ID))
}
