package memory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fabula/story/memory"
)

func said(texts ...string) *memory.Index {
	x := memory.NewIndex()
	for i, t := range texts {
		x.Add(memory.Fact{Turn: fmt.Sprint("t", i), Depth: i + 1, Text: t})
	}
	return x
}

func turns(all []memory.Recollection) string {
	var out []string
	for _, r := range all {
		out = append(out, r.Turn)
	}
	return strings.Join(out, " ")
}

// small talk between what matters.
func chatter(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("Traveller: the rain goes on, number %d. Adu: look at the water.", i))
	}
	return out
}

// Ensure that one telling word of a long sentence is enough, in both scripts and
// any inflection, and that talk of nothing brings nothing to mind.
func TestSearch(t *testing.T) {
	x := said(append([]string{
		"Traveller: I fetched three qian of herbs for your brother. Adu: Good.",
		"客官：柴胡给你。阿渡：记下了。",
		"Traveller: the shrine burns. Adu: So it does.",
	}, chatter(60)...)...)
	for query, want := range map[string]string{
		"Do you still remember that herb which somebody brought you so long ago?": "t0",
		"你还记得柴胡吗？":                "t1",
		"Who burned the shrines?": "t2",
		"What do you do here?":    "",
		"Hello":                   "",
		"":                        "",
	} {
		if got := turns(x.Search(query, x.Len(), 1)); got != want {
			t.Errorf("%q brings %q to mind, want %q", query, got, want)
		}
	}
	because := x.Search("herbs for a brother", x.Len(), 3)[0].Because
	if !slices.Contains(because, "herb") || !slices.Contains(because, "brother") {
		t.Errorf("because %v", because)
	}
}

// Ensure that of equal facts a pinned one comes first, then one that a beat
// made, then the newest, and that the same words are remembered once.
func TestWeight(t *testing.T) {
	x := memory.NewIndex()
	for i, f := range []memory.Fact{{Text: "the lamp A", Pinned: true}, {Text: "the lamp B", Event: true}, {Text: "the lamp C"}, {Text: "the lamp D"}, {Text: "the lamp D"}} {
		f.Turn = fmt.Sprint("t", i)
		x.Add(f)
	}
	for range 40 {
		x.Add(memory.Fact{Text: "rain"})
	}
	if got := turns(x.Search("lamp", x.Len(), 9)); got != "t0 t1 t4 t2" {
		t.Error(got)
	}
	if got := turns(x.Search("lamp", 2, 9)); got != "t0 t1" {
		t.Errorf("of the first two: %s", got)
	}
}

// Ensure that an index which was cut back to a fork and grew from there finds
// exactly what a new one finds, so that no branch remembers another's turns.
func TestCutIsExact(t *testing.T) {
	word := rapid.SampledFrom([]string{"lamp", "lamps", "herb", "柴胡", "盐在地窖", "rain", "the", "shrine", "of", "brother"})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 0, 6).Draw(t, "words"), " ") })
	rapid.Check(t, func(t *rapid.T) {
		grown := memory.NewIndex()
		var path []memory.Fact
		for i := range rapid.IntRange(1, 5).Draw(t, "forks") {
			keep := rapid.IntRange(0, len(path)).Draw(t, "keep")
			path = slices.Clip(path[:keep])
			grown.Cut(keep)
			for j, s := range rapid.SliceOfN(text, 0, 8).Draw(t, "texts") {
				f := memory.Fact{Turn: fmt.Sprint(i, "-", j), Text: s, Event: j%3 == 0}
				path = append(path, f)
				grown.Add(f)
			}
		}
		fresh := memory.NewIndex()
		for _, f := range path {
			fresh.Add(f)
		}
		query := text.Draw(t, "query")
		n := rapid.IntRange(0, len(path)+1).Draw(t, "n")
		got, want := grown.Search(query, n, 4), fresh.Search(query, n, 4)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-new +grown):\n%s", query, diff)
		}
		for _, r := range got {
			if i := slices.Index(path, r.Fact); i < 0 || i >= n {
				t.Fatalf("%+v is not of this path", r)
			}
		}
	})
}

func BenchmarkSearch100000(b *testing.B) {
	x := memory.NewIndex()
	for i := range 100_000 {
		x.Add(memory.Fact{Turn: fmt.Sprint(i), Text: fmt.Sprintf("Traveller: the rain on lamp %d of street %d goes on. Adu: look at the water, 客官记得柴胡%d吗", i%977, i%131, i%53)})
	}
	b.ResetTimer()
	for b.Loop() {
		if len(x.Search("do you remember lamp 5 in the rain, and 柴胡?", x.Len(), 8)) == 0 {
			b.Fatal("nothing found")
		}
	}
}
