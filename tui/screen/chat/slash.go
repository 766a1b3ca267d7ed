package chat

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/wording"
)

// written is a command in the composer, and what stays there once it is done.
type written struct{ line, rest string }

// called is the answer of a command that was written: the composer is cleared of
// it once it did what it says.
type called struct {
	line written
	err  error
	then []tea.Cmd

	chosen bool
	engine string // that answers from now on, where chosen
}

// slash does what a command of the composer says.
func (c *Chat) slash(line written, m screen.Call) tea.Cmd {
	if m.Action != "" && m.Arg == "" {
		c.composer.SetValue(line.rest)
		return c.Do(m.Action)
	}
	return c.ordered(line, m)
}

// ordered does what a command says that stands for no row.
func (c *Chat) ordered(line written, m screen.Call) tea.Cmd {
	switch m.Name {
	case "branch":
		return c.branchNamed(line, m.Arg)
	case "to":
		return c.speakTo(line, m.Arg)
	case "goto":
		return c.jump(line, story.Start{Node: c.words().Node(m.Arg)})
	case "help":
		c.composer.SetValue(line.rest)
		return func() tea.Msg { return screen.Help{} }
	case "set":
		return c.set(line, m.Arg)
	default:
		return c.answeredBy(line, m.Arg)
	}
}

// branchNamed makes a branch of a name that ends at the selected turn.
func (c *Chat) branchNamed(line written, name string) tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return screen.Say(c.env.Text.Chat.NoTurn)
	}
	s, words := c.env.Session, c.env.Text.Chat.Branched
	c.storing = true
	return func() tea.Msg {
		b, err := s.BranchAt(step.Alternative.ID, name)
		return called{line: line, err: err, then: went(b, fmt.Sprintf(words, text.Line(b.Name)))}
	}
}

// went leads to a branch that was made, and says so.
func went(b story.Branch, words string) []tea.Cmd {
	return []tea.Cmd{func() tea.Msg { return screen.GoTo{Branch: b.ID} }, changed(b.ID), screen.Say(words)}
}

// speakTo says something to an NPC, or begins to.
func (c *Chat) speakTo(line written, arg string) tea.Cmd {
	at := "@" + strings.TrimPrefix(strings.TrimPrefix(arg, "@"), "＠")
	to, said, ok := wording.Addressed(at, c.present())
	switch {
	case !ok:
		name, _, _ := strings.Cut(at, " ")
		return screen.Fail(fmt.Errorf(c.env.Text.Chat.Kept, fmt.Errorf(c.env.Text.Chat.NotHere, text.Line(name), c.words().Among(c.present()))))
	case said == "":
		c.composer.SetValue("@" + c.words().Name(to) + " ")
		return nil
	}
	return c.take(story.Input{To: to, Text: said, Sandbox: c.path.play.Sandbox})
}

// set jumps to where the branch stands, with one variable changed.
func (c *Chat) set(line written, arg string) tea.Cmd {
	name, value, ok := strings.Cut(arg, "=")
	if !ok {
		return screen.Fail(fmt.Errorf(c.env.Text.Slash.Needs, "set", c.env.Text.Slash.Of("set").Arg))
	}
	return c.jump(line, story.Start{Node: c.path.state.Node, Set: map[string]string{strings.TrimSpace(name): strings.TrimSpace(value)}})
}

// jump begins a branch at a node, whatever its condition says.
func (c *Chat) jump(line written, start story.Start) tea.Cmd {
	s, id, words, title := c.env.Session, c.path.branch.ID, c.env.Text.Chat.JumpedTo, c.words().Title(start.Node)
	c.storing = true
	return func() tea.Msg {
		b, _, err := s.Jump(id, start)
		return called{line: line, err: err, then: went(b, fmt.Sprintf(words, text.Line(b.Name), title))}
	}
}

// answeredBy has one engine answer from now on; "" = the best there is.
func (c *Chat) answeredBy(line written, name string) tea.Cmd {
	words, check := c.env.Text.Talk.BestEngine, c.env.Engine
	if name != "" {
		words = fmt.Sprintf(c.env.Text.Talk.OneEngine, text.Line(name))
	}
	return func() tea.Msg {
		var err error
		if name != "" && check != nil {
			err = check(name)
		}
		return called{line: line, err: err, then: []tea.Cmd{screen.Say(words)}, chosen: true, engine: name}
	}
}

func (c *Chat) called(m called) tea.Cmd {
	c.storing = false
	if m.err != nil {
		return screen.Fail(fmt.Errorf(c.env.Text.Chat.Kept, wording.Refused(m.err, c.env.Text)))
	}
	if m.chosen {
		c.engine = m.engine
	}
	if c.composer.Value() == m.line.line {
		c.composer.SetValue(m.line.rest)
	}
	return tea.Batch(m.then...)
}
