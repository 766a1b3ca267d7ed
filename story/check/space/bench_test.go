package space_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/check/space"
	"fabula/story/plot"
	"fabula/worlds"
)

// generated is a world of a hub and rooms, with so many marks and counters that
// play can come to something over a million states.
func generated(tb testing.TB) *plot.Script {
	tb.Helper()
	s := &plot.Script{Languages: []string{"en"}, Start: "hub"}
	s.Personas = []*personas.Persona{{ID: "adu", Name: plain("Adu")}}
	hub := &plot.Node{ID: "hub", Cast: []plot.Member{{NPC: "adu"}}}
	s.Nodes = []*plot.Node{hub, {ID: "end", Ending: &plot.Ending{}}}
	for i := range 13 {
		id := fmt.Sprintf("m%d", i)
		s.Vars = append(s.Vars, &plot.Variable{ID: id, Kind: plot.Bool, Default: plot.BoolValue(false)})
		room := &plot.Node{ID: "r" + id, Cast: []plot.Member{{NPC: "adu"}}}
		room.Beats = []*plot.Beat{{ID: "b", When: cond("not " + id), Detect: plot.Detect{Any: [][]personas.Text{{plain("k" + id)}}},
			Effects: []plot.Effect{{Do: source.Cond{Src: id + " = true"}}}}}
		room.Exits = []*plot.Exit{{ID: "back", To: "hub", Choice: plain("back")}, {ID: "out", To: "end", Choice: plain("out"), When: cond(id + " and coins >= 9")}}
		s.Nodes = append(s.Nodes, room)
		hub.Exits = append(hub.Exits, &plot.Exit{ID: "to_" + id, To: room.ID, Choice: plain("go"), When: cond("coins >= 1 or " + id)})
	}
	s.Vars = append(s.Vars, &plot.Variable{ID: "coins", Kind: plot.Int, Max: 100, Default: plot.IntValue(1)})
	hub.Exits = append(hub.Exits,
		&plot.Exit{ID: "earns", Stay: true, Choice: plain("work"), Effects: []plot.Effect{{Do: source.Cond{Src: "coins += 1"}}}})
	if faults := plot.Compile(s); len(faults) > 0 {
		tb.Fatal(faults)
	}
	return s
}

// BenchmarkMillion searches over a million states. Its figures: states a second,
// and the bytes that a state takes of what stays allocated.
func BenchmarkMillion(b *testing.B) {
	s := generated(b)
	b.ReportAllocs()
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		began := time.Now()
		sp := space.Explore(s, space.Limits{States: 4_000_000})
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		if !sp.Complete() || sp.States < 1_000_000 {
			b.Fatalf("%d states, %v", sp.States, sp.Bounds)
		}
		b.ReportMetric(float64(sp.States), "states")
		b.ReportMetric(float64(sp.States)/took.Seconds(), "states/s")
		b.ReportMetric(float64(sp.Bytes)/float64(sp.States), "B/state")
		b.ReportMetric(float64(after.Sys)/1e6, "MB-from-system")
	}
}

// BenchmarkDemo searches the demo world, lines and prompts included.
func BenchmarkDemo(b *testing.B) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		sp := space.Explore(w.Script, space.Limits{})
		b.ReportMetric(float64(sp.States)/time.Since(began).Seconds(), "states/s")
	}
}
