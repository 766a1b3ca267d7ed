// Package personas is the screen of a world's NPCs: what of each reaches the
// model and what that costs, the file, what is wrong with it, its versions, and
// a line tried on three seeds.
//
// Tried lines are stored like any other, in a sandbox of their own: what a
// reply was made of can then be looked at in the inspector, starred and
// compared. Non-goals: changing an author's files.
package personas

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas"
	"fabula/story"
	"fabula/story/check"
	"fabula/story/plot"
	"fabula/story/versions"
	"fabula/tui/screen"
	"fabula/tui/widget"
)

// Personas is the screen. Its methods are called from one goroutine.
type Personas struct {
	ctx  context.Context
	env  *screen.Env
	w, h int

	list  widget.List // of personas
	focus bool        // the pane has the keyboard
	tab   tab
	panes [tabs]widget.List // rows of each pane, or what can be selected in it
	heads widget.List       // the names of the panes, for the mouse
	lang  int               // of the world's languages, -1 = the interface's, if it is one

	script   *plot.Script // that was read
	known    map[string]known
	versions map[string][]versions.Version
	diff     difference
	findings []check.Finding
	examined *plot.Script
	busy     bool
	gen      int
	err      error

	line *widget.Prompt // a line that is being written
	try  trial
}

// tab is what the pane shows.
type tab int

// The panes.
const (
	effective tab = iota
	file
	found
	history
	trying
	tabs
)

// known is what was read of a persona.
type known struct {
	fixed story.Fixed
	err   error    // why there is no fixed part
	file  []string // lines
}

// difference is a version compared with the present one.
type difference struct {
	hash string
	lang string
	old  string
	err  error
}

// New makes the screen. Replies that it asks for end with ctx.
func New(ctx context.Context, env *screen.Env) *Personas {
	return &Personas{ctx: ctx, env: env, lang: -1, known: map[string]known{}}
}

// SetSize sets columns and rows.
func (v *Personas) SetSize(w, h int) {
	v.w, v.h = w, h
	v.line.SetWidth(w)
}

// Typing reports whether a line is being written.
func (v *Personas) Typing() bool { return v.line != nil }

// Cursor is the insertion point of the line.
func (v *Personas) Cursor() (x, y int, show bool) { return v.line.Cursor(v.h, v.env.Theme) }

// Shown reads personas, prompts and versions.
func (v *Personas) Shown() tea.Cmd { return v.load() }

// all lists the personas; none without a session.
func (v *Personas) all() []*personas.Persona {
	if v.env.Session == nil {
		return nil
	}
	return v.env.Session.Script().Personas
}

// selected gives the selected persona; nil when there is none.
func (v *Personas) selected() *personas.Persona {
	all := v.all()
	v.list.SetLen(len(all))
	if len(all) == 0 {
		return nil
	}
	return all[v.list.At()]
}

// speaks is the language that is looked at.
func (v *Personas) speaks() string {
	if v.env.Session == nil {
		return ""
	}
	langs := v.env.Session.Script().Languages
	if len(langs) == 0 {
		return ""
	}
	if v.lang < 0 {
		v.lang = max(slices.Index(langs, v.env.Text.Code), 0)
	}
	return langs[v.lang%len(langs)]
}

// Update takes one message.
func (v *Personas) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return v.key(m)
	case tea.MouseMsg:
		v.mouse(m)
	case screen.Show:
		v.show(m)
	case screen.Changed:
		return v.load()
	case screen.Examined:
		v.busy = false
		if v.env.Session != nil && m.Script == v.env.Session.Script() {
			v.examined, v.findings = m.Script, m.Report.Findings
		}
	case read:
		v.read(m)
	case compared:
		v.compared(m)
	case begun:
		return v.begun(m)
	case pulled:
		return v.pulled(m)
	}
	return nil
}

// show selects a persona that was found by its name.
func (v *Personas) show(m screen.Show) {
	if m.Kind != screen.KindPersona {
		return
	}
	i := slices.IndexFunc(v.all(), func(p *personas.Persona) bool { return p.ID == m.ID })
	v.list.SetLen(len(v.all()))
	if i >= 0 {
		v.list.Select(i)
	}
}

// read is what was read of all personas.
type read struct {
	gen      int
	script   *plot.Script
	known    map[string]known
	versions map[string][]versions.Version
	err      error
}

// load reads, in a command: an engine's tokeniser may have to count.
func (v *Personas) load() tea.Cmd {
	s := v.env.Session
	if s == nil {
		return nil
	}
	v.gen++
	gen, ctx, lang, open := v.gen, v.ctx, v.speaks(), v.env.File
	return func() tea.Msg {
		m := read{gen: gen, script: s.Script(), known: map[string]known{}}
		for _, p := range m.script.Personas {
			var k known
			k.fixed, k.err = s.Fixed(ctx, p.ID, lang)
			if open != nil && p.Pos.File != "" {
				if data, err := open(p.Pos.File); err == nil {
					k.file = strings.Split(strings.TrimRight(string(data), "\n"), "\n")
				}
			}
			m.known[p.ID] = k
		}
		if r := s.Reader(); r != nil {
			m.versions, m.err = versions.Read(r)
		}
		return m
	}
}

func (v *Personas) read(m read) {
	if m.gen != v.gen {
		return
	}
	v.script, v.known, v.err = m.script, m.known, m.err
	if m.err == nil {
		v.versions = m.versions
	}
}

// of lists the findings in a persona's file.
func (v *Personas) of(p *personas.Persona) []check.Finding {
	if p == nil || v.env.Session == nil || v.examined != v.env.Session.Script() {
		return nil
	}
	var out []check.Finding
	for _, f := range v.findings {
		if f.Pos.File == p.Pos.File {
			out = append(out, f)
		}
	}
	return out
}

// compared is the text of an old version.
type compared struct{ difference }

// compare reads the text of the selected version, in a command.
func (v *Personas) compare() tea.Cmd {
	p, s := v.selected(), v.env.Session
	all := v.versions[p.ID]
	at := v.panes[history].At()
	if at >= len(all) {
		return nil
	}
	old, lang := all[at], v.speaks()
	return func() tea.Msg {
		d := difference{hash: old.Hash, lang: lang}
		if d.old, d.err = old.Text(s.Reader(), lang); d.err == nil && d.old == "" {
			d.err = errNoText
		}
		return compared{d}
	}
}

var errNoText = errors.New("no text")

// compared takes what was read, unless another version was selected meanwhile.
func (v *Personas) compared(m compared) {
	if p := v.selected(); p != nil {
		all, at := v.versions[p.ID], v.panes[history].At()
		if at < len(all) && all[at].Hash == m.hash {
			v.diff = m.difference
		}
	}
}
