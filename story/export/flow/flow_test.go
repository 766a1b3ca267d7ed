package flow_test

import (
	"errors"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/flow"
	"fabula/story/export/ink"
	"fabula/story/export/played"
	"fabula/story/export/twee"
	"fabula/story/export/yarn"
	"fabula/story/plot"
)

// What no script can hold is refused, and the line is named: where an author
// wrote it, or where it was said.
func TestRefusesByName(t *testing.T) {
	formats := map[string]func(export.Input) ([]export.File, error){"ink": ink.Files, "yarn": yarn.Files, "twee": twee.Files}
	for name, files := range formats {
		in := played.Talk(t, "en", []string{"Hello.", "bell \x07"})
		if _, err := files(in); !errors.Is(err, export.ErrCannotCarry) || !strings.Contains(err.Error(), "talk-1@1") || !strings.Contains(err.Error(), "U+0007") {
			t.Errorf("%s: %v", name, err)
		}
		in = played.Talk(t, "en", nil)
		in.Script.Node("hall").Lines[0].Text.By["en"] = "a\uFEFFb"
		if _, err := files(in); !errors.Is(err, export.ErrCannotCarry) || !strings.Contains(err.Error(), "plot/act1.yaml:") || !strings.Contains(err.Error(), "narration.hall.lamps") {
			t.Errorf("%s: %v", name, err)
		}
		in = played.Talk(t, "en", []string{"x", "\xff"})
		if _, err := files(in); !errors.Is(err, export.ErrCannotCarry) {
			t.Errorf("%s: %v", name, err)
		}
	}
	in := played.Talk(t, "en", nil)
	in.Script.Vars[0].Default = plot.IntValue(1 << 25)
	if _, err := yarn.Files(in); !errors.Is(err, export.ErrCannotCarry) || !strings.Contains(err.Error(), "day") {
		t.Errorf("yarn: %v", err)
	}
}

// Every id is one of ASCII letters, given once, the same at every export; what
// was renamed is told.
func TestNamesAreSafe(t *testing.T) {
	in := played.Turns(t, "zh", story.Input{Text: "你好。"})
	in.Branches[0].Name = "main" // and another one that would get the same id
	in.Branches = append(in.Branches, in.Branches[0])
	in.Branches[1].ID, in.Branches[1].Name = "other", "main"
	in.Script.Vars[0].ID = "day"
	first, err := flow.Build(in, "zh")
	if err != nil {
		t.Fatal(err)
	}
	again, err := flow.Build(in, "zh")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, s := range first.Scenes {
		if seen[s.ID] || s.ID != again.Scenes[i].ID || strings.ContainsFunc(s.ID, func(r rune) bool { return r > 'z' }) {
			t.Errorf("scene %q, then %q", s.ID, again.Scenes[i].ID)
		}
		seen[s.ID] = true
	}
	for _, v := range first.Vars {
		if seen[v.ID] {
			t.Errorf("variable %s has the id of another thing", v.ID)
		}
		seen[v.ID] = true
	}
	if !seen["branch_main"] || !seen["branch_main_2"] {
		t.Error("two branches of one name have one entry")
	}
}

// Approved lines alone: no recorded ones, no drafts.
func TestApprovedOnly(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Good evening."})
	in.ApprovedOnly = true
	in.Script.Node("hall").Lines[0].Status = "draft"
	files, err := ink.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	text := string(files[0].Data)
	if strings.Contains(text, "Good evening.") || strings.Contains(text, "branch_main") || strings.Contains(text, "Eleven lanterns") || !strings.Contains(text, "Book's on the counter") {
		t.Error("it holds recorded lines or drafts, or lacks approved ones")
	}
}
