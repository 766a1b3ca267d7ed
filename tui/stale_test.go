package tui_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/widget"
)

// island is the ferry with a node that nothing leads to.
func island() (files fstest.MapFS, name string) {
	files, name = maps.Clone(ferry), "plot/act1.yaml"
	data := string(files[name].Data) + "  - node: island\n    title: The island\n    cast: [adu]\n    ending: {kind: neutral}\n"
	files[name] = &fstest.MapFile{Data: []byte(data)}
	return files, name
}

// now sends a key and takes no answer.
func (b *bench) now(t *testing.T, key string) {
	t.Helper()
	m, ok := widget.KeyNamed(key)
	if !ok {
		t.Fatalf("no key %q", key)
	}
	b.Send(m)
}

// Ensure that it is said where no way leads, and that a node which nothing leads
// to is told apart without colours.
func TestPlotSaysThatNoWayLeadsThere(t *testing.T) {
	t.Parallel()
	files, _ := island()
	b := open(t, setting{w: 120, h: 40, files: files})
	b.Wait("Adu")
	b.Press("f4", "o", "G")
	b.Wait("node      island")
	if b.Row("!The island") == "" {
		t.Errorf("nothing tells that the node cannot be reached:\n%s", b.Plain())
	}
	b.Press("s")
	b.Wait("The island is never reached")
}

// Ensure that a way that was asked for gives way to a selection made meanwhile.
func TestPlotDropsAWayToAnotherNode(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.Press("f4", "a", "right")
	b.Wait("findings: ")
	b.now(t, "s")
	b.now(t, "left")
	b.Settle()
	if b.Row("node      landing") == "" || b.Row("A shortest way here") != "" {
		t.Errorf("the way to the shop took the selection back:\n%s", b.Plain())
	}
}

// Ensure that files that lose a node while it is selected, searched from or about
// to be clicked at leave the screen at a node that there is.
func TestPlotOutlivesItsNodes(t *testing.T) {
	t.Parallel()
	files, name := island()
	dir := t.TempDir()
	b := open(t, setting{w: 120, h: 40, files: files, world: dir})
	b.Wait("Adu")
	b.Press("f4", "o", "G", "o")
	b.Wait("node      island")
	b.Press("/")
	b.Type("boat")
	if err := os.WriteFile(filepath.Join(dir, name), ferry[name].Data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.session.Reload(); err != nil {
		t.Fatal(err)
	}
	b.Exact(120, 40)
	b.now(t, "esc")
	b.Exact(120, 40)
	b.Wait("node      landing")
	if err := os.WriteFile(filepath.Join(dir, name), files[name].Data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.session.Reload(); err != nil {
		t.Fatal(err)
	}
	b.Send(tea.MouseMsg{X: 4, Y: 4, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	b.Exact(120, 40)
	b.Wait("node      landing")
}

// Ensure that no second line is tried before the first one has begun.
func TestPersonasTryOneLineAtATime(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.Press("f3", "t")
	b.Type("hello")
	b.now(t, "enter")
	b.now(t, "t")
	b.Wait("replies are on their way")
	b.Until("the replies", func() bool { return strings.Count(b.Plain(), "seed ") == 3 })
}

// Ensure that what a search finds late leaves the selection where it was moved.
func TestFindKeepsTheSelection(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("shop", "water")
	b.now(t, "ctrl+f")
	b.Type("shop")
	b.now(t, "down")
	if b.Row("> node     The shop") == "" || b.Row("landing-1@1") != "" {
		t.Fatalf("not the second of what is known at once:\n%s", b.Plain())
	}
	b.Wait("landing-1@1")
	if b.Row("> node     The shop") == "" {
		t.Errorf("the selection moved by itself:\n%s", b.Plain())
	}
}

// Ensure that asking again for a task's end is meant for the task that was named.
func TestCancelAsksForEachTask(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	one, two := newWork(), newWork()
	b.Send(one.task("a", "playtest"))
	b.Send(two.task("b", "build"))
	b.Press("ctrl+x")
	b.Wait("again cancels build")
	two.end <- nil
	b.Wait("done: build")
	b.Press("ctrl+x")
	b.Wait("again cancels playtest")
	b.Press("ctrl+x")
	b.Wait("cancelled: playtest")
}

// Ensure that a title goes to the reply that it was begun for, although the
// screen was left meanwhile.
func TestTitleStaysAtItsReply(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("hello", "water")
	b.Press("f6", "g", "t")
	b.Type("arrival")
	b.Press("f5", "f6", "enter")
	b.Wait("arrival")
	if s := b.steps(t); s[0].Alternative.Title != "arrival" || s[1].Alternative.Title != "" {
		t.Errorf("titles %q, %q", s[0].Alternative.Title, s[1].Alternative.Title)
	}
}

// Ensure that no command is written into a line that is being changed.
func TestNoCommandInAChangedLine(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("hello", "water")
	b.Press("esc", "E", "ctrl+p")
	b.Phrase("/branch")
	b.Press("enter")
	b.Wait("send or delete what you are writing first")
	if b.Row("> /branch") != "" || b.Row("> Look at the water") == "" {
		t.Errorf("the line is not as it was:\n%s", b.Plain())
	}
}
