package tree

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// Keys lists what can be done.
func (t *Tree) Keys() []widget.Binding {
	k := t.env.Text.Keys
	row := func(id, key string, r lang.Row, disabled func() string) widget.Binding {
		return widget.Binding{ID: "tree." + id, Keys: []string{key}, Name: r.Name, Hint: r.Hint, Footer: true, Disabled: disabled}
	}
	quiet := func(id string, r lang.Row, keys ...string) widget.Binding {
		return widget.Binding{ID: "tree." + id, Keys: keys, Name: r.Name, Hint: r.Hint}
	}
	return []widget.Binding{
		row("open", "enter", k.Open, t.none),
		row("branch", "b", k.Branch, t.none),
		row("mark", "m", k.Mark, t.none),
		row("title", "t", k.TitleIt, t.none),
		row("delete", "d", k.Delete, t.noBranch),
		row("fold", "z", k.Fold, t.none),
		row("back", "esc", k.Back, nil),
		quiet("up", k.Up, "k", "up"),
		{ID: "tree.down", Keys: []string{"j", "down"}, Label: "j k", Name: k.Down.Name, Hint: k.Down.Hint, Footer: true},
		quiet("pageup", k.PageUp, "pgup"),
		quiet("pagedown", k.PageDown, "pgdown"),
		quiet("top", k.Top, "g", "home"),
		quiet("end", k.End, "G", "end"),
		{ID: "tree.title.keep", Keys: []string{"enter"}, Name: k.Keep.Name, Hint: k.Keep.Hint, Footer: true, When: widget.Typing},
		{ID: "tree.title.leave", Keys: []string{"esc"}, Name: k.Leave.Name, Hint: k.Leave.Hint, Footer: true, When: widget.Typing},
	}
}

func (t *Tree) none() string {
	if l, ok := t.at(); !ok || l.alt == "" {
		return t.env.Text.Chat.NoTurn
	}
	return ""
}

func (t *Tree) noBranch() string {
	l, _ := t.at()
	all := t.forest.branches[l.alt]
	switch {
	case len(all) == 0:
		return t.env.Text.Tree.NoBranch
	case all[0].ID == t.here.ID:
		return fmt.Sprintf(t.env.Text.Tree.LastBranch, text.Line(t.here.Name))
	}
	return ""
}

func (t *Tree) key(m tea.KeyMsg) tea.Cmd {
	if t.title != nil {
		return t.titleKey(m)
	}
	b, ok := widget.Find(t.Keys(), m, false)
	if !ok {
		return nil
	}
	if why := b.Why(); why != "" {
		return screen.Say(why)
	}
	if b.ID != "tree.delete" {
		t.sure = ""
	}
	l, _ := t.at()
	switch b.ID {
	case "tree.open":
		return t.open(l)
	case "tree.branch":
		return t.branch(l)
	case "tree.mark":
		a := t.forest.alts[l.alt]
		return t.set(a, !a.Mark, a.Title)
	case "tree.title":
		t.title = widget.NewComposer()
		t.title.SetWidth(t.w - 4)
		t.title.SetValue(t.forest.alts[l.alt].Title)
	case "tree.delete":
		return t.hide(l)
	case "tree.fold":
		t.folded[l.alt] = !t.folded[l.alt]
		t.lay()
		t.selectAlt(l.alt)
	case "tree.back":
		return chat
	default:
		t.list.Key(b.Keys[0], t.h-1)
	}
	return nil
}

func chat() tea.Msg { return screen.Open{Name: screen.Chat} }

func (t *Tree) titleKey(m tea.KeyMsg) tea.Cmd {
	l, _ := t.at()
	switch k := m.String(); {
	case k == "esc":
		t.title = nil
	case k == "enter":
		title := strings.TrimSpace(strings.ReplaceAll(t.title.Value(), "\n", " "))
		t.title = nil
		a := t.forest.alts[l.alt]
		return t.set(a, a.Mark, title)
	case m.Paste:
		t.title.Insert(strings.NewReplacer("\r", " ", "\n", " ").Replace(string(m.Runes)))
	case k != "alt+enter" && k != "ctrl+j":
		t.title.Key(m, t.env.Now())
	}
	return nil
}

// open shows an alternative in the chat.
func (t *Tree) open(l line) tea.Cmd {
	b, ok := t.branchFor(l.alt, t.forest.turns[l.turn].Playthrough)
	s := t.env.Session
	return func() tea.Msg {
		var err error
		switch {
		case !ok:
			b, err = s.BranchAt(l.alt, "")
		case b.Leaf != l.alt:
			b, err = s.Goto(b.ID, l.alt)
		}
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return tea.BatchMsg{func() tea.Msg { return screen.GoTo{Branch: b.ID} }, chat}
	}
}

// branch makes a branch that ends here and shows it.
func (t *Tree) branch(l line) tea.Cmd {
	s, words := t.env.Session, t.env.Text.Chat
	return func() tea.Msg {
		b, err := s.BranchAt(l.alt, "")
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return tea.BatchMsg{
			func() tea.Msg { return screen.GoTo{Branch: b.ID} }, chat,
			func() tea.Msg { return screen.Changed{Branch: b.ID} },
			screen.Say(fmt.Sprintf(words.Branched, text.Line(b.Name))),
		}
	}
}

// set stores mark and title of an alternative.
func (t *Tree) set(a story.Alternative, mark bool, title string) tea.Cmd {
	s, here := t.env.Session, t.here.ID
	return func() tea.Msg {
		if _, err := s.Mark(a.ID, mark, title); err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return screen.Changed{Branch: here}
	}
}

// hide hides the branch that ends here, asked twice.
func (t *Tree) hide(l line) tea.Cmd {
	b := t.forest.branches[l.alt][0]
	if t.sure != b.ID {
		t.sure = b.ID
		return screen.Say(fmt.Sprintf(t.env.Text.Tree.DeleteAsk, text.Line(b.Name)))
	}
	t.sure = ""
	s := t.env.Session
	return func() tea.Msg {
		if err := s.DeleteBranch(b.ID); err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return hidden{b}
	}
}

// hidden: a branch is no longer in the store.
type hidden struct{ branch story.Branch }

// hidden forgets a branch before anybody is told that it is gone: a key that is
// pressed then must not lead to it. What was being read may still have it.
func (t *Tree) hidden(m hidden) tea.Cmd {
	all := t.forest.branches[m.branch.Leaf]
	t.forest.branches[m.branch.Leaf] = slices.DeleteFunc(all, func(b story.Branch) bool { return b.ID == m.branch.ID })
	t.gen++
	return tea.Batch(
		func() tea.Msg { return screen.Changed{Branch: m.branch.ID} },
		screen.Say(fmt.Sprintf(t.env.Text.Tree.Deleted, text.Line(m.branch.Name))))
}
