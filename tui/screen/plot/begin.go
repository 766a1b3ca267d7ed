package plot

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/coverage"
	"fabula/tui/screen"
	"fabula/tui/text"
)

// begun is a branch that was made at a node.
type begun struct {
	branch story.Branch
	words  string
	err    error
}

// noStart is why no chat can begin at the selected node.
func (p *Plot) noStart() string {
	if why := p.noNode(); why != "" {
		return why
	}
	if p.env.Session.Reader() == nil {
		return p.env.Text.World.NotYet
	}
	return ""
}

// from gives where a chat at a node would begin: where the chat's own branch
// came through it, else where a person's branch did, the last touched first and
// those that were never jumped before the others.
func (p *Plot) from(node string) (coverage.Place, bool) {
	if p.cover == nil {
		return coverage.Place{}, false
	}
	var best coverage.Place
	found := 0 // 1 = jumped, 2 = played
	for _, at := range p.cover.At(node) {
		switch {
		case at.Branch.ID == p.here.ID:
			return at, true
		case at.Simulated:
		case !at.Forced && found < 2:
			best, found = at, 2
		case at.Forced && found < 1:
			best, found = at, 1
		}
	}
	return best, found > 0
}

// begin makes a branch at the selected node and shows it: below a turn that was
// played there, so that the state is one that play came to. Where nobody came
// yet, the chat jumps, whatever the node's conditions say, and the branch is
// marked forced.
func (p *Plot) begin() tea.Cmd {
	if p.starting {
		return nil
	}
	p.starting = true
	n, s, t, here := p.m.nodes[p.at], p.env.Session, p.env.Text, p.here.ID
	title, id := p.title(n), n.ID
	if at, ok := p.from(id); ok {
		return func() tea.Msg {
			b, err := s.BranchAt(at.Alternative, "")
			return begun{b, fmt.Sprintf(t.Plot.BranchFrom, text.Line(b.Name), text.Line(at.Branch.Name), at.Depth), err}
		}
	}
	return func() tea.Msg {
		var b story.Branch
		var err error
		if here == "" {
			b, _, err = s.Begin(story.Start{Node: id})
		} else {
			b, _, err = s.Jump(here, story.Start{Node: id})
		}
		return begun{b, fmt.Sprintf(t.Chat.JumpedTo, text.Line(b.Name), title) + " " + t.Plot.Forced, err}
	}
}

func (p *Plot) begun(m begun) tea.Cmd {
	p.starting = false
	if m.err != nil {
		return screen.Fail(m.err)
	}
	return screen.Begin(m.branch.ID, m.words)
}
