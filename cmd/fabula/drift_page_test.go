package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"fabula/engine"
	"fabula/engine/score"
	"fabula/story/lab/drift"
	"fabula/tui/text/lang"
)

// drifting is a report that missed the gate of the mean.
func drifting() *drift.Report {
	row := drift.Row{Persona: "jin", Language: "zh", Replies: 3, Differs: 2, Divergence: score.Divergence{Tokens: 20, Mean: 0.02, P99: 0.09, SameTop: 0.96, Ratio: 1.01},
		Masses: []drift.Mass{{Kind: drift.Slang, A: 0.001, B: 0.004, Ratio: 4, Words: 3, Unwatch: 2, Places: []drift.MassPlace{{Sample: "s", Before: "<b>", Word: "老铁", A: 0.001, B: 0.1}}}},
		Worst:  []drift.Spot{{Sample: "jin.sample.1", At: 3, Before: "<script>", KL: 0.4, A: "x", B: "<i>"}}}
	return &drift.Report{Made: time.Now(), World: "w", Set: "authored", Read: 3, Samples: 9, A: engine.Info{Name: "fp16"},
		B: engine.Info{Name: "int8", Build: engine.Build{BaseHash: "abc"}}, Rows: []drift.Row{row}, Floor: []drift.Row{{Persona: "jin", Language: "zh"}}, Limits: drift.Default,
		Gates: []drift.Gate{{Name: drift.GateSameTop, Limit: 0.95, Value: 0.96, Persona: "jin", Language: "zh", Passed: true}, {Name: drift.GateMean, Limit: 0.01, Value: 0.02, Persona: "jin", Language: "zh"}}}
}

// Ensure that the page names what was measured, what was missed and what was not
// measured, in both languages, and that no tag comes out of a text.
func TestDriftPage(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		words := lang.For(language).Drift
		var b strings.Builder
		if err := (driftPrinter{nil, &words, drifting()}).page(&b, language); err != nil {
			t.Fatal(err)
		}
		for _, want := range append([]string{"int8", "fp16", "jin zh", "data:image/png;base64,", "0.02", "default-src 'none'", "&lt;script&gt;", "老铁"}, words.Page.Unmeasured) {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q", language, want)
			}
		}
		if strings.Contains(b.String(), "<script") || strings.Contains(b.String(), "<b>") || strings.Contains(b.String(), "<i>") {
			t.Errorf("%s: a text became a tag", language)
		}
	}
}

// Ensure that JUnit has a case for each gate, failed where it was missed.
func TestDriftSuite(t *testing.T) {
	s := driftSuite(drifting())
	if len(s.Cases) != 2 || s.Cases[0].Failure != nil || s.Cases[1].Failure == nil || !strings.Contains(s.Cases[1].Failure.Message, "jin") || len(s.Notes) == 0 {
		t.Errorf("%+v", s)
	}
}

// Ensure that the release gate refuses an engine without a report, one that
// missed, and one whose weights are others than were measured.
func TestReleaseGate(t *testing.T) {
	words, line := lang.For("en").Drift, engineLine{Name: "int8", Hash: "abc"}
	good, missed := drifting(), drifting()
	good.Gates[1].Passed, good.Passed, good.Verdict = true, true, drift.Passed
	missed.Verdict = drift.Missed
	old := *good
	old.Verdict = "" // of before there was a minimum: 20 places
	if got := whyRefused(&words, line, []*drift.Report{&old}); len(got) != 1 || !strings.Contains(got[0], "jin zh 20; each NPC needs 100") {
		t.Errorf("an old report on little: %q", got)
	}
	if got := whyRefused(&words, line, nil); len(got) != 1 || got[0] != words.NoReport {
		t.Errorf("without a report: %q", got)
	}
	if got := whyRefused(&words, line, []*drift.Report{good}); len(got) != 0 {
		t.Errorf("a good report: %q", got)
	}
	if got := whyRefused(&words, line, []*drift.Report{good, missed}); len(got) != 1 || !strings.Contains(got[0], "mean KL 0.02 of jin, limit 0.01") {
		t.Errorf("a missed gate: %q", got)
	}
	line.Hash = "other"
	if got := whyRefused(&words, line, []*drift.Report{good}); len(got) != 1 || !strings.Contains(got[0], "other weights") {
		t.Errorf("other weights: %q", got)
	}
}

// Ensure that the last report of an engine is found by world, and by none.
func TestKeepReport(t *testing.T) {
	was := xdg.DataHome
	xdg.DataHome = t.TempDir()
	defer func() { xdg.DataHome = was }()
	r := drifting()
	for range 2 {
		if err := keepReport(r); err != nil {
			t.Fatal(err)
		}
	}
	r.World = "v"
	if err := keepReport(r); err != nil {
		t.Fatal(err)
	}
	for world, n := range map[string]int{"w": 1, "": 2, "x": 0} {
		got, err := lastReports(world, "INT8")
		if err != nil || len(got) != n || n > 0 && got[0].Gates[1].Value != 0.02 {
			a, _ := json.Marshal(got)
			t.Errorf("world %q: %s, %v", world, a, err)
		}
	}
	if err := os.WriteFile(filepath.Join(driftDir(), "w", "int8.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := lastReports("w", "int8"); err == nil || !strings.Contains(err.Error(), "int8.json") {
		t.Errorf("a broken report: %v", err)
	}
}

// Ensure that little that was compared is no pass: in words, in JSON, in JUnit.
func TestDriftNotEnough(t *testing.T) {
	r := drifting()
	r.Gates = r.Gates[:1]
	r.Verdict, r.Least, r.Few = drift.NotEnough, 100, []drift.Few{{Persona: "jin", Language: "zh", Places: 20}}
	for _, language := range []string{"en", "zh"} {
		words := lang.For(language).Drift
		p := driftPrinter{nil, &words, r}
		if got := p.verdict(); got == words.Passed || !strings.Contains(got, "jin zh 20") || !strings.Contains(got, "100") {
			t.Errorf("%s: %q", language, got)
		}
	}
	var b strings.Builder
	words := lang.For("en").Drift
	if err := (driftPrinter{&b, &words, r}).json(); err != nil || !strings.Contains(b.String(), `"passed":false,"missed":0,"verdict":"not_enough"`) {
		t.Errorf("%s, %v", b.String(), err)
	}
	if s := driftSuite(r); len(s.Cases) != 2 || s.Cases[1].Failure == nil {
		t.Errorf("%+v", s)
	}
}

// Ensure that a part of a character is shown as bytes, and that places which are
// the same are not listed as apart.
func TestDriftSpots(t *testing.T) {
	r := drifting()
	r.Rows[0].Masses, r.Rows[0].Worst[0].A = nil, "\xe4\xbd"
	words := lang.For("en").Drift
	p := driftPrinter{nil, &words, r}
	var b strings.Builder
	p.spots(&b)
	if !strings.Contains(b.String(), "A part of a character (bytes E4 BD) (") {
		t.Errorf("%s", b.String())
	}
	r.Rows[0].Worst[0].KL = 0
	b.Reset()
	p.spots(&b)
	if strings.Contains(b.String(), "jin.sample.1") || !strings.Contains(b.String(), words.Nowhere) {
		t.Errorf("%s", b.String())
	}
}
