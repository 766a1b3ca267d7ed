package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/screen/chat"
	"fabula/tui/screen/compare"
	"fabula/tui/screen/engines"
	"fabula/tui/screen/export"
	"fabula/tui/screen/personas"
	"fabula/tui/screen/plot"
	"fabula/tui/screen/promotion"
	"fabula/tui/screen/runs"
	"fabula/tui/screen/tree"
	"fabula/tui/screen/world"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// page is one screen of the workbench. Tabs, keys, broadcast and help are made
// of the table of pages: a screen more is a row more.
type page struct {
	name  screen.Name
	key   string // as tea.KeyMsg.String gives it
	words func(*lang.Pages) lang.Page
	make  func(*app) screen.Screen
	// over: it lies over another screen and has no tab; its key closes it again.
	over bool
	// always: it can be shown while the world does not load.
	always bool
}

// pages lists the screens in the order of their tabs, then what lies over them.
var pages = []page{
	{name: screen.World, key: "f2", words: func(p *lang.Pages) lang.Page { return p.World }, always: true, make: func(a *app) screen.Screen {
		return world.New(a.env, world.Place{Name: a.o.Name, Dir: a.o.Dir, Store: a.o.StateDir})
	}},
	{name: screen.Personas, key: "f3", words: func(p *lang.Pages) lang.Page { return p.Personas }, make: func(a *app) screen.Screen {
		return personas.New(a.ctx, a.env)
	}},
	{name: screen.Plot, key: "f4", words: func(p *lang.Pages) lang.Page { return p.Plot }, make: func(a *app) screen.Screen {
		return plot.New(a.env)
	}},
	{name: screen.Chat, key: "f5", words: func(p *lang.Pages) lang.Page { return p.Chat }, make: func(a *app) screen.Screen {
		return chat.New(a.ctx, a.env)
	}},
	{name: screen.Tree, key: "f6", words: func(p *lang.Pages) lang.Page { return p.Tree }, make: func(a *app) screen.Screen {
		return tree.New(a.env)
	}},
	{name: screen.Runs, key: "f7", words: func(p *lang.Pages) lang.Page { return p.Runs }, make: func(a *app) screen.Screen {
		return runs.New(a.env)
	}},
	{name: screen.Engine, key: "f8", words: func(p *lang.Pages) lang.Page { return p.Engine }, make: func(a *app) screen.Screen {
		return engines.New(a.env, a.o.Engines)
	}},
	{name: screen.Comparison, key: "alt+c", over: true, words: func(p *lang.Pages) lang.Page { return p.Compare }, make: func(a *app) screen.Screen {
		return compare.New(a.env)
	}},
	{name: screen.Export, key: "alt+x", over: true, words: func(p *lang.Pages) lang.Page { return p.Export }, make: func(a *app) screen.Screen {
		return export.New(a.env)
	}},
	{name: screen.Promotion, key: "alt+p", over: true, words: func(p *lang.Pages) lang.Page { return p.Promotion }, make: func(a *app) screen.Screen {
		return promotion.New(a.env, a.o.StateDir)
	}},
}

// makeScreens makes every screen of the table.
func (a *app) makeScreens() {
	a.screens = map[screen.Name]screen.Screen{}
	for _, p := range pages {
		a.screens[p.name] = p.make(a)
	}
	a.chat = a.screens[screen.Chat].(*chat.Chat)
	a.world = a.screens[screen.World].(*world.World)
}

// open shows a screen, and tells it what it is to show.
func (a *app) open(m screen.Open) tea.Cmd {
	for _, p := range pages {
		if p.name != m.Name || a.env.Session == nil && !p.always {
			continue
		}
		s := a.screens[p.name]
		var shown, told tea.Cmd
		if p.over {
			shown = a.lay(p.name, s)
		} else {
			a.front, a.over = p.name, nil
			shown = s.Shown()
		}
		if m.With != nil {
			told = s.Update(m.With)
		}
		return tea.Batch(shown, told)
	}
	return nil
}

// goTo is what the key of a page does: it shows the page, and takes away what
// lies over others when it is shown already.
func (a *app) goTo(p page) tea.Cmd {
	if p.over && a.topName() == p.name {
		a.lift(p.name)
		return nil
	}
	return a.open(screen.Open{Name: p.name})
}

// broadcast gives a message to every screen; each knows its own.
func (a *app) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, p := range pages {
		switch m := msg.(type) {
		case screen.GoTo:
			if p.name != screen.Chat || m.Branch == "" {
				continue
			}
		case screen.Changed:
			if p.name != screen.Chat && p.name != a.front && !a.lies(p.name) {
				continue // it reads when it is shown
			}
		}
		cmds = append(cmds, a.screens[p.name].Update(msg))
	}
	for _, l := range a.over {
		if a.screens[l.name] == nil {
			cmds = append(cmds, l.Update(msg)) // made for this once: help
		}
	}
	if _, ok := msg.(screen.Went); ok {
		a.dirty = true
	}
	return tea.Batch(cmds...)
}

// pageKeys lists the bindings that lead to the pages.
func (a *app) pageKeys() []widget.Binding {
	rows := make([]widget.Binding, 0, len(pages))
	for _, p := range pages {
		words := p.words(&a.env.Text.Pages)
		row := widget.Binding{ID: string(p.name), Keys: []string{p.key}, Label: strings.ToUpper(p.key), Name: words.Name, Hint: words.Hint, When: widget.Anywhere}
		if !p.always {
			row.Disabled = a.noSession
		}
		rows = append(rows, row)
	}
	return rows
}

// pageOf finds the page that a row leads to.
func pageOf(id string) (page, bool) {
	for _, p := range pages {
		if string(p.name) == id {
			return p, true
		}
	}
	return page{}, false
}
