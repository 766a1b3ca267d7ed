package qa_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	gojunit "github.com/joshdk/go-junit"
	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/personas/source"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/played"
	"fabula/story/export/qa"
)

func file(t interface{ Fatalf(string, ...any) }, in export.Input, name string) []byte {
	files, err := qa.Files(in)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, f := range files {
		if f.Name == name {
			return f.Data
		}
	}
	t.Fatalf("no %s", name)
	return nil
}

// tags of the report; a text can add none.
var tags = regexp.MustCompile(`<[a-zA-Z/!][^>]*>`)

// Ensure that no text of 2,000 hostile ones becomes markup in the report, and
// that nothing in it runs or loads.
func TestReportHoldsTextAsText(t *testing.T) {
	script, hostile, cases := played.Demo(t), played.Strange(true), 0
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(hostile, 20, 20).Draw(t, "texts")
		cases += len(texts)
		plain := make([]string, len(texts))
		for i := range plain {
			plain[i] = "x"
		}
		got := tags.FindAllString(string(file(t, played.Made(script, texts...), "report.html")), -1)
		want := tags.FindAllString(string(file(t, played.Made(script, plain...), "report.html")), -1)
		if len(got) != len(want) {
			t.Fatalf("%d tags, %d where every text is x", len(got), len(want))
		}
		for _, tag := range got {
			low := strings.ToLower(tag)
			for _, bad := range []string{"<script", "<iframe", "<object", "<img", "<link", "<base", " on", "javascript:", "http:", "https:", "src="} {
				if strings.Contains(low, bad) && !strings.HasPrefix(low, "<meta http-equiv") {
					t.Fatalf("the report holds %s", tag)
				}
			}
		}
	})
	if cases < 2000 {
		t.Errorf("only %d texts", cases)
	}
}

func TestReportOfThePlayedDemo(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Who lit the lamp?"}, story.Input{Choose: "to_kitchen"})
	in.Branches[0].Steps[1].Alternative.Findings = []lint.Finding{{Code: "leak", Level: lint.Error, Args: []string{"laozhou.x", "y"}}}
	in.Branches[0].Steps[1].Alternative.Reply = decoded(60)
	in.Word = func(lang, code string, _ []string) string { return code + " in " + lang }
	page := string(file(t, in, "report.html"))
	for _, want := range []string{"leak in en", "leak in zh", "Who lit the lamp?", `id="lang-zh"`, "<meter", "<svg", "p95", "Transcripts", "对话记录"} {
		if !strings.Contains(page, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	_, rest, _ := strings.Cut(page, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	if want := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(strings.ReplaceAll(page, "&#43;", "+"), want) {
		t.Errorf("the policy does not name the style's hash %s", want)
	}
	if file := os.Getenv("FABULA_REPORT_OUT"); file != "" { // for make test-report
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	suites, err := gojunit.Ingest(file(t, in, "junit.xml"))
	if err != nil || len(suites) != 1 || suites[0].Totals.Tests != 3 || suites[0].Totals.Failed != 1 {
		t.Errorf("junit.xml is %+v, %v", suites, err)
	}
}

// decoded is a reply of n tokens with a stall in the middle.
func decoded(n int) *story.Reply {
	r := &story.Reply{Engine: engine.Info{Kind: engine.GGUF, Name: "toy"}, Seed: 7, Reason: engine.Stop, TTFT: 240 * time.Millisecond}
	at := r.TTFT
	for i := range n {
		r.Tokens = append(r.Tokens, engine.Token{ID: int32(i), Text: "x", At: at})
		at += time.Duration(8+i%7) * time.Millisecond
		if i == n/2 {
			at += 700 * time.Millisecond
		}
	}
	return r
}

func TestSameInputSameBytes(t *testing.T) {
	in := played.Turns(t, "zh", story.Input{Text: "灯是谁点的？"})
	first, err := qa.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := qa.Files(in)
	for i := range first {
		if !bytes.Equal(first[i].Data, again[i].Data) {
			t.Errorf("%s differs from itself", first[i].Name)
		}
	}
}

// The manifest names every other file with its hash, and reads back.
func TestManifest(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Who lit the lamp?"})
	in.Branches[0].Name = "a: # \"b\"\n- c"
	files, err := qa.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	last := files[len(files)-1]
	m, faults := qa.ReadManifest(source.File{Name: last.Name, Data: last.Data})
	if len(faults) > 0 {
		t.Fatalf("%v in\n%s", faults, last.Data)
	}
	if len(m.Files) != len(files)-1 || m.Hash != in.Script.Hash || m.Branches[0].Name != in.Branches[0].Name {
		t.Errorf("the manifest is %+v", m)
	}
	for i, f := range m.Files {
		if f.SHA256 != qa.Hash(string(files[i].Data)) {
			t.Errorf("%s has another hash", f.File)
		}
	}
	if r := m.Branches[0].Replies; len(r) != 1 || r[0].SHA256 != qa.Hash(in.Branches[0].Steps[1].Alternative.Text) || r[0].Seed != "7" {
		t.Errorf("the replies are %+v", r)
	}
}

// No word of the report is missing in either language.
func TestWords(t *testing.T) {
	v := reflect.ValueOf(qa.ReportWords())
	for i := range v.NumField() {
		if s, ok := v.Field(i).Interface().(qa.Said); ok && (s.En == "" || s.Zh == "") {
			t.Errorf("%s is %+v", v.Type().Field(i).Name, s)
		}
	}
	for what, s := range qa.ReportWords().Cover {
		if s.En == "" || s.Zh == "" {
			t.Errorf("%s is %+v", what, s)
		}
	}
}
