package tui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

const (
	paletteName screen.Name = "palette"
	findName    screen.Name = "find"
)

// command is a row of keys with the screen that it belongs to; nil is the frame.
type command struct {
	widget.Binding
	of screen.Screen
}

// toggle shows something over the screens, or takes it away where it is
// uppermost.
func (a *app) toggle(name screen.Name, show func() tea.Cmd) tea.Cmd {
	if a.topName() == name {
		a.close()
		return nil
	}
	a.lift(paletteName)
	a.lift(findName)
	return show()
}

// showPalette lists everything that can be done where the person is.
func (a *app) showPalette() tea.Cmd {
	t := a.env.Text.Palette
	s := newSearch(a.env, t.Title, t.None, a.pickItem(paletteName))
	s.fill(a.commandItems())
	return a.lay(paletteName, s)
}

// pickItem runs what was picked in a list, once the list is gone.
func (a *app) pickItem(name screen.Name) func(item) tea.Cmd {
	return func(it item) tea.Cmd {
		if it.why != "" {
			return a.show(screen.Toast{Text: it.why})
		}
		a.lift(name)
		if it.id != "" {
			a.remember(it.id)
			a.put(deed{words: it.name, id: it.id})
			a.advance(it.id)
		}
		return it.do()
	}
}

// recents is how many commands stand first because they were used last.
const recents = 8

func (a *app) remember(id string) {
	a.recent = slices.DeleteFunc(a.recent, func(x string) bool { return x == id })
	a.recent = append([]string{id}, a.recent[:min(len(a.recent), recents-1)]...)
}

// commandItems lists commands: those used last first, then those of the
// uppermost screen, of what lies below it, of the composer and of the frame.
func (a *app) commandItems() []item {
	var items []item
	other := a.otherNames()
	for _, c := range a.commands() {
		items = append(items, a.commandItem(c, other[c.ID]))
	}
	items = append(items, a.slashItems()...)
	items = append(items, a.taskItems()...)
	rank := func(it item) int {
		if i := slices.Index(a.recent, it.id); i >= 0 {
			return i
		}
		if moves(it.id) {
			return recents + 1 // nobody looks for it by name
		}
		return recents
	}
	slices.SortStableFunc(items, func(x, y item) int { return rank(x) - rank(y) })
	return items
}

// commands lists every row that could be pressed here, its twins joined: the same
// of a screen below, or of the frame, is no other command.
func (a *app) commands() []command {
	var all []command
	had := map[string]bool{} // by their sentences
	add := func(of screen.Screen, rows []widget.Binding) {
		for _, b := range merged(a.own.Rows(rows)) {
			if !had[b.Hint] {
				all = append(all, command{b, of})
			}
			had[b.Hint] = true
		}
	}
	for _, l := range slices.Backward(a.over) {
		add(l.Screen, l.Keys())
	}
	front := a.screens[a.front]
	add(front, front.Keys())
	add(nil, a.frameKeys())
	return slices.DeleteFunc(all, func(c command) bool { return c.ID == "palette" || c.ID == "palette.read" })
}

// otherNames gives the names of all rows in the other language: whoever types
// without an input method finds them too.
func (a *app) otherNames() map[string]string {
	was := a.env.Text
	a.env.Text = lang.Other(was.Code)
	defer func() { a.env.Text = was }()
	names := map[string]string{}
	for _, c := range a.commands() {
		names[c.ID] = c.Name
	}
	return names
}

func (a *app) commandItem(c command, other string) item {
	it := item{id: c.ID, name: c.Name, note: c.Hint, key: c.Label, why: c.Why(), also: other + " " + c.ID}
	if it.why == "" {
		it.why = a.wrongMode(c)
	}
	it.do = func() tea.Cmd { return a.act(c) }
	return it
}

// wrongMode says why a row cannot be run by name: it works only while writing,
// or only while reading, and its screen knows no other way.
func (a *app) wrongMode(c command) string {
	if _, ok := c.of.(screen.Actor); ok || c.of == nil || c.When.Holds(c.of.Typing()) {
		return ""
	}
	if c.When == widget.Typing {
		return a.env.Text.Palette.OnlyWriting
	}
	return a.env.Text.Palette.OnlyReading
}

// act does what a row's key would do.
func (a *app) act(c command) tea.Cmd {
	if c.of == nil {
		return a.press(c.ID)
	}
	if actor, ok := c.of.(screen.Actor); ok {
		return actor.Do(c.ID)
	}
	for _, b := range c.of.Keys() { // by the key that the screen knows
		if m, ok := widget.KeyNamed(b.Keys[0]); ok && b.ID == c.ID {
			return c.of.Update(m)
		}
	}
	return nil
}

// slashItems lists the commands of the composer that take something: they are
// begun in the composer.
func (a *app) slashItems() []item {
	var items []item
	other := lang.Other(a.env.Text.Code).Slash
	for _, s := range screen.Slashes() {
		if s.Takes == screen.Nothing {
			continue // its row is there
		}
		words := a.env.Text.Slash.Of(s.Name)
		it := item{id: "slash." + s.Name, name: words.Name, note: words.Hint, key: "/" + s.Name, why: a.noSession(), also: "/" + s.Name + " " + other.Of(s.Name).Name}
		it.do = func() tea.Cmd { return a.compose(screen.Compose{Text: "/" + s.Name + " "}) }
		items = append(items, it)
	}
	return items
}

// compose has the chat write a text.
func (a *app) compose(m screen.Compose) tea.Cmd {
	return a.open(screen.Open{Name: screen.Chat, With: m})
}

// taskItems lists the tasks that can be cancelled.
func (a *app) taskItems() []item {
	var items []item
	for _, t := range a.tasks {
		name := fmt.Sprintf(a.env.Text.Palette.CancelTask, t.Title)
		items = append(items, item{id: "task.cancel." + t.ID, name: name, also: "cancel", do: func() tea.Cmd {
			a.stopTask(t.ID)
			return nil
		}})
	}
	return items
}
