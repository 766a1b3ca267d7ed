package world

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// share says how many of h rows the upper of two lists gets that want a and b:
// all it wants where there is room, else at least its half.
func share(h, a, b int) int {
	if a+b <= h {
		return a
	}
	return max(min(a, h/2), h-b, 0)
}

// nodeRows lists the nodes under a heading, the selected one among them.
func (v *World) nodeRows(w, h int) widget.Rows {
	th, t, all := v.env.Theme, v.env.Text.World, v.env.Session.Script().Nodes
	note := fmt.Sprint(len(all))
	if v.onNodes {
		note += " " + th.Signs.Bullet + " " + t.JumpHint
	}
	rows := widget.Rows{widget.Rule(t.Nodes, note, w, th)}
	v.nodes.SetLen(len(all)) // an edit may have taken some away
	from, to := v.nodes.Window(h - 1)
	for i := from; i < to; i++ {
		rows = append(rows, v.nodes.Item(i, v.nodeRow(all[i], v.onNodes && i == v.nodes.At(), w)))
	}
	return rows.Fit(w, h)
}

// nodeRow draws one node: where the chat is has a dot, as in the branches.
func (v *World) nodeRow(n *plot.Node, selected bool, w int) string {
	th, s := v.env.Theme, v.env.Session.Script()
	here := " "
	if at := s.Node(v.chatNode()); at == n {
		here = th.Signs.Bullet
	}
	title, more := v.nodeTitle(n), n.ID+"  "+v.nodeNote(s, n)
	if selected {
		return th.Selected.Render(text.Fit(th.Signs.Select+here+title+" "+more, w, th.Signs.Ellipsis))
	}
	return text.Fit(" "+here+title+" "+th.Dim.Render(more), w, th.Signs.Ellipsis)
}

func (v *World) nodeTitle(n *plot.Node) string {
	if n.Title.Empty() {
		return n.ID
	}
	return text.Line(n.Title.In(v.env.Text.Code, v.env.Session.Script().Languages...))
}

// nodeNote says what is special about a node: the start, an ending.
func (v *World) nodeNote(s *plot.Script, n *plot.Node) string {
	t := v.env.Text.World
	switch {
	case n.ID == s.Start:
		return t.Start
	case n.Ending == nil:
		return ""
	case n.Ending.Kind == "":
		return t.Ending
	}
	return fmt.Sprintf(t.EndingKind, text.Line(v.env.Text.Ending(n.Ending.Kind)))
}

// chatNode is the node that the branch of the chat stands in.
func (v *World) chatNode() string {
	for _, e := range v.entries {
		if e.branch.ID == v.last {
			return e.node
		}
	}
	return ""
}

// move moves within the list that has the keyboard. Where the nodes stand below
// the branches, the selection goes over from the one to the other.
func (v *World) move(k string) {
	list := &v.list
	if v.onNodes {
		list = &v.nodes
	}
	before := list.At()
	list.Key(k, v.h/2)
	if list.At() != before || v.w >= twoPanes || v.noNodes() != "" {
		return
	}
	switch {
	case !v.onNodes && (k == "j" || k == "down"):
		v.onNodes = true
		v.nodes.Select(0)
	case v.onNodes && (k == "k" || k == "up"):
		v.onNodes = false
		v.list.Select(len(v.entries) - 1)
	}
}

// show selects a node, or opens the file of a lore entry.
func (v *World) show(m screen.Show) tea.Cmd {
	if v.noNodes() != "" {
		return nil
	}
	v.check.shown, v.pick = false, nil
	s := v.env.Session.Script()
	for i, n := range s.Nodes {
		if m.Kind == screen.KindNode && n.ID == m.ID {
			v.onNodes = true
			v.nodes.SetLen(len(s.Nodes))
			v.nodes.Select(i)
		}
	}
	for _, l := range s.Lore {
		switch {
		case m.Kind != screen.KindLore || l.ID != m.ID:
		case v.env.NoFiles() != "":
			return screen.Say(v.env.NoFiles())
		default:
			return v.env.Edit(l.Pos)
		}
	}
	return nil
}

// noNodes is why the nodes cannot have the keyboard.
func (v *World) noNodes() string {
	if v.env.Session != nil && v.err != nil {
		return v.env.Text.World.Stale
	}
	return v.noSession()
}

// noJump is why no node can be jumped to.
func (v *World) noJump() string {
	switch why := v.noNodes(); {
	case why != "":
		return why
	case !v.onNodes:
		return v.env.Text.World.NoNode
	case v.last == "":
		return v.env.Text.World.NoPlace
	}
	return ""
}

// jump goes to the selected node below where the chat is.
func (v *World) jump() tea.Cmd {
	all, s, from := v.env.Session.Script().Nodes, v.env.Session, v.last
	if v.busy || v.nodes.At() >= len(all) {
		return nil
	}
	v.busy = true
	n, words := all[v.nodes.At()], v.env.Text.Chat.JumpedTo
	id, title := n.ID, v.nodeTitle(n)
	return func() tea.Msg {
		b, _, err := s.Jump(from, story.Start{Node: id})
		return begun{b, fmt.Sprintf(words, text.Line(b.Name), title), err}
	}
}
