// Package plot is the screen of a world's plot: its nodes as an outline or as a
// graph, what each holds, what playing came by and what a search proved.
//
//	edges are walked, not scrolled: left and right along exits, up and down
//	among the nodes of a column
//
// Non-goals: changing an author's files; laying out graphs (tui/diagram);
// counting what was played (story/coverage).
package plot

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/check"
	"fabula/story/check/space"
	"fabula/story/coverage"
	"fabula/story/plot"
	"fabula/tui/diagram"
	"fabula/tui/screen"
	"fabula/tui/widget"
)

// Plot is the screen. Its methods are called from one goroutine.
type Plot struct {
	env  *screen.Env
	w, h int

	m      *model
	at     int  // selected node
	asked  bool // outline or graph was chosen by a key
	graph  bool // the graph is shown
	shades bool // coverage is drawn
	sheet  pane
	find   *widget.Prompt
	origin int

	drawing *diagram.Drawing
	canvas  *diagram.Canvas
	painted int      // node for which canvas was painted
	labels  []string // of drawing
	view    viewport
	top     widget.List // scrolls the outline
	boxes   widget.List // where the graph is, for the mouse

	cover *coverage.Coverage
	err   error
	gen   int
	here  story.Branch // that the chat shows

	report   *check.Report
	examined *plot.Script
	findings [][]check.Finding // by node
	busy     bool              // a search runs
	wantWay  bool              // and its way is waited for
	way      *way
	starting bool // a branch is being made
}

// pane is the sheet beside the nodes or, in a narrow window, over them.
type pane struct {
	focus bool
	list  widget.List // its rows
}

// way is a shortest way to a node.
type way struct {
	node   int
	script *plot.Script
	steps  []space.Step
	played bool // with words that were found for it
}

// viewport is the part of a graph that is seen.
type viewport struct{ x, y, w, h int }

// New makes the screen.
func New(env *screen.Env) *Plot { return &Plot{env: env, shades: true, painted: -1} }

// SetSize sets columns and rows.
func (p *Plot) SetSize(w, h int) {
	p.w, p.h = w, h
	if !p.asked {
		p.graph = p.wide()
	}
	p.find.SetWidth(w)
}

// twoPanes is the width from which the sheet stands beside the nodes.
const twoPanes = 100

func (p *Plot) wide() bool { return p.w >= twoPanes }

// Typing reports whether a search is being written.
func (p *Plot) Typing() bool { return p.find != nil }

// Cursor is the insertion point of the search.
func (p *Plot) Cursor() (x, y int, show bool) { return p.find.Cursor(p.h, p.env.Theme) }

// Shown reads what was played.
func (p *Plot) Shown() tea.Cmd {
	p.model()
	return p.load()
}

// model gives the present script as the screen walks it; nil without a session.
// After an edit of the files the selection stays at its node.
func (p *Plot) model() *model {
	s := p.env.Session
	if s == nil {
		return nil
	}
	script := s.Script()
	if p.m != nil && p.m.script == script {
		return p.m
	}
	was := p.m
	p.m, p.drawing, p.way, p.findings = newModel(script), nil, nil, nil
	p.at, p.origin = p.m.same(was, p.at), p.m.same(was, p.origin)
	p.top.SetLen(len(p.m.order))
	if p.examined == script && p.report != nil {
		p.findings = p.m.of(p.report.Findings)
	}
	return p.m
}

// Update takes one message.
func (p *Plot) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return p.key(m)
	case tea.MouseMsg:
		return p.mouse(m)
	case screen.Changed:
		return p.load()
	case screen.Went:
		p.here = m.Branch
		p.drawing = nil
	case screen.Show:
		p.show(m)
	case counted:
		p.counted(m)
	case screen.Examined:
		return p.take(m)
	case wayFound:
		return p.wayFound(m)
	case begun:
		return p.begun(m)
	}
	return nil
}

// show selects a node that was found by its name.
func (p *Plot) show(s screen.Show) {
	m := p.model()
	if m == nil || s.Kind != screen.KindNode {
		return
	}
	if n := m.script.Node(s.ID); n != nil {
		p.choose(m.index[n.ID])
	}
}

// counted is what was played.
type counted struct {
	gen   int
	cover *coverage.Coverage
	err   error
}

// load counts what was played, in a command.
func (p *Plot) load() tea.Cmd {
	s := p.env.Session
	if s == nil || s.Reader() == nil {
		return nil
	}
	p.gen++
	gen := p.gen
	return func() tea.Msg {
		c, err := coverage.Read(s.Reader(), s.Script())
		return counted{gen, c, err}
	}
}

func (p *Plot) counted(m counted) {
	if m.gen != p.gen {
		return
	}
	p.err = m.err
	if m.err == nil {
		p.cover = m.cover
	}
	p.drawing = nil
}
