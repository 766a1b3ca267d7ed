package tui_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"fabula/tui"
)

// talk plays lines without a screen and gives what was written.
func talk(t *testing.T, b *bench, lines string) string {
	t.Helper()
	var out bytes.Buffer
	o := tui.Options{Session: b.session, StateDir: b.dir, Status: func(string) tui.Status { return tui.Status{Name: "lamplighter"} }}
	if err := tui.Plain(context.Background(), o, strings.NewReader(lines), &out); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("an escape sequence without a screen")
	}
	return out.String()
}

// Ensure that without a screen everything is told that a screen shows, in order.
func TestPlain(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	got := talk(t, b, "here are the herbs\n@秦三，hello\n2\n@zhang hi\ncellar\nno\nnothing\n1\n")
	for _, want := range []string{
		"Chat: landing-1. lamplighter serves\n", "narration (authored): It has rained all day.\n", "Adu (authored): Three qian of herbs. (sigh)\n",
		"1: To the shop\n", "2: Go aboard (needs trust > 2)\n",
		"*: landing.gives\n", "Adu: Look at the water. It knows.\n", "Qin: *sighs* Ask somebody else.\n",
		"!: “Go aboard” is closed: it needs trust > 2\n", "!: @zhang is not here; here: Adu, Qin\n",
		"?: Qin asks: You would swear to that?\n", ">: declined: Tell of the cellar\n", "!: no reply came",
		">: To the shop · chose\nThe shop\nnarration (authored): Drawers up to the beams.\n",
	} {
		at := strings.Index(got, want)
		if at < 0 {
			t.Fatalf("no %q next in:\n%s", want, got)
		}
		got = got[at+len(want):]
	}
	again := talk(t, b, "")
	for _, want := range []string{"you: nothing\n", "The shop\n", "1: Back to the landing\n"} {
		if !strings.Contains(again, want) {
			t.Errorf("no %q when taken up again:\n%s", want, again)
		}
	}
}

// Ensure that an interrupt ends the talk while nothing is typed.
func TestPlainEndsOnInterrupt(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := tui.Plain(ctx, tui.Options{Session: b.session, StateDir: b.dir, Status: func(string) tui.Status { return tui.Status{} }}, r, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

// Ensure that commands are not said aloud without a screen, and that a text that
// no window holds is refused before it is stored.
func TestPlainCommands(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	long := strings.Repeat("a very long line ", 2000)
	got := talk(t, b, "one\n/retry\n/nosuch\n//slash\n/to qin hi\n"+long+"\n")
	for _, want := range []string{"!: no command /nosuch", "!: prompt longer than the context window"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	path := b.steps(t)
	if len(path) != 4 || path[2].Turn.Input.Text != "/slash" || path[3].Turn.Input.To != "qin" || len(path[1].Turn.Children) != 2 {
		t.Errorf("%d turns: %+v", len(path), path[len(path)-1].Turn.Input)
	}
}

// Ensure that what the composer's commands do is done without a screen as well,
// and that each tells where the story then stands.
func TestPlainDoesEveryCommand(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	got := talk(t, b, "here are the herbs\n/state\n/undo\n/redo\n/branch low water\n/goto The shop\n/set trust=4\n/continue\n/engine lamplighter\n/help\n/state\n")
	for _, want := range []string{
		"Adu: Look at the water", "trust: 1\n", "back at turn 0", "turn 1", "you: here are the herbs\n", "branch low water starts here\n",
		"begins at The shop\n", "begins at The shop\n", "!: ", "lamplighter answers from now on\n", "/branch name: Make a branch", "/help: ", "trust: 4\n",
	} {
		at := strings.Index(got, want)
		if at < 0 {
			t.Fatalf("no %q next in:\n%s", want, got)
		}
		got = got[at+len(want):]
	}
}
