//go:build npm

package xliff_test

import (
	"strings"
	"testing"
	"unicode"

	"fabula/story/export"
	"fabula/story/export/npm"
	"fabula/story/export/played"
	"fabula/story/export/table"
	"fabula/story/export/xliff"
)

// trimmed is a text as that reader gives it: without blanks at its ends.
func trimmed(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}

// Ensure that the npm xliff reader finds the sources of both versions, for the
// demo and for 2,000 generated hostile texts. It drops blanks at the ends of a
// text; that they are there, the rules' own test has seen.
func TestAnotherReader(t *testing.T) {
	texts := played.Hostile(2000)
	inputs := []export.Input{played.Made(played.Demo(t), texts...)}
	docs, want := map[string][]string{"v12": {}, "v20": {}}, []map[string]string{}
	for _, in := range inputs {
		files, err := xliff.Files(in)
		if err != nil {
			t.Fatal(err)
		}
		rows := map[string]string{}
		for _, r := range table.Rows(in) {
			var b strings.Builder
			for _, p := range table.Pieces(in.Script, r, r.Text[r.Source]) {
				if p.Placeholder {
					p.Text = "[1]"
				}
				b.WriteString(p.Text)
			}
			rows[r.ID] = b.String()
		}
		want = append(want, rows)
		for _, f := range files {
			docs["v"+f.Name[5:7]] = append(docs["v"+f.Name[5:7]], string(f.Data))
		}
	}
	var got map[string][]map[string]string
	npm.Run(t, "testdata/read.cjs", docs, &got)
	wrong := 0
	for version, list := range got {
		for i, units := range list {
			if len(units) < 2000 {
				t.Errorf("%s: %d units", version, len(units))
			}
			for id, text := range units {
				if trimmed(text) != trimmed(want[i][id]) {
					if wrong++; wrong < 10 {
						t.Errorf("%s %s is %q, want %q", version, id, text, want[i][id])
					}
				}
			}
		}
	}
	t.Logf("%d texts in each version, %d differ", len(texts)*2, wrong)
}
