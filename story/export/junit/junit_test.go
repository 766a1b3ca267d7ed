package junit_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	gojunit "github.com/joshdk/go-junit"
	"pgregory.net/rapid"

	"fabula/story/export/junit"
	"fabula/story/export/played"
)

// Ensure that go-junit reads 2,000 generated cases as they were meant, and that
// every document keeps to what the dialects have in common.
func TestHostileCases(t *testing.T) {
	hostile, cases := played.Strange(true), 0
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(hostile, 24, 24).Draw(t, "texts")
		suites := []junit.Suite{{Package: "p", Name: texts[0], Made: time.Unix(1e9, 0), Notes: texts}, {Name: texts[1]}}
		failed := 0
		for i, text := range texts {
			c := junit.Case{Class: text, Name: fmt.Sprintf("%d %s", i, text), Took: 1500 * time.Millisecond}
			if i%3 == 0 {
				c.Failure = &junit.Failure{Type: "leak", Message: text, Text: text}
				failed++
			}
			suites[0].Cases = append(suites[0].Cases, c)
		}
		cases += len(texts)
		data, err := junit.Encode(suites...)
		if err != nil {
			t.Fatal(err)
		}
		if err := strict(data); err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
		got, err := gojunit.Ingest(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 2 || got[0].Totals.Tests != len(texts) || got[0].Totals.Failed != failed || len(got[1].Tests) != 0 {
			t.Fatalf("go-junit reads %d suites, %+v", len(got), got[0].Totals)
		}
		for i, c := range got[0].Tests {
			if !strings.HasPrefix(c.Name, fmt.Sprint(i)) || c.Duration != 1500*time.Millisecond || (c.Status == gojunit.StatusFailed) != (i%3 == 0) {
				t.Fatalf("case %d is %+v", i, c)
			}
		}
	})
	t.Logf("%d cases", cases)
	if cases < 2000 {
		t.Errorf("only %d cases", cases)
	}
}

// strict holds a document against the common rules.
func strict(data []byte) error {
	attributes := map[string][]string{
		"testsuites": nil, "testsuite": {"id", "package", "name", "timestamp", "hostname", "tests", "failures", "errors", "time"},
		"properties": nil, "testcase": {"name", "classname", "time"}, "failure": {"message", "type"}, "system-out": nil, "system-err": nil,
	}
	inside := map[string][]string{"": {"testsuites"}, "testsuites": {"testsuite"}, "testsuite": {"properties", "testcase", "system-out", "system-err"}, "testcase": {"failure"}}
	d, path, last := xml.NewDecoder(bytes.NewReader(data)), []string{""}, map[int]int{}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		switch x := token.(type) {
		case xml.StartElement:
			var names []string
			for _, a := range x.Attr {
				names = append(names, a.Name.Local)
				if a.Value == "" || a.Name.Local != "message" && a.Value != strings.Join(strings.Fields(a.Value), " ") {
					return fmt.Errorf("%s %s=%q is no token", x.Name.Local, a.Name.Local, a.Value)
				}
			}
			place := slices.Index(inside[path[len(path)-1]], x.Name.Local)
			if want, known := attributes[x.Name.Local]; !known || !slices.Equal(names, want) || place < 0 || place < last[len(path)] {
				return fmt.Errorf("%s %v in %s", x.Name.Local, names, path[len(path)-1])
			}
			last[len(path)] = place
			path = append(path, x.Name.Local)
			last[len(path)] = 0
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

func TestStrictBites(t *testing.T) {
	for _, bad := range []string{`<testsuites name="x"/>`, `<testsuite/>`, `<testsuites><testsuite id="0"/></testsuites>`} {
		if strict([]byte(bad)) == nil {
			t.Errorf("%s passes", bad)
		}
	}
}
