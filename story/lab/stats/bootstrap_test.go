package stats_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"fabula/story/lab/stats"
)

func twelve() []stats.Pair {
	a, b := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, []float64{2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5}
	var pairs []stats.Pair
	for i := range a {
		pairs = append(pairs, stats.Pair{Prompt: strconv.Itoa(i), A: a[i], B: b[i]})
	}
	return pairs
}

// scipy.stats.bootstrap, percentile, 200,000 rounds: −1.5 to 2.42 for the mean
// difference, 0.686 to 1.743 for the ratio.
func TestBootstrapIsThatOfScipy(t *testing.T) {
	d, r := stats.Difference(twelve(), 1), stats.Ratio(twelve(), 1)
	near(t, "difference", d.Value, 1./3, 1e-12)
	near(t, "low", d.Low, -1.5, 0.15)
	near(t, "high", d.High, 2.4166666666666665, 0.15)
	near(t, "ratio", r.Value, 1.0769230769230769, 1e-12)
	near(t, "low", r.Low, 0.6862745098039216, 0.03)
	near(t, "high", r.High, 1.7428571428571429, 0.06)
}

// Many replies to one prompt are no more evidence than one: the interval is that
// of the prompts.
func TestBootstrapDrawsPrompts(t *testing.T) {
	var many []stats.Pair
	for range 20 {
		many = append(many, twelve()...)
	}
	one, all := stats.Difference(twelve(), 7), stats.Difference(many, 7)
	if all.Prompts != 12 {
		t.Errorf("%d prompts", all.Prompts)
	}
	near(t, "low", all.Low, one.Low, 1e-9)
	near(t, "high", all.High, one.High, 1e-9)
}

// The same pairs and seed give the same figures in any order.
func TestBootstrapKnowsNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pairs []stats.Pair
		for i := range rapid.IntRange(1, 12).Draw(t, "pairs") {
			v := rapid.IntRange(0, 20)
			pairs = append(pairs, stats.Pair{Prompt: strconv.Itoa(i % 5), A: float64(v.Draw(t, "a")), B: float64(v.Draw(t, "b"))})
		}
		seed := rapid.Uint64().Draw(t, "seed")
		turned := slices.Clone(pairs)
		slices.Reverse(turned)
		a, b := stats.Difference(pairs, seed), stats.Difference(turned, seed)
		if a != b || a.Low > a.High {
			t.Fatalf("%+v and %+v", a, b)
		}
	})
}

func TestBootstrapOfNothing(t *testing.T) {
	if e := stats.Difference(nil, 1); !math.IsNaN(e.Value) || !math.IsNaN(e.Low) || e.Prompts != 0 {
		t.Errorf("%+v", e)
	}
	zero := stats.Ratio([]stats.Pair{{Prompt: "a"}}, 1)
	if !math.IsNaN(zero.Value) {
		t.Errorf("nothing over nothing is %v", zero.Value)
	}
}
