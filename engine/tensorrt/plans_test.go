package tensorrt_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fabula/engine/tensorrt"
)

// Ensure that a folder's own name is not taken for a pattern.
func TestPlansInAFolderLikeAPattern(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cards [2]")
	if got := tensorrt.Plans(dir); len(got) != 0 {
		t.Errorf("no folder: %v", got)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b.engine", "a.engine", "a.engine.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := tensorrt.Plans(dir), []string{filepath.Join(dir, "a.engine"), filepath.Join(dir, "b.engine")}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
