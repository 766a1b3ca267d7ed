package widget

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/text"
)

// A click is for what was drawn under it, and only a view knows that: panes stand
// beside each other, headings between items, items take several rows. So a view
// marks what it draws of a list by Item, and when the mouse asks, it is drawn once
// more with the marks in it. Frames that are shown hold none and cost nothing.
const (
	markOpen  = "\x1b_"
	markEnd   = "\x1b\\"
	markClose = markOpen + markEnd
)

// area is the item of what belongs to a list and is none of its items.
const area = -1

// Item gives a drawn piece of a row as item i of the list.
func (l *List) Item(i int, piece string) string {
	if l.asked == 0 {
		return piece
	}
	return fmt.Sprintf("%s%d;%d%s%s%s", markOpen, l.asked, i, markEnd, piece, markClose)
}

// Items gives drawn rows as item i of the list.
func (l *List) Items(i int, rows Rows) Rows {
	if l.asked == 0 {
		return rows
	}
	out := make(Rows, len(rows))
	for k, row := range rows {
		out[k] = l.Item(i, row)
	}
	return out
}

// Area gives rows over which the wheel moves the list, and that a click selects
// nothing in but the items that are drawn there.
func (l *List) Area(rows Rows) Rows { return l.Items(area, rows) }

// Under gives the list, of some that a view draws, and its item that were drawn
// in column x of row y; -1 where a list's area was, nil where nothing of them was.
func Under(x, y int, view func() Rows, lists ...*List) (*List, int) {
	for i, l := range lists {
		l.asked = i + 1
	}
	rows := view()
	for _, l := range lists {
		l.asked = 0
	}
	if y < 0 || y >= len(rows) || x < 0 {
		return nil, area
	}
	id, item := under(rows[y], x)
	if id < 1 || id > len(lists) {
		return nil, area
	}
	return lists[id-1], item
}

// under finds the innermost mark around column x of a row; 0 = none.
func under(row string, x int) (id, item int) {
	type mark struct{ id, item int }
	open := []mark{{item: area}}
	for at := 0; ; {
		piece, rest, more := strings.Cut(row, markOpen)
		if at += text.Width(piece); x < at || !more {
			break
		}
		head, after, _ := strings.Cut(rest, markEnd)
		m := mark{item: area}
		if n, _ := fmt.Sscanf(head, "%d;%d", &m.id, &m.item); n == 2 {
			open = append(open, m)
		} else if len(open) > 1 {
			open = open[:len(open)-1]
		}
		row = after
	}
	last := open[len(open)-1]
	return last.id, last.item
}

// Pointed is what the mouse did with a list.
type Pointed struct {
	List  *List // that was under it; nil = none
	Item  int   // that was clicked; -1 = none
	Again bool  // it was selected before: as if enter was pressed
}

// Enter is the key that does what a click on what is selected does.
var Enter = tea.KeyMsg{Type: tea.KeyEnter}

// wheel is how many rows a turn of the wheel moves.
const wheel = 3

// Point gives the mouse to the list under it, of some that a view draws: the
// wheel moves its selection, a click selects an item. The wheel beside all of
// them moves the first.
func Point(m tea.MouseMsg, view func() Rows, lists ...*List) Pointed {
	p := Pointed{Item: area}
	by := map[tea.MouseButton]int{tea.MouseButtonWheelUp: -wheel, tea.MouseButtonWheelDown: wheel}[m.Button]
	if m.Action != tea.MouseActionPress || by == 0 && m.Button != tea.MouseButtonLeft {
		return p
	}
	var item int
	p.List, item = Under(m.X, m.Y, view, lists...)
	switch {
	case by != 0:
		if p.List == nil && len(lists) > 0 {
			p.List = lists[0]
		}
		if p.List != nil {
			p.List.Move(by)
		}
	case p.List != nil && item != area:
		p.Item, p.Again = item, p.List.At() == item
		p.List.Select(item)
	}
	return p
}
