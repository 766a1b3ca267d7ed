//go:build npm

package game_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fabula/story/export/npm"
	"fabula/story/export/plottree/game"
)

// The reader in JavaScript is one that a person reads before copying it: 60 lines
// and its header.
func TestJavaScriptIsShort(t *testing.T) {
	data, err := os.ReadFile("testdata/plot.mjs")
	if err != nil {
		t.Fatal(err)
	}
	code, widest := 0, 0
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "//") {
			code, widest = code+1, max(widest, len(line))
		}
	}
	if code > 60 || widest > 140 {
		t.Errorf("%d lines of code, the widest has %d characters", code, widest)
	}
}

// The reader in JavaScript says at every step what the one in Go says.
func TestJavaScriptPlaysTheSame(t *testing.T) {
	docs, traces := plays(t)
	var got [][]after
	npm.Run(t, "testdata/trace.mjs", map[string]any{"docs": docs, "traces": traces}, &got)
	for i, one := range traces {
		want := run(t, game.New(docs[one.Doc]), one, docs[one.Doc])
		if diff := cmp.Diff(want, got[i], cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%v (-Go +JavaScript):\n%s", one.Events, diff)
		}
		same(t, one, got[i])
	}
}
