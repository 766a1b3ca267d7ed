// Package compare is the screen of two paths of the tree beside each other: what
// was said differently, word by word, and what came of it; or, in a blind vote, two
// scenes of which nobody knows whose they are.
//
// Non-goals: aligning and comparing (story/compare); counting votes (story/lab/vote).
package compare

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/compare"
	"fabula/tui/screen"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// Compare is the screen. Its methods are called from one goroutine.
type Compare struct {
	env   *screen.Env
	w, h  int
	list  widget.List // turns
	from  int         // first row shown of the selected turn
	sides [2]side
	c     *compare.Comparison
	drawn map[int]widget.Rows // by turn, for the present width
	gen   int
	err   error
	blind *blind // the vote that is being held, if there is one
}

// side is one of the two paths.
type side struct {
	name   string // of the branch that ends there, or the place in the tree
	speaks string // language of the playthrough
	leaf   story.ID
}

// New makes the screen.
func New(env *screen.Env) *Compare { return &Compare{env: env, drawn: map[int]widget.Rows{}} }

// SetSize sets columns and rows.
func (v *Compare) SetSize(w, h int) {
	if w != v.w {
		v.drawn = map[int]widget.Rows{}
	}
	v.w, v.h = w, h
}

// Typing is never so.
func (v *Compare) Typing() bool { return false }

// Cursor is never shown.
func (v *Compare) Cursor() (x, y int, show bool) { return 0, 0, false }

// Shown reads the two paths again: they may have grown.
func (v *Compare) Shown() tea.Cmd {
	if v.blind != nil {
		return nil // it goes on as it is: half an answer is kept
	}
	if v.sides[0].leaf == "" {
		return nil
	}
	return v.load(v.sides[0].leaf, v.sides[1].leaf)
}

// Update takes one message.
func (v *Compare) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return v.key(m)
	case tea.MouseMsg:
		switch m.Button {
		case tea.MouseButtonWheelUp:
			v.wheel(-3)
		case tea.MouseButtonWheelDown:
			v.wheel(3)
		}
	case screen.Compare:
		v.blind = nil
		return v.load(m.A, m.B)
	case read:
		v.read(m)
	default:
		return v.voting(msg)
	}
	return nil
}

// read is two paths that were read.
type read struct {
	gen   int
	sides [2]side
	c     *compare.Comparison
	err   error
}

// load reads and aligns two paths, in a command.
func (v *Compare) load(a, b story.ID) tea.Cmd {
	s := v.env.Session
	if s == nil || s.Reader() == nil {
		return nil
	}
	v.gen++
	gen, r, t := v.gen, s.Reader(), v.env.Text
	return func() tea.Msg {
		m := read{gen: gen}
		var paths [2][]story.Step
		for i, leaf := range []story.ID{a, b} {
			if paths[i], m.sides[i], m.err = path(r, leaf, t); m.err != nil {
				return m
			}
		}
		m.c = compare.Paths(paths[0], paths[1])
		return m
	}
}

// path reads the way to an alternative, and what it is called.
func path(r story.Reader, leaf story.ID, t *lang.Strings) ([]story.Step, side, error) {
	steps, err := r.Path(leaf)
	if err != nil || len(steps) == 0 {
		return nil, side{}, err
	}
	last := steps[len(steps)-1].Turn
	p, err := r.Playthrough(last.Playthrough)
	if err != nil {
		return nil, side{}, err
	}
	s := side{leaf: leaf, speaks: p.Language}
	all, err := r.Branches()
	for _, b := range all {
		if b.Leaf == leaf {
			s.name = b.Name
			break
		}
		if b.ID == last.Branch {
			s.name = b.Name
		}
	}
	s.name = fmt.Sprintf(t.Compare.At, s.name, last.Depth)
	return steps, s, err
}

func (v *Compare) read(m read) {
	if m.gen != v.gen {
		return
	}
	v.err, v.drawn = m.err, map[int]widget.Rows{}
	if m.err != nil {
		return
	}
	same := v.sides == m.sides
	v.c, v.sides = m.c, m.sides
	v.list.SetLen(len(v.c.Rows))
	if !same {
		v.from = 0
		v.list.Select(0)
		if len(v.c.Rows) > 0 && v.c.Rows[0].Kind == compare.Equal {
			v.list.Select(v.c.Next(0, 1))
		}
	}
}

// Keys lists what can be done.
func (v *Compare) Keys() []widget.Binding {
	if v.blind != nil {
		return v.votingKeys()
	}
	k, t := v.env.Text.Keys, v.env.Text.Compare
	row := func(id string, r lang.Row, footer bool, keys ...string) widget.Binding {
		return widget.Binding{ID: "compare." + id, Keys: keys, Name: r.Name, Hint: r.Hint, Footer: footer, Disabled: v.nothing}
	}
	next := row("next", t.Next, true, "]")
	next.Label = "[ ]"
	down := row("down", k.Down, true, "j", "down")
	down.Label = "j k"
	back := row("back", k.Back, true, "esc")
	back.Name, back.Hint, back.Disabled = t.Back.Name, t.Back.Hint, nil
	vote := row("vote", v.env.Text.Vote.Begin, true, "v")
	vote.Disabled = nil
	return []widget.Binding{
		next, row("previous", t.Previous, false, "["), row("swap", t.Swap, true, "s"), vote,
		down, row("up", k.Up, false, "k", "up"),
		row("pagedown", k.PageDown, false, "pgdown"), row("pageup", k.PageUp, false, "pgup"),
		row("top", k.Top, false, "g", "home"), row("end", k.End, false, "G", "end"), back,
	}
}

func (v *Compare) nothing() string {
	if v.c == nil || len(v.c.Rows) == 0 {
		return v.env.Text.Compare.Nothing
	}
	return ""
}

func (v *Compare) key(m tea.KeyMsg) tea.Cmd {
	if v.blind != nil {
		return v.voteKey(m)
	}
	b, instead, ok := screen.Press(v.Keys(), m)
	if !ok {
		return instead
	}
	switch b.ID {
	case "compare.back":
		return func() tea.Msg { return screen.Close{} }
	case "compare.vote":
		return v.begin()
	case "compare.next":
		return v.jump(1)
	case "compare.previous":
		return v.jump(-1)
	case "compare.swap":
		v.c, v.sides[0], v.sides[1] = v.c.Swap(), v.sides[1], v.sides[0]
		v.drawn = map[int]widget.Rows{}
	case "compare.pagedown":
		v.scroll(v.h - 2)
	case "compare.pageup":
		v.scroll(2 - v.h)
	default:
		v.from = 0
		v.list.Key(b.Keys[0], v.h-1)
	}
	return nil
}

// jump goes to the next difference, or says that there is none.
func (v *Compare) jump(by int) tea.Cmd {
	to := v.c.Next(v.list.At(), by)
	if to == v.list.At() {
		return screen.Say(v.env.Text.Compare.NoMore)
	}
	v.from = 0
	v.list.Select(to)
	return nil
}

// wheel scrolls whatever is shown.
func (v *Compare) wheel(by int) {
	if v.blind != nil {
		v.blind.list.Move(by)
		return
	}
	v.scroll(by)
}

// scroll moves within the selected turn, then to the next one.
func (v *Compare) scroll(by int) {
	if v.c == nil || len(v.c.Rows) == 0 {
		return
	}
	v.from += by
	for v.from < 0 && v.list.At() > 0 {
		v.list.Move(-1)
		v.from += len(v.turn(v.list.At()))
	}
	for n := len(v.turn(v.list.At())); v.from >= n && v.list.At() < len(v.c.Rows)-1; n = len(v.turn(v.list.At())) {
		v.from -= n
		v.list.Move(1)
	}
	v.from = max(min(v.from, len(v.turn(v.list.At()))-1), 0)
}
