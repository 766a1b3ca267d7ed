package plot

import (
	"fmt"
	"slices"
	"strings"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/check"
	"fabula/story/coverage"
	"fabula/story/plot"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
	"fabula/tui/wording"
)

// side draws the sheet of the selected node, or the way to it, scrolled.
func (p *Plot) side(w, h int) widget.Rows {
	if len(p.m.nodes) == 0 {
		return widget.Rows{}.Fit(w, h)
	}
	n := p.m.nodes[p.at]
	var rows widget.Rows
	if p.way != nil {
		rows = p.wayRows(w)
	} else {
		rows = p.sheetRows(n, w)
	}
	head := widget.Rule(p.title(n), p.scrolled(len(rows), h-1), w, p.env.Theme)
	return append(widget.Rows{head}, p.sheet.list.Scroll(rows, h-1).Fit(w, h-1)...)
}

// scrolled says how many rows are not seen.
func (p *Plot) scrolled(n, h int) string {
	from := p.sheet.list.At()
	below := n - from - h
	var parts []string
	if from > 0 {
		parts = append(parts, p.env.Theme.Signs.Up+fmt.Sprint(from))
	}
	if below > 0 {
		parts = append(parts, p.env.Theme.Signs.Down+fmt.Sprint(below))
	}
	return strings.Join(parts, " ")
}

// wayRows draws the way to the selected node, step by step.
func (p *Plot) wayRows(w int) widget.Rows {
	th, t := p.env.Theme, p.env.Text
	rows := widget.Paragraph(fmt.Sprintf(t.Plot.PathTo, steps(p.way.steps)), 1, w, th.Title)
	if !p.way.played {
		rows = append(rows, widget.Paragraph(t.Way.MayBe, 1, w, th.Warn)...)
	}
	for _, step := range wording.Way(p.way.steps, t) {
		rows = append(rows, widget.Paragraph(step, 2, w, style.Style{})...)
	}
	return rows
}

const column = 9 // of the names in the sheet

// sheetRows draws what a node is and holds.
func (p *Plot) sheetRows(n *plot.Node, w int) widget.Rows {
	s := sheet{p: p, n: n, w: w}
	s.head()
	s.cast()
	s.beats()
	s.anchors()
	s.exits()
	s.entries()
	s.chats()
	s.found()
	return s.rows
}

// sheet is a sheet that is being drawn.
type sheet struct {
	p    *Plot
	n    *plot.Node
	w    int
	rows widget.Rows
}

// pair draws a name and a value that may take several rows.
func (s *sheet) pair(name, value string) {
	if value = text.Line(value); value == "" {
		return
	}
	for _, row := range text.Wrap(value, s.w-column-3) {
		s.rows = append(s.rows, widget.Pair(name, row, column, s.w, s.p.env.Theme))
		name = ""
	}
}

// heading begins a group, with a blank row before it.
func (s *sheet) heading(words, note string) {
	th := s.p.env.Theme
	if len(s.rows) > 0 {
		s.rows = append(s.rows, text.Spaces(s.w))
	}
	s.rows = append(s.rows, text.Fit(" "+th.Title.Render(words)+"  "+th.Dim.Render(note), s.w, th.Signs.Ellipsis))
}

// item draws a thing of a group: sign and name, a note at the right end.
func (s *sheet) item(sign, name, note string, st style.Style) {
	th := s.p.env.Theme
	room := max(s.w-text.Width(note)-4, 8)
	s.rows = append(s.rows, text.Fit(" "+st.Render(text.Fit(sign+" "+text.Line(name), room, th.Signs.Ellipsis))+" "+th.Dim.Render(note), s.w, ""))
}

// under draws what belongs to the thing above it.
func (s *sheet) under(words string) {
	if words = text.Line(words); words != "" {
		s.rows = append(s.rows, widget.Paragraph(words, 3, s.w, s.p.env.Theme.Dim)...)
	}
}

func (s *sheet) words(t personas.Text) string {
	return text.Line(t.In(s.p.env.Text.Code, s.p.m.script.Languages...))
}

// head draws id, place in the files, scene, guard, effects, visits, reach.
func (s *sheet) head() {
	t, n := s.p.env.Text, s.n
	s.pair(t.Plot.ID, n.ID+"  "+n.Pos.String())
	for _, tag := range n.Scene {
		s.pair(tag.Key, s.words(tag.Value))
	}
	s.pair(t.Plot.Guard, n.When.Src)
	s.pair(t.Plot.OnEnter, effects(n.OnEnter, t.Plot.If))
	if n.Ending != nil {
		s.pair(t.World.Ending, t.Ending(n.Ending.Kind))
	}
	c := s.p.visits(n)
	s.pair(t.Plot.Visits, fmt.Sprintf(t.Plot.VisitsOf, c.People, c.Simulated))
	s.pair(t.Plot.Reach, s.reach())
}

// reach says whether a node can be come to, as far as that is known.
func (s *sheet) reach() string {
	t, i := s.p.env.Text.Plot, s.p.m.index[s.n.ID]
	switch reached, known := s.p.proven(s.n); {
	case known && reached:
		return fmt.Sprintf(t.Reached, s.p.m.depth[i])
	case known:
		return t.Unreached
	case !s.p.m.reach[i]:
		return t.NoExitLeads
	}
	return fmt.Sprintf(t.Exits, s.p.m.depth[i]) + ", " + t.NotSearched
}

func (s *sheet) cast() {
	t := s.p.env.Text.Plot
	if len(s.n.Cast) == 0 {
		return
	}
	s.heading(t.Cast, s.n.Turns)
	for _, m := range s.n.Cast {
		name := m.NPC
		if who := s.p.m.script.Persona(m.NPC); who != nil {
			name = s.words(who.Name)
		}
		s.item("@", name, m.NPC, s.p.env.Theme.NPC)
		s.under(s.words(m.Goal))
		s.under(condition(m.When.Src, t.If))
	}
}

func (s *sheet) beats() {
	t := s.p.env.Text.Plot
	if len(s.n.Beats) == 0 {
		return
	}
	s.heading(t.Beats, fmt.Sprintf(t.Of, s.p.fired(s.n), len(s.n.Beats)))
	for _, b := range s.n.Beats {
		s.item(s.p.env.Theme.Signs.Beat, b.ID, s.times(func(c *coverage.Coverage) map[string]coverage.Count { return c.Beats }, b.ID), s.p.env.Theme.Beat)
		s.under(condition(b.When.Src, t.If))
		s.under(effects(b.Effects, t.If))
	}
}

func (s *sheet) anchors() {
	t := s.p.env.Text.Plot
	if len(s.n.Anchors) == 0 {
		return
	}
	s.heading(t.Anchors, "")
	for _, a := range s.n.Anchors {
		s.item(s.p.env.Theme.Signs.Authored, a.ID, s.times(func(c *coverage.Coverage) map[string]coverage.Count { return c.Anchors }, a.ID), s.p.env.Theme.Told)
		s.under(s.words(a.Say))
		s.under(condition(a.When.Src, t.If))
	}
}

// times says how often a thing of the node happened.
func (s *sheet) times(of func(*coverage.Coverage) map[string]coverage.Count, id string) string {
	t := s.p.env.Text.Plot
	if s.p.cover == nil {
		return ""
	}
	c := of(s.p.cover)[s.n.ID+"."+id]
	switch {
	case !c.Any():
		return t.Never
	case c.People == 0:
		return fmt.Sprintf(t.SimulatedOnly, c.Simulated)
	}
	return fmt.Sprintf(t.Times, c.People)
}

func (s *sheet) exits() {
	t := s.p.env.Text.Plot
	if len(s.n.Exits) == 0 {
		return
	}
	s.heading(t.ExitsHead, "")
	for _, e := range s.n.Exits {
		s.rows = append(s.rows, s.p.exitRow(s.n, e, s.w))
		s.under(condition(e.When.Src, t.If))
		if to := s.p.m.script.Node(e.To); to != nil && !e.Stay {
			s.under(condition(to.When.Src, t.IfThere))
		}
		s.under(effects(e.Effects, t.If))
	}
}

// exitRow draws an exit: its id, where it leads, whether it asks for something,
// how often it was taken.
func (p *Plot) exitRow(n *plot.Node, e *plot.Exit, w int) string {
	th, t := p.env.Theme, p.env.Text.Plot
	to, asks := t.Stays, ""
	if target := p.m.script.Node(e.To); target != nil && !e.Stay {
		to = p.title(target)
		if !target.When.Empty() {
			asks = " ?"
		}
	}
	if !e.When.Empty() {
		asks = " ?"
	}
	if e.Auto {
		asks += " " + t.Auto
	}
	note := ""
	if p.cover != nil {
		note = (&sheet{p: p, n: n}).times(func(c *coverage.Coverage) map[string]coverage.Count { return c.Exits }, e.ID)
	}
	room := max(w-text.Width(note)-3, 8)
	name := text.Fit(th.Signs.Arrow+" "+to+asks+"  "+e.ID, room, th.Signs.Ellipsis)
	return text.Fit(" "+th.Exit.Render(name)+" "+th.Dim.Render(note), w, "")
}

// entries lists where one comes from.
func (s *sheet) entries() {
	var from []string
	for _, e := range s.p.m.in[s.p.m.index[s.n.ID]] {
		if title := s.p.title(s.p.m.nodes[s.p.m.edges[e].from]); !slices.Contains(from, title) {
			from = append(from, title)
		}
	}
	if len(from) > 0 {
		s.heading(s.p.env.Text.Plot.From, "")
		s.under(strings.Join(from, s.p.env.Text.Way.List))
	}
}

// mostChats bounds the branches that a sheet lists.
const mostChats = 8

func (s *sheet) chats() {
	t := s.p.env.Text.Plot
	if s.p.cover == nil {
		return
	}
	all := s.p.cover.At(s.n.ID)
	c := s.p.cover.Turns[s.n.ID]
	s.heading(t.Chats, fmt.Sprintf(t.ChatsOf, c.People+c.Simulated, len(all)))
	for i, at := range all {
		if i == mostChats {
			s.under(fmt.Sprintf(t.More, len(all)-i))
			break
		}
		note := fmt.Sprintf(s.p.env.Text.Chat.Turn, at.Depth)
		if at.Stands {
			note += " " + s.p.env.Theme.Signs.Bullet
		}
		s.item(" ", strings.Join(append([]string{at.Branch.Name}, at.Branch.Tags...), " "), note, style.Style{})
	}
	if at, ok := s.p.from(s.n.ID); ok {
		s.under(fmt.Sprintf(t.NFrom, at.Branch.Name, at.Depth))
	} else {
		s.under(t.NJumps)
	}
}

// found lists what a search found here.
func (s *sheet) found() {
	i, t := s.p.m.index[s.n.ID], s.p.env.Text
	if i >= len(s.p.findings) || len(s.p.findings[i]) == 0 {
		return
	}
	s.heading(t.Plot.Findings, fmt.Sprint(len(s.p.findings[i])))
	for _, f := range s.p.findings[i] {
		s.finding(&f)
	}
}

func (s *sheet) finding(f *check.Finding) {
	th := s.p.env.Theme
	sign, st := "W", th.Warn
	if f.Level == lint.Error {
		sign, st = "E", th.Error
	}
	s.item(sign, f.Pos.String(), f.Code, st)
	what, todo := lang.Finding(f.Code, f.Args, s.p.env.Text.Code)
	s.rows = append(s.rows, widget.Paragraph(what, 3, s.w, style.Style{})...)
	s.under(todo)
}

func condition(src, words string) string {
	if src == "" {
		return ""
	}
	return fmt.Sprintf(words, src)
}

// effects lists assignments as they are written.
func effects(list []plot.Effect, words string) string {
	var out []string
	for _, e := range list {
		do := e.Do.Src
		if !e.When.Empty() {
			do += " " + fmt.Sprintf(words, e.When.Src)
		}
		out = append(out, do)
	}
	return strings.Join(out, "; ")
}
