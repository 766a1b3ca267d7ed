package widget

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/style"
)

// Prompt is a line that is written below a screen, in two rows: what it is for, and
// the text. A nil Prompt is none.
type Prompt struct {
	text *Composer
	hint string // stands where nothing is written
}

// NewPrompt begins a line in a screen of w columns with what is written already.
func NewPrompt(value, hint string, w int) *Prompt {
	p := &Prompt{text: NewComposer(), hint: hint}
	p.SetWidth(w)
	p.text.SetValue(value)
	return p
}

// PromptRows is how many rows one takes.
const PromptRows = 2

// SetWidth sets the columns of the screen.
func (p *Prompt) SetWidth(w int) {
	if p != nil {
		p.text.SetWidth(max(w-4, 1))
	}
}

// Text gives what is written.
func (p *Prompt) Text() string { return p.text.Line() }

// Empty reports whether nothing is written.
func (p *Prompt) Empty() bool { return p.text.Empty() }

// Key takes a key and reports whether it ended the line: kept by enter, left by esc.
func (p *Prompt) Key(m tea.KeyMsg, now time.Time) (over, kept bool) {
	switch m.String() {
	case "esc":
		return true, false
	case "enter":
		return true, true
	}
	p.text.LineKey(m, now)
	return false, false
}

// Cursor is the insertion point, where the prompt stands in the last rows of h.
func (p *Prompt) Cursor(h int, th *style.Theme) (x, y int, show bool) {
	if p == nil {
		return 0, 0, false
	}
	_, x, _ = p.text.View(1, "", th)
	return x + 3, h - 1, true
}

// View draws a heading with a note, and the line behind a sign.
func (p *Prompt) View(title, note, sign string, w int, th *style.Theme) Rows {
	line, _, _ := p.text.View(1, p.hint, th)
	return Rows{Rule(title, note, w, th), " " + th.Player.Render(sign) + " " + line[0] + " "}
}
