package tree

import (
	"fmt"
	"slices"

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
		row("open", "enter", k.Open, t.noFold),
		{ID: "tree.pick", Keys: []string{" "}, Label: "space", Name: t.env.Text.Tree.Pick.Name, Hint: t.env.Text.Tree.Pick.Hint, Footer: true, Disabled: t.none},
		row("compare", "c", t.env.Text.Tree.Compare, t.noPair),
		row("branch", "b", k.Branch, t.none),
		row("mark", "m", k.Mark, t.none),
		{ID: "tree.promote", Keys: []string{"P"}, Name: t.env.Text.Promotion.Promote.Name, Hint: t.env.Text.Promotion.Promote.Hint, Disabled: t.none},
		row("title", "t", k.TitleIt, t.none),
		row("delete", "d", k.Delete, t.noBranch),
		row("fold", "z", k.Fold, t.noFold),
		quiet("export", t.env.Text.Export.Open, "x"),
		row("undo", "u", t.env.Text.Tree.Undo, t.noFold),
		row("redo", "U", t.env.Text.Tree.Redo, t.noFold),
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
	if l, ok := t.at(); !ok || t.knot(l).alt.ID == "" {
		return t.env.Text.Chat.NoTurn
	}
	return ""
}

// noFold is why nothing can be folded or unfolded.
func (t *Tree) noFold() string {
	if l, ok := t.at(); ok && l.more > 0 {
		return ""
	}
	return t.none()
}

// noPair is why nothing can be compared.
func (t *Tree) noPair() string {
	if len(t.picked) < 2 && (len(t.picked) == 0 || t.none() != "") {
		return t.env.Text.Tree.PickFirst
	}
	return ""
}

func (t *Tree) noBranch() string {
	l, _ := t.at()
	all := t.forest.branches[t.knot(l).alt.ID]
	switch {
	case len(all) == 0 && len(t.forest.hidden[t.knot(l).alt.ID]) > 0:
		return ""
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
	b, instead, ok := screen.Press(t.Keys(), m)
	if !ok {
		return instead
	}
	l, _ := t.at()
	k := t.knot(l)
	switch b.ID {
	case "tree.open":
		if l.more > 0 {
			t.fold(l)
			return nil
		}
		return t.open(k)
	case "tree.pick":
		t.pick(k.alt.ID)
	case "tree.compare":
		return t.compare(k.alt.ID)
	case "tree.branch":
		return t.branch(k)
	case "tree.mark":
		return t.set(k.alt, !k.alt.Mark, k.alt.Title)
	case "tree.promote":
		return t.promote(k)
	case "tree.title":
		t.title, t.titled = widget.NewPrompt(k.alt.Title, "", t.w), k.alt
	case "tree.delete":
		return t.hide(k.alt.ID)
	case "tree.export":
		return t.export(k)
	case "tree.undo":
		return t.undo()
	case "tree.redo":
		return t.redo()
	case "tree.fold":
		t.fold(l)
	case "tree.back":
		return chat
	default:
		t.list.Key(b.Keys[0], t.h-1)
	}
	return nil
}

func chat() tea.Msg { return screen.Open{Name: screen.Chat} }

func (t *Tree) titleKey(m tea.KeyMsg) tea.Cmd {
	over, kept := t.title.Key(m, t.env.Now())
	if !over {
		return nil
	}
	title := t.title.Text()
	if t.title = nil; !kept {
		return nil
	}
	return t.set(t.titled, t.titled.Mark, title)
}

// fold hides or shows what lies below an alternative, or its siblings.
func (t *Tree) fold(l line) {
	k := t.forest.knots[l.knot]
	if l.more > 0 {
		t.spread[k.alt.ID] = true
	} else {
		t.folded[k.alt.ID] = !t.folded[k.alt.ID]
	}
	at := t.list.At()
	t.lay()
	t.list.Select(at)
}

// pick selects an alternative to be compared, or no longer. Of three the oldest
// choice is dropped.
func (t *Tree) pick(id story.ID) {
	if i := slices.Index(t.picked, id); i >= 0 {
		t.picked = slices.Delete(t.picked, i, i+1)
		return
	}
	t.picked = append(t.picked, id)
	if len(t.picked) > 2 {
		t.picked = t.picked[1:]
	}
}

// compare shows two alternatives beside each other: those that were picked, or
// the one that was and the selected one.
func (t *Tree) compare(at story.ID) tea.Cmd {
	pair := append(slices.Clone(t.picked), at)[:2]
	if pair[0] == pair[1] {
		return screen.Say(t.env.Text.Tree.PickOther)
	}
	return func() tea.Msg {
		return screen.Open{Name: screen.Comparison, With: screen.Compare{A: pair[0], B: pair[1]}}
	}
}

// promote shows an alternative as an authored line: with what lies between it
// and the first that was picked, where both are on one path.
func (t *Tree) promote(k knot) tea.Cmd {
	m := screen.Promote{Alternative: k.alt.ID}
	for _, id := range t.picked {
		if t.forest.path(m.Alternative)[t.forest.at[id]] {
			m.Since = id
			break
		}
	}
	b, ok := t.branchFor(m.Alternative, t.forest.turns[k.turn].Playthrough)
	if !ok {
		return screen.Say(t.env.Text.Tree.NoBranch)
	}
	m.Branch = b.ID
	return func() tea.Msg { return screen.Open{Name: screen.Promotion, With: m} }
}

// open shows an alternative in the chat.
func (t *Tree) open(k knot) tea.Cmd {
	id := k.alt.ID
	b, ok := t.branchFor(id, t.forest.turns[k.turn].Playthrough)
	s := t.env.Session
	return func() tea.Msg {
		var err error
		switch {
		case !ok:
			b, err = s.BranchAt(id, "")
		case b.Leaf != id:
			b, err = s.Goto(b.ID, id)
		}
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return screen.ToChat(screen.GoTo{Branch: b.ID})()
	}
}

// branch makes a branch that ends here and shows it.
func (t *Tree) branch(k knot) tea.Cmd {
	s, words := t.env.Session, t.env.Text.Chat
	return func() tea.Msg {
		b, err := s.BranchAt(k.alt.ID, "")
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return tea.BatchMsg{
			screen.ToChat(screen.GoTo{Branch: b.ID}),
			func() tea.Msg { return screen.Changed{Branch: b.ID} },
			screen.Say(fmt.Sprintf(words.Branched, text.Line(b.Name))),
		}
	}
}

// export shows the export dialog for the branch that the selection belongs to.
func (t *Tree) export(k knot) tea.Cmd {
	b, _ := t.branchFor(k.alt.ID, t.forest.turns[k.turn].Playthrough)
	return screen.ExportOf(b.ID)
}
