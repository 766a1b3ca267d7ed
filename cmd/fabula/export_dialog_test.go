package main

import (
	"testing"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text/lang"
)

// nothingPlayed is a tree without branches.
type nothingPlayed struct{ story.Reader }

func (nothingPlayed) Branches() ([]story.Branch, error)                      { return nil, nil }
func (nothingPlayed) Walk(func(story.Turn, []story.Alternative) error) error { return nil }

// Ensure that the workbench offers what `fabula export` writes, each with words
// in both languages, and says that secrets are in the files until they are masked.
func TestDialogOffersEveryFormat(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	e := exporter(demoWorld)
	for i, x := range exportFormats {
		for _, code := range []string{"en", "zh"} {
			if e.Formats[i] != x.name || lang.For(code).Export.Formats[x.name] == "" {
				t.Errorf("%s has no words in %s", x.name, code)
			}
		}
	}
	for _, redact := range []bool{false, true} {
		made, err := e.Render(nothingPlayed{}, screen.ExportAsk{Format: "plottree", Redact: redact})
		if err != nil || len(made.Files) == 0 {
			t.Fatalf("plottree: %d files, %v", len(made.Files), err)
		}
		tells := false
		for _, w := range made.Warnings {
			tells = tells || w.Code == screen.WarnSecrets
		}
		if tells == redact {
			t.Errorf("redacted %v: warnings %+v", redact, made.Warnings)
		}
	}
}
