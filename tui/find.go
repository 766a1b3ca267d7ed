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
	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// found is what was read of the store for a search.
type found struct {
	of    *search
	items []item
	err   error
}

// showFind searches everything: what the world holds, at once; what was played,
// once it is read; and the commands.
func (a *app) showFind() tea.Cmd {
	t := a.env.Text.Palette
	s := newSearch(a.env, t.FindTitle, t.FindNone, a.pickItem(findName))
	world, commands := a.worldItems(), a.commandItems()
	for i := range commands {
		commands[i].kind = t.Kinds["command"]
	}
	s.fill(append(world, commands...))
	reader, words := a.env.Session.Reader(), a.env.Text
	if reader == nil {
		return a.lay(findName, s)
	}
	return tea.Batch(a.lay(findName, s), func() tea.Msg {
		items, err := a.playedItems(reader, words)
		return found{s, items, err}
	})
}

// found takes up what was read, if its list is still there.
func (a *app) found(m found) tea.Cmd {
	if m.err != nil {
		return a.show(screen.Toast{Text: m.err.Error(), Error: true})
	}
	m.of.more(m.items)
	return nil
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
	for _, n := range script.Nodes {
		items = append(items, a.nodeItems(n, in)...)
	}
	for _, l := range script.Lore {
		words := in(l.Text)
		items = append(items, item{kind: kinds["lore"], name: l.ID, note: words, also: keysOf(l), body: folded(all(l.Text)),
			do: a.shower(screen.World, screen.Show{Kind: screen.KindLore, ID: l.ID})})
	}
	return items
}

// nodeItems lists a node and its beats.
func (a *app) nodeItems(n *plot.Node, in func(personas.Text) string) []item {
	kinds := a.env.Text.Palette.Kinds
	name := n.ID
	if !n.Title.Empty() {
		name = in(n.Title)
	}
	items := []item{{kind: kinds["node"], name: name, note: n.ID, also: n.ID + " " + all(n.Title), do: a.shower(screen.Plot, screen.Show{Kind: screen.KindNode, ID: n.ID})}}
	for _, b := range n.Beats {
		items = append(items, item{kind: kinds["beat"], name: b.ID, note: name, do: a.shower(screen.Plot, screen.Show{Kind: screen.KindNode, ID: n.ID})})
	}
	return items
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

// playedItems reads branches, what was said and what was found in it; in a
// command.
func (a *app) playedItems(r story.Reader, t *lang.Strings) ([]item, error) {
	branches, err := r.Branches()
	if err != nil {
		return nil, fmt.Errorf("find: %w", err)
	}
	kinds := t.Palette.Kinds
	var items []item
	for _, b := range branches {
		items = append(items, item{kind: kinds["branch"], name: b.Name, note: strings.Join(b.Tags, " "), do: a.goer(b.ID, "")})
	}
	turns, err := readTurns(r)
	if err != nil {
		return nil, err
	}
	owner := turns.owners(branches)
	for _, p := range turns.list {
		at := ""
		if b, ok := owner[p.alt.ID]; ok {
			at = fmt.Sprintf("%s@%d", b.Name, p.turn.Depth)
		}
		items = append(items, a.saidItems(p, owner[p.alt.ID], at, t)...)
	}
	return items, nil
}

// played is an alternative with its turn.
type played struct {
	turn story.Turn
	alt  story.Alternative
}

// turns is what was played: parents stand before what follows.
type turns struct {
	list   []played
	parent map[story.ID]story.ID // alternative → the alternative before it
}

func readTurns(r story.Reader) (turns, error) {
	t := turns{parent: map[story.ID]story.ID{}}
	err := r.Walk(func(turn story.Turn, alts []story.Alternative) error {
		for _, alt := range alts {
			t.parent[alt.ID] = turn.Parent
			t.list = append(t.list, played{turn, alt})
		}
		return nil
	})
	if err != nil {
		return t, fmt.Errorf("find: %w", err)
	}
	return t, nil
}

// owners gives for every alternative the newest branch that leads through it.
func (t turns) owners(branches []story.Branch) map[story.ID]story.Branch {
	owner := map[story.ID]story.Branch{}
	for _, b := range branches {
		for id := b.Leaf; id != ""; id = t.parent[id] {
			if _, taken := owner[id]; taken {
				break
			}
			owner[id] = b
		}
	}
	return owner
}

// saidItems lists what the player and an NPC said in a turn, and what was found
// in the reply.
func (a *app) saidItems(p played, b story.Branch, at string, t *lang.Strings) []item {
	kinds := t.Palette.Kinds
	do := a.goer(b.ID, p.turn.ID)
	if b.ID == "" {
		do = a.shower(screen.Tree, screen.Show{Kind: screen.KindTurn, ID: string(p.alt.ID)})
	}
	var items []item
	add := func(kind, words string) {
		if words != "" {
			items = append(items, item{kind: kinds[kind], name: at, note: text.Line(words), body: folded(words), do: do})
		}
	}
	if len(p.turn.Children) == 0 || p.alt.ID == p.turn.Children[0] {
		add("turn", p.turn.Input.Text)
	}
	for _, l := range p.alt.Lines {
		add("turn", l.Text)
	}
	add("turn", p.alt.Text)
	for _, f := range p.alt.Findings {
		add("finding", t.Finding(f.Code, f.Args))
	}
	return items
}

// goer shows a turn of a branch in the chat.
func (a *app) goer(b, turn story.ID) func() tea.Cmd {
	return func() tea.Cmd {
		return a.open(screen.Open{Name: screen.Chat, With: screen.GoTo{Branch: b, Turn: turn}})
	}
}
