package tui_test

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"fabula/story"
	"fabula/tui/text"
)

func (b *bench) click(x, y int) {
	b.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	b.Settle()
}

func (b *bench) wheel(x, y int, button tea.MouseButton) {
	b.Send(tea.MouseMsg{X: x, Y: y, Button: button, Action: tea.MouseActionPress})
	b.Settle()
}

// row gives row y of the frame from column x on, up to the line of a pane beside.
func (b *bench) from(x, y int) string {
	rows := strings.Split(b.Plain(), "\n")
	if y >= len(rows) {
		return ""
	}
	row, _, _ := strings.Cut(ansi.TruncateLeft(rows[y], x, ""), "│")
	return strings.TrimRight(row, " ")
}

// column is where a list marks what is selected in it.
type column struct {
	*bench
	x, y, h int // from row y on
}

// words gives what row y of the list says, without the mark.
func (c column) words(y int) string {
	if row := c.from(c.x, y); len(row) > 1 {
		return row[1:]
	}
	return ""
}

// at gives the row of the selection and what it says.
func (c column) at() (y int, words string) {
	for y := c.y; y < c.h; y++ {
		if strings.HasPrefix(c.from(c.x, y), ">") {
			return y, c.words(y)
		}
	}
	return -1, ""
}

// all walks the list by keys and gives what can be selected in it.
func (c column) all() map[string]bool {
	items := map[string]bool{}
	c.Press("g")
	for range 200 {
		_, words := c.at()
		items[words] = true
		c.Press("j")
		if _, next := c.at(); next == words || items[next] && len(items) > 2 {
			break
		}
	}
	return items
}

// clickThrough clicks every visible row of every page and gives what was
// selected by it.
func (c column) clickThrough(t *testing.T, items map[string]bool) map[string]bool {
	t.Helper()
	clicked := map[string]bool{}
	c.Press("g")
	for range 20 {
		before := len(clicked)
		for y := c.y; y < c.h; y++ {
			words := c.words(y)
			if at, _ := c.at(); !items[words] || at == y {
				continue // a heading, or what a second click would open
			}
			c.click(c.x+3, y)
			if at, is := c.at(); at != y || is != words {
				t.Fatalf("a click on row %d, %q, selects row %d, %q:\n%s", y, words, at, is, c.Plain())
			}
			clicked[words] = true
		}
		for range 5 {
			c.wheel(c.x+3, c.y+1, tea.MouseButtonWheelDown)
		}
		if len(clicked) == before {
			break
		}
	}
	return clicked
}

// Ensure that in every list a click on any visible row of any page selects it,
// and that what walking reaches is what clicking reaches.
func TestEveryRowIsClicked(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		way  []string
		see  string
		x, y int // of the list
		s    setting
	}{
		{name: "branches", way: []string{"f2"}, see: "river-1", s: setting{w: 120, h: 24}},
		{name: "nodes", way: []string{"f2", "tab"}, see: "river-1", x: 73, s: setting{w: 120, h: 24}},
		{name: "nodes below", way: []string{"f2", "tab"}, see: "river-1", s: setting{w: 80, h: 30}},
		{name: "tree", way: []string{"f6"}, see: "river-1", s: setting{w: 80, h: 20}},
		{name: "tree beside", way: []string{"f6"}, see: "river-1", s: setting{w: 120, h: 24}},
		{name: "personas", way: []string{"f3"}, see: "v1", s: setting{w: 120, h: 24}},
		{name: "outline", way: []string{"f4"}, see: "1/1", s: setting{w: 80, h: 24}},
		{name: "runs", way: []string{"f7"}, see: "herbs", s: setting{w: 80, h: 18, files: tried()}},
		{name: "engines", way: []string{"f8"}, see: "worn", s: setting{w: 80, h: 24, keeper: stocked()}},
		{name: "engines beside", way: []string{"f8"}, see: "worn", s: setting{w: 120, h: 40, keeper: stocked()}},
		{name: "segments", way: []string{"f5", "esc", "p"}, see: "kept for the reply", y: 3, s: setting{w: 80, h: 24}},
		{name: "findings", way: []string{"f5", "esc", "F"}, see: "turn 3", y: 3, s: setting{w: 80, h: 24}},
		{name: "segments beside", way: []string{"f5", "esc", "p"}, see: "kept for the reply", x: 76, y: 4, s: setting{w: 120, h: 40}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := open(t, tc.s)
			b.Wait("Adu")
			b.say("phone", "Never")
			b.say("here are the herbs", "water")
			b.say("phone", "Never")
			for i := range 23 {
				if _, _, err := b.session.Begin(story.Start{Name: fmt.Sprintf("river-%d", 23-i)}); err != nil {
					t.Fatal(err)
				}
			}
			b.Press(tc.way...)
			b.Wait(tc.see)
			b.Settle()
			c := column{b, tc.x, max(tc.y, 1), tc.s.h - 1}
			items := c.all()
			clicked := c.clickThrough(t, items)
			if len(clicked) < len(items)-1 || len(items) < 2 {
				t.Errorf("of %d rows, %d were clicked:\n%v\n%s", len(items), len(clicked), items, b.Plain())
			}
		})
	}
}

// Ensure that a second click does what enter does where that is harmless, that a
// pane's name shows it, and that the wheel moves what lies under it.
func TestClicksInPanes(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	find := func(words string) (x, y int) {
		t.Helper()
		for y, row := range strings.Split(b.Plain(), "\n") {
			if before, _, ok := strings.Cut(row, words); ok {
				return text.Width(before), y
			}
		}
		t.Fatalf("%q is not on screen:\n%s", words, b.Plain())
		return 0, 0
	}
	on := func(words string) {
		t.Helper()
		x, y := find(words)
		b.click(x, y)
	}
	on("F3 Personas")
	b.Wait("v1")
	on("versions")
	b.Wait("[versions]")
	on("prompt")
	b.Wait("rules")
	b.Resize(120, 16)
	x, y := find("rules")
	b.wheel(x, y, tea.MouseButtonWheelDown)
	if row := b.Row("[prompt]"); !strings.Contains(row, "↑3") {
		t.Errorf("the wheel did not scroll the pane: %q", row)
	}
	b.Resize(120, 40)
	on("F2 World")
	b.Wait("landing-1")
	on("landing-1")
	b.Wait("[F5 Chat]")
	b.Press("f9")
	b.Wait("[state]")
	on("prompt")
	b.Wait("[prompt]")
	on("here are the herbs")
	if !strings.Contains(b.Plain(), "reading") {
		t.Errorf("a click on a turn does not read it:\n%s", b.Plain())
	}
}

// Ensure that what the footer offers is clicked as well as pressed.
func TestFooterIsClicked(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 24})
	b.Wait("Adu")
	b.Press("f6")
	b.Wait("landing-1")
	before, _, ok := strings.Cut(b.from(0, 23), "F1")
	if !ok {
		t.Fatalf("the footer is %q", b.from(0, 23))
	}
	b.click(text.Width(before), 23)
	b.Wait("Help")
	before, _, _ = strings.Cut(b.from(0, 23), "esc")
	b.click(text.Width(before), 23)
	b.Wait("[F6 Tree]")
}
