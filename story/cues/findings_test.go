package cues_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/personas/lint"
	"fabula/story/cues"
	"fabula/story/plot"
)

var update = flag.Bool("update", false, "write measured.json")

// How many hits, and how many near misses, a rule has in each language: in the
// author's own set, and in the second one (see personas/lint).
const (
	fewestCases  = 10
	fewestSecond = 5
)

// tried measures a rule on a file: "+ LANG TEXT" is to be found, "-" not.
func tried(t *testing.T, set, code string, fewest int) lint.Measured {
	t.Helper()
	data, err := os.ReadFile("testdata/" + set + "/" + code + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var m lint.Measured
	count, right, found := map[string]int{}, 0, 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		hit, text := line[0] == '+', strings.ReplaceAll(line[5:], `\n`, "\n")
		count[line[:4]]++
		got := slices.ContainsFunc(cues.Findings(text, known()), func(f lint.Finding) bool { return f.Code == code })
		if hit {
			m.Hits++
		} else {
			m.Misses++
		}
		if got {
			found++
		}
		if got && hit {
			right++
		}
		if got != hit {
			m.Wrong = append(m.Wrong, line)
		}
	}
	for _, k := range []string{"+ zh", "- zh", "+ en", "- en"} {
		if count[k] < fewest {
			t.Errorf("%s/%s: %d cases of %s, want %d", set, code, count[k], k, fewest)
		}
	}
	m.Precision = math.Round(1000*float64(right)/float64(max(found, 1))) / 1000
	m.Recall = math.Round(1000*float64(right)/float64(max(m.Hits, 1))) / 1000
	return m
}

// Ensure that the rules about directions do on their labelled cases what is
// written down in measured.json.
func TestFindingsOnCases(t *testing.T) {
	got := map[string]lint.Measured{}
	for _, code := range []string{lint.CodeUnknownCue, lint.CodeBrokenCue, lint.CodeManyEmotions} {
		m, second := tried(t, "cases", code, fewestCases), tried(t, "second", code, fewestSecond)
		m.Second = &second
		got[code] = m
		t.Logf("%-14s precision %.3f  recall %.3f  second %.3f %.3f", code, m.Precision, m.Recall, second.Precision, second.Recall)
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
	}
	want, err := os.ReadFile("measured.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("measured.json is out of date: go test ./story/cues -run Findings -update\n%s", diff)
	}
}

// Ensure that a world without cues has no findings about them, and that a world
// can say by which words a cue is known.
func TestCuesOfTheWorld(t *testing.T) {
	if got := cues.Findings("*dances* (spins", plot.Cues{}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	k := known()
	k.More = map[string]plot.CueMore{"sky_darkens": {Words: texts("天色暗了", "night falls")}}
	for _, text := range []string{"（天色暗了）", "*night fell, no: falls*", "(night falls)"} {
		if got := cues.Parse(text, k); len(got) != 1 || got[0].ID != "sky_darkens" {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// streamed reads a text in pieces.
func streamed(text string, r *rand.Rand) []cues.Cue {
	reader := cues.NewReader(known())
	var out []cues.Cue
	for rs := []rune(text); len(rs) > 0; {
		n := 1 + r.IntN(min(5, len(rs)))
		out = append(out, reader.Write(string(rs[:n]))...)
		rs = rs[n:]
	}
	return append(out, reader.Close()...)
}

// FuzzReader looks for texts in which the stream has other cues than the whole.
func FuzzReader(f *testing.F) {
	for _, text := range []string{"*nods* （笑） [sigh", "(a *nod* (c) 【笑】", "(he *nods*) Yes.", "<action:sigh> (I would (nod) if", "*nod\n*nod*"} {
		f.Add(text, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		text = strings.ToValidUTF8(text, "?")
		if diff := cmp.Diff(cues.Parse(text, known()), streamed(text, rand.New(rand.NewPCG(seed, 0)))); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	})
}

// Ensure that a cue is given as soon as it is closed, and that an open one is
// known to be pending.
func TestReaderAtOnce(t *testing.T) {
	r := cues.NewReader(known())
	if got := r.Write("Fine. *no"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if got := r.Write("ds*"); len(got) != 1 || got[0].Start != 6 || got[0].End != 12 {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]int{"Fine. *nod": 6, "Fine.": 5, "*nods* Fine": 11, "（点": 0, "3 * 4": 2} {
		if got := cues.Pending(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
