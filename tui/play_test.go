package tui_test

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/text"
)

// leaf gives the steps of the newest branch.
func (b *bench) steps(t *testing.T) []story.Step {
	t.Helper()
	all, err := b.session.Reader().Branches()
	if err != nil || len(all) == 0 {
		t.Fatalf("branches: %v, %v", all, err)
	}
	path, err := b.session.Reader().Path(all[0].Leaf)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Ensure that Esc stops within 200 ms and keeps what came (R23).
func TestEscStops(t *testing.T) {
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("slow please")
	b.Press("enter")
	b.Wait("One")
	at := time.Now()
	b.Press("esc")
	b.Wait("stopped")
	if d := time.Since(at); d > 200*time.Millisecond {
		t.Errorf("stopped after %v", d)
	}
	b.idle()
	last := b.steps(t)[1].Alternative
	if strings.TrimSpace(last.Text) != "One" || last.Reply.Reason != "cancelled" {
		t.Errorf("kept %q, reason %s", last.Text, last.Reply.Reason)
	}
	b.say("here are the herbs", "water")
}

func TestCtrlCStopsOnceAndQuitsTwice(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("slow")
	b.Press("enter")
	b.Wait("One")
	b.Press("ctrl+c")
	b.Wait("stopped")
	b.idle()
	if b.Quit {
		t.Fatal("one ctrl+c quit")
	}
	b.Press("x", "ctrl+c")
	b.Wait("ctrl+c again")
	b.Press("ctrl+c")
	if !b.Quit {
		t.Error("ctrl+c twice did not quit")
	}
}

// Ensure that nothing a person wrote is lost when no reply comes.
func TestFailuresKeepTheText(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	for _, tc := range []struct{ line, toast, kept string }{
		{"break it", "device lost", "break it"},
		{"nothing here", "no reply came", "nothing here"},
	} {
		b.Type(tc.line)
		b.Press("enter")
		b.Wait(tc.toast)
		b.idle()
		path := b.steps(t)
		if got := path[len(path)-1].Turn.Input.Text; got != tc.kept {
			t.Errorf("%s: stored %q", tc.line, got)
		}
		b.Exact(80, 24)
	}
	b.Wait("Half a")
	b.Type("@zhang who are you")
	b.Press("enter")
	b.Wait("@zhang is not here; here: Adu, Qin (your text is kept)")
	if b.Row("> @zhang who are you") == "" {
		t.Errorf("the refused text is gone:\n%s", b.Plain())
	}
}

func TestRetryAlternativesAndBranch(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("hello", "water")
	b.Press("esc", "r")
	b.Wait("alt 2/2")
	b.Wait("Ask somebody else")
	b.Press("[")
	b.Wait("alt 1/2")
	b.Wait("Look at the water")
	b.Press("]")
	b.Wait("alt 2/2")
	b.Press("b")
	b.Wait("starts here")
	b.idle()
	if all, _ := b.session.Reader().Branches(); len(all) != 2 {
		t.Errorf("%d branches, want 2", len(all))
	}
	b.Press("m")
	b.Wait("* ")
}

// Ensure that a retry in the middle keeps what followed, on the branch it was on.
func TestRetryInTheMiddle(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.say("two", "somebody")
	b.Press("esc", "k", "r")
	b.idle()
	b.Wait("alt 2/2")
	if b.Row("you  two") != "" {
		t.Errorf("the turn below the retried one still shows:\n%s", b.Plain())
	}
	all, err := b.session.Reader().Branches()
	if err != nil || len(all) != 2 {
		t.Fatalf("branches %v, %v", all, err)
	}
}

func TestQuestionAndChoice(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("it is in the cellar", "You would swear to that?")
	b.Wait("? Qin asks: You would swear to that?")
	b.Wait("yes takes it; anything else declines")
	b.Type("yes")
	b.Press("enter")
	b.Wait("Drawers up to the beams")
	b.idle()
	b.Press("alt+1")
	b.Wait("Back to the landing")
	b.idle()
	b.Press("alt+2")
	b.Wait("“Go aboard” is closed: it needs trust > 2")
}

func TestEnding(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Press("esc", "1")
	b.Wait("Drawers")
	b.idle()
	b.Press("2")
	b.Wait("The end (neutral).")
	b.Wait("talk may go on")
	b.idle()
	b.Exact(80, 24)
}

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

// Ensure that an unmarked paste does not send its lines one by one, and that a
// script that types fast still sends.
func TestBurst(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("one")
	b.Send(tea.KeyMsg{Type: tea.KeyEnter})
	b.Phrase("two")
	time.Sleep(50 * time.Millisecond)
	b.Settle()
	if n := len(b.steps(t)); n != 1 {
		t.Fatalf("%d steps: the paste was sent", n)
	}
	b.Send(tea.KeyMsg{Type: tea.KeyEnter})
	b.Wait("Adu  Look at the water")
	b.idle()
	if got := b.steps(t)[1].Turn.Input.Text; got != "one\ntwo" {
		t.Errorf("stored %q", got)
	}
}

func TestTree(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.say("two", "somebody")
	b.Press("esc", "k", "b")
	b.idle()
	b.Press("f6")
	b.Wait("you are here")
	b.Press("t")
	b.Type("the water")
	b.Press("enter")
	b.Wait("the water")
	b.Press("G", "d")
	b.Wait("d again hides")
	b.Press("d")
	b.Wait("is hidden")
	if all, _ := b.session.Reader().Branches(); len(all) != 1 {
		t.Errorf("%d branches, want 1", len(all))
	}
	b.Press("enter")
	b.Wait("you  two")
	b.Exact(80, 24)
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

// Ensure that a changed line makes a turn beside the old one.
func TestEditLine(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.Press("esc", "e")
	b.Wait("changing a line")
	b.Wait("> one")
	b.Press("ctrl+u")
	b.say("two", "somebody")
	b.Wait("you  two")
	if b.Row("you  one") != "" {
		t.Errorf("the old line still shows:\n%s", b.Plain())
	}
	b.Press("f6")
	b.Wait("1 one")
	b.Wait("1 two")
}

// Ensure that many choices stay within their rows and say how many are left out.
func TestManyChoices(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 60, h: 16})
	b.Wait("Adu")
	b.Exact(60, 16)
	b.Wait("alt+1 To the shop")
	b.Wait("alt+3 Tell of the cellar")
	b.Resize(60, 24)
	b.Exact(60, 24)
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
}

// Ensure that where all answer, each reply shows as it comes and all are kept.
func TestAllAnswer(t *testing.T) {
	t.Parallel()
	files := maps.Clone(ferry)
	files["plot/act1.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(string(ferry["plot/act1.yaml"].Data),
		"    cast: [adu, qin]\n", "    cast: [adu, qin]\n    turns: all\n", 1))}
	b := open(t, setting{files: files})
	b.Wait("Adu")
	b.Type("good evening")
	b.Press("enter")
	b.Wait("Adu  Look at the water")
	b.Wait("Qin  *sighs* Ask somebody else.")
	b.idle()
	if got := b.steps(t); len(got) != 3 || got[1].Alternative.Speaker != "adu" || got[2].Alternative.Speaker != "qin" {
		t.Errorf("%d steps", len(got))
	}
	if strings.Count(b.Plain(), "good evening") != 1 || b.Row("next one speak") != "" {
		t.Errorf("the line shows more than once:\n%s", b.Plain())
	}
	b.Exact(80, 24)
}
