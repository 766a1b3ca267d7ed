package uitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Golden compares a frame with testdata/NAME.txt; trailing blanks do not count.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	var b strings.Builder
	for r := range strings.SplitSeq(got, "\n") {
		b.WriteString(strings.TrimRight(r, " ") + "\n")
	}
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("golden: %v (run with -update)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("%s differs (-golden +now):\n%s", file, diff)
	}
}
