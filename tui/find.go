package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas"
	"fabula/personas/fold"
	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/screen"
	"fabula/tui/text/lang"
)

// showFind searches everything: what the world holds, the branches and the
// commands by their names, what was said and what was found in it by the store's
// index, for every word that is typed.
func (a *app) showFind() tea.Cmd {
	t := a.env.Text.Palette
	s := newSearch(a.env, t.FindTitle, t.FindNone, a.pickItem(findName))
	world, commands := a.worldItems(), a.commandItems()
	for i := range commands {
		commands[i].kind = t.Kinds["command"]
	}
	reader, words := a.env.Session.Reader(), a.env.Text
	if reader == nil {
		s.fill(append(world, commands...))
		return a.lay(findName, s)
	}
	s.fill(append(world, commands...))
	s.waits = true
	return tea.Batch(a.lay(findName, s), func() tea.Msg {
		items, err := a.branchItems(reader, words)
		return listed{s, items, err}
	})
}

// listed is the branches that were read for a search.
type listed struct {
	of    *search
	items []item
	err   error
}

// listed takes up what was read, if its list is still there.
func (a *app) listed(m listed) tea.Cmd {
	if m.err != nil {
		m.of.waits = false
		return a.show(screen.Toast{Text: m.err.Error(), Error: true})
	}
	r, t := a.env.Session.Reader(), a.env.Text
	m.of.look = func(typed string) (said, error) { return a.said.look(r, typed, t, a) }
	return m.of.more(m.items)
}

// branchItems reads the branches; in a command.
func (a *app) branchItems(r story.Reader, t *lang.Strings) ([]item, error) {
	branches, err := r.Branches()
	if err != nil {
		return nil, fmt.Errorf("find: %w", err)
	}
	var items []item
	for _, b := range branches {
		items = append(items, item{kind: t.Palette.Kinds["branch"], name: b.Name, note: strings.Join(b.Tags, " "), do: a.goer(b.ID, "")})
	}
	return items, nil
}

// folded makes a text comparable: width and case do not count.
func folded(s string) string { return string(fold.Of(s, fold.Plain).Runes) }

// worldItems lists what an author wrote: people, nodes, beats, lore.
func (a *app) worldItems() []item {
	script, kinds := a.env.Session.Script(), a.env.Text.Palette.Kinds
	in := func(t personas.Text) string { return t.In(a.env.Text.Code, script.Languages...) }
	var items []item
	for _, p := range script.Personas {
		items = append(items, item{kind: kinds["persona"], name: in(p.Name), note: in(p.Brief), also: "@" + p.ID + " " + all(p.Name),
			body: folded(all(p.Brief)), do: a.shower(screen.Personas, screen.Show{Kind: screen.KindPersona, ID: p.ID})})
	}
	var lines []item
	for _, n := range script.Nodes {
		node, below := a.nodeItems(n, in)
		items, lines = append(items, node...), append(lines, below...)
	}
	for _, l := range script.Lore {
		words := in(l.Text)
		items = append(items, item{kind: kinds["lore"], name: l.ID, note: words, also: keysOf(l), body: folded(all(l.Text)),
			do: a.shower(screen.World, screen.Show{Kind: screen.KindLore, ID: l.ID})})
	}
	return append(items, lines...)
}

// nodeItems lists a node with its beats, and its lines and exits apart.
func (a *app) nodeItems(n *plot.Node, in func(personas.Text) string) (node, below []item) {
	kinds := a.env.Text.Palette.Kinds
	name, do := n.ID, a.shower(screen.Plot, screen.Show{Kind: screen.KindNode, ID: n.ID})
	if !n.Title.Empty() {
		name = in(n.Title)
	}
	node = []item{{kind: kinds["node"], name: name, note: n.ID, also: n.ID + " " + all(n.Title), do: do}}
	for _, b := range n.Beats {
		node = append(node, item{kind: kinds["beat"], name: b.ID, note: name, do: do})
	}
	for _, l := range n.Lines {
		below = append(below, item{kind: kinds["line"], name: name, note: in(l.Text), quiet: true, body: folded(all(l.Text)), do: do})
	}
	for _, x := range n.Exits {
		below = append(below, item{kind: kinds["exit"], name: x.ID, note: in(x.Choice), body: folded(all(x.Choice)), do: do})
	}
	return node, below
}

func all(t personas.Text) string { return strings.Join(t.All(), " ") }

func keysOf(l *personas.Lore) string {
	var keys []string
	for _, k := range l.Keys {
		keys = append(keys, all(k))
	}
	return strings.Join(keys, " ")
}

// shower opens a screen at one thing; where there is no such screen yet, the
// world's.
func (a *app) shower(name screen.Name, what screen.Show) func() tea.Cmd {
	if a.screens[name] == nil {
		name = screen.World
	}
	return func() tea.Cmd { return a.open(screen.Open{Name: name, With: what}) }
}

// goer shows a turn of a branch in the chat.
func (a *app) goer(b, turn story.ID) func() tea.Cmd {
	return func() tea.Cmd {
		return a.open(screen.Open{Name: screen.Chat, With: screen.GoTo{Branch: b, Turn: turn}})
	}
}
