package story_test

import (
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
