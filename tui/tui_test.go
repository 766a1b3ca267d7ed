package tui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/story"
	"fabula/tui"
)

func TestTooSmall(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 59, h: 16})
	b.Exact(59, 16)
	if b.Row("59×16 is too small") == "" {
		t.Errorf("no word about the size:\n%s", b.Plain())
	}
	b.Resize(60, 16)
	b.Exact(60, 16)
	b.Wait("Adu")
}

// Ensure that no size and no order of sizes breaks the frame.
func TestResizeStorm(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	for i := range 60 {
		w, h := 20+i*7%180, 5+i*11%60
		b.Resize(w, h)
		b.Exact(w, h)
		if i%7 == 0 {
			b.Press([]string{"f2", "f6", "f5", "f1"}[i/7%4])
			b.Exact(w, h)
		}
	}
}

// Ensure that no heading beside the talk stands at the end with nothing below it.
func TestNoHeadingStandsAlone(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	for h := 16; h <= 40; h++ {
		b.Resize(120, h)
		b.Exact(120, h)
		var beside []string
		for row := range strings.SplitSeq(b.Plain(), "\n") {
			if _, right, ok := strings.Cut(row, "│"); ok {
				beside = append(beside, strings.TrimSpace(right))
			}
		}
		for _, head := range []string{"Scene", "Here", "State", "Last reply", "This session  gap ms"} {
			if len(beside) > 0 && beside[len(beside)-1] == head {
				t.Errorf("%d rows: %s stands alone:\n%s", h, head, b.Plain())
			}
		}
	}
}

func TestThemesAndASCII(t *testing.T) {
	t.Parallel()
	for _, s := range []setting{{theme: "light"}, {theme: "dark"}, {ascii: true}} {
		b := open(t, s)
		b.Wait("Adu")
		b.Exact(80, 24)
		if s.ascii && strings.ContainsAny(b.Plain(), "─│→◆") {
			t.Errorf("lines drawn in ASCII mode:\n%s", b.Plain())
		}
	}
}

// Ensure that what is being written and where one was survive quitting.
func TestDraftAndBranchSurvive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, setting{dir: dir})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.Press("esc", "b")
	b.Wait("starts here")
	b.Press("i")
	b.Phrase("没写完的话")
	b.Press("ctrl+c", "ctrl+c")
	if !b.Quit {
		t.Fatal("ctrl+c twice did not quit")
	}
	b.save()
	b.close(t)

	b = open(t, setting{dir: dir})
	b.Wait("没写完的话")
	b.Wait("landing-1")
	b.Wait("Look at the water")
}

// Ensure that a workbench never opens in a branch that no person played, and in
// none that speaks another language than asked for.
func TestOpensWhereAPersonIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, setting{dir: dir})
	b.Wait("Adu")
	b.say("hello", "water")
	if _, _, err := b.session.Begin(story.Start{Name: "robot", Language: "zh", Tags: []string{story.SimulatedTag}}); err != nil {
		t.Fatal(err)
	}
	b.close(t)
	if err := os.Remove(filepath.Join(dir, "workbench.json")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	b = open(t, setting{dir: dir})
	b.Wait("landing-1")
	b.close(t)
	b = open(t, setting{dir: dir, speak: "zh"})
	b.Wait("NPCs speak Chinese")
	if strings.Contains(b.Plain(), "robot") {
		t.Errorf("opened in a robot's playthrough:\n%s", b.Plain())
	}
}

func TestWhoServesIsSaid(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status tui.Status
		want   string
	}{
		{tui.Status{Name: "recall", Recall: true, Why: "no_model"}, "recall serves: no model is installed · add: fabula models pull URL"},
		{tui.Status{Name: "recall", Recall: true, Why: "not_built"}, "recall serves: this build runs no models: run make build"},
		{tui.Status{}, "no engine serves · add: fabula models pull URL"},
		{tui.Status{Name: "smol", Model: "SmolLM2-135M", Toy: true}, "smol: a toy model"},
		// The default model's row fits 80 columns whole, the command that adds a real one with it.
		{tui.Status{Name: "SmolLM2-135M-Instruct.Q4_1", Speaks: []string{"en"}, Toy: true}, "SmolLM2-135M-Instruct.Q4_1: toy, English only · add: fabula models pull URL"},
		{tui.Status{Name: "smol", Model: "SmolLM2-135M", Loading: true, Progress: 0.4}, "smol is loading 40%"},
	} {
		b := open(t, setting{status: tc.status, asked: true})
		b.Wait(tc.want)
		b.Exact(80, 24)
	}
}

// Ensure that a line that was sent does not stay behind as a draft.
func TestSentIsNoDraft(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	draft := func() string {
		data, _ := os.ReadFile(filepath.Join(b.dir, "workbench.json")) // none yet is none
		return string(data)
	}
	b.Type("hello")
	b.Until("the draft on disk", func() bool { return strings.Contains(draft(), "hello") })
	b.Press("enter")
	b.Wait("you  hello")
	b.Until("no draft on disk", func() bool { return !strings.Contains(draft(), "hello") })
}
