// Package widget holds the parts that screens are built of. They have methods,
// no Update; they draw rows of exactly the asked width.
//
// Non-goals: knowing a session or a world.
package widget

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/style"
	"fabula/tui/text"
)

// Binding is one thing a person can do: footer, help and palette are made of
// the same rows.
type Binding struct {
	ID    string
	Keys  []string // as tea.KeyMsg.String gives them
	Label string   // the key as shown; empty = Keys[0]
	Name  string   // what it does, two words, for the footer
	Hint  string   // what it does, one sentence, for help
	// Disabled gives the reason why it cannot be done now, in the person's
	// language; nil or empty means that it can.
	Disabled func() string
	Footer   bool // shown in the footer
	When     Mode
	Fixed    bool // each of the keys does something else: none can be given in its place
}

// Mode says when a row works: there are two states only.
type Mode int

// While reading, letters are commands; while typing they are text.
const (
	Reading Mode = iota
	Typing
	Anywhere
)

// Holds reports whether a row works in one of the two states.
func (m Mode) Holds(typing bool) bool {
	return m == Anywhere || (m == Typing) == typing
}

// Overlaps reports whether rows of two states can be meant by one key.
func (m Mode) Overlaps(o Mode) bool { return m == o || m == Anywhere || o == Anywhere }

// Matches reports whether msg is one of the row's keys or the full-width twin
// that an input method types in its place.
func (b Binding) Matches(msg tea.KeyMsg) bool {
	return key.Matches(msg, key.NewBinding(key.WithKeys(b.all()...)))
}

func (b Binding) all() []string {
	keys := b.Keys
	for _, k := range b.Keys {
		if len(k) != 1 {
			continue
		}
		if twin, ok := text.FullWidth(rune(k[0])); ok {
			keys = append(keys[:len(keys):len(keys)], string(twin))
		}
	}
	return keys
}

// Why gives the reason why the row cannot be used now, or "".
func (b Binding) Why() string {
	if b.Disabled == nil {
		return ""
	}
	return b.Disabled()
}

// Shown gives the key as drawn.
func (b Binding) Shown() string {
	if b.Label != "" {
		return b.Label
	}
	if len(b.Keys) == 0 {
		return ""
	}
	return Spelt(b.Keys[0])
}

// Spelt gives a key's name as it can be read.
func Spelt(key string) string {
	if key == " " {
		return "space"
	}
	return key
}

// Find gives the row that msg is for; typing says whether the composer has the
// keyboard.
func Find(rows []Binding, msg tea.KeyMsg, typing bool) (Binding, bool) {
	for _, b := range rows {
		if b.When.Holds(typing) && b.Matches(msg) {
			return b, true
		}
	}
	return Binding{}, false
}

// maxFooter is how many rows the footer shows at most.
const maxFooter = 7

// Footer draws the usable rows on one row of width columns, the last row given
// always included: it is the one that leads to help. Each is drawn as the item of
// hits that it is of rows, for the mouse.
func Footer(rows []Binding, typing bool, width int, th *style.Theme, hits *List) string {
	shown := footerRows(rows, typing)
	if len(shown) == 0 {
		return text.Spaces(width)
	}
	last := rows[shown[len(shown)-1]]
	room := width - 1 - itemWidth(last)
	var b strings.Builder
	b.WriteByte(' ')
	for i, at := range shown[:len(shown)-1] {
		if w := itemWidth(rows[at]) + 2; w <= room && i < maxFooter-1 {
			b.WriteString(hits.Item(at, item(rows[at], th)) + "  ")
			room -= w
		}
	}
	b.WriteString(hits.Item(shown[len(shown)-1], item(last, th)))
	return text.Fit(b.String(), width, th.Signs.Ellipsis)
}

// footerRows gives the indices of the rows that the footer has.
func footerRows(rows []Binding, typing bool) []int {
	var out []int
	for i, r := range rows {
		if r.Footer && r.When.Holds(typing) && r.Why() == "" {
			out = append(out, i)
		}
	}
	return out
}

func item(r Binding, th *style.Theme) string {
	return th.Key.Render(r.Shown()) + " " + th.Dim.Render(r.Name)
}

func itemWidth(r Binding) int { return text.Width(r.Shown()) + 1 + text.Width(r.Name) }

// KeyNamed gives the message of a key by its name, as tea.KeyMsg.String writes
// it; false where there is no such key.
func KeyNamed(name string) (tea.KeyMsg, bool) {
	bare, alt := strings.CutPrefix(name, "alt+")
	for t := tea.KeyType(-128); t <= 127; t++ {
		if m := (tea.KeyMsg{Type: t}); t != tea.KeyRunes && m.String() == bare && bare != "" {
			m.Alt = alt
			if t == tea.KeySpace {
				m.Runes = []rune{' '}
			}
			return m, true
		}
	}
	if r := []rune(bare); len(r) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: r, Alt: alt}, true
	}
	return tea.KeyMsg{}, false
}
