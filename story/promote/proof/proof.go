// Package proof says what a promoted file would do to the world that it is to be
// added to. Nothing is written.
package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fabula/personas/lint"
	"fabula/story/check"
	"fabula/story/check/space"
	"fabula/worlds"
)

// states bounds the search for what the file breaks: a few seconds. `check`
// searches on.
const states = 100_000

// Spoils loads the world with a file in its plot folder and gives the errors
// that it had not without. The error wraps a *worlds.LoadError where it would
// not load.
func Spoils(w *worlds.World, name string, data []byte) ([]check.Finding, error) {
	with, err := w.With([]worlds.AddedFile{{Name: "plot/" + name, Data: data}})
	if err != nil {
		return nil, fmt.Errorf("the world does not load with the promoted lines: %w", err)
	}
	spoils := errorsOf(with)
	if len(spoils) == 0 {
		return nil, nil
	}
	for _, had := range errorsOf(w) {
		i := slices.IndexFunc(spoils, func(f check.Finding) bool { return f.Code == had.Code && slices.Equal(f.Args, had.Args) })
		if i >= 0 {
			spoils = slices.Delete(spoils, i, i+1)
		}
	}
	return spoils, nil
}

// Free is a file name for the world's plot folder that no file there has: the
// stem, or one like it.
func Free(w *worlds.World, stem string) string {
	name := stem
	for n := 2; ; n++ {
		if _, err := os.Lstat(filepath.Join(w.Dir, "plot", name+".yaml")); err != nil || w.Dir == "" {
			return name + ".yaml"
		}
		name = fmt.Sprintf("%s_%d", stem, n)
	}
}

func errorsOf(w *worlds.World) []check.Finding {
	var out []check.Finding
	for _, f := range check.Examine(w.Script, space.Limits{States: states}).Findings {
		if f.Level == lint.Error {
			out = append(out, f)
		}
	}
	return out
}
