package xliff_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/personas"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/played"
	"fabula/story/export/table"
	"fabula/story/export/xliff"
)

func TestDemoConforms(t *testing.T) {
	in := played.Turns(t, "zh", story.Input{Text: "<灯>是谁点的？"}, story.Input{Choose: "to_kitchen"})
	files, err := xliff.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := xliff.Files(in)
	if len(files) != 4 { // the demo in en to zh, and what was recorded in the other language
		t.Errorf("%d files", len(files))
	}
	for i, f := range files {
		if err := conforms(f.Data); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if !bytes.Equal(f.Data, again[i].Data) {
			t.Errorf("%s differs from itself", f.Name)
		}
		if dir := os.Getenv("FABULA_XLIFF_OUT"); dir != "" { // for other checkers, by hand
			if err := export.Write(filepath.Clean(dir), []export.File{f}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Ensure that 2,000 generated hostile texts, written and recorded, come back
// from documents that follow the rules; and that 1.2 names a line that XML
// cannot hold.
func TestHostileTexts(t *testing.T) {
	script := played.Demo(t)
	hostile := played.Strange(true)
	cases := 0
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(hostile, 10, 10).Draw(t, "texts")
		written := rapid.SliceOfN(hostile, 10, 10).Draw(t, "written")
		cases += 2 * len(texts)
		holder := *script
		in := played.Made(&holder, texts...)
		node := *script.Nodes[0]
		node.Lines = append(node.Lines[:0:0], node.Lines...)
		for i := range min(len(node.Lines), 10) {
			line := *node.Lines[i]
			line.Text = personas.Text{By: map[string]string{"zh": written[i], "en": written[9-i]}}
			node.Lines[i] = &line
		}
		holder.Nodes = append(holder.Nodes[:0:0], script.Nodes...)
		holder.Nodes[0] = &node
		files, err := xliff.Files(in)
		controls := strings.ContainsFunc(strings.Join(append(texts, written...), ""), func(r rune) bool {
			return r < 0x20 && !strings.ContainsRune("\t\n\r", r) || r == 0xFFFE
		})
		if errors.Is(err, export.ErrCannotCarry) && controls {
			if !strings.Contains(err.Error(), "line ") {
				t.Fatalf("%v names no line", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, r := range table.Rows(in) {
			want[r.ID] = r.Text[r.Source]
		}
		for _, f := range files {
			if err := conforms(f.Data); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			compare(t, f.Data, want)
		}
	})
	t.Logf("%d texts", cases)
	if cases < 2000 {
		t.Errorf("only %d texts", cases)
	}
}

func compare(t *rapid.T, data []byte, want map[string]string) {
	root, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	file := root.all("file")[0]
	units := file.all("unit")
	for _, b := range file.all("body") {
		units = append(units, b.all("trans-unit")...)
	}
	for _, u := range units {
		from := u
		if s := u.all("segment"); len(s) > 0 {
			from = s[0]
		}
		if got := from.all("source")[0].content(); got != want[u.attrs["id"]] {
			t.Fatalf("unit %s is %q, want %q", u.attrs["id"], got, want[u.attrs["id"]])
		}
	}
}

// The checker itself refuses what breaks a rule.
func TestRulesBite(t *testing.T) {
	in := played.Turns(t, "en")
	files, err := xliff.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text := string(f.Data)
		breaks := map[string][2]string{"a state": {`state="translated"`, `state="done"`}, "an id": {`id="title:hall"`, `id="title:kitchen"`}, "an end": {"</xliff>", ""},
			"an element": {"<source>", "<sauce></sauce><source>"}, "a version": {`version="`, `version="9`}}
		if strings.HasPrefix(f.Name, "xliff20") {
			breaks["an order"] = [2]string{"</notes>\n", "</notes>\n<notes><note>x</note></notes>\n"}
			breaks["a name"] = [2]string{`id="title:hall"`, `id="title hall"`}
		}
		for what, b := range breaks {
			broken := strings.Replace(text, b[0], b[1], 1)
			if broken == text {
				t.Errorf("%s: nothing to break for %s", f.Name, what)
			} else if conforms([]byte(broken)) == nil {
				t.Errorf("%s: %s was broken and nobody saw", f.Name, what)
			}
		}
	}
}
