package widget

// List is a selection in a column of n rows that scrolls. It draws nothing: the
// owner draws the rows that Window names, each by Item, so that the mouse finds it.
type List struct {
	n, at, top int
	asked      int // number by which Under asks what is drawn of it; 0 = it does not
}

// SetLen says how many rows there are and keeps the selection within them.
func (l *List) SetLen(n int) {
	l.n = n
	l.Select(l.at)
}

// At gives the selected row; 0 when there is none.
func (l *List) At() int { return l.at }

// Select moves the selection to row i, or to the nearest there is.
func (l *List) Select(i int) { l.at = max(min(i, l.n-1), 0) }

// Move moves the selection by n rows.
func (l *List) Move(n int) { l.Select(l.at + n) }

// Window gives the rows [from,to) to draw in h rows, the selection among them.
func (l *List) Window(h int) (from, to int) {
	h = max(h, 1)
	l.top = max(min(l.top, l.at, l.n-h), l.at-h+1, 0)
	return l.top, min(l.top+h, l.n)
}

// Key moves by the usual keys and reports whether it was one of them. Page is
// the height of the window.
func (l *List) Key(k string, page int) bool {
	switch k {
	case "up", "k":
		l.Move(-1)
	case "down", "j":
		l.Move(1)
	case "pgup":
		l.Move(1 - page)
	case "pgdown":
		l.Move(page - 1)
	case "home", "g":
		l.Select(0)
	case "end", "G":
		l.Select(l.n - 1)
	default:
		return false
	}
	return true
}

// Len gives the number of rows.
func (l *List) Len() int { return l.n }

// Around draws items of several rows each in h rows: the selected one, those above
// it as far as there is room, and those below.
func (l *List) Around(h int, draw func(i int) Rows) Rows {
	if l.n == 0 || h < 1 {
		return nil
	}
	one := func(i int) Rows { return l.Items(i, draw(i)) }
	rows := one(l.at)
	for i := l.at - 1; i >= 0; i-- {
		above := one(i)
		if len(above)+len(rows) > h {
			break
		}
		rows = append(above, rows...)
	}
	for i := l.at + 1; i < l.n && len(rows) < h; i++ {
		rows = append(rows, one(i)...)
	}
	return rows
}

// Scroll gives what is seen of rows in a window of h: the list's selection is the
// first row of it.
func (l *List) Scroll(rows Rows, h int) Rows {
	l.SetLen(max(len(rows)-h, 0) + 1)
	return l.Area(rows[min(l.at, len(rows)):min(l.at+max(h, 0), len(rows))])
}
