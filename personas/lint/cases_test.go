package lint_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/personas"
	"fabula/personas/lint"
)

var update = flag.Bool("update", false, "write measured.json")

// labelled is one line of testdata/cases: "+" for a reply that the rule is to
// find, "-" for one that it is to leave alone, its language, and the text. What
// was said before stands in front of " || "; \n is a line feed, \u200b and the
// like are characters.
type labelled struct {
	hit              bool
	lang, text, line string
	before           []string
}

// How many hits, and how many near misses, a rule has in each language in the
// author's own set and in the second one, which was written from the rule's name
// and purpose alone, before its words or the first cases were read.
const (
	fewestCases  = 10
	fewestSecond = 5
)

func readCases(t *testing.T, file string, fewest int) []labelled {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	var out []labelled
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		sign, rest, _ := strings.Cut(line, " ")
		lang, text, ok := strings.Cut(rest, " ")
		if !ok || sign != "+" && sign != "-" {
			t.Fatalf("%s: %q is no case", file, line)
		}
		for old, new := range map[string]string{`\n`: "\n", `\u200b`: "\u200b", `\u200d`: "\u200d", `\ufe0f`: "\ufe0f"} {
			text = strings.ReplaceAll(text, old, new)
		}
		parts := strings.Split(text, " || ")
		out = append(out, labelled{sign == "+", lang, parts[len(parts)-1], line, parts[:len(parts)-1]})
		count[sign+lang]++
	}
	for _, k := range []string{"+zh", "-zh", "+en", "-en"} {
		if count[k] < fewest {
			t.Errorf("%s: %d cases of %s, want %d", file, count[k], k, fewest)
		}
	}
	return out
}

// jin is the persona of the cases, with every guard set, in a year without
// telephones.
func jin(c labelled) lint.Input {
	year := 1279
	return lint.Input{
		Persona: &personas.Persona{
			ID:      "jin",
			Name:    personas.Text{By: map[string]string{"zh": "金先生", "en": "Mr Jin"}},
			Taboo:   plain("手机", "电话", "互联网", "phone", "computer", "OK", "damn", "人工智能", "老子"),
			Self:    plain("在下", "I"),
			Address: map[string]personas.Text{"player": {By: map[string]string{"zh": "客官", "en": "traveller"}}},
			Words:   30,
		},
		Locked: []personas.Secret{{
			ID: "salt", Text: personas.Text{By: map[string]string{
				"zh": "盐藏在祠堂底下的地窖里，钥匙挂在老槐树上。",
				"en": "The salt lies in the cellar under the shrine, and the key hangs in the old locust tree."}},
			Aliases: []personas.Text{{Plain: "盐在地窖"}, {Plain: "salt under the shrine"}},
		}},
		Language: c.lang, Text: c.text, Before: c.before, Year: &year,
		Player: []string{"客官", "traveller"}, Others: []string{"老周", "Lao Zhou", "巧婶", "Aunt Qiao", "小满", "Xiaoman"},
		Absent: []string{"老周", "Lao Zhou"},
		Scene:  []lint.Tag{{Key: "weather", Values: []string{"rain"}}, {Key: "time", Values: []string{"night"}}},
	}
}

// measure tries a rule on its cases.
func measure(code string, cases []labelled) lint.Measured {
	var m lint.Measured
	right, found := 0, 0
	for _, c := range cases {
		got := slices.ContainsFunc(lint.All(jin(c)), func(f lint.Finding) bool { return f.Code == code })
		if c.hit {
			m.Hits++
		} else {
			m.Misses++
		}
		if got {
			found++
		}
		if got && c.hit {
			right++
		}
		if got != c.hit {
			m.Wrong = append(m.Wrong, c.line)
		}
	}
	round := func(x float64) float64 { return math.Round(1000*x) / 1000 }
	if found > 0 {
		m.Precision = round(float64(right) / float64(found))
	}
	if m.Hits > 0 {
		m.Recall = round(float64(right) / float64(m.Hits))
	}
	return m
}

// Ensure that every rule does on its labelled cases what is written down in
// measured.json, by which it may or may not stop a reply.
func TestCases(t *testing.T) {
	got := map[string]lint.Measured{}
	for _, r := range lint.Rules() {
		switch r.Code {
		case lint.CodeUnknownCue, lint.CodeBrokenCue, lint.CodeManyEmotions:
			continue // story/cues has those
		}
		m := measure(r.Code, readCases(t, filepath.Join("testdata/cases", r.Code+".txt"), fewestCases))
		second := measure(r.Code, readCases(t, filepath.Join("testdata/second", r.Code+".txt"), fewestSecond))
		m.Second = &second
		got[r.Code] = m
		t.Logf("%-18s %3d hits %3d near misses  precision %.3f  recall %.3f  second %.3f %.3f", r.Code, m.Hits, m.Misses, m.Precision, m.Recall, second.Precision, second.Recall)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("measured.json", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("measured.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("measured.json is out of date: go test ./personas/lint -run Cases -update\n%s", diff)
	}
}

// Ensure that a rule which is wrong too often on either set may not stop a reply,
// and that the taboo words may.
func TestMayBlock(t *testing.T) {
	for _, r := range lint.Rules() {
		m, _ := lint.MeasuredBy(r.Code)
		second := lint.Measured{}
		if m.Second != nil {
			second = *m.Second
		}
		if got, want := lint.MayBlock(r.Code), r.Stream && m.Precision >= 0.9 && second.Precision >= 0.9; got != want {
			t.Errorf("%s: may block %v at precision %.3f and %.3f", r.Code, got, m.Precision, second.Precision)
		}
	}
	if !lint.MayBlock(lint.CodeTaboo) {
		t.Error("taboo may not block")
	}
}

func ExampleNewRate() {
	for _, n := range []int{20, 100, 0} {
		r := lint.NewRate(n*6/10, n)
		fmt.Printf("%d of %d: %.0f–%.0f %%\n", r.Hits, r.N, 100*r.Low, 100*r.High)
	}
	// Output:
	// 12 of 20: 39–78 %
	// 60 of 100: 50–69 %
	// 0 of 0: 0–100 %
}
