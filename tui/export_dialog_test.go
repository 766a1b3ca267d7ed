package tui_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/ink"
	"fabula/story/export/qa"
	"fabula/tui/screen"
	"fabula/worlds"
)

// exporter makes files as the command that opens the workbench does.
func exporter(folder string, w *worlds.World) screen.Exporter {
	formats := map[string]func(export.Input) ([]export.File, error){"ink": ink.Files, "qa": qa.Files}
	if folder == "" {
		folder = "out/ferry"
	}
	return screen.Exporter{Formats: []string{"ink", "qa"}, Folder: folder, Render: func(r story.Reader, ask screen.ExportAsk) (screen.Exported, error) {
		in, err := export.Collect(r, w.Script, ask.Branches)
		if err != nil {
			return screen.Exported{}, err
		}
		in.ApprovedOnly = ask.Approved
		files, err := formats[ask.Format](in)
		return screen.Exported{Files: files, Warnings: []screen.ExportWarning{{Code: screen.WarnSecrets, Arg: "adu.cellar"}}}, err
	}}
}

// sized is the size of a file: it depends on ids that are drawn.
var sized = regexp.MustCompile(` *[0-9.]+ [kM]?B\b`)

// Ensure that what the preview lists is what is written, byte by byte, that a
// file which is there and differs is asked for once, and that one which is the
// same is not.
func TestExportWritesWhatThePreviewSaid(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	b := open(t, setting{w: 120, h: 40, out: out})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.Press("esc", "x")
	b.Wait("files: 4")
	listed := map[string]string{}
	for _, name := range []string{"story.ink", "played.json"} {
		row := b.Row(name)
		if !strings.Contains(row, "new") {
			t.Errorf("%s: %q", name, row)
		}
		listed[name] = strings.TrimSpace(sized.FindString(row))
	}
	b.Press("enter")
	b.Wait("done: export ink")
	for name, size := range listed {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || len(data) == 0 {
			t.Fatalf("%s: %d bytes, %v", name, len(data), err)
		}
		b.Wait("there already, the same")
		if row := b.Row(name); !strings.Contains(row, size) || !strings.Contains(row, "the same") {
			t.Errorf("%s: %s was written, the preview says %q", name, size, row)
		}
	}
	mine := filepath.Join(out, "story.ink")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Press("p")
	b.Wait("replaces 4 B")
	b.Press("enter")
	b.Wait("enter once more replaces them")
	if data, _ := os.ReadFile(mine); string(data) != "mine" {
		t.Fatal("a file was replaced without a question")
	}
	b.Press("enter")
	b.Until("the file to be replaced", func() bool {
		data, _ := os.ReadFile(mine)
		return string(data) != "mine"
	})
}

// Ensure that a file which appeared after the preview is not replaced.
func TestExportReplacesNothingThatAppeared(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	b := open(t, setting{w: 120, h: 40, out: out})
	b.Wait("Adu")
	b.Press("f4", "x")
	b.Wait("files: 4")
	if err := os.WriteFile(filepath.Join(out, "story.ink"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Press("enter")
	b.Wait("appeared since the preview")
	if data, _ := os.ReadFile(filepath.Join(out, "story.ink")); string(data) != "mine" {
		t.Error("it was replaced")
	}
}

// Ensure that format and folder can be changed, and the folder's change left.
func TestExportFields(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40, out: t.TempDir()})
	b.Wait("Adu")
	b.Press("f6", "x")
	b.Wait("story.ink")
	b.Press("l")
	b.Wait("report.html")
	b.Press("e")
	b.Type("-x")
	b.Press("esc")
	if b.Row("-x") != "" {
		t.Errorf("esc kept the folder:\n%s", b.Plain())
	}
	b.Press("e", "ctrl+u")
	b.Type("elsewhere")
	b.Press("enter")
	b.Wait("elsewhere")
	b.Wait("report.html")
	b.Exact(120, 40)
	b.Press("esc")
	b.Wait("[F6 Tree]")
}
