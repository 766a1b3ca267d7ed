package chat

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/inspect"
	"fabula/tui/screen"
	"fabula/tui/widget"
)

// Widths from which the inspector stands beside the talk, and from which it does
// so unasked, with the branches on the other side.
const (
	besideFrom = 120
	threeFrom  = 160
)

// seen says whether a pane is to be seen: as the width has it, or as asked.
type seen int

const (
	byWidth seen = iota
	yes
	no
)

// inspecting gives the keys to the inspector. Where there is no room beside the
// talk it lies over it.
type inspecting struct{ typing bool }

// paned reports whether the inspector has its pane beside the talk.
func (c *Chat) paned() bool {
	return c.w >= besideFrom && (c.pane == yes || c.pane == byWidth && c.w >= threeFrom)
}

// aside reports whether what has the keys stands beside the talk, not over it.
func (c *Chat) aside() bool {
	_, is := c.over.(*inspecting)
	return is && c.paned()
}

// toggleInspector shows the inspector or hides it.
func (c *Chat) toggleInspector() {
	_, open := c.over.(*inspecting)
	switch {
	case open && c.w < besideFrom:
		c.closeInspector()
	case c.w < besideFrom:
		c.openInspector()
	case c.paned():
		if c.pane = no; open {
			c.closeInspector()
		}
	default:
		c.pane = yes
	}
}

// openInspector gives it the keys.
func (c *Chat) openInspector() {
	typing := !c.reading
	if c.w >= besideFrom {
		c.pane = yes
	}
	i := c.script.Selected()
	c.lay(&inspecting{typing})
	if typing {
		i = c.script.Len() - 1
	}
	c.script.Select(i)
}

// closeInspector gives the keys back to whoever had them.
func (c *Chat) closeInspector() {
	o, ok := c.over.(*inspecting)
	c.leave()
	if ok && o.typing {
		c.compose()
	}
}

// inspectTab opens a page of the inspector.
func inspectTab(t inspect.Tab) func(*Chat) {
	return func(c *Chat) {
		c.openInspector()
		c.ins.Open(t)
	}
}

// attended is what the inspector was shown last.
type attended struct {
	leaf, alternative story.ID
	steps             int
}

// attend has the inspector look at the selected turn.
func (c *Chat) attend() tea.Cmd {
	_, open := c.over.(*inspecting)
	if !open && !c.paned() {
		return nil
	}
	i := c.selectedAt()
	now := attended{leaf: c.path.branch.Leaf, steps: len(c.path.steps)}
	if i >= 0 {
		now.alternative = c.path.steps[i].Alternative.ID
	}
	if now == c.attended {
		return nil
	}
	c.attended = now
	return c.ins.Show(c.path.steps, i, c.Speaks())
}

func (o *inspecting) update(*Chat, tea.Msg) tea.Cmd { return nil }

func (o *inspecting) lists() []*widget.List { return nil } // the chat has them

func (o *inspecting) wide() bool { return true }

func (o *inspecting) title(c *Chat) string { return c.env.Text.Deeds.Inspector.Name }

func (o *inspecting) draw(c *Chat, w, h int) widget.Rows { return c.ins.View(w, h, true) }

func (o *inspecting) rows(c *Chat) []row {
	k, d, not := c.env.Text.Keys, c.env.Text.Deeds, c.reasons()
	on := func(f func()) func(*Chat, tea.KeyMsg) tea.Cmd {
		return func(*Chat, tea.KeyMsg) tea.Cmd { f(); return nil }
	}
	ask := func(f func() string) func(*Chat, tea.KeyMsg) tea.Cmd {
		return func(*Chat, tea.KeyMsg) tea.Cmd {
			if why := f(); why != "" {
				return screen.Say(why)
			}
			return nil
		}
	}
	page := func() int { return max(c.lines()/2, 1) }
	step := func(n int) func(*Chat) { return func(c *Chat) { c.script.Select(c.script.Selected() + n) } }
	inPrompt := when(func() bool { return c.ins.Tab() == inspect.Prompt }, d.ShowPrompt.Hint)
	return []row{
		bind("inspect.close", d.CloseInspect, widget.Reading, move((*Chat).closeInspector), "esc", "q").footer("esc"),
		bind("inspect.toggle", d.Inspector, widget.Reading, move((*Chat).toggleInspector), "f9").label("F9"),
		bind("inspect.next", d.NextTab, widget.Reading, on(func() { c.ins.Turn(1) }), "tab", "l", "right").footer(""),
		bind("inspect.prev", d.PrevTab, widget.Reading, on(func() { c.ins.Turn(-1) }), "shift+tab", "h", "left"),
		bind("inspect.down", k.Down, widget.Reading, on(func() { c.ins.Move(1) }), "j", "down").footer("j k"),
		bind("inspect.up", k.Up, widget.Reading, on(func() { c.ins.Move(-1) }), "k", "up"),
		bind("inspect.top", k.Top, widget.Reading, on(func() { c.ins.Move(-c.ins.Len()) }), "g", "home"),
		bind("inspect.end", k.End, widget.Reading, on(func() { c.ins.Move(c.ins.Len()) }), "G", "end"),
		bind("inspect.off", d.SwitchOff, widget.Reading, ask(c.ins.Switch), " ").label("space").footerIf(c.ins.Tab() == inspect.Prompt, "space").unless(inPrompt),
		bind("inspect.without", d.Regenerate, widget.Reading, do((*Chat).without), "r").footerIf(len(c.ins.Off()) > 0, "").unless(not.spoken),
		bind("inspect.diff", d.DiffPrompt, widget.Reading, ask(c.ins.Diff), "v").footerIf(c.ins.Tab() == inspect.Prompt, "").unless(inPrompt),
		bind("inspect.marks", d.ShowMarks, widget.Reading, ask(c.ins.Marks), "o").footerIf(c.ins.Tab() == inspect.Prompt, "").unless(inPrompt),
		bind("inspect.jump", d.JumpTo, widget.Reading, do((*Chat).jumpToFinding), "enter").footerIf(c.ins.Tab() == inspect.Findings, ""),
		bind("inspect.copy", d.CopyPrompt, widget.Reading, do((*Chat).copyPrompt), "y"),
		bind("inspect.turn.up", d.TurnUp, widget.Reading, move(step(-1)), "K"),
		bind("inspect.turn.down", d.TurnDown, widget.Reading, move(step(1)), "J"),
		bind("inspect.scroll", d.ScrollText, widget.Reading, on(func() { c.ins.Scroll(page()) }), "pgdown"),
		bind("inspect.scroll.up", d.ScrollText, widget.Reading, on(func() { c.ins.Scroll(-page()) }), "pgup"),
		bind("inspect.state", d.ShowState, widget.Reading, on(func() { c.ins.Open(inspect.State) }), "s"),
		bind("inspect.prompt", d.ShowPrompt, widget.Reading, on(func() { c.ins.Open(inspect.Prompt) }), "p"),
		bind("inspect.recall", d.ShowRecall, widget.Reading, on(func() { c.ins.Open(inspect.Recall) }), "L"),
		bind("inspect.findings", d.ShowFindings, widget.Reading, on(func() { c.ins.Open(inspect.Findings) }), "F"),
	}
}

// without asks for a reply beside the selected one, by the same seed and in the
// same mode, without the segments that are switched off.
func (c *Chat) without() tea.Cmd {
	step, ok := c.selected()
	off := c.ins.Off()
	if !ok || len(off) == 0 || step.Alternative.Reply == nil {
		return screen.Say(c.env.Text.Inspect.OffNone)
	}
	r := step.Alternative.Reply
	o := c.options()
	o.Without, o.Seed, o.Mode = off, &r.Seed, story.Free
	if r.Odds != nil {
		o.Mode = story.Grounded
	}
	s, id := c.env.Session, c.path.branch.ID
	c.leave()
	return c.begin(func(ctx context.Context) (*story.Running, error) {
		return s.Retry(ctx, id, step.Alternative.ID, o)
	})
}

// jumpToFinding selects the turn that a finding is about.
func (c *Chat) jumpToFinding() tea.Cmd {
	i, ok := c.ins.Found()
	if !ok {
		return nil
	}
	if !c.paned() {
		c.leave()
	}
	c.script.Select(i)
	return nil
}

func (c *Chat) copyPrompt() tea.Cmd {
	s := c.ins.Text()
	if s == "" {
		return screen.Say(c.env.Text.Inspect.NoPrompt)
	}
	return func() tea.Msg { return screen.Copy{Text: s} }
}
