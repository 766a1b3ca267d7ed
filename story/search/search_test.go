package search_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/personas/fold"
	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/search"
	"fabula/story/store"
)

// tree is a source in memory: one branch of turns, in the order of storing.
type tree struct {
	story.Reader
	steps    []story.Step
	life     string
	branches []story.Branch
}

func (t *tree) Life() (string, error)             { return t.life, nil }
func (t *tree) LastStored() (uint64, error)       { return uint64(len(t.steps)), nil }
func (t *tree) Branches() ([]story.Branch, error) { return t.branches, nil }

func (t *tree) Stored(after uint64, do func(uint64, story.Turn, story.Alternative) error) error {
	for i := after; i < uint64(len(t.steps)); i++ {
		if err := do(i+1, t.steps[i].Turn, t.steps[i].Alternative); err != nil {
			return err
		}
	}
	return nil
}

// Path leads through all turns, whichever branch asks.
func (t *tree) Path(story.ID) ([]story.Step, error) { return t.steps, nil }

func (t *tree) Alternative(id story.ID) (story.Alternative, error) {
	for _, s := range t.steps {
		if s.Alternative.ID == id {
			return s.Alternative, nil
		}
	}
	return story.Alternative{}, story.ErrNotFound
}

func newTree() *tree {
	return &tree{life: "one", branches: []story.Branch{{ID: "B0", Playthrough: "P0"}}}
}

// say adds a turn: what the player says, and a reply.
func (t *tree) say(input, by, reply string, change ...func(*story.Alternative)) {
	n := len(t.steps)
	turn := story.Turn{ID: story.ID(fmt.Sprintf("T%06d", n)), Branch: "B0", Playthrough: "P0", Depth: n, Input: story.Input{Text: input}}
	a := story.Alternative{ID: story.ID(fmt.Sprintf("A%06d", n)), Turn: turn.ID, Speaker: by, Text: reply,
		State: plot.State{Node: "landing", Vars: map[string]plot.Value{"herbs": plot.IntValue(n % 4)}}}
	for _, c := range change {
		c(&a)
	}
	turn.Children = []story.ID{a.ID}
	t.steps = append(t.steps, story.Step{Turn: turn, Alternative: a})
}

func find(t testing.TB, x *search.Index, r search.Source, q search.Query) []string {
	t.Helper()
	res, err := x.Find(r, q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range res.Hits {
		out = append(out, h.Text)
	}
	return out
}

func small() *tree {
	r := newTree()
	r.say("Where is the lamp?", "adu", "The LAMPLIGHTER took it.")
	r.say("灯在哪里？", "qin", "盐在地窖里，灯也在。", func(a *story.Alternative) {
		a.State.Node, a.Findings = "yamen", []lint.Finding{{Code: "taboo"}}
		a.Reply = &story.Reply{Engine: engine.Info{Name: "smollm2", Kind: engine.GGUF}}
	})
	r.say("ｆｕｌｌ width", "adu", "“Quoted”, don't you know?", func(a *story.Alternative) {
		a.Lines = []plot.Played{{By: "qin", Text: "An authored line."}}
	})
	r.say("water", "adu", "I ate rater things, said the eater.")
	return r
}

// Ensure that words, parts of words, characters and phrases are found in both
// scripts, newest first, and nothing else.
func TestFind(t *testing.T) {
	r := small()
	x := search.Open("")
	if err := x.Refresh(r, nil); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{
		"lamp":         {"The LAMPLIGHTER took it.", "Where is the lamp?"},
		"the lamp":     {"The LAMPLIGHTER took it.", "Where is the lamp?"},
		`"the lamp?"`:  {"Where is the lamp?"},
		`“took it.”`:   {"The LAMPLIGHTER took it."},
		"Lamp WHERE":   {"Where is the lamp?"},
		"灯":            {"盐在地窖里，灯也在。", "灯在哪里？"},
		"地窖":           {"盐在地窖里，灯也在。"},
		"在地窖":          {"盐在地窖里，灯也在。"},
		"窖地":           nil,
		"在哪":           {"灯在哪里？"},
		"盐 灯":          {"盐在地窖里，灯也在。"},
		"full":         {"ｆｕｌｌ width"},
		"don't":        {"“Quoted”, don't you know?"},
		"water":        {"water"},
		"ater":         {"I ate rater things, said the eater.", "water"},
		"authored":     {"An authored line."},
		"nowhere":      nil,
		"lamp nowhere": nil,
		`"where lamp"`: nil,
		"?":            {"“Quoted”, don't you know?", "Where is the lamp?"}, // folding makes the wide one narrow
	} {
		got := find(t, x, r, search.Query{Text: query})
		if query == "?" {
			got = slices.DeleteFunc(got, func(s string) bool { return strings.Contains(s, "？") })
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	three := func(st plot.State) bool { return st.Vars["herbs"] == plot.IntValue(3) }
	for name, c := range map[string]struct {
		q    search.Query
		want int
	}{
		"speaker":        {search.Query{Speaker: "adu"}, 3},
		"player":         {search.Query{Speaker: search.Player, Text: "lamp"}, 1},
		"node":           {search.Query{Node: "yamen"}, 2},
		"engine":         {search.Query{Engine: "smollm2"}, 1},
		"kind":           {search.Query{Engine: "gguf", Text: "灯"}, 1},
		"finding":        {search.Query{Finding: "taboo"}, 1},
		"no finding":     {search.Query{Finding: "leak"}, 0},
		"variables":      {search.Query{State: three, OnlyVars: true}, 2},
		"state":          {search.Query{State: three}, 2},
		"all of it":      {search.Query{Speaker: "adu", State: three, Text: "eater", Node: "landing"}, 1},
		"limit":          {search.Query{Limit: 2}, 2},
		"nothing at all": {search.Query{}, 9},
	} {
		if got := find(t, x, r, c.q); len(got) != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	r.branches = nil // deleted
	if got := find(t, x, r, search.Query{Text: "lamp"}); len(got) != 0 {
		t.Errorf("of a deleted branch: %q", got)
	}
}

// Ensure that an index finds what a plain look through all texts finds, however
// it was cut into segments, kept and opened again.
func TestLikePlain(t *testing.T) {
	word := rapid.SampledFrom(strings.Fields("lamp lamps lamplight the a salt 盐 地窖 地 窖里 灯 Wū-yā don't ß ﬁre 1234 w ww 。 ? 한글 ひらがな"))
	line := rapid.Custom(func(r *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 1, 8).Draw(r, "words"), rapid.SampledFrom([]string{" ", "", ", "}).Draw(r, "between"))
	})
	rapid.Check(t, func(t *rapid.T) {
		r := newTree()
		file := filepath.Join(os.TempDir(), fmt.Sprintf("fabula-find-%d", rand.Uint64()))
		defer func() { _ = os.Remove(file) }()
		x := search.Open(file)
		for range rapid.IntRange(1, 12).Draw(t, "rounds") {
			for range rapid.IntRange(0, 4).Draw(t, "turns") {
				r.say(line.Draw(t, "input"), "adu", line.Draw(t, "reply"))
			}
			if err := x.Refresh(r, nil); err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "again") {
				if err := x.Save(); err != nil {
					t.Fatal(err)
				}
				_ = x.Close()
				x = search.Open(file)
				if err := x.Refresh(r, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		phrase := line.Draw(t, "phrase")
		if needle := fold.Of(phrase, fold.Plain).String(); strings.ContainsAny(needle, "lamptesdionw0123456789盐地灯窖里ß한ひ") {
			var want []string
			for _, s := range slices.Backward(r.steps) {
				for _, text := range []string{s.Alternative.Text, s.Turn.Input.Text} {
					if strings.Contains(fold.Of(text, fold.Plain).String(), needle) {
						want = append(want, text)
					}
				}
			}
			res, err := x.Find(r, search.Query{Text: `"` + phrase + `"`})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range res.Hits {
				got = append(got, h.Text)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(slices.Compact(got), slices.Compact(want)) {
				t.Fatalf("%q: %q, want %q", phrase, got, want)
			}
		}
		_ = x.Close()
	})
}

// Ensure that an index that does not fit is never a reason to fail: another life
// of the store, less than was indexed, a file that is damaged anywhere.
func TestStale(t *testing.T) {
	r := small()
	file := filepath.Join(t.TempDir(), store.IndexFile)
	x := search.Open(file)
	if err := x.Refresh(r, nil); err != nil {
		t.Fatal(err)
	}
	if err := x.Save(); err != nil {
		t.Fatal(err)
	}
	_ = x.Close()
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, want int) {
		t.Helper()
		x := search.Open(file)
		if err := x.Refresh(r, nil); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if got := find(t, x, r, search.Query{Text: "lamp"}); len(got) != want {
			t.Errorf("%s: %q", what, got)
		}
		if x.Docs() != 2*len(r.steps)+1 {
			t.Errorf("%s: %d texts", what, x.Docs())
		}
		_ = x.Close()
	}
	check("kept", 2)
	for i := range good {
		if i > 400 && i < len(good)-400 && i%7 > 0 {
			continue
		}
		bad := slices.Clone(good)
		bad[i] ^= 0x5a
		if err := os.WriteFile(file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		x := search.Open(file)
		if err := x.Refresh(r, nil); err != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
		_, _ = x.Find(r, search.Query{Text: "lamp"}) // an entry may be unreadable, which is said
		_ = x.Close()
	}
	if err := os.WriteFile(file, good[:len(good)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	check("cut", 2)
	if err := os.WriteFile(file, good, 0o600); err != nil {
		t.Fatal(err)
	}
	r.life = "another"
	check("another life", 2)
	r.life, r.steps = "one", slices.Delete(r.steps, 0, 1)
	r.steps[1].Alternative.Lines = []plot.Played{{By: "qin", Text: "An authored line."}}
	check("less", 0)
}

// Ensure that a real store's texts are found, those of deleted branches not, and
// that its index is beside it.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var src search.Source = s
	p, b := story.Playthrough{ID: "P0", Root: "T0"}, story.Branch{ID: "B0", Name: "main", Playthrough: "P0"}
	turn := story.Turn{ID: "T0", Playthrough: "P0", Branch: "B0", Status: story.Pending}
	if err := s.Begin(&p, &b, turn); err != nil {
		t.Fatal(err)
	}
	b.Leaf = "A0"
	if err := s.Finish(story.Alternative{ID: "A0", Turn: "T0", Speaker: "adu", Text: "Aboard?", Reply: &story.Reply{Engine: engine.Info{Name: "x"}}}, story.Finished, b, nil); err != nil {
		t.Fatal(err)
	}
	x := search.Open(filepath.Join(dir, store.IndexFile))
	defer func() { _ = x.Close() }()
	for _, want := range []int{1, 0} {
		if err := x.Refresh(src, nil); err != nil {
			t.Fatal(err)
		}
		if got := find(t, x, src, search.Query{Text: "aboard", Engine: "x"}); len(got) != want {
			t.Errorf("%q, want %d", got, want)
		}
		if err := s.DeleteBranch("B0"); err != nil && want == 1 {
			t.Fatal(err)
		}
	}
}

// Ensure that what only a deleted branch shows is not found by way of another of
// its playthrough, and what both show is.
func TestDeletedFork(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	p, main := story.Playthrough{ID: "P0", Root: "T0"}, story.Branch{ID: "B0", Name: "main", Playthrough: "P0"}
	fork := story.Branch{ID: "B1", Name: "fork", Playthrough: "P0"}
	say := func(b *story.Branch, opening *story.Playthrough, turn, alternative story.ID, text string) {
		t.Helper()
		if err := s.Begin(opening, b, story.Turn{ID: turn, Playthrough: "P0", Branch: b.ID, Parent: b.Leaf, Status: story.Pending}); err != nil {
			t.Fatal(err)
		}
		b.Leaf = alternative
		if err := s.Finish(story.Alternative{ID: alternative, Turn: turn, Speaker: "adu", Text: text}, story.Finished, *b, nil); err != nil {
			t.Fatal(err)
		}
	}
	say(&fork, &p, "T0", "A0", "Aboard, both.")
	main.Leaf = "A0"
	say(&main, nil, "T1", "A1", "Aboard, main.")
	say(&fork, nil, "T2", "A2", "Aboard, fork.")
	x := search.Open("")
	for _, want := range []string{"A2 B1, A1 B0, A0 B1", "A1 B0, A0 B0"} {
		if err := x.Refresh(s, nil); err != nil {
			t.Fatal(err)
		}
		found, err := x.Find(s, search.Query{Text: "aboard"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range found.Hits {
			got = append(got, string(h.Alternative+" "+h.Branch))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q, want %q", got, want)
		}
		if err := s.DeleteBranch("B1"); err != nil && want[1] == '2' {
			t.Fatal(err)
		}
	}
}

// FuzzQuery looks for anything: a query is never refused, and what it finds
// holds its phrase.
func FuzzQuery(f *testing.F) {
	for _, q := range []string{"lamp", `"the lamp`, "灯 盐", "“在哪”", "", `""`, "\x00", "\xff", "ｌａｍｐ", "w", strings.Repeat("a", 200)} {
		f.Add(q)
	}
	r := small()
	x := search.Open("")
	if err := x.Refresh(r, nil); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, q string) {
		all := len(find(t, x, r, search.Query{}))
		if got := find(t, x, r, search.Query{Text: q}); len(got) > all {
			t.Errorf("%d hits of %d texts", len(got), all)
		}
	})
}

// big is a tree of 100,000 turns with texts of usual length, words as frequent
// as they are in a language.
func big(turns int) *tree {
	r := newTree()
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.2, 4, 20_000)
	line := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%s%d ", string(rune('a'+zipf.Uint64()%26)), zipf.Uint64())
		}
		if rng.IntN(3) == 0 {
			for range n {
				b.WriteRune(rune(0x4e00 + zipf.Uint64()%3000))
			}
		}
		return b.String()
	}
	for i := range turns {
		r.say(line(10), []string{"adu", "qin", "cui"}[i%3], line(35), func(a *story.Alternative) {
			if a.State.Node = fmt.Sprint("node", i/50%40); i == turns/2 {
				a.Text += " needle in the hay, 海底针"
			}
			a.Reply = &story.Reply{Engine: engine.Info{Name: "smollm2", Kind: engine.GGUF}}
		})
	}
	return r
}

// BenchmarkFind looks into 100,000 turns: a rare word, a frequent one, a part of
// many words, characters, a phrase, and filters; a page of 50 hits each. fill_s
// and file_MB are of the whole index.
func BenchmarkFind(b *testing.B) {
	r := big(100_000)
	file := filepath.Join(b.TempDir(), store.IndexFile)
	x := search.Open(file)
	b.Run("fill", func(b *testing.B) {
		for b.Loop() {
			x = search.Open(file + "x")
			if err := x.Refresh(r, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	x = search.Open(file)
	if err := x.Refresh(r, nil); err != nil {
		b.Fatal(err)
	}
	if err := x.Save(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			x := search.Open(file)
			_ = x.Close()
		}
		b.ReportMetric(float64(info.Size())/1e6, "file_MB")
	})
	for name, q := range map[string]search.Query{
		"rare": {Text: "needle"}, "frequent": {Text: "a0"}, "part": {Text: "12"}, "letter": {Text: "1"}, "letters": {Text: "a e 1"}, "characters": {Text: "海底针"}, "pair": {Text: "一七"},
		"phrase": {Text: `"in the hay"`}, "no_phrase": {Text: `"a0 zz1"`}, "filters": {Text: "needle", Speaker: "cui", Engine: "gguf"},
		"state": {State: func(st plot.State) bool { return st.Vars["herbs"] == plot.IntValue(3) }, OnlyVars: true},
	} {
		b.Run(name, func(b *testing.B) {
			q.Limit = 50
			for b.Loop() {
				if _, err := x.Find(r, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
