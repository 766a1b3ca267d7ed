// Package tree is the screen of every turn that was ever taken in a world, as
// one tree: playthroughs, branches, alternatives.
//
// A path that does not fork runs straight down; only a fork indents. Non-goals:
// comparing branches.
package tree

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/widget"
)

// Tree is the screen. Its methods are called from one goroutine.
type Tree struct {
	env    *screen.Env
	w, h   int
	list   widget.List
	forest forest
	rows   []line
	folded map[story.ID]bool
	gen    int
	here   story.Branch // that the chat shows
	home   bool         // select where the chat is once the tree was read
	sure   story.ID     // branch whose hiding was asked once
	title  *widget.Composer
	err    error
}

// New makes the screen.
func New(env *screen.Env) *Tree {
	return &Tree{env: env, folded: map[story.ID]bool{}}
}

// SetSize sets columns and rows.
func (t *Tree) SetSize(w, h int) {
	t.w, t.h = w, h
	if t.title != nil {
		t.title.SetWidth(w - 4)
	}
}

// Typing reports whether a title is being written.
func (t *Tree) Typing() bool { return t.title != nil }

// Cursor is the insertion point of the title.
func (t *Tree) Cursor() (x, y int, show bool) {
	if t.title == nil {
		return 0, 0, false
	}
	_, x, _ = t.title.View(1, "", t.env.Theme)
	return x + 3, t.h - 1, true
}

// Shown reads the tree and selects where the chat is.
func (t *Tree) Shown() tea.Cmd {
	t.home = true
	return t.load()
}

// Update takes one message.
func (t *Tree) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return t.key(m)
	case tea.MouseMsg:
		if m.Button == tea.MouseButtonWheelUp {
			t.list.Move(-3)
		} else if m.Button == tea.MouseButtonWheelDown {
			t.list.Move(3)
		}
	case screen.Changed:
		return t.load()
	case screen.Went:
		t.here = m.Branch
	case read:
		t.read(m)
	case hidden:
		return t.hidden(m)
	}
	return nil
}

// forest is what was read of the store: every turn with its alternatives.
type forest struct {
	roots    []story.ID // opening turns, newest playthrough last
	turns    map[story.ID]story.Turn
	alts     map[story.ID]story.Alternative
	below    map[story.ID][]story.ID     // alternative → turns
	of       map[story.ID][]story.ID     // turn → alternatives
	branches map[story.ID][]story.Branch // leaf → branches
	speaks   map[story.ID]string         // playthrough → language
}

type read struct {
	gen    int
	forest forest
	err    error
}

// load reads the tree in a command.
func (t *Tree) load() tea.Cmd {
	s := t.env.Session
	if s == nil || s.Reader() == nil {
		return nil
	}
	t.gen++
	gen := t.gen
	return func() tea.Msg {
		f, err := grow(s.Reader())
		return read{gen, f, err}
	}
}

func grow(r story.Reader) (forest, error) {
	f := forest{turns: map[story.ID]story.Turn{}, alts: map[story.ID]story.Alternative{},
		below: map[story.ID][]story.ID{}, of: map[story.ID][]story.ID{}, branches: map[story.ID][]story.Branch{}, speaks: map[story.ID]string{}}
	err := r.Walk(func(t story.Turn, alts []story.Alternative) error {
		f.turns[t.ID] = t
		if t.Parent == "" {
			f.roots = append(f.roots, t.ID)
		} else {
			f.below[t.Parent] = append(f.below[t.Parent], t.ID)
		}
		for _, a := range alts {
			f.alts[a.ID] = light(a)
			f.of[t.ID] = append(f.of[t.ID], a.ID)
		}
		return nil
	})
	if err != nil {
		return f, fmt.Errorf("read the tree: %w", err)
	}
	for _, id := range f.roots {
		p, err := r.Playthrough(f.turns[id].Playthrough)
		if err != nil {
			return f, fmt.Errorf("read the tree: %w", err)
		}
		f.speaks[p.ID] = p.Language
	}
	all, err := r.Branches()
	for _, b := range all {
		f.branches[b.Leaf] = append(f.branches[b.Leaf], b)
	}
	return f, err
}

// light drops what the screen does not draw: token stamps are most of a store.
func light(a story.Alternative) story.Alternative {
	if a.Reply != nil {
		r := *a.Reply
		r.Tokens, r.Segments = nil, nil
		a.Reply = &r
	}
	return a
}

func (t *Tree) read(m read) {
	if m.gen != t.gen {
		return
	}
	at, had := t.at()
	t.forest, t.err = m.forest, m.err
	t.lay()
	if t.home || !had {
		t.home = false
		t.goHome()
		return
	}
	t.selectAlt(at.alt)
}

// line is one drawn alternative.
type line struct {
	alt, turn story.ID
	prefix    string // the drawn lines before it
	n, of     int    // which alternative of how many
	hidden    int    // turns folded away below
}

// lay draws the tree as lines, newest playthrough first, depth first, without
// recursion: a path may be thousands of turns deep.
func (t *Tree) lay() {
	t.rows = t.rows[:0]
	for _, root := range slices.Backward(t.forest.roots) {
		for stack := t.jobs([]story.ID{root}, ""); len(stack) > 0; {
			j := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			below := t.forest.below[j.alt]
			if t.folded[j.alt] {
				j.hidden = t.size(below)
				below = nil
			}
			t.rows = append(t.rows, j.line)
			stack = append(stack, t.jobs(below, j.children)...)
		}
	}
	t.list.SetLen(len(t.rows))
}

// job is a line that is to be laid.
type job struct {
	line
	children string // prefix of what lies below
}

// jobs gives the lines of all turns below one alternative, the last one first,
// as a stack wants them.
func (t *Tree) jobs(turns []story.ID, prefix string) []job {
	var jobs []job
	for _, turn := range turns {
		alts := t.forest.of[turn]
		for i, a := range alts {
			jobs = append(jobs, job{line: line{alt: a, turn: turn, n: i + 1, of: len(alts)}})
		}
		if len(alts) == 0 { // its first reply is in flight
			jobs = append(jobs, job{line: line{turn: turn}})
		}
	}
	for i := range jobs {
		j := &jobs[i]
		j.prefix, j.children = prefix, prefix
		if len(jobs) > 1 {
			j.prefix, j.children = fork(prefix, i == len(jobs)-1, t.env.Theme.Signs)
		}
	}
	slices.Reverse(jobs)
	return jobs
}

// fork gives the prefix of one of several lines, and of what lies below it.
func fork(prefix string, last bool, s style.Signs) (own, children string) {
	if last {
		return prefix + s.BL + s.H + " ", prefix + "   "
	}
	return prefix + s.TeeL + s.H + " ", prefix + s.V + "  "
}

// size counts the turns at and below some turns.
func (t *Tree) size(turns []story.ID) int {
	n := 0
	for todo := turns; len(todo) > 0; {
		turn := todo[len(todo)-1]
		todo = todo[: len(todo)-1 : len(todo)-1]
		n++
		for _, a := range t.forest.of[turn] {
			todo = append(todo, t.forest.below[a]...)
		}
	}
	return n
}

func (t *Tree) at() (line, bool) {
	if len(t.rows) == 0 {
		return line{}, false
	}
	return t.rows[t.list.At()], true
}

func (t *Tree) goHome() { t.selectAlt(t.here.Leaf) }

func (t *Tree) selectAlt(id story.ID) {
	for i, r := range t.rows {
		if r.alt == id && id != "" {
			t.list.Select(i)
			return
		}
	}
}

// branchFor finds a branch to go to an alternative with: the one that ends
// there, else the chat's, else any of the same playthrough.
func (t *Tree) branchFor(alt story.ID, play story.ID) (story.Branch, bool) {
	if all := t.forest.branches[alt]; len(all) > 0 {
		return all[0], true
	}
	if t.here.Playthrough == play {
		return t.here, true
	}
	for _, all := range t.forest.branches {
		for _, b := range all {
			if b.Playthrough == play {
				return b, true
			}
		}
	}
	return story.Branch{}, false
}

// snippet is the beginning of a text on one row.
func snippet(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
