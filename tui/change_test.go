package tui_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/engine/scripted"
)

// Ensure that a change of a reply or of a line is one still after quitting, so
// that nobody's words become somebody else's.
func TestChangesSurvive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	begin := func() *bench {
		b := open(t, setting{dir: dir})
		b.Wait("Adu")
		b.idle()
		return b
	}
	end := func(b *bench) {
		b.Press("ctrl+c", "ctrl+c")
		b.save()
		b.close(t)
	}
	b := begin()
	b.say("one", "water")
	turns := len(b.steps(t))
	b.Press("esc", "E")
	b.Type(" Indeed.")
	end(b)
	b = begin()
	b.Wait("changing a reply")
	b.Press("enter")
	b.idle()
	if path := b.steps(t); len(path) != turns || !path[turns-1].Alternative.Human {
		t.Fatalf("the change became a line: %d turns, were %d", len(path), turns)
	}
	b.Press("esc", "e")
	b.Type(" two")
	end(b)
	b = begin()
	b.Wait("changing a line")
	b.Press("enter")
	b.idle()
	if path := b.steps(t); len(path) != turns || path[turns-1].Turn.Input.Text != "one two" {
		t.Fatalf("%d turns, were %d: %q", len(path), turns, path[len(path)-1].Turn.Input.Text)
	}
}

// Ensure that a changed reply that is sent twice before it is stored is stored
// once.
func TestChangeIsStoredOnce(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.Press("esc", "E")
	b.Type(" Indeed.")
	b.now(t, "enter")
	b.now(t, "enter")
	b.Wait("alt 2/2")
	b.idle()
	path := b.steps(t)
	if last := path[len(path)-1]; len(last.Turn.Children) != 2 || !last.Alternative.Human {
		t.Errorf("%d alternatives, the last by a person: %v", len(last.Turn.Children), last.Alternative.Human)
	}
}

// Ensure that place and draft are written again after a failure, which is told
// once.
func TestDraftIsWrittenAgain(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	file := b.block(t)
	b.Type("unsent")
	b.Wait("! keep the text")
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	b.Until("the draft on disk", func() bool {
		data, _ := os.ReadFile(file) // not there until it was written again
		return strings.Contains(string(data), "unsent")
	})
}

// Ensure that a change whose turn is not there any more is a line that says so.
func TestChangeOfAGoneTurn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, setting{dir: dir})
	b.Wait("Adu")
	b.say("one", "water")
	b.Press("esc", "E")
	b.Type(" Indeed.")
	b.save()
	b.close(t)
	file := filepath.Join(dir, "workbench.json")
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kept = regexp.MustCompile(`"turn":"[^"]+"`).ReplaceAll(kept, []byte(`"turn":"GONE"`))
	if err := os.WriteFile(file, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	b = open(t, setting{dir: dir})
	b.Wait("what you were changing is not on this branch")
	b.Wait("Indeed.")
}

// Ensure that a line that is changed is a text also when it begins with a slash,
// and that a turn without a reply is called that.
func TestChangedSlashIsText(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("//slash", "you  /slash")
	b.Press("esc", "e")
	b.Type("ed")
	b.Press("enter")
	b.Wait("you  /slashed")
	b.idle()
	b.Press("alt+1")
	b.Wait("The shop")
	b.idle()
	for _, key := range []string{"r", "R", "f", "C"} {
		b.Press("esc", key)
		b.Wait("this turn has no reply")
		b.Press("i")
		b.idle()
	}
}

// Ensure that a text that no window holds is refused before anything is stored,
// and stays in the composer.
func TestTooLongForTheWindow(t *testing.T) {
	t.Parallel()
	small, err := scripted.Parse([]byte("engine small\nwindow 900\nlanguages en\n\nreply\n  say \"Well.\" 4ms\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, setting{engine: small})
	b.Wait("Adu")
	b.Send(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune(strings.Repeat("far too long ", 500))})
	b.Press("enter")
	b.Wait("longer than the context window")
	if n := len(b.steps(t)); n != 1 {
		t.Errorf("%d turns stored", n)
	}
	b.Wait("far too long")
}
