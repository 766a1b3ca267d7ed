package tui_test

import (
	"fmt"
	"testing"
	"time"

	"fabula/story"
	"fabula/story/plot"
	"fabula/story/store"
	"fabula/tui"
)

// BenchmarkFind is one letter typed in a search over 10,000 things: 5,000 that an
// author named and 5,000 texts that were said, in a store with its index; the bar
// is 50 ms. first is the search that makes the index of all of them.
func BenchmarkFind(b *testing.B) {
	dir := b.TempDir()
	tree, err := store.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Close()
	fill(b, tree, 500)
	s := tui.NewSearch(dir, tree)
	for i := range 5000 {
		s.Add(fmt.Sprintf("node_%d 渡口的第%d个名字", i, i))
	}
	began := time.Now()
	if s.Search("lamp") < 1 {
		b.Fatal("nothing fits")
	}
	first := time.Since(began)
	typed := []string{"l", "la", "lam", "lamp", "灯", "灯 狐狸"}
	for b.Loop() {
		for _, t := range typed {
			if s.Search(t) < 1 {
				b.Fatalf("nothing fits %q", t)
			}
		}
	}
	b.ReportMetric(float64(first.Milliseconds()), "first-ms")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(len(typed)*b.N), "ms/key")
}

// fill stores a branch of turns, each with what the player and an NPC said and
// eight lines of an author's.
func fill(b *testing.B, tree *store.Store, turns int) {
	b.Helper()
	p := story.Playthrough{ID: "P0", Language: "zh"}
	branch := story.Branch{ID: "B0", Name: "ferry-1", Playthrough: p.ID}
	opening := &p
	for i := range turns {
		turn := story.Turn{ID: story.ID(fmt.Sprintf("T%06d", i)), Playthrough: p.ID, Branch: branch.ID, Parent: branch.Leaf, Depth: i, Status: story.Pending,
			Input: story.Input{Text: fmt.Sprintf("第 %d 句：老周，昨夜那盏灯是谁点的？", i)}}
		if err := tree.Begin(opening, &branch, turn); err != nil {
			b.Fatal(err)
		}
		opening = nil
		alt := story.Alternative{ID: story.ID(fmt.Sprintf("A%06d", i)), Turn: turn.ID, Speaker: "adu", Text: fmt.Sprintf("这镇上的灯，都是狐狸点的，客官信么？ the lamp %d at the landing was lit by a fox", i)}
		for n := range 8 {
			alt.Lines = append(alt.Lines, plot.Played{By: "qin", Text: fmt.Sprintf("第 %d 盏灯，%d 更天点的 the lamplighter's round", n, i)})
		}
		branch.Leaf = alt.ID
		if err := tree.Finish(alt, story.Finished, branch, nil); err != nil {
			b.Fatal(err)
		}
	}
}
