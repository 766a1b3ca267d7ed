package export_test

import (
	"errors"
	"strings"
	"testing"

	"fabula/story/export"
	"fabula/story/export/jsonl"
	"fabula/story/export/played"
	"fabula/story/export/sillytavern"
)

// Ensure that what refuses a turn names it as every other command takes it, and
// not by an id.
func TestRefusalsNameTurns(t *testing.T) {
	in := played.Made(played.Demo(t), "a good text", "bad \xff bytes")
	bad := in.Branches[0].Steps[2]
	for name, files := range map[string]func(export.Input) ([]export.File, error){"jsonl": jsonl.Files, "sillytavern": sillytavern.Files} {
		_, err := files(in)
		if !errors.Is(err, export.ErrCannotCarry) || !strings.Contains(err.Error(), in.Branches[0].At(bad.Turn)) || strings.Contains(err.Error(), string(bad.Turn.ID)) {
			t.Errorf("%s: %v, want %s", name, err, in.Branches[0].At(bad.Turn))
		}
	}
}
