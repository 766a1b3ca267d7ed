package catalog_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/gguf/header/sample"
)

// rungs takes every rung.
func rungs(c *catalog.Catalog, lang string) []engine.Rung {
	return slices.Collect(c.Rungs(engine.Ask{Language: lang}))
}

// steps writes rungs as name, step and why.
func steps(rungs []engine.Rung) []string {
	var out []string
	for _, r := range rungs {
		out = append(out, r.Engine.Info().Name+" "+r.Step+" "+r.Why)
	}
	return out
}

func TestRungs(t *testing.T) {
	models := func(t *testing.T) string {
		dir := pool(t, map[string]sample.File{
			"big":   sample.Model("Big", 300, languages("en")),
			"mid":   sample.Model("Mid", 200, languages("zh", "en")),
			"toy":   sample.Model("Toy", 900, languages("en")),
			"quiet": sample.Model("Quiet", 100),
		})
		for _, name := range []string{"big", "mid", "quiet"} {
			sidecar(t, dir, name, `{"toy": false}`)
		}
		return dir
	}
	only := func(t *testing.T) string { // the default model alone
		return pool(t, map[string]sample.File{"SmolLM2-135M-Instruct.Q4_1": sample.Model("Smollm2 135M 8k Lc100K Mix1 Ep2", 64)})
	}
	none := func(t *testing.T) string { return filepath.Join(t.TempDir(), "absent") }
	broken := errors.New("out of memory")
	tests := map[string]struct {
		dir    func(*testing.T) string
		o      catalog.Options
		refuse []string
		lang   string
		want   []string
	}{
		"largest that is no toy":    {dir: models, lang: "en", want: []string{"big full ", "mid smaller failed", "quiet smaller failed", "toy smaller failed", "recall recall failed"}},
		"that speaks the language":  {dir: models, lang: "zh-CN", want: []string{"mid full ", "quiet smaller failed", "recall recall failed"}},
		"not stated counts as any":  {dir: models, lang: "ja", want: []string{"quiet full ", "recall recall failed"}},
		"next when one fails":       {dir: models, lang: "en", refuse: []string{"big"}, want: []string{"mid smaller out_of_memory", "quiet smaller failed", "toy smaller failed", "recall recall failed"}},
		"toys last":                 {dir: models, lang: "en", refuse: []string{"big", "mid", "quiet"}, want: []string{"toy smaller out_of_memory", "recall recall failed"}},
		"all fail":                  {dir: models, lang: "en", refuse: []string{"big", "mid", "quiet", "toy"}, want: []string{"recall recall out_of_memory"}},
		"toy in its language":       {dir: only, lang: "en", want: []string{"SmolLM2-135M-Instruct.Q4_1 full ", "recall recall failed"}},
		"toy in another":            {dir: only, lang: "zh", want: []string{"recall recall language"}},
		"chosen serves any":         {dir: only, o: catalog.Options{Choice: "gguf"}, lang: "zh", want: []string{"SmolLM2-135M-Instruct.Q4_1 full ", "recall recall failed"}},
		"chosen by name":            {dir: models, o: catalog.Options{Choice: "Toy.gguf"}, lang: "zh", want: []string{"toy full ", "recall recall failed"}},
		"recall chosen":             {dir: models, o: catalog.Options{Choice: "recall"}, lang: "en", want: []string{"recall recall "}},
		"no folder":                 {dir: none, lang: "en", want: []string{"recall recall no_model"}},
		"not built":                 {dir: models, o: catalog.Options{Unable: nil}, lang: "en", want: nil},
		"machine unable":            {dir: models, o: catalog.Options{Unable: broken}, lang: "en", want: []string{"recall recall unable"}},
		"ladder of the world":       {dir: models, o: catalog.Options{Ladder: []string{"recall"}}, lang: "en", want: []string{"recall recall "}},
		"ladder of later engines":   {dir: models, o: catalog.Options{Ladder: []string{"tensorrt", "gguf", "recall"}}, lang: "en", want: []string{"big smaller not_built", "mid smaller failed", "quiet smaller failed", "toy smaller failed", "recall recall failed"}},
		"ladder with strange names": {dir: models, o: catalog.Options{Ladder: []string{"nobody", "quiet"}}, lang: "en", want: []string{"quiet smaller unknown", "recall recall failed"}},
		"no scripts by a ladder":    {dir: none, o: catalog.Options{Ladder: []string{"scripted"}}, lang: "en", want: []string{"recall recall unknown"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			op := &opener{refuse: map[string]error{}}
			for _, m := range test.refuse {
				op.refuse[m] = broken
			}
			test.o.Dir, test.o.OpenModel = test.dir(t), op.open
			if name == "not built" {
				test.o.OpenModel, test.want = nil, []string{"recall recall not_built"}
			}
			c := open(t, test.o)
			if diff := cmp.Diff(test.want, steps(rungs(c, test.lang))); diff != "" {
				t.Errorf("rungs (-want +got):\n%s\nreasons %v", diff, c.Reasons())
			}
		})
	}
}

func TestChoicesThatCannotBeHad(t *testing.T) {
	sound := pool(t, map[string]sample.File{"m": sample.Model("M", 64)})
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "page.gguf"), []byte("<html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		o    catalog.Options
		want error
	}{
		"tensorrt":        {catalog.Options{Dir: sound, Choice: "tensorrt"}, engine.ErrUnavailable},
		"remote":          {catalog.Options{Dir: sound, Choice: "remote"}, engine.ErrUnavailable},
		"unknown":         {catalog.Options{Dir: sound, Choice: "llama-9"}, catalog.ErrUnknown},
		"no model":        {catalog.Options{Dir: t.TempDir(), Choice: "gguf"}, engine.ErrUnavailable},
		"only a web page": {catalog.Options{Dir: broken, Choice: "gguf"}, engine.ErrUnavailable},
		"machine":         {catalog.Options{Dir: sound, Choice: "m", Unable: errors.New("no AVX2")}, engine.ErrUnavailable},
		"script absent":   {catalog.Options{Dir: sound, Choice: "scripted:" + filepath.Join(broken, "none")}, os.ErrNotExist},
		"script unnamed":  {catalog.Options{Dir: sound, Choice: "scripted"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.o.OpenModel = (&opener{}).open
			_, err := catalog.Open(test.o)
			if err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
		})
	}
	if _, err := catalog.Open(catalog.Options{Dir: sound, Choice: "gguf"}); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("a build without models: error %v", err)
	}
}

func TestScript(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lamp.script")
	if err := os.WriteFile(file, []byte("engine lamp\nreply\n  text \"Hm.\" 1ms\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := open(t, catalog.Options{Choice: "scripted:" + file})
	rungs := rungs(c, "en")
	if len(rungs) != 2 || rungs[0].Engine.Info().Kind != engine.Scripted || rungs[1].Engine.Info().Kind != engine.Recall {
		t.Errorf("rungs %v", steps(rungs))
	}
}

func TestOneEngineAModel(t *testing.T) {
	op := &opener{}
	c := open(t, catalog.Options{Dir: pool(t, map[string]sample.File{"m": sample.Model("M", 64)}), OpenModel: op.open})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { rungs(c, "en") })
	}
	group.Wait()
	if n := len(op.seen); n != 1 {
		t.Errorf("opened %d times", n)
	}
	if m := op.seen[0]; len(m.SHA256) != 64 {
		t.Errorf("opened without its hash: %+v", m)
	}
	models, err := c.List()
	if err != nil || !models[0].InUse || models[0].SHA256 != op.seen[0].SHA256 {
		t.Errorf("%+v, %v", models, err)
	}
	if err := c.Close(); err != nil || !op.opened["m"][0].closed {
		t.Errorf("not closed: %v", err)
	}
	if diff := cmp.Diff([]string{"recall recall failed"}, steps(rungs(c, "en"))); diff != "" {
		t.Error("after Close:", diff)
	}
}

func TestFailureWhileLoading(t *testing.T) {
	op := &opener{}
	dir := pool(t, map[string]sample.File{"big": sample.Model("Big", 200), "small": sample.Model("Small", 100)})
	c := open(t, catalog.Options{Dir: dir, OpenModel: op.open})
	if diff := cmp.Diff([]string{"big full ", "small smaller failed", "recall recall failed"}, steps(rungs(c, "en"))); diff != "" {
		t.Error("while it loads:", diff)
	}
	op.opened["big"][0].finish(errors.New("it does not fit"))
	if diff := cmp.Diff([]string{"small smaller load", "recall recall failed"}, steps(rungs(c, "en"))); diff != "" {
		t.Error("once it failed:", diff)
	}
	want := []catalog.Reason{{Engine: "big", Why: "load", Detail: "it does not fit", Args: []string{"big"}}}
	if diff := cmp.Diff(want, c.Reasons()); diff != "" {
		t.Error(diff)
	}
	if !op.opened["big"][0].closed {
		t.Error("the failed engine stays open")
	}
	rungs(c, "en")
	if n := len(op.opened["big"]); n != 1 {
		t.Errorf("a failed model was opened %d times", n)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "big.gguf"), later, later); err != nil {
		t.Fatal(err)
	}
	rungs(c, "en")
	if n := len(op.opened["big"]); n != 2 {
		t.Errorf("a model whose file changed was opened %d times", n)
	}
}

func TestReady(t *testing.T) {
	dir := pool(t, map[string]sample.File{"m": sample.Model("M", 64)})
	op := &opener{}
	chosen := open(t, catalog.Options{Dir: dir, OpenModel: op.open, Choice: "gguf"})
	rungs(chosen, "en")
	op.opened["m"][0].finish(errors.New("it does not fit"))
	if err := chosen.Ready(t.Context(), engine.Ask{Language: "en"}); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("chosen and failed: %v", err)
	}
	op = &opener{}
	free := open(t, catalog.Options{Dir: dir, OpenModel: op.open})
	rungs(free, "en")
	waiting, cancel := context.WithCancel(t.Context())
	cancel()
	if err := free.Ready(waiting, engine.Ask{Language: "en"}); !errors.Is(err, context.Canceled) {
		t.Errorf("while it loads: %v", err)
	}
	op.opened["m"][0].finish(errors.New("it does not fit"))
	if err := free.Ready(t.Context(), engine.Ask{Language: "en"}); err != nil {
		t.Errorf("recall serves, but: %v", err)
	}
	if err := open(t, catalog.Options{Choice: "recall"}).Ready(t.Context(), engine.Ask{Language: "en"}); err != nil {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	dir := pool(t, map[string]sample.File{
		"a": sample.Model("Qwen3 4B", 64, languages("en")),
		"b": sample.Model("Plain", 64),
		"c": sample.Model("Stated", 64, languages("fr"), sample.Pair{Key: "general.license", Value: "mit"}),
		"d": sample.Model("Part", 64, sample.Pair{Key: "split.count", Value: uint32(3)}),
		"e": sample.Model("Told", 64, languages("fr")),
		"f": sample.Model("Bad sidecar", 64),
	})
	sidecar(t, dir, "e", `{"languages": ["de"], "toy": false, "licence": "own", "note": "x"}`)
	sidecar(t, dir, "f", `{`)
	for name, text := range map[string]string{"page.gguf": "<!doctype html>", "notes.txt": "x", ".hidden.gguf": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.gguf"), 0o755); err != nil {
		t.Fatal(err)
	}
	models, err := open(t, catalog.Options{Dir: dir, OpenModel: (&opener{}).open}).List()
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Name, Title, Source, Licence string
		First                        string
		Toy                          bool
		Why                          catalog.Why
		Noted                        bool
	}
	var got []row
	for _, m := range models {
		r := row{m.Name, m.Title, m.Source, m.Licence, "", m.Toy, m.Why, m.Detail != ""}
		if len(m.Languages) > 0 {
			r.First = m.Languages[0]
		}
		got = append(got, r)
	}
	want := []row{
		{"a", "Qwen3 4B", "known", "", "en", true, "", false},
		{"b", "Plain", "", "", "", true, "", false},
		{"c", "Stated", "file", "mit", "fr", true, "", false},
		{"d", "", "", "", "", false, catalog.WhyUnreadable, true},
		{"e", "Told", "sidecar", "own", "de", false, "", false},
		{"f", "Bad sidecar", "", "", "", true, "", true},
		{"page", "", "", "", "", false, catalog.WhyUnreadable, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
	if !models[0].Speaks("zh") || models[2].Speaks("zh") || !models[1].Speaks("zh") {
		t.Error("who speaks Chinese is wrong")
	}
}

func TestNamesOfFamilies(t *testing.T) {
	tests := map[string]bool{ // speaks Chinese
		"Yi 1.5 9B Chat": true, "yi-34b": true, "Yippee 1B": true, "my-yi": true, "Playing 1B": true, // unknown: any
		"Qwen2.5 0.5B": true, "Meta-Llama SmolLM2": false, "TinyLlama 1.1B": false, "smollm3": false,
	}
	for title, want := range tests {
		dir := pool(t, map[string]sample.File{"m": sample.Model(title, 64)})
		models, err := open(t, catalog.Options{Dir: dir}).List()
		if err != nil || models[0].Speaks("zh") != want {
			t.Errorf("%s speaks Chinese: %v, want %v (%v)", title, models[0].Speaks("zh"), want, err)
		}
		if unsure := title == "Yippee 1B" || title == "Playing 1B"; unsure != (len(models[0].Languages) == 0) {
			t.Errorf("%s: languages %v", title, models[0].Languages)
		}
	}
}

func TestNewModelsAreSeen(t *testing.T) {
	op := &opener{}
	dir := pool(t, map[string]sample.File{"small": sample.Model("S", 64)})
	c := open(t, catalog.Options{Dir: dir, OpenModel: op.open})
	first := steps(rungs(c, "en"))
	if err := os.WriteFile(filepath.Join(dir, "large.gguf"), sample.Model("L", 640).Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if second := steps(rungs(c, "en")); slices.Equal(first, second) || second[0] != "large full " {
		t.Errorf("%v, then %v", first, second)
	}
}
