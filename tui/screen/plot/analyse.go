package plot

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas/lint"
	"fabula/story/check/space"
	"fabula/story/plot"
	"fabula/tui/screen"
)

// analyse searches the world in a command, unless it was searched as it is.
func (p *Plot) analyse() tea.Cmd {
	m := p.model()
	if p.busy || p.examined == m.script {
		return nil
	}
	p.busy = true
	return screen.Examine(m.script)
}

// take takes a finished search, whoever asked for it.
func (p *Plot) take(e screen.Examined) tea.Cmd {
	p.busy = false
	m := p.model()
	if m == nil {
		return nil
	}
	if e.Script != m.script { // it was edited meanwhile
		if p.wantWay {
			return p.analyse()
		}
		return nil
	}
	p.report, p.examined, p.drawing = &e.Report, e.Script, nil
	p.findings = m.of(e.Report.Findings)
	if p.wantWay {
		p.wantWay = false
		return p.path()
	}
	return nil
}

// wayFound is a shortest way to a node; none when there is none.
type wayFound struct {
	way way
	ok  bool
}

// path looks for a shortest way to the selected node, after a search if none
// was made yet.
func (p *Plot) path() tea.Cmd {
	m := p.model()
	if p.way != nil {
		p.way = nil
		return nil
	}
	if p.examined != m.script {
		p.wantWay = true
		return p.analyse()
	}
	node, sp := p.at, p.report.Space
	id := m.nodes[node].ID
	return func() tea.Msg {
		at, ok := sp.Reached(id)
		if !ok {
			return wayFound{way: way{node: node, script: m.script}}
		}
		steps, played := sp.Witness(at)
		return wayFound{way{node, m.script, steps, played}, true}
	}
}

func (p *Plot) wayFound(f wayFound) tea.Cmd {
	m := p.model()
	if f.way.script != m.script || f.way.node != p.at {
		return nil // edited meanwhile, or another node is looked at
	}
	if !f.ok {
		return screen.Say(fmt.Sprintf(p.env.Text.Plot.NoPath, p.title(m.nodes[f.way.node])))
	}
	p.way = &f.way
	p.sheet.focus = !p.wide()
	p.sheet.list.Select(0)
	return nil
}

// proven says what a search found out about a node's being reached.
func (p *Plot) proven(n *plot.Node) (reached, known bool) {
	if p.report == nil || p.examined != p.m.script {
		return false, false
	}
	_, ok := p.report.Space.Reached(n.ID)
	return ok, ok || p.report.Space.Complete()
}

// worst is the sign of the gravest finding of a node; "" without one.
func (p *Plot) worst(node int) string {
	if node >= len(p.findings) {
		return ""
	}
	sign := ""
	for _, f := range p.findings[node] {
		if f.Level == lint.Error {
			return "E"
		}
		sign = "W"
	}
	return sign
}

// steps is how many turns a way takes.
func steps(way []space.Step) int { return max(len(way)-1, 0) }
