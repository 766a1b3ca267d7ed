package check_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"fabula/story/check"
	"fabula/story/check/space"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
	"fabula/worlds"
)

var update = flag.Bool("update", false, "rewrite what the faulty worlds are wanted to give")

// Ensure that each of the small worlds of testdata/faulty, one an archive, gives
// exactly the findings and the ways that stand in its file `want`. The comment
// says what is wrong; a line `states: N` of it bounds the search.
func TestFaultyWorlds(t *testing.T) {
	files, err := filepath.Glob("testdata/faulty/*.txtar")
	if err != nil || len(files) < 40 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := examined(t, a)
			want := &a.Files[len(a.Files)-1]
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// examined opens the world of an archive and writes what is found in it.
func examined(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	folder := fstest.MapFS{}
	for _, f := range a.Files[:len(a.Files)-1] {
		folder[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	w, err := worlds.OpenFS(folder, "w")
	if err != nil {
		t.Fatal(err)
	}
	var limits space.Limits
	if _, bound, ok := bytes.Cut(a.Comment, []byte("states: ")); ok {
		fmt.Sscan(string(bound), &limits.States)
	}
	r := check.Examine(w.Script, limits)
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s %s: %s\n", f.Pos, f.Level, f.Code, strings.Join(f.Args, " | "))
		if f.Forced {
			b.WriteString("  may be impossible\n")
		}
		if wording.Telling(f.Way) {
			fmt.Fprintf(&b, "  %s\n", strings.Join(wording.Way(f.Way, lang.For("en")), "\n  "))
		}
	}
	for _, f := range r.Allowed {
		fmt.Fprintf(&b, "%s allowed %s: %s\n", f.Pos, f.Code, f.Reason)
	}
	return b.String()
}
