package worlds_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/playtest"
	"fabula/story/plot"
	"fabula/worlds"
)

// loadCodes lists every code that opening a world can report.
func loadCodes() map[string]bool {
	codes := map[string]bool{}
	for _, list := range [][]string{source.Codes(), personas.Codes(), playtest.Codes(), plot.Codes(), worlds.Codes()} {
		for _, code := range list {
			codes[code] = true
		}
	}
	// These concern a playthrough whose world was edited, not loading.
	for _, code := range []string{plot.CodeClamped, plot.CodeVanishedNode, plot.CodeVanishedVar} {
		delete(codes, code)
	}
	return codes
}

// faultsOf opens a world that must not load.
func faultsOf(t *testing.T, err error) []source.Fault {
	t.Helper()
	var bad *worlds.LoadError
	if !errors.As(err, &bad) {
		t.Fatalf("got %v, want a LoadError", err)
	}
	return bad.Faults
}

// Ensure that the broken world shows every load fault, and each just once.
func TestBrokenShowsEveryFault(t *testing.T) {
	_, err := worlds.Open("broken")
	got := map[string]int{}
	for _, f := range faultsOf(t, err) {
		got[f.Code]++
	}
	want := map[string]int{}
	for code := range loadCodes() {
		want[code] = 1
	}
	// Neither can be built into a program; both have tests of their own.
	delete(want, source.CodeTooLarge)
	delete(want, worlds.CodeUnreadable)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("times each fault occurs (-want +got):\n%s", diff)
	}
}

// Ensure that faults come by file and line.
func TestFaultsAreSorted(t *testing.T) {
	_, err := worlds.Open("broken")
	faults := faultsOf(t, err)
	if !slices.IsSortedFunc(faults, func(a, b source.Fault) int {
		if a.Pos.File != b.Pos.File {
			return cmpString(a.Pos.File, b.Pos.File)
		}
		return a.Pos.Line - b.Pos.Line
	}) {
		t.Error("faults are not in order")
	}
}

func cmpString(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}
