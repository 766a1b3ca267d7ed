package chat

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
)

// editing is a line of the player, or a reply, that is being changed.
type editing struct {
	turn  story.ID // "" = none
	line  string   // as it was
	reply story.ID // the alternative whose reply it is; "" = the player's line
}

// Change names what a draft changes; the zero value is a draft of a new line.
type Change struct {
	Turn  story.ID `json:"turn,omitempty"`
	Reply story.ID `json:"reply,omitempty"` // the alternative whose reply it is; "" = the player's line
}

// Draft gives what is written and not sent.
func (c *Chat) Draft() string {
	if c.busy && c.composer.Empty() {
		return c.sent
	}
	return c.composer.Value()
}

// Change tells what the draft changes.
func (c *Chat) Change() Change {
	if c.change.Turn != "" {
		return c.change
	}
	return Change{c.editing.turn, c.editing.reply}
}

// SetDraft puts text into the composer. What it changes is looked for on the
// branch that is read next.
func (c *Chat) SetDraft(s string, what Change) {
	c.composer.SetValue(s)
	c.change = what
}

// letGo leaves a change while another branch is read: see takeUp.
func (c *Chat) letGo() {
	if c.editing.turn != "" && !c.composer.Empty() {
		c.change = c.Change()
	}
	c.editing = editing{}
}

// takeUp goes on with a change on the branch that was read. Where its turn is
// not, the text is a new line, and that is said: an NPC's words must not become
// the player's unseen.
func (c *Chat) takeUp() tea.Cmd {
	what := c.change
	c.change = Change{}
	if what.Turn == "" || c.composer.Empty() {
		return nil
	}
	for _, s := range c.path.steps {
		switch {
		case s.Turn.ID != what.Turn:
		case what.Reply == "" && s.Turn.Input.Text != "":
			c.editing = editing{turn: what.Turn, line: s.Turn.Input.Text}
			return nil
		case what.Reply == s.Alternative.ID && replied(s.Alternative) != "":
			c.editing = editing{turn: what.Turn, line: replied(s.Alternative), reply: what.Reply}
			return nil
		}
	}
	return screen.Say(c.env.Text.Talk.ChangeGone)
}
