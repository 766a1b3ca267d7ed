package uitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Golden compares the frame with testdata/NAME.txt, after steady has replaced
// what differs from run to run; nil = nothing does. Trailing blanks do not
// count. Answers that are still to come are waited for: a slow machine draws the
// same frame later.
func (d *Driver) Golden(name string, steady func(string) string) {
	d.t.Helper()
	frame := func() string {
		if steady == nil {
			return trimmed(d.Plain())
		}
		return trimmed(steady(d.Plain()))
	}
	file := filepath.Join("testdata", name+".txt")
	if *update {
		write(d.t, file, d.still(frame))
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		d.t.Fatalf("golden: %v (run with -update)", err)
	}
	if d.within(deadline, func() bool { return frame() == string(want) }) {
		return
	}
	diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(frame(), "\n"))
	d.t.Errorf("%s differs (-golden +now):\n%s", file, diff)
}

// still gives the frame once it has not changed for a while, so that a slow
// machine does not write down what is still to be drawn.
func (d *Driver) still(frame func() string) string {
	last, since := frame(), time.Now()
	for time.Since(since) < patience*20 {
		time.Sleep(patience)
		d.Settle()
		if now := frame(); now != last {
			last, since = now, time.Now()
		}
	}
	return last
}

func trimmed(frame string) string {
	var b strings.Builder
	for r := range strings.SplitSeq(frame, "\n") {
		b.WriteString(strings.TrimRight(r, " ") + "\n")
	}
	return b.String()
}

func write(t testing.TB, file, frame string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(frame), 0o644); err != nil {
		t.Fatal(err)
	}
}
