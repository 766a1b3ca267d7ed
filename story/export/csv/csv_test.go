package csv_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/csv"
	"fabula/story/export/played"
)

// python reads tables with the csv module of Python and gives their records:
// one process for all.
const python = `
import csv, io, json, sys
csv.field_size_limit(1 << 30)
out = [list(csv.reader(io.StringIO(t, newline=''), strict=True)) for t in json.load(sys.stdin)]
json.dump(out, sys.stdout)
`

func readBack(t *testing.T, tables []string) [][][]string {
	t.Helper()
	in, err := json.Marshal(tables)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", python)
	cmd.Stdin, cmd.Env = bytes.NewReader(in), append(cmd.Environ(), "PYTHONIOENCODING=utf-8:surrogatepass")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, out)
	}
	var records [][][]string
	if err := json.Unmarshal(out, &records); err != nil {
		t.Fatal(err)
	}
	return records
}

// Ensure that Python reads 2,000 generated tables of hostile cells back as they
// were, plain and made inert.
func TestPythonReadsItBack(t *testing.T) {
	cell := rapid.OneOf(
		rapid.SampledFrom([]string{"", `He said "no, never"` + "\n; \t\r 🦊", "=1+1", "+1", "-1", "@SUM(A1)", "'quoted", "＝1", "\r\n", "a,b", `"`, " x ", "#", "\uFEFFx", "\u2028"}),
		rapid.StringOf(rapid.RuneFrom([]rune(`",'=+-@;|`+"\r\n\t \u0085\u00a0你🦊x0\x07"))),
		rapid.StringMatching(`[^\x00]{0,40}`),
	)
	var tables []string
	var want [][][]string
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			width := rapid.IntRange(1, 3).Draw(t, "width")
			records := rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 1, 2).Draw(t, "records")
			if rapid.Bool().Draw(t, "inert") {
				for _, r := range records {
					for i, c := range r {
						r[i] = csv.Inert(c)
						if strings.ContainsAny(r[i][:min(1, len(r[i]))], "=+-@\t\r") {
							t.Fatalf("%q is live", r[i])
						}
						if back, _ := strings.CutPrefix(r[i], "'"); r[i] != c && back != c {
							t.Fatalf("%q does not go back to %q", r[i], c)
						}
					}
				}
			}
			if len(tables) < 2000 {
				tables, want = append(tables, string(csv.Encode(records))), append(want, records)
			}
		}
	})
	if len(tables) < 2000 {
		t.Fatalf("only %d tables", len(tables))
	}
	long := [][]string{{"id", strings.Repeat("长", 40_000)}} // more than a spreadsheet's cell
	tables, want = append(tables, string(csv.Encode(long))), append(want, long)
	got := readBack(t, tables)
	for i := range want {
		if !slices.EqualFunc(got[i], want[i], slices.Equal) {
			t.Fatalf("table %q read as %q", want[i], got[i])
		}
	}
	t.Logf("%d tables", len(tables))
}

func TestTablesOfTheDemo(t *testing.T) {
	line := "=cmd|' /C calc'!A0, \"quoted\"\r\nnext"
	in := played.Turns(t, "en", story.Input{Text: line}, story.Input{Choose: "to_kitchen"})
	for _, format := range []func(export.Input) ([]export.File, error){csv.Files, csv.Excel} {
		files, err := format(in)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := format(in)
		for i, f := range files {
			if !bytes.Equal(f.Data, again[i].Data) {
				t.Errorf("%s differs from itself", f.Name)
			}
			text, marked := strings.CutPrefix(string(f.Data), "\uFEFF")
			if marked != strings.HasPrefix(f.Name, "excel/") {
				t.Errorf("%s: byte order mark %v", f.Name, marked)
			}
			records := readBack(t, []string{text})[0]
			checkTable(t, f.Name, records)
			if f.Name == "strings.en.csv" && !slices.ContainsFunc(records, func(r []string) bool { return r[2] == line }) {
				t.Errorf("%s lacks the player's line", f.Name)
			}
		}
	}
}

// checkTable wants one width, and ids that are there once.
func checkTable(t *testing.T, name string, records [][]string) {
	t.Helper()
	if len(records) < 20 {
		t.Errorf("%s has %d rows", name, len(records))
	}
	seen := map[string]bool{}
	for _, r := range records {
		if len(r) != len(records[0]) {
			t.Errorf("%s: %d columns in %v", name, len(r), r)
		}
		if seen[r[0]] {
			t.Errorf("%s: id %s is there twice", name, r[0])
		}
		seen[r[0]] = true
	}
}

func TestRefusesNUL(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "a\x00b"})
	if _, err := csv.Files(in); err == nil || !strings.Contains(err.Error(), "player.hall.l0100") {
		t.Errorf("a NUL gives %v", err)
	}
}

// A cell that a spreadsheet would cut is flagged beside it, and kept whole.
func TestFlagsLongCells(t *testing.T) {
	long := strings.Repeat("长", 40_000)
	files, err := csv.Files(played.Made(played.Demo(t), long))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readBack(t, []string{string(files[0].Data)})[0] {
		if r[0] == "player.main.l0100" || r[0] == "player.hall.l0100" {
			if r[2] != long || !strings.Contains(r[6], "40000 characters") {
				t.Errorf("%d characters, notes %q", len([]rune(r[2])), r[6])
			}
			return
		}
	}
	t.Error("the long line is not there")
}
