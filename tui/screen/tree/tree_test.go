package tree_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/screen/tree"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// forest is a reader of one playthrough: a line of turns, each with siblings
// beside the alternative that the next turn follows.
type forest struct {
	story.Reader // not asked for anything else
	turns        []story.Turn
	alts         map[story.ID][]story.Alternative
	branches     []story.Branch
	hidden       []story.Branch
}

func grow(turns, siblings int) *forest {
	f := &forest{alts: map[story.ID][]story.Alternative{}}
	parent := story.ID("")
	for d := range turns {
		t := story.Turn{ID: story.ID(fmt.Sprintf("t%d", d)), Playthrough: "p", Parent: parent, Depth: d, Input: story.Input{Text: fmt.Sprintf("line %d", d)}}
		f.turns = append(f.turns, t)
		n := siblings
		if d == 0 {
			n = 1 // openings have one
		}
		for i := range n {
			f.alts[t.ID] = append(f.alts[t.ID], story.Alternative{ID: story.ID(fmt.Sprintf("a%d.%d", d, i)), Turn: t.ID, Speaker: "laozhou", Text: fmt.Sprintf("回答 %d, reply %d", i, d), Status: story.Finished})
		}
		parent = f.alts[t.ID][n/2].ID
	}
	f.branches = []story.Branch{{ID: "b", Name: "hall-1", Playthrough: "p", Leaf: parent}}
	return f
}

func (f *forest) Walk(visit func(story.Turn, []story.Alternative) error) error {
	for _, t := range f.turns {
		if err := visit(t, f.alts[t.ID]); err != nil {
			return err
		}
	}
	return nil
}

func (f *forest) Playthrough(story.ID) (story.Playthrough, error) {
	return story.Playthrough{ID: "p", Language: "en"}, nil
}
func (f *forest) Branches() ([]story.Branch, error) { return f.branches, nil }
func (f *forest) Hidden() ([]story.Branch, error)   { return f.hidden, nil }

// shown opens the screen on a forest, where the chat is at its only branch.
func shown(t testing.TB, f *forest, w, h int) *tree.Tree {
	t.Helper()
	world, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	s, err := story.New(story.Config{Script: world.Script, Reader: f})
	if err != nil {
		t.Fatal(err)
	}
	th := style.For(style.Choice{}, termenv.Ascii, "")
	v := tree.New(&screen.Env{Theme: &th, Text: lang.For("en"), Session: s, Now: time.Now})
	v.SetSize(w, h)
	v.Update(screen.Went{Branch: f.branches[0]})
	v.Update(v.Shown()())
	return v
}

func press(v *tree.Tree, keys ...string) tea.Cmd {
	var cmd tea.Cmd
	for _, k := range keys {
		m := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if k == " " {
			m = tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}
		}
		cmd = v.Update(m)
	}
	return cmd
}

// asked is the comparison that a command asks for.
func asked(cmd tea.Cmd) (screen.Compare, bool) {
	open, _ := cmd().(screen.Open)
	c, ok := open.With.(screen.Compare)
	return c, ok && open.Name == screen.Comparison
}

func plain(v *tree.Tree) string { return text.Strip(strings.Join(v.View(), "\n")) }

// Ensure that the line that the chat follows runs straight down however often it
// forks, that siblings beyond a few are one row, and that this row unfolds.
func TestTheLineOfTheChatIsStraight(t *testing.T) {
	v := shown(t, grow(500, 200), 80, 24)
	out := plain(v)
	if !strings.Contains(out, ">  ") || !strings.Contains(out, "499 line 499") || !strings.Contains(out, "you are here") {
		t.Fatalf("the chat's leaf is not selected:\n%s", out)
	}
	rows := strings.Split(out, "\n")
	for _, r := range rows[1:] {
		if strings.Contains(r, "│  │") {
			t.Errorf("two steps deep: %q", r)
		}
	}
	if !strings.Contains(out, "196 more alternatives (z unfolds)") {
		t.Errorf("siblings are not gathered:\n%s", out)
	}
	before := len(rows)
	press(v, "k", "z")
	if strings.Contains(plain(v), "> │") || len(strings.Split(plain(v), "\n")) != before {
		t.Errorf("the frame changed its size:\n%s", plain(v))
	}
	if out = plain(v); !strings.Contains(out, "alt 5/200") {
		t.Errorf("the siblings are not unfolded:\n%s", out)
	}
}

// Ensure that two turns are picked with space and compared, one with the
// selected one where only one was picked.
func TestPickAndCompare(t *testing.T) {
	v := shown(t, grow(5, 2), 120, 40)
	press(v, "g", " ", "G")
	if !strings.Contains(plain(v), "1 picked") {
		t.Errorf("nothing is picked:\n%s", plain(v))
	}
	got, ok := asked(press(v, "c"))
	if !ok || got.A != "a0.0" || got.B != "a4.1" {
		t.Errorf("compares %+v", got)
	}
	press(v, " ")
	if got, ok := asked(press(v, "g", "c")); !ok || got.A != "a0.0" || got.B != "a4.1" {
		t.Errorf("of two picked compares %+v", got)
	}
}

// Ensure that folding hides what lies below and says how much.
func TestFold(t *testing.T) {
	v := shown(t, grow(6, 1), 80, 24)
	press(v, "g", "j", "z")
	if out := plain(v); !strings.Contains(out, "4 below") || strings.Contains(out, "line 4") {
		t.Errorf("not folded:\n%s", out)
	}
	press(v, "z")
	if out := plain(v); !strings.Contains(out, "line 4") {
		t.Errorf("not unfolded:\n%s", out)
	}
}

// Ensure that a click selects the row under it, and none beside the tree.
func TestClick(t *testing.T) {
	v := shown(t, grow(6, 1), 120, 24)
	click := func(x, y int) {
		v.Update(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	selected := func() string {
		for row := range strings.SplitSeq(plain(v), "\n") {
			if strings.HasPrefix(row, ">") {
				return row
			}
		}
		return ""
	}
	click(5, 3)
	if !strings.Contains(selected(), "line 2") {
		t.Errorf("selected %q", selected())
	}
	for _, at := range [][2]int{{100, 5}, {5, 0}, {5, 20}} {
		click(at[0], at[1])
		if !strings.Contains(selected(), "line 2") {
			t.Errorf("a click at %v selected %q", at, selected())
		}
	}
}

// Ensure that a hidden branch is named where it ended.
func TestHiddenBranchIsShown(t *testing.T) {
	f := grow(3, 2)
	f.hidden = []story.Branch{{ID: "h", Name: "old", Playthrough: "p", Leaf: "a2.0", Hidden: time.Unix(1, 0)}}
	if out := plain(shown(t, f, 80, 24)); !strings.Contains(out, "(hidden: old)") {
		t.Errorf("no hidden branch:\n%s", out)
	}
}

// BenchmarkTree lays the tree out and draws it: 500 turns with 200 siblings
// each; the bar is 16 ms.
func BenchmarkTree(b *testing.B) {
	v := shown(b, grow(500, 200), 200, 60)
	at := story.Branch{ID: "b", Playthrough: "p", Leaf: "a499.100"}
	for b.Loop() {
		v.Update(screen.Went{Branch: at})
		v.View()
	}
}

// BenchmarkMove draws the tree after a step with everything unfolded that one
// turn has.
func BenchmarkMove(b *testing.B) {
	v := shown(b, grow(500, 200), 200, 60)
	press(v, "k", "z")
	for b.Loop() {
		press(v, "k")
		v.View()
	}
}
