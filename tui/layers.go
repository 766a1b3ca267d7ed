package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/widget"
)

// layer is a screen that lies over the one in front: an inspector, a dialog,
// help. The uppermost has keyboard and mouse; esc takes it away unless it binds
// esc itself.
type layer struct {
	name screen.Name
	screen.Screen
}

// top is the screen that has keyboard and mouse.
func (a *app) top() screen.Screen {
	if n := len(a.over); n > 0 {
		return a.over[n-1].Screen
	}
	return a.screens[a.front]
}

// topName is the name of the screen that has keyboard and mouse.
func (a *app) topName() screen.Name {
	if n := len(a.over); n > 0 {
		return a.over[n-1].name
	}
	return a.front
}

// bodyHeight is how many rows screens have.
func (a *app) bodyHeight() int { return max(a.h-1-a.foot, 0) }

// lay puts a screen over the others, or back on top.
func (a *app) lay(name screen.Name, s screen.Screen) tea.Cmd {
	a.lift(name)
	a.over = append(a.over, layer{name, s})
	a.size(s)
	return s.Shown()
}

// lift takes away a screen that lies over others, and what lies over it.
func (a *app) lift(name screen.Name) {
	for i, l := range a.over {
		if l.name == name {
			a.over = a.over[:i]
			return
		}
	}
}

// close takes the uppermost screen away that lies over another.
func (a *app) close() {
	if n := len(a.over); n > 0 {
		a.over = a.over[:n-1]
	}
}

// lies reports whether a screen lies over others now.
func (a *app) lies(name screen.Name) bool {
	for _, l := range a.over {
		if l.name == name {
			return true
		}
	}
	return false
}

// closing is the row that takes the uppermost screen away, where that does not
// bind esc itself.
func (a *app) closing() []widget.Binding {
	if len(a.over) == 0 {
		return nil
	}
	top, esc := a.top(), tea.KeyMsg{Type: tea.KeyEsc}
	if _, own := widget.Find(top.Keys(), esc, top.Typing()); own {
		return nil
	}
	k := a.env.Text.Keys.CloseOver
	return []widget.Binding{{ID: "close", Keys: []string{"esc"}, Name: k.Name, Hint: k.Hint, When: widget.Anywhere, Footer: true}}
}

// boxed is a screen that does not need the whole body: Box gives the columns and
// rows that it takes of w and h.
type boxed interface{ Box(w, h int) (bw, bh int) }

// Where a box has room around it; else it takes the whole body.
const (
	boxMinW = 100
	boxMinH = 24
)

// box is where a screen is drawn in the body: all of it, or within a frame.
func (a *app) box(s screen.Screen) (x, y, w, h int, framed bool) {
	w, h = a.w, a.bodyHeight()
	if l, ok := s.(layer); ok {
		s = l.Screen
	}
	b, ok := s.(boxed)
	if !ok || w < boxMinW || h < boxMinH {
		return 0, 0, w, h, false
	}
	bw, bh := b.Box(w-4, h-3)
	return (w - bw) / 2, (h - bh) / 4, bw, bh, true
}

// size tells a screen that lies over others how large it is.
func (a *app) size(s screen.Screen) {
	_, _, w, h, _ := a.box(s)
	s.SetSize(w, h)
}

// body draws the front and what lies over it.
func (a *app) body() widget.Rows { return a.drawn(len(a.over)) }

// drawn draws the front and the n lowest of what lies over it.
func (a *app) drawn(n int) widget.Rows {
	if n == 0 {
		return a.screens[a.front].View()
	}
	l := a.over[n-1]
	x, y, w, _, framed := a.box(l)
	if !framed {
		return l.View()
	}
	th := a.env.Theme
	below := a.drawn(n-1).Fit(a.w, a.bodyHeight())
	return widget.Over(below, widget.Box(l.View(), w, th), x-1, y, w+2, th)
}

// within gives columns and rows of the body as the uppermost screen counts them.
func (a *app) within() (dx, dy int) {
	x, y, _, _, _ := a.box(a.top())
	return x, y
}
