package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"fabula/story/lab/stats"
)

// spread writes a table of pairs out as two lists of labels.
func spread(table [][]int) (a, b []int) {
	for i, row := range table {
		for j, n := range row {
			for range n {
				a, b = append(a, i), append(b, j)
			}
		}
	}
	return a, b
}

// statsmodels.stats.inter_rater.cohens_kappa: κ, its standard error and interval.
func TestKappaIsThatOfStatsmodels(t *testing.T) {
	for _, c := range []struct {
		table            [][]int
		kappa, low, high float64
	}{
		{[][]int{{20, 5}, {10, 15}}, 0.4, 0.151092290476661, 0.6489077095233389},
		{[][]int{{44, 5, 1}, {7, 20, 3}, {9, 5, 6}}, 0.49152542372881347, 0.35015820121748686, 0.6328926462401401},
		{[][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}, 0.49152542372881347, 0.3915637020535469, 0.59148714540408},
	} {
		got := stats.Kappa(spread(c.table))
		near(t, "κ", got.Value, c.kappa, 1e-12)
		near(t, "low", got.Low, c.low, 1e-9)
		near(t, "high", got.High, c.high, 1e-9)
	}
}

func TestKappaWhereNothingCanDiffer(t *testing.T) {
	if k := stats.Kappa([]string{"a", "a"}, []string{"a", "a"}); !math.IsNaN(k.Value) || k.N != 2 {
		t.Errorf("κ of one label is %+v", k)
	}
	if k := stats.Kappa[int](nil, nil); !math.IsNaN(k.Value) {
		t.Errorf("κ of nothing is %+v", k)
	}
}

// The worked example of Krippendorff (2011), section C: four observers, twelve
// units, values missing. He prints 0.743 and 0.815; the further digits are those
// of the Python package krippendorff.
func TestAlphaIsThatOfKrippendorff(t *testing.T) {
	const n = stats.Missing
	observers := [][]int{
		{1, 2, 3, 3, 2, 1, 4, 1, 2, n, n, n},
		{1, 2, 3, 3, 2, 2, 4, 1, 2, 5, n, 3},
		{n, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, n},
		{1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, n},
	}
	units := make([][]int, 12)
	for _, o := range observers {
		for u, v := range o {
			units[u] = append(units[u], v)
		}
	}
	nominal, ordinal := stats.Alpha(units, stats.Nominal, 1), stats.Alpha(units, stats.Ordinal, 1)
	near(t, "nominal", nominal.Value, 0.743421052631579, 1e-12)
	near(t, "ordinal", ordinal.Value, 0.8153875037548814, 1e-12)
	if nominal.N != 11 {
		t.Errorf("%d units are compared, want 11: the last has one rating", nominal.N)
	}
	if !nominal.Holds(nominal.Value) || nominal.High-nominal.Low < 0.1 {
		t.Errorf("interval %+v", nominal.Interval)
	}
}

func TestAlphaOfAgreementAndOfNothing(t *testing.T) {
	same := [][]int{{0, 0}, {1, 1}, {2, 2}}
	near(t, "all agree", stats.Alpha(same, stats.Nominal, 1).Value, 1, 0)
	for _, units := range [][][]int{nil, {{0, stats.Missing}}, {{1, 1}, {1, 1}}} {
		if a := stats.Alpha(units, stats.Nominal, 1); !math.IsNaN(a.Value) {
			t.Errorf("α of %v is %v", units, a.Value)
		}
	}
}

// Neither the order of raters nor that of units matters, and α is never above 1.
func TestAlphaKnowsNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raters := rapid.IntRange(2, 4).Draw(t, "raters")
		units := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(-1, 2), raters, raters), 1, 10).Draw(t, "units")
		turned := make([][]int, 0, len(units))
		for i := range units {
			u := append([]int{}, units[len(units)-1-i]...)
			for a, b := 0, len(u)-1; a < b; a, b = a+1, b-1 {
				u[a], u[b] = u[b], u[a]
			}
			turned = append(turned, u)
		}
		for _, scale := range []stats.Scale{stats.Nominal, stats.Ordinal} {
			a, b := stats.Alpha(units, scale, 1).Value, stats.Alpha(turned, scale, 1).Value
			if a > 1 || math.IsNaN(a) != math.IsNaN(b) || math.Abs(a-b) > 1e-9 {
				t.Fatalf("%v and %v", a, b)
			}
		}
	})
}
