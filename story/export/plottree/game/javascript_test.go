//go:build npm

package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fabula/story/export/npm"
	"fabula/story/export/plottree/game"
)

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
