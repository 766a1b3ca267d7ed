package lint_test

import (
	"bytes"
	"compress/flate"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mozillazg/go-pinyin"

	"fabula/personas/lint"
)

var updateReadings = flag.Bool("readings", false, "write the readings of characters anew")

// known gives every reading that go-pinyin has, by character.
func known() map[rune]string {
	all := map[rune]string{}
	for r := range pinyin.PinyinDict {
		if found := pinyin.SinglePinyin(rune(r), pinyin.NewArgs()); len(found) > 0 && found[0] != "" {
			all[rune(r)] = found[0]
		}
	}
	return all
}

// Ensure that the packed readings are those of a library that is kept up to date
// with Unihan.
func TestReadingsAgree(t *testing.T) {
	want := known()
	if *updateReadings {
		if err := os.WriteFile("readings.txt.z", packed(t, want), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Log("written; run the test again")
		return
	}
	if got := lint.Readings(); !maps.Equal(got, want) {
		t.Errorf("%d readings differ from the %d of go-pinyin: go test ./personas/lint -run Readings -readings", len(got), len(want))
	}
}

func packed(t *testing.T, all map[rune]string) []byte {
	t.Helper()
	lines := map[string][]rune{}
	for r, reading := range all {
		lines[reading] = append(lines[reading], r)
	}
	var b strings.Builder
	for _, reading := range slices.Sorted(maps.Keys(lines)) {
		slices.Sort(lines[reading])
		b.WriteString(reading + ":" + string(lines[reading]) + "\n")
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(b.String())); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
