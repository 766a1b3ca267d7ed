package tui_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas/source"
	"fabula/tui"
	"fabula/tui/keymap"
)

// Ensure that a command that is run by name does what its key does, also while a
// line is being written, which stays, and that it stands first next time.
func TestPaletteRuns(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("hello", "water")
	b.Type("unsent")
	b.Press("ctrl+p")
	b.Phrase("retry")
	b.Press("enter")
	b.Wait("alt 2/2")
	b.Wait("> unsent")
	b.Press("ctrl+p")
	if first := strings.Split(b.Plain(), "\n")[3]; !strings.Contains(first, "> retry") {
		t.Errorf("the last command is not first: %q", first)
	}
	b.Press("esc", "esc", "：")
	b.Phrase("分支树") // the name in the other language
	b.Press("enter")
	b.Wait("[F6 Tree]")
	b.Press("ctrl+p")
	b.Phrase("continue")
	b.Wait("no command fits")
	b.Press("esc", "f5", "ctrl+p")
	b.Phrase("/branch")
	b.Press("enter")
	b.Wait("> /branch")
	b.Type("low water") // the draft stands below the command, and stays
	b.Press("enter")
	b.Wait("branch low water starts here")
	b.Wait("> unsent")
}

// Ensure that what cannot be done now is in the palette and says why.
func TestPaletteSaysWhyNot(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.Press("ctrl+p")
	b.Phrase("chat.stop")
	b.Wait("not now: no reply is on its way")
	b.Press("enter")
	b.Wait("» no reply is on its way")
}

// Ensure that a search finds authored lines, exits, and findings by their words
// with a word of the reply, and that what is picked before the index has answered
// is what it finds.
func TestFindFindsAnything(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("phone", "Never")
	for typed, want := range map[string]string{
		"drawers": "line     The shop", "aboard": "exit     aboard", "taboo never": "finding  landing-1@1", "柴胡": "line     The landing",
	} {
		b.Press("ctrl+f")
		b.Phrase(typed)
		b.Wait(want)
		b.Press("esc")
	}
	b.Press("ctrl+f")
	b.Settle()
	b.Phrase("my phone")
	b.now(t, "enter")
	b.Wait("reading")
	b.Wait(">  you  phone")
}

// Ensure that a search says when the store cannot be read, and waits for nothing then:
// neither for what was said nor, asked anew, for the branches.
func TestFindWithoutAStore(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.Press("ctrl+f")
	b.Settle()
	if err := b.tree.Close(); err != nil {
		t.Fatal(err)
	}
	b.Phrase("nowhere")
	b.Wait("database not open")
	b.Wait("nothing fits")
	b.Press("enter")
	b.Wait("» nothing fits")
	b.Press("esc", "ctrl+f")
	b.Wait("database not open")
	b.Phrase("nowhere")
	b.Wait("nothing fits")
	b.Press("enter")
	b.Wait("» nothing fits")
}

// Ensure that a search leads to a line that was said, to a branch, and to a node.
func TestFindGoesThere(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.say("phone", "Never")
	b.Press("ctrl+f")
	b.Settle()
	b.Phrase("ＬＯＯＫ at the water")
	b.Wait("landing-1@1")
	b.Press("enter")
	b.Wait("reading")
	b.Press("ctrl+f")
	b.Phrase("shop")
	b.Press("enter")
	b.Wait("[F")
	if strings.Contains(b.Plain(), "[F5 Chat]") {
		t.Errorf("a node is still shown in the chat:\n%s", b.Plain())
	}
}

// Ensure that keys of one's own work, are shown, and that the old ones do
// nothing.
func TestOwnKeys(t *testing.T) {
	t.Parallel()
	entries, faults := keymap.Read(source.File{Name: "keys.yaml", Data: []byte("keys:\n  chat.retry: Q\n  tree: alt+z\n  chat.branch: i\n")})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	b := open(t, setting{keys: entries})
	b.Wait("keys.yaml:4:3: chat.branch: i does chat.compose in the same place")
	b.Press("esc")
	b.say("hello", "water")
	b.Press("esc", "r", "j")
	b.Wait("Q retry")
	if strings.Contains(b.Plain(), "alt 2/2") {
		t.Errorf("the old key still works:\n%s", b.Plain())
	}
	b.Press("Q")
	b.Wait("alt 2/2")
	b.Press("alt+z")
	b.Wait("Tree]")
	if wrong := tui.CheckKeys(entries); len(wrong) != 1 {
		t.Errorf("doctor would tell %v", wrong)
	}
}

// Ensure that the wheel and a click work in a list, where it is framed as well.
func TestListsByMouse(t *testing.T) {
	t.Parallel()
	for _, w := range []int{80, 120} {
		b := open(t, setting{w: w, h: 40})
		b.Wait("Adu")
		b.Press("ctrl+p")
		b.Phrase("inspect")
		y := 0
		for i, row := range strings.Split(b.Plain(), "\n") {
			if strings.Contains(row, "F9") && y == 0 {
				y = i
			}
		}
		b.Send(tea.MouseMsg{X: w / 2, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
		b.Settle()
		if strings.Contains(b.Plain(), "─ Commands") {
			t.Errorf("%d: the list is still there:\n%s", w, b.Plain())
		}
	}
}
