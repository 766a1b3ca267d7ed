package tree

import (
	"slices"
	"strings"

	"fabula/story"
	"fabula/tui/style"
)

// line is one row of the drawn tree: a knot, or the knots that are left out.
type line struct {
	knot   int // of a row of left out knots: the one above them
	level  int
	first  bool // it begins a side line
	hidden int  // knots folded away below
	more   int  // > 0: this row stands for so many siblings
}

// Siblings beside the line that goes on: of such that nothing is known of, and
// of all, as many are drawn as these; the rest is one row until it is unfolded.
const (
	mostPlain = 3
	mostSides = 12
)

// lay draws the tree as lines, newest playthrough first. One line through every
// tree goes straight down: the chat's path where it passes, else where most
// lies below. What leaves it stands before its continuation, one step to the
// right, so that 500 turns with siblings at each are no deeper than one step.
// No recursion: a path may be thousands of turns deep.
func (t *Tree) lay() {
	f := &t.forest
	on := f.path(t.here.Leaf)
	t.rows = t.rows[:0]
	var stack []line
	for _, r := range f.roots {
		stack = append(stack, line{knot: r})
	}
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if l.more > 0 {
			t.rows = append(t.rows, l)
			continue
		}
		k := &f.knots[l.knot]
		if t.folded[k.alt.ID] && k.size > 0 {
			l.hidden = k.size
			t.rows = append(t.rows, l)
			continue
		}
		t.rows = append(t.rows, l)
		stack = t.push(stack, l, on)
	}
	t.list.SetLen(len(t.rows))
}

// push puts what lies below a line on the stack, the first to be drawn last.
func (t *Tree) push(stack []line, l line, on map[int]bool) []line {
	f := &t.forest
	below := f.knots[l.knot].below
	if len(below) == 0 {
		return stack
	}
	main := t.main(below, on)
	stack = append(stack, line{knot: main, level: l.level})
	sides, more := t.sides(l.knot, below, main)
	if more > 0 {
		stack = append(stack, line{knot: l.knot, level: l.level + 1, more: more, first: true})
	}
	for _, s := range slices.Backward(sides) {
		stack = append(stack, line{knot: s, level: l.level + 1, first: true})
	}
	return stack
}

// main chooses the knot that goes straight on.
func (t *Tree) main(below []int, on map[int]bool) int {
	best := below[0]
	for _, i := range below {
		if on[i] {
			return i
		}
		if t.forest.knots[i].size > t.forest.knots[best].size {
			best = i
		}
	}
	return best
}

// sides gives the siblings that are drawn, and how many are left out.
func (t *Tree) sides(up int, below []int, main int) (shown []int, more int) {
	all := t.spread[t.forest.knots[up].alt.ID]
	plain := 0
	for _, i := range below {
		switch {
		case i == main:
			continue
		case all:
		case len(shown) >= mostSides || !t.forest.knots[i].tells && plain >= mostPlain:
			more++
			continue
		}
		if !t.forest.knots[i].tells {
			plain++
		}
		shown = append(shown, i)
	}
	if more == 1 { // a row that says so is no shorter
		return slices.DeleteFunc(slices.Clone(below), func(i int) bool { return i == main }), 0
	}
	return shown, more
}

// prefix gives the lines before a row. All of a step's verticals go on, since
// the line it left follows below.
func (l *line) prefix(s style.Signs) string {
	if l.level == 0 {
		return ""
	}
	own := s.V + "  "
	if l.first {
		own = s.TeeL + s.H + " "
	}
	return strings.Repeat(s.V+"  ", l.level-1) + own
}

// at gives the selected line.
func (t *Tree) at() (line, bool) {
	if len(t.rows) == 0 {
		return line{}, false
	}
	return t.rows[t.list.At()], true
}

// knot gives the knot of a line; that of a row of left out ones is empty.
func (t *Tree) knot(l line) knot {
	if l.more > 0 || l.knot >= len(t.forest.knots) {
		return knot{}
	}
	return t.forest.knots[l.knot]
}

func (t *Tree) goHome() { t.selectAlt(t.here.Leaf) }

// selectAlt selects an alternative. Where it is left out, its siblings are
// unfolded; where it is folded away, what it lies below.
func (t *Tree) selectAlt(id story.ID) {
	i, known := t.forest.at[id]
	if !known {
		return
	}
	if t.selectKnot(i) {
		return
	}
	on := t.forest.path(t.here.Leaf)
	for at, up := i, t.forest.knots[i].up; up >= 0; at, up = up, t.forest.knots[up].up {
		k := &t.forest.knots[up]
		delete(t.folded, k.alt.ID)
		main := t.main(k.below, on)
		if sides, _ := t.sides(up, k.below, main); at != main && !slices.Contains(sides, at) {
			t.spread[k.alt.ID] = true
		}
	}
	t.lay()
	t.selectKnot(i)
}

func (t *Tree) selectKnot(i int) bool {
	n := slices.IndexFunc(t.rows, func(l line) bool { return l.knot == i && l.more == 0 })
	if n >= 0 {
		t.list.Select(n)
	}
	return n >= 0
}
