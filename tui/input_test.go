package tui_test

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/text"
)

func TestAddressAndCompletion(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("@q")
	b.Press("tab")
	b.Wait("> @Qin")
	b.Wait("Qin answers")
	b.Type("who are you")
	b.Press("enter")
	b.Wait("you  @Qin who are you")
	b.idle()
	if got := b.steps(t)[1].Turn; got.Speaker != "qin" || got.Input.Text != "who are you" {
		t.Errorf("speaker %s, text %q", got.Speaker, got.Input.Text)
	}
	b.Phrase("＠阿渡")
	b.Phrase("你好")
	b.Press("enter")
	b.Wait("you  @Adu 你好")
	b.idle()
	b.Press("ctrl+n")
	b.idle()
	if got := b.steps(t); len(got) != 4 || !got[3].Turn.Input.Next {
		t.Errorf("%d steps", len(got))
	}
}

// Ensure that Chinese typed while reading is written, and its command twins act.
func TestInputMethodWhileReading(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Press("esc")
	b.Wait("reading")
	b.Phrase("？")
	b.Wait("Help: Chat")
	b.Press("esc")
	b.Phrase("老周，昨夜那盏灯是谁点的？")
	b.Wait("writing")
	b.Press("enter")
	b.Wait("狐狸点的")
	b.idle()
	if got := b.steps(t)[1].Turn.Input.Text; got != "老周，昨夜那盏灯是谁点的？" {
		t.Errorf("stored %q", got)
	}
}

func TestPaste(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Paste(strings.Repeat("line\r", 30) + "end")
	b.Wait("pasted 31 lines, 153 characters")
	b.Exact(80, 24)
	b.Paste(strings.Repeat("长", 9000))
	b.Wait("do not fit")
	b.Press("enter")
	b.idle()
	if got := b.steps(t)[1].Turn.Input.Text; strings.Count(got, "\n") != 30 {
		t.Errorf("%d line feeds stored, want 30", strings.Count(got, "\n"))
	}
}

// Ensure that a long paste can be deleted again by one key held down.
func TestHeldCtrlUEmpties(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Paste("one\rtwo\rthree")
	for range 6 {
		b.Press("ctrl+u")
	}
	b.Wait("> say something")
}

// Ensure that a refusal goes with the key that follows it.
func TestNoticeGoesWithTheNextKey(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("slow")
	b.Press("enter")
	b.Wait("One")
	b.Type("more")
	b.Press("enter")
	b.Wait("a reply is on its way")
	b.Press("esc")
	b.Wait("stopped")
	if b.Row("on its way") != "" {
		t.Errorf("the refusal outlives its reason:\n%s", b.Plain())
	}
}

// Ensure that an unmarked paste does not send its lines one by one, and that a
// script that types fast still sends.
func TestBurst(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("one")
	b.Send(tea.KeyMsg{Type: tea.KeyEnter})
	b.Phrase("two")
	b.Settle()
	b.clock.Add(time.Second)
	b.Send(tea.KeyMsg{Type: tea.KeyEnter})
	b.Wait("Adu  Look at the water")
	b.idle()
	if got := b.steps(t); len(got) != 2 || got[1].Turn.Input.Text != "one\ntwo" {
		t.Errorf("%d steps; stored %q", len(got), got[1].Turn.Input.Text)
	}
}

// Ensure that text from models and players never reaches the terminal as a
// command (R22): of all escape sequences in a frame, only colours remain.
func TestNoForeignEscapes(t *testing.T) {
	t.Parallel()
	b := open(t, setting{theme: "dark"})
	b.Wait("Adu")
	hostile := "a\x1b]52;c;aGk=\x07b\x1b[2Jc\u009b6n\u202ed\x00[/x] **bold ```"
	b.Paste(hostile)
	b.Press("enter")
	b.Wait("Adu  Look")
	b.idle()
	b.Press("f6")
	b.Wait("you are here")
	b.Press("f5")
	frame := b.View()
	for i, r := range frame {
		if r == '\x1b' {
			if end := strings.IndexByte(frame[i:], 'm'); end < 0 || strings.Trim(frame[i+1:i+end], "[0123456789;") != "" {
				t.Fatalf("a foreign escape sequence at %d: %q", i, frame[i:i+10])
			}
			continue
		}
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e {
			t.Fatalf("%U in the frame", r)
		}
	}
	if text.Strip(frame) == frame {
		t.Error("no colour at all: the test sees nothing")
	}
}

// Ensure that what is typed while an input is being stored is not lost with it.
func TestTypingOnAfterEnter(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("hello")
	b.clock.Add(time.Second)
	b.Send(tea.KeyMsg{Type: tea.KeyEnter})
	b.Phrase("然后")
	b.Wait("you  hello")
	b.idle()
	if b.Row("> 然后") == "" {
		t.Errorf("what was typed on is gone:\n%s", b.Plain())
	}
}

// Ensure that letters that arrive in one piece are still keys, up to the one
// that begins to write.
func TestFastLettersAreKeys(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.say("two", "somebody")
	b.Press("esc")
	b.Phrase("kkjihello")
	b.Wait("> hello")
}

// Ensure that a click takes a choice and the wheel scrolls.
func TestMouse(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	for _, line := range []string{"one", "two", "three", "four"} {
		b.say(line, "you  "+line)
	}
	for range 5 {
		b.Send(tea.MouseMsg{Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
	}
	b.Wait("It has rained all day")
	b.Wait("below")
	rows := strings.Split(b.Plain(), "\n")
	for y, r := range rows {
		if x := strings.Index(r, "To the shop"); x >= 0 {
			b.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
		}
	}
	b.Wait("Drawers up to the beams")
	x := strings.Index(b.Row("F6"), "F6")
	b.Send(tea.MouseMsg{X: x, Y: 0, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	b.Wait("you are here")
}
