package chat

import (
	"fmt"
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/engine"
	"fabula/story"
)

// options are the knobs of every reply that this screen asks for.
func (c *Chat) options() story.Options {
	return story.Options{Top: likely, Mode: c.mode, Engine: c.engine}
}

// free asks for another reply to the selected line: freely where the shown one
// was chosen among authored lines, else so chosen. Replies to come are made the
// same way.
func (c *Chat) free() tea.Cmd {
	step, ok := c.selected()
	if !ok || step.Alternative.Reply == nil {
		return nil
	}
	c.mode = story.Grounded
	if step.Alternative.Reply.Odds != nil {
		c.mode = story.Free
	}
	return c.retry()
}

// modelled reports whether the selected reply is a model's, so that it can be
// had the other way.
func (c *Chat) modelled() bool {
	step, ok := c.selected()
	r := step.Alternative.Reply
	return ok && r != nil && r.Engine.Kind != engine.Recall
}

// chosen reports whether the selected reply was chosen among authored lines.
func (c *Chat) chosen() bool {
	step, _ := c.selected()
	return step.Alternative.Reply != nil && step.Alternative.Reply.Odds != nil
}

// odds says in a few words how a line was chosen.
func (c *Chat) odds(o *engine.Odds) string {
	if o.Said < 0 || o.Said >= len(o.Lines) {
		return ""
	}
	if len(o.Lines) == 1 { // nobody chose
		return c.env.Text.Figure.OnlyLine
	}
	return fmt.Sprintf(c.env.Text.Figure.Grounded, int(math.Round(100*o.Lines[o.Said].P)), len(o.Lines))
}
