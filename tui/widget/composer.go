package widget

import (
	"strings"
	"time"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/style"
	"fabula/tui/text"
)

const (
	// composerLimit is how many characters one input may have.
	composerLimit = 8000
	// LongPasteLines and LongPasteColumns: a paste beyond either is announced.
	LongPasteLines, LongPasteColumns = 10, 1000
	// burst is the time within which an Enter after other characters belongs to
	// a paste that the terminal did not mark.
	burst = 8 * time.Millisecond
)

// Composer is where a person writes. It counts in grapheme clusters: one press
// of backspace removes what looks like one character, and the cursor's column
// is the column on screen.
type Composer struct {
	lines    [][]string // clusters of each line; never empty
	row, col int
	top      int // first wrapped row shown
	width    int
	wantX    int // column that up and down try to keep; -1 = the cursor's
	typed    time.Time
	rows     []span // layout of lines at width; nil when stale
}

// span is one wrapped row: clusters [from,to) of a line.
type span struct{ line, from, to int }

// NewComposer makes an empty composer.
func NewComposer() *Composer { return &Composer{lines: [][]string{nil}, width: 40, wantX: -1} }

// SetWidth sets the columns of text.
func (c *Composer) SetWidth(w int) {
	if w = max(w, 4); w != c.width {
		c.width, c.rows = w, nil
	}
}

// Value gives the text as typed.
func (c *Composer) Value() string {
	var b strings.Builder
	for i, l := range c.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, g := range l {
			b.WriteString(g)
		}
	}
	return b.String()
}

// Empty reports whether nothing is written.
func (c *Composer) Empty() bool { return len(c.lines) == 1 && len(c.lines[0]) == 0 }

// SetValue replaces the text and puts the cursor at its end.
func (c *Composer) SetValue(s string) {
	c.lines, c.row, c.col, c.top = [][]string{nil}, 0, 0, 0
	c.insert(s)
}

// Above writes a line above the text, the cursor at its end. It reports whether
// there was room.
func (c *Composer) Above(line string) bool {
	below := c.Value()
	c.SetValue(line)
	if !c.Insert("\n" + below) {
		c.SetValue(below)
		return false
	}
	c.row = 0
	c.end()
	c.changed()
	return true
}

// Len counts characters, line feeds included.
func (c *Composer) Len() int {
	n := len(c.lines) - 1
	for _, l := range c.lines {
		n += len(l)
	}
	return n
}

// Limit is the number of characters that fit.
func (c *Composer) Limit() int { return composerLimit }

// Insert puts s at the cursor. It returns false and changes nothing when s does
// not fit: a cut paste would lose text without a word.
func (c *Composer) Insert(s string) bool {
	if c.Len()+len(text.Clusters(s)) > composerLimit {
		return false
	}
	c.insert(s)
	return true
}

// typeable keeps what a person can mean: line feeds and visible characters. The
// joiners of emoji stay, control characters go.
func typeable(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ").Replace(s)
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, s)
}

func (c *Composer) insert(s string) {
	before := strings.Join(c.lines[c.row][:c.col], "")
	after := strings.Join(c.lines[c.row][c.col:], "")
	parts := strings.Split(before+typeable(s), "\n")
	fresh := make([][]string, len(parts))
	for i, p := range parts {
		fresh[i] = text.Clusters(p)
	}
	last := len(parts) - 1
	head := parts[last]
	fresh[last] = text.Clusters(head + after)
	c.lines = append(c.lines[:c.row:c.row], append(fresh, c.lines[c.row+1:]...)...)
	c.row += last
	c.col = clustersWithin(fresh[last], len(head))
	c.changed()
}

// clustersWithin counts the clusters that begin before byte n: a combining mark
// typed before a letter may join it.
func clustersWithin(clusters []string, n int) int {
	used := 0
	for i, g := range clusters {
		if used >= n {
			return i
		}
		used += len(g)
	}
	return len(clusters)
}

func (c *Composer) changed() { c.rows, c.wantX = nil, -1 }

// Enter says what an Enter key means, given the time of the last typed rune:
// false when it follows within a few milliseconds, as in a paste that was not
// marked as one.
func (c *Composer) Enter(now time.Time) bool { return now.Sub(c.typed) >= burst }

// Burst is how long after a rune an Enter is held back.
func (c *Composer) Burst() time.Duration { return burst }

// Key handles a key and reports whether it was the composer's.
func (c *Composer) Key(msg tea.KeyMsg, now time.Time) bool {
	if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
		if msg.Alt {
			return false
		}
		c.typed = now
		return c.Insert(string(msg.Runes))
	}
	edit, ok := edits[msg.String()]
	if ok {
		edit(c)
	}
	return ok
}

var edits = map[string]func(*Composer){
	"left": (*Composer).left, "right": (*Composer).right, "up": (*Composer).up, "down": (*Composer).down,
	"home": (*Composer).home, "end": (*Composer).end, "ctrl+e": (*Composer).end,
	"ctrl+left": (*Composer).wordLeft, "alt+left": (*Composer).wordLeft, "alt+b": (*Composer).wordLeft,
	"ctrl+right": (*Composer).wordRight, "alt+right": (*Composer).wordRight, "alt+f": (*Composer).wordRight,
	"backspace": (*Composer).backspace, "ctrl+h": (*Composer).backspace, "delete": (*Composer).del, "ctrl+d": (*Composer).del,
	"ctrl+w": (*Composer).killWord, "alt+backspace": (*Composer).killWord,
	"ctrl+u": (*Composer).killBefore, "ctrl+k": (*Composer).killAfter,
	"alt+enter": (*Composer).newline, "ctrl+j": (*Composer).newline,
}

func (c *Composer) newline() { c.Insert("\n") }
func (c *Composer) home()    { c.col, c.wantX = 0, -1 }
func (c *Composer) end()     { c.col, c.wantX = len(c.lines[c.row]), -1 }

func (c *Composer) left() {
	if c.wantX = -1; c.col > 0 {
		c.col--
	} else if c.row > 0 {
		c.row--
		c.col = len(c.lines[c.row])
	}
}

func (c *Composer) right() {
	if c.wantX = -1; c.col < len(c.lines[c.row]) {
		c.col++
	} else if c.row < len(c.lines)-1 {
		c.row, c.col = c.row+1, 0
	}
}

func (c *Composer) backspace() {
	if c.row == 0 && c.col == 0 {
		return
	}
	c.left()
	c.del()
}

func (c *Composer) del() {
	l := c.lines[c.row]
	switch {
	case c.col < len(l):
		c.lines[c.row] = append(l[:c.col:c.col], l[c.col+1:]...)
	case c.row < len(c.lines)-1:
		c.lines[c.row] = append(l[:len(l):len(l)], c.lines[c.row+1]...)
		c.lines = append(c.lines[:c.row+1], c.lines[c.row+2:]...)
	}
	c.changed()
}

func (c *Composer) wordLeft() {
	for c.left(); c.col > 0 && (c.blankAt(c.col) || !c.blankAt(c.col-1)); {
		c.col--
	}
}

func (c *Composer) wordRight() {
	c.right()
	for l := c.lines[c.row]; c.col < len(l) && (!c.blankAt(c.col) || c.blankAt(c.col-1)); {
		c.col++
	}
}

func (c *Composer) blankAt(i int) bool { return i >= 0 && c.lines[c.row][i] == " " }

func (c *Composer) killWord() {
	if c.col == 0 {
		c.backspace()
		return
	}
	to := c.col
	c.wordLeft()
	l := c.lines[c.row]
	c.lines[c.row] = append(l[:c.col:c.col], l[to:]...)
	c.changed()
}

// killBefore deletes to the start of the line; from there, the line feed before
// it, so that the key held down empties the composer.
func (c *Composer) killBefore() {
	if c.col == 0 {
		c.backspace()
		return
	}
	c.lines[c.row] = c.lines[c.row][c.col:]
	c.col = 0
	c.changed()
}

func (c *Composer) killAfter() {
	c.lines[c.row] = c.lines[c.row][:c.col:c.col]
	c.changed()
}

func (c *Composer) up()   { c.vertical(-1) }
func (c *Composer) down() { c.vertical(1) }

// vertical moves by wrapped rows, as the eye does.
func (c *Composer) vertical(by int) {
	rows := c.layout()
	at, x := c.place()
	if c.wantX < 0 {
		c.wantX = x
	}
	to := at + by
	if to < 0 || to >= len(rows) {
		return
	}
	r := rows[to]
	c.row, c.col = r.line, r.from
	for used := 0; c.col < r.to && used < c.wantX; c.col++ {
		used += shownWidth(c.lines[r.line][c.col])
	}
	if c.col == r.to && r.to < len(c.lines[r.line]) && c.col > r.from {
		c.col-- // the end of a wrapped row is the start of the next
	}
}

// layout wraps every line; one column stays free, so that the cursor after a
// full row has a place.
func (c *Composer) layout() []span {
	if c.rows != nil {
		return c.rows
	}
	for i, l := range c.lines {
		c.rows = append(c.rows, wrapClusters(i, l, c.width-1)...)
	}
	return c.rows
}

func wrapClusters(line int, l []string, width int) []span {
	var out []span
	breaks := text.Breaks(l)
	from, used, good := 0, 0, -1
	for i := 0; i < len(l); i++ {
		w := shownWidth(l[i])
		if used+w > width && i > from && l[i] != " " {
			to := i
			if good > from {
				to = good
			}
			out = append(out, span{line, from, to})
			from, used, good = to, 0, -1
			for _, g := range l[from:i] {
				used += shownWidth(g)
			}
		}
		used += w
		if breaks[i] {
			good = i + 1
		}
	}
	return append(out, span{line, from, len(l)})
}

// place gives the wrapped row and the column of the cursor.
func (c *Composer) place() (row, x int) {
	rows := c.layout()
	for i, r := range rows {
		last := i+1 == len(rows) || rows[i+1].line != r.line
		if r.line == c.row && c.col >= r.from && (c.col < r.to || c.col == r.to && last) {
			for _, g := range c.lines[r.line][r.from:c.col] {
				x += shownWidth(g)
			}
			return i, min(x, c.width-1)
		}
	}
	return 0, 0
}

// shownWidth gives the columns that a cluster takes as it is drawn.
func shownWidth(g string) int {
	if len(g) == 1 && g[0] >= 0x20 && g[0] < 0x7f {
		return 1
	}
	return text.ClusterWidth(text.Sanitise(g))
}

// Height gives the rows the text wants, at most limit.
func (c *Composer) Height(limit int) int { return max(min(len(c.layout()), limit), 1) }

// View draws h rows of the set width and says where the cursor is in them.
func (c *Composer) View(h int, placeholder string, th *style.Theme) (rows Rows, x, y int) {
	at, x := c.place()
	lay := c.layout()
	c.top = min(max(c.top, at-h+1), at, max(len(lay)-h, 0))
	c.top = max(c.top, 0)
	for _, r := range lay[c.top:min(c.top+h, len(lay))] {
		s := text.Sanitise(strings.Join(c.lines[r.line][r.from:r.to], ""))
		rows = append(rows, text.Fit(s, c.width, ""))
	}
	if c.Empty() && placeholder != "" {
		rows[0] = text.Fit(th.Dim.Render(text.Fit(placeholder, min(c.width, text.Width(placeholder)), th.Signs.Ellipsis)), c.width, "")
	}
	return rows.Fit(c.width, h), x, at - c.top
}

// Hidden gives how many wrapped rows lie above and below the h shown.
func (c *Composer) Hidden(h int) (above, below int) {
	return c.top, max(len(c.layout())-c.top-h, 0)
}

// Before gives the text of the cursor's line up to the cursor.
func (c *Composer) Before() string { return strings.Join(c.lines[c.row][:c.col], "") }

// Complete replaces the n characters before the cursor by s.
func (c *Composer) Complete(n int, s string) {
	for ; n > 0 && c.col > 0; n-- {
		c.backspace()
	}
	c.Insert(s)
}

// LineKey takes a key where one line is written: what is pasted stays on it, and
// no key begins another.
func (c *Composer) LineKey(m tea.KeyMsg, now time.Time) {
	switch k := m.String(); {
	case m.Paste:
		c.Insert(strings.NewReplacer("\r", " ", "\n", " ").Replace(string(m.Runes)))
	case k != "alt+enter" && k != "ctrl+j":
		c.Key(m, now)
	}
}

// Line gives what was written as one line, without blanks around it.
func (c *Composer) Line() string { return strings.TrimSpace(strings.ReplaceAll(c.Value(), "\n", " ")) }
