package tui_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"fabula/story"
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

// Ensure that Esc stops a reply whose next word would take half a minute, and
// keeps what came (R23).
func TestEscStops(t *testing.T) {
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("slow please")
	b.Press("enter")
	b.Wait("One")
	b.Press("esc")
	b.Wait("stopped")
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
		{"nothing here", "no reply came: esc r tries again", "nothing here"},
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

// Ensure that what a closed exit needs can be read whole, over several rows.
func TestClosedExitIsReadWhole(t *testing.T) {
	t.Parallel()
	const when = "trust > 2 and herbs >= 1 and not sold and (trust > 4 or herbs > 2) and (herbs < 3 or trust != 1) and not (sold or herbs == 0)"
	files := maps.Clone(ferry)
	files["plot/act1.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(string(ferry["plot/act1.yaml"].Data), "when: trust > 2\n", "when: "+when+"\n", 1))}
	b := open(t, setting{files: files})
	b.Wait("Adu")
	whole := func() bool { return strings.Contains(strings.Join(strings.Fields(b.Plain()), " "), when) }
	if whole() {
		t.Fatal("the row of choices had room")
	}
	b.Press("alt+2")
	b.Wait("is closed: it needs trust > 2")
	b.Exact(80, 24)
	if !whole() {
		t.Errorf("cut:\n%s", b.Plain())
	}
	b.Wait("> say something")
	b.Resize(60, 16)
	b.Exact(60, 16)
	b.Press("f1")
	b.Exact(60, 16)
}

func TestEnding(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Press("esc", "1")
	b.Wait("Drawers")
	b.idle()
	b.Press("2")
	b.Wait("The end (neutral). The story is over; talk may go on.")
	b.idle()
	b.Exact(80, 24)
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
	branches := func(n int) {
		t.Helper()
		b.Until(fmt.Sprintf("%d branches", n), func() bool {
			all, err := b.session.Reader().Branches()
			return err == nil && len(all) == n
		})
		b.Settle()
	}
	b.Press("G", "d")
	b.Wait("is hidden")
	branches(1)
	b.Wait("(hidden: landing-1)")
	b.Press("u")
	branches(2)
	b.Press("U")
	branches(1)
	b.Press("d")
	b.Wait("is back")
	branches(2)
	b.Press("d")
	branches(1)
	b.Press("enter")
	b.Wait("you  two")
	b.Exact(80, 24)
}

// Ensure that the tree tells choices apart that lead nowhere else.
func TestTreeNamesTheChoice(t *testing.T) {
	t.Parallel()
	files := maps.Clone(ferry)
	files["plot/act1.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(string(ferry["plot/act1.yaml"].Data), "    exits:\n      - exit: to_shop\n", `    exits:
      - {exit: w1, stay: true, choice: {en: Wait for the lamp, zh: 等灯}}
      - {exit: w2, stay: true, choice: {en: Wait for the rain, zh: 等雨}}
      - exit: to_shop
`, 1))}
	b := open(t, setting{files: files, lang: "zh"})
	b.Wait("阿渡")
	for _, k := range []string{"alt+1", "alt+2", "alt+3"} {
		b.Press(k)
		b.idle()
	}
	b.Press("f6")
	for _, row := range []string{"1 → 等灯", "2 → 等雨", "3 → 去药铺"} {
		b.Wait(row)
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

// Ensure that a person who asks to change a line where there is none, and writes
// on, writes: the sentence must not run as commands.
func TestEditOfNothingWrites(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Press("esc", "e")
	b.Wait("» you said nothing in this turn; write a new line")
	b.Type("remember the quiet bridge")
	if b.Row("> remember the quiet bridge") == "" || b.Quit {
		t.Errorf("obeyed as commands:\n%s", b.Plain())
	}
	b.Press("enter")
	b.idle()
	b.Type("and then")
	b.Press("esc", "e")
	b.Wait("send or delete what you are writing first")
	b.Type(" rest")
	b.Wait("> and then rest")
}

// Ensure that leaving a half changed line loses nothing of it, and that an
// untouched one goes back.
func TestEditLineIsLeftAndTakenUpAgain(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.Press("esc", "e", "esc", "i")
	b.Wait("> say something")
	b.Press("esc", "e")
	b.Type(" more")
	b.Press("esc")
	b.Wait("> one more")
	b.Press("i")
	b.Wait("changing a line")
	b.Press("enter")
	b.Wait("you  one more")
	b.idle()
	if n := len(b.steps(t)); n != 2 {
		t.Errorf("%d steps, want 2: the line was said anew", n)
	}
}

// Ensure that a title given on the tree is drawn in the chat at once.
func TestTitleShowsInTheChat(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.Press("f6")
	b.Wait("you are here")
	b.Press("t")
	b.Type("the water")
	b.Press("enter")
	b.Wait("1 the water")
	b.Press("f5")
	b.Wait("* the water")
}

// Ensure that a reply says which engine stood in for the one that could not.
func TestWhoStoodInIsSaid(t *testing.T) {
	t.Parallel()
	b := open(t, setting{standIn: true})
	b.Wait("Adu")
	b.say("nothing here", "degraded: spare answers: ")
	b.Wait("no memory")
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

// Ensure that choices that are left out can be brought out, and put away again.
func TestChoicesUnfold(t *testing.T) {
	t.Parallel()
	files := maps.Clone(ferry)
	files["plot/act1.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(string(ferry["plot/act1.yaml"].Data), "    exits:\n      - exit: to_shop\n", `    exits:
      - {exit: w1, stay: true, choice: Wait for the ferry until the lamp goes out}
      - {exit: w2, stay: true, choice: Wait for the ferry until the rain is over}
      - {exit: w3, stay: true, choice: Wait for the ferry until somebody comes by}
      - exit: to_shop
`, 1))}
	b := open(t, setting{w: 60, h: 16, files: files})
	b.Wait("alt+0 shows 3 more")
	b.Press("alt+0")
	b.Wait("6  Tell of the cellar")
	b.Exact(60, 16)
	b.Press("esc", "esc")
	b.Wait("0 shows 3 more")
	b.Exact(60, 16)
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

// Ensure that a declined question is told by the choice's words.
func TestDeclined(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("it is in the cellar", "You would swear to that?")
	b.say("no", "declined: Tell of the cellar")
}
