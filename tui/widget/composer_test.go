package widget_test

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

func plain() *style.Theme {
	th := style.For(style.Choice{}, termenv.Ascii, "")
	return &th
}

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

var keyTypes = map[string]tea.KeyMsg{
	"left": {Type: tea.KeyLeft}, "right": {Type: tea.KeyRight}, "up": {Type: tea.KeyUp}, "down": {Type: tea.KeyDown},
	"backspace": {Type: tea.KeyBackspace}, "delete": {Type: tea.KeyDelete}, "home": {Type: tea.KeyHome}, "end": {Type: tea.KeyEnd},
	"ctrl+w": {Type: tea.KeyCtrlW}, "ctrl+j": {Type: tea.KeyCtrlJ}, "alt+enter": {Type: tea.KeyEnter, Alt: true},
	"ctrl+u": {Type: tea.KeyCtrlU}, "ctrl+k": {Type: tea.KeyCtrlK},
}

func press(c *widget.Composer, keys ...string) {
	for _, k := range keys {
		if m, ok := keyTypes[k]; ok {
			c.Key(m, time.Time{})
			continue
		}
		c.Key(runes(k), time.Time{})
	}
}

// Ensure that the cursor's column is the column on screen, and that editing
// counts in what looks like one character (R47).
func TestComposerCursor(t *testing.T) {
	for _, tc := range []struct {
		name string
		keys []string
		want string
		x    int
	}{
		{"wide characters", []string{"ab你好世界x"}, "ab你好世界x", 11},
		{"back over wide characters", []string{"ab你好世界x", "left", "left", "left"}, "ab你好世界x", 6},
		{"three scripts", []string{"한글中文日本語ABC"}, "한글中文日本語ABC", 17},
		{"insert in the middle", []string{"中文", "left", "日"}, "中日文", 4},
		{"backspace takes a cluster", []string{"ae\u0301", "backspace"}, "a", 1},
		{"backspace takes a family", []string{"x👨‍👩‍👧", "backspace"}, "x", 1},
		{"skin tone", []string{"👍🏽", "backspace", "y"}, "y", 1},
		{"warning sign", []string{"⚠️a"}, "⚠️a", 2},
		{"delete forward", []string{"中文", "home", "delete"}, "文", 0},
		{"delete word", []string{"one two", "ctrl+w"}, "one ", 4},
		{"kill before", []string{"one", "left", "ctrl+u"}, "e", 0},
		{"kill after", []string{"one", "home", "right", "ctrl+k"}, "o", 1},
		{"mark joins the letter before", []string{"e", "\u0301"}, "e\u0301", 1},
	} {
		c := widget.NewComposer()
		press(c, tc.keys...)
		_, x, _ := c.View(3, "", plain())
		if c.Value() != tc.want || x != tc.x {
			t.Errorf("%s: %q at %d, want %q at %d", tc.name, c.Value(), x, tc.want, tc.x)
		}
	}
}

func TestComposerNewlines(t *testing.T) {
	c := widget.NewComposer()
	press(c, "a", "ctrl+j", "b", "alt+enter", "c", "up", "up", "end", "delete")
	if got := c.Value(); got != "ab\nc" {
		t.Errorf("%q", got)
	}
	for range 200 {
		press(c, "ctrl+j")
	}
	if got := strings.Count(c.Value(), "\n"); got != 201 {
		t.Errorf("%d line feeds, want 201: newlines must not stop silently", got)
	}
}

func TestComposerPaste(t *testing.T) {
	c := widget.NewComposer()
	c.Insert("one\r\ntwo\rthree\x1b[2J\x00")
	if got := c.Value(); got != "one\ntwo\nthree[2J" {
		t.Errorf("%q", got)
	}
	if c.Insert(strings.Repeat("长", c.Limit())) {
		t.Error("a paste beyond the limit was taken")
	}
	if got := c.Value(); got != "one\ntwo\nthree[2J" {
		t.Errorf("a refused paste changed the text: %q", got)
	}
}

func TestComposerWrapsAndScrolls(t *testing.T) {
	c := widget.NewComposer()
	c.SetWidth(11)
	c.SetValue("他擦着茶碗，没抬头：“灯？这镇上的灯，都是狐狸点的。”")
	for h := 1; h < 8; h++ {
		rows, x, y := c.View(h, "", plain())
		if len(rows) != h || y < 0 || y >= h || x < 0 || x >= 11 {
			t.Errorf("height %d: %d rows, cursor %d,%d", h, len(rows), x, y)
		}
		for _, r := range rows {
			if text.Width(r) != 11 {
				t.Errorf("row %q is %d wide", r, text.Width(r))
			}
			if strings.HasPrefix(r, "，") || strings.HasPrefix(r, "。") {
				t.Errorf("row starts with punctuation: %q", r)
			}
		}
	}
	before := c.Value()
	press(c, "up", "up", "up", "down", "down", "down")
	if c.Value() != before {
		t.Error("moving changed the text")
	}
}

// Ensure that an Enter inside an unmarked paste does not send.
func TestComposerBurst(t *testing.T) {
	c, now := widget.NewComposer(), time.Unix(100, 0)
	c.Key(runes("a"), now)
	if c.Enter(now.Add(time.Millisecond)) {
		t.Error("an Enter 1 ms after a rune was taken for a person's")
	}
	if !c.Enter(now.Add(50 * time.Millisecond)) {
		t.Error("an Enter 50 ms after a rune was taken for a paste's")
	}
}

func FuzzComposer(f *testing.F) {
	f.Add("ab你好\n👨‍👩‍👧", uint8(3), uint8(9))
	f.Add("\u0301\u202e\ufe0f", uint8(1), uint8(4))
	f.Fuzz(func(t *testing.T, s string, moves, width uint8) {
		c := widget.NewComposer()
		c.SetWidth(int(width))
		c.Insert(s)
		for i := range moves {
			press(c, []string{"left", "up", "x", "backspace", "down", "right", "delete", "ctrl+j"}[i%8])
		}
		rows, x, y := c.View(3, "", plain())
		if len(rows) != 3 || x < 0 || y < 0 || y > 2 || x > max(int(width), 4) {
			t.Errorf("%d rows, cursor %d,%d", len(rows), x, y)
		}
	})
}

func BenchmarkComposer(b *testing.B) {
	c := widget.NewComposer()
	c.SetWidth(76)
	c.SetValue(strings.Repeat("很长的一句话，没有空格。", 500))
	th := plain()
	for b.Loop() {
		press(c, "x", "backspace")
		c.View(5, "", th)
	}
}
