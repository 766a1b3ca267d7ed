package plot_test

import (
	"testing"

	"fabula/personas/source"
)

// What a walk over many states does at each of them.
func BenchmarkStep(b *testing.B) {
	s := ferry(b)
	st := begin(b, s, "landing", "herbs=1")
	b.ReportAllocs()
	for b.Loop() {
		next := st.Clone()
		for _, o := range s.Offers(next, "en") {
			if o.Open {
				s.Take(&next, o.Exit, "choice", "en")
				break
			}
		}
	}
}

func BenchmarkHolds(b *testing.B) {
	s := ferry(b)
	st := begin(b, s, "landing")
	c := source.Cond{Src: "day < 400"}
	b.ReportAllocs()
	for b.Loop() {
		s.Holds(c, st)
	}
}

func BenchmarkPlayerBeats(b *testing.B) {
	s := ferry(b)
	st := begin(b, s, "landing", "herbs=1")
	b.ReportAllocs()
	for b.Loop() {
		next := st.Clone()
		s.PlayerBeats(&next, "Well then. Here are the herbs that you asked for, old man.", "en")
	}
}
