package world

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/widget"
)

// picker chooses the language of a new playthrough.
type picker struct {
	codes []string
	list  widget.List
}

// Keys lists what can be done.
func (v *World) Keys() []widget.Binding {
	if v.check.shown {
		return v.checkKeys()
	}
	k := v.env.Text.Keys
	open := widget.Binding{ID: "world.open", Keys: []string{"enter"}, Name: k.Open.Name, Hint: k.Open.Hint, Footer: true, Disabled: v.noBranch}
	jump := widget.Binding{ID: "world.jump", Keys: []string{"enter"}, Name: k.Jump.Name, Hint: k.Jump.Hint, Footer: true, Disabled: v.noJump}
	other := k.Sections.Name
	if v.onNodes {
		open, jump, other = jump, open, v.env.Text.World.ToBranches // the first row of a key is the one that acts
	}
	return []widget.Binding{
		open, jump,
		{ID: "world.sections", Keys: []string{"tab"}, Name: other, Hint: k.Sections.Hint, Footer: true, Disabled: v.noNodes},
		{ID: "world.new", Keys: []string{"n"}, Name: k.New.Name, Hint: k.New.Hint, Footer: true, Disabled: v.noSession},
		{ID: "world.edit", Keys: []string{"e"}, Name: k.Edit.Name, Hint: k.Edit.Hint, Footer: true, Disabled: v.noFault},
		{ID: "world.analyse", Keys: []string{"a"}, Name: k.Check.Name, Hint: k.Check.Hint, Footer: true, Disabled: v.noCheck},
		{ID: "world.reload", Keys: []string{"r"}, Name: k.Reload.Name, Hint: k.Reload.Hint, Footer: true},
		{ID: "world.tour", Keys: []string{"t"}, Name: k.Tour.Name, Hint: k.Tour.Hint},
		{ID: "world.back", Keys: []string{"esc"}, Name: k.Back.Name, Hint: k.Back.Hint, Footer: true, Disabled: v.noSession},
		{ID: "world.up", Keys: []string{"k", "up"}, Name: k.Up.Name, Hint: k.Up.Hint},
		{ID: "world.down", Keys: []string{"j", "down"}, Label: "j k", Name: k.Down.Name, Hint: k.Down.Hint, Footer: true},
		{ID: "world.pageup", Keys: []string{"pgup"}, Name: k.PageUp.Name, Hint: k.PageUp.Hint},
		{ID: "world.pagedown", Keys: []string{"pgdown"}, Name: k.PageDown.Name, Hint: k.PageDown.Hint},
		{ID: "world.top", Keys: []string{"g", "home"}, Name: k.Top.Name, Hint: k.Top.Hint},
		{ID: "world.end", Keys: []string{"G", "end"}, Name: k.End.Name, Hint: k.End.Hint},
	}
}

// AllKeys lists every binding that the screen ever has.
func (v *World) AllKeys() []widget.Binding {
	shown := v.check.shown
	defer func() { v.check.shown = shown }()
	v.check.shown = false
	rows := v.Keys()
	for _, b := range v.checkKeys() {
		if !slices.ContainsFunc(rows, func(x widget.Binding) bool { return x.ID == b.ID }) {
			rows = append(rows, b)
		}
	}
	return rows
}

func (v *World) noSession() string {
	if v.env.Session == nil {
		return v.env.Text.World.NotYet
	}
	return ""
}

func (v *World) noBranch() string {
	switch {
	case v.env.Session == nil:
		return v.env.Text.World.NotYet
	case v.err != nil:
		return v.env.Text.World.Stale
	case v.onNodes:
		return v.env.Text.World.OnNode
	case len(v.entries) == 0:
		return v.env.Text.World.NoBranches
	}
	return ""
}

func (v *World) noFault() string {
	if len(v.faults) == 0 {
		return v.env.Text.World.AllWell
	}
	return v.env.NoFiles()
}

func (v *World) key(m tea.KeyMsg) tea.Cmd {
	if v.pick != nil {
		return v.pickKey(m)
	}
	b, instead, ok := screen.Press(v.Keys(), m)
	if !ok {
		return instead
	}
	if v.check.shown {
		return v.checkKey(b)
	}
	switch b.ID {
	case "world.open":
		return v.open(v.entries[v.list.At()].branch.ID)
	case "world.jump":
		return v.jump()
	case "world.sections":
		v.onNodes = !v.onNodes
	case "world.new":
		return v.ask()
	case "world.edit":
		return v.env.Edit(v.faults[v.list.At()].Pos)
	case "world.analyse":
		return v.examine()
	case "world.reload":
		return reload
	case "world.tour":
		return func() tea.Msg { return screen.Tour{} }
	case "world.back":
		return func() tea.Msg { return screen.Open{Name: screen.Chat} }
	default:
		v.move(b.Keys[0])
	}
	return nil
}

// open shows a branch in the chat.
func (v *World) open(id story.ID) tea.Cmd {
	return screen.ToChat(screen.GoTo{Branch: id})
}

// ask begins a playthrough, after asking for its language where there are several.
func (v *World) ask() tea.Cmd {
	codes := v.env.Session.Script().Languages
	if v.busy {
		return nil
	}
	if len(codes) < 2 {
		return v.begin("")
	}
	v.pick = &picker{codes: codes}
	v.pick.list.SetLen(len(codes))
	for i, c := range codes {
		if c == v.env.Text.Code {
			v.pick.list.Select(i)
		}
	}
	return nil
}

func (v *World) pickKey(m tea.KeyMsg) tea.Cmd {
	switch k := m.String(); k {
	case "esc":
		v.pick = nil
	case "enter":
		return v.begin(v.pick.codes[v.pick.list.At()])
	default:
		v.pick.list.Key(k, len(v.pick.codes))
	}
	return nil
}

// mouse gives the mouse to the list that lies under it, and the keyboard with it.
func (v *World) mouse(m tea.MouseMsg) tea.Cmd {
	lists := []*widget.List{&v.list, &v.nodes}
	switch {
	case v.check.shown && v.check.way:
		lists = []*widget.List{&v.check.steps}
	case v.check.shown:
		lists = []*widget.List{&v.check.list}
	case v.pick != nil:
		lists = []*widget.List{&v.pick.list}
	case v.onNodes:
		lists = []*widget.List{&v.nodes, &v.list}
	}
	p, was := widget.Point(m, v.View, lists...), v.onNodes
	if p.List == &v.list || p.List == &v.nodes {
		v.onNodes = p.List == &v.nodes && v.noNodes() == ""
	}
	if p.Again && was == v.onNodes {
		return v.key(widget.Enter)
	}
	return nil
}
