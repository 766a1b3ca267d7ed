package story_test

import (
	"fmt"
	"testing"

	"fabula/engine"
	"fabula/story"
)

// BenchmarkSay takes turns on a growing branch with an engine that answers at
// once: what fabula itself adds to a turn, two synced Updates included.
func BenchmarkSay(b *testing.B) {
	e := &spy{answer: says("Look ", "at ", "the ", "water."), info: engine.Info{Context: 4096}}
	g := begun(b, rungs{{Engine: e}})
	for b.Loop() {
		g.say(story.Input{Text: "Good day."})
		e.requests = nil
	}
	stats, _ := g.store.Stats()
	b.ReportMetric(float64(stats.Bytes)/float64(stats.Turns), "bytes/turn")
	b.ReportMetric(float64(stats.Turns), "turns")
}

// BenchmarkPrompt1000 assembles the next prompt of a branch of 1,000 turns in a
// window of 4,096 tokens: history cut, the rest summed up and recalled.
func BenchmarkPrompt1000(b *testing.B) {
	e := &spy{answer: says("Look ", "at ", "the ", "water."), info: engine.Info{Context: 4096}}
	g := begun(b, rungs{{Engine: e}})
	for i := range 1000 {
		g.say(story.Input{Text: fmt.Sprintf("The rain goes on over the river for day %d, and the boats lie still at landing %d.", i, i%17)})
		e.requests = nil
	}
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		p, err := g.Preview(b.Context(), g.branch.ID, story.Input{Text: fmt.Sprintf("What of day %d at the landing?", i%900)})
		if err != nil || p.Tokens > 4096 {
			b.Fatal(p.Tokens, err)
		}
	}
}
