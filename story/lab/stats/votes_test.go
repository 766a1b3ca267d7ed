package stats_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"fabula/story/lab/stats"
)

// near fails if two figures differ by more than tolerance.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The figures are those of scipy.stats.binomtest.
func TestSignTestIsThatOfScipy(t *testing.T) {
	for _, c := range []struct {
		wins, losses int
		p            float64
	}{
		{9, 1, 0.021484375}, {15, 5, 0.04138946533203125}, {27, 13, 0.03847730828420026},
		{30, 20, 0.20263875106454066}, {61, 39, 0.035200200217704855}, {0, 6, 0.03125}, {5, 5, 1}, {0, 0, 1},
	} {
		near(t, "p", stats.SignTest(c.wins, c.losses).P, c.p, 1e-12)
	}
	s := stats.SignTest(9, 1)
	near(t, "mid-p", s.MidP, 12./1024, 1e-12) // (2·(1+10) − 10) ÷ 2¹⁰
}

// The table of QUALITY 3.2, as printed in tables of the sign test.
func TestWinsNeeded(t *testing.T) {
	for n, want := range map[int]int{5: 6, 6: 6, 8: 8, 10: 9, 12: 10, 15: 12, 20: 15, 30: 21, 40: 27, 50: 33, 60: 39, 100: 61} {
		if got := stats.WinsNeeded(n); got != want {
			t.Errorf("of %d votes: %d, want %d", n, got, want)
		}
	}
}

func TestNonInferiorIsThatOfScipy(t *testing.T) {
	for _, c := range []struct {
		wins, losses int
		margin       float64
		want         stats.Standing
		p, worse     float64
	}{
		{80, 75, 0.10, stats.NotWorse, 0.0022444501481603545, 0.9986614105849158},
		{50, 105, 0.10, stats.Worse, 0.9808389081083613, 0.028538411467377393},
		{10, 10, 0.10, stats.Open, 0.24466279668360685, 0.8724787538527833},
		{35, 34, 0.15, stats.NotWorse, 0.005229103030280534, 0.9974645733703577},
		{0, 0, 0.10, stats.Open, 1, 1},
	} {
		got := stats.NonInferior(c.wins, c.losses, c.margin)
		if got.Standing != c.want {
			t.Errorf("%d:%d is %s, want %s", c.wins, c.losses, got.Standing, c.want)
		}
		near(t, "p", got.P, c.p, 1e-10)
		near(t, "p of worse", got.PWorse, c.worse, 1e-10)
	}
}

// The votes for 80 % power are about those of the normal approximation in QUALITY
// 3.2; the exact test takes a few more.
func TestVotesForPower(t *testing.T) {
	for share, want := range map[float64]float64{0.6: 210, 0.65: 97, 0.7: 54, 0.75: 35, 0.8: 23, 0.9: 12} {
		near(t, "votes", float64(stats.VotesFor(share, 0.8)), want, 5+want/20)
	}
	for margin, want := range map[float64]float64{0.15: 69, 0.10: 155, 0.08: 242} {
		near(t, "votes", float64(stats.VotesForMargin(margin, 0.8)), want, 5+want/20)
	}
	if got := stats.VotesFor(0.501, 0.8); got != -1 {
		t.Errorf("a share next to a half takes %d votes", got)
	}
}

func TestRemaining(t *testing.T) {
	for _, c := range []struct {
		wins, losses, planned int
		want                  stats.Way
	}{
		{0, 0, 20, stats.Way{Verdict: stats.Undecided, Least: 6, AtShare: -1}},
		{5, 0, 20, stats.Way{Verdict: stats.Undecided, Least: 1, AtShare: 1}},
		{6, 0, 6, stats.Way{Verdict: stats.First, Least: 1, Final: true}},
		{6, 0, 20, stats.Way{Verdict: stats.First, Least: 1}},
		{15, 0, 20, stats.Way{Verdict: stats.First, Least: 6, Final: true}}, // 15:5 still decides
		{14, 0, 20, stats.Way{Verdict: stats.First, Least: 5}},
		{0, 15, 20, stats.Way{Verdict: stats.Second, Least: 6, Final: true}},
		{10, 10, 20, stats.Way{Verdict: stats.Undecided, Least: 13, AtShare: -1, Final: true}},
	} {
		got := stats.Remaining(c.wins, c.losses, c.planned)
		if got != c.want {
			t.Errorf("%d:%d of %d: %+v, want %+v", c.wins, c.losses, c.planned, got, c.want)
		}
	}
}

// What Remaining says comes true: the least votes change the verdict and fewer do
// not; nothing that may follow overturns a final one.
func TestRemainingComesTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, l := rapid.IntRange(0, 60).Draw(t, "wins"), rapid.IntRange(0, 60).Draw(t, "losses")
		planned := w + l + rapid.IntRange(0, 30).Draw(t, "left")
		now, way := stats.Decision(w, l), stats.Remaining(w, l, planned)
		changed := func(k int) bool { return stats.Decision(w+k, l) != now || stats.Decision(w, l+k) != now }
		if !changed(way.Least) || changed(way.Least-1) {
			t.Fatalf("least %d of %d:%d", way.Least, w, l)
		}
		if way.Final {
			x := rapid.IntRange(0, planned-w-l).Draw(t, "more wins")
			if got := stats.Decision(w+x, l+planned-w-l-x); got != now {
				t.Fatalf("final %s became %s", now, got)
			}
		}
	})
}

// Sides are treated alike, and p is that of gonum's binomial summed by hand.
func TestSignTestIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, l := rapid.IntRange(0, 200).Draw(t, "wins"), rapid.IntRange(0, 200).Draw(t, "losses")
		a, b := stats.SignTest(w, l), stats.SignTest(l, w)
		if a.P != b.P || a.MidP != b.MidP || a.MidP > a.P || a.P < 0 || a.P > 1 {
			t.Fatalf("%+v and %+v", a, b)
		}
		tail := 0.0
		for k := range min(w, l) + 1 {
			tail += distuv.Binomial{N: float64(w + l), P: 0.5}.Prob(float64(k))
		}
		if math.Abs(min(1, 2*tail)-a.P) > 1e-9 {
			t.Fatalf("p %v, by hand %v", a.P, 2*tail)
		}
	})
}

// More wins never turn "not worse" into anything else.
func TestNonInferiorIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "votes")
		w := rapid.IntRange(0, n-1).Draw(t, "wins")
		rank := map[stats.Standing]int{stats.Worse: 0, stats.Open: 1, stats.NotWorse: 2}
		a, b := stats.NonInferior(w, n-w, 0.1), stats.NonInferior(w+1, n-w-1, 0.1)
		if rank[b.Standing] < rank[a.Standing] {
			t.Fatalf("%s, with one more win %s", a.Standing, b.Standing)
		}
	})
}

// statsmodels' proportion_confint(method="wilson") and multipletests(method="holm").
func TestWilsonAndHolmAreThoseOfStatsmodels(t *testing.T) {
	for _, c := range []struct {
		hits, n   int
		low, high float64
	}{
		{6, 10, 0.31267376973365824, 0.8318196702937638}, {60, 100, 0.5020025867910618, 0.6905987135675411},
		{0, 20, 0, 0.1611251580528194}, {3, 40, 0.025836025774588184, 0.1986423352431055},
	} {
		got := stats.Wilson(c.hits, c.n)
		near(t, "low", got.Low, c.low, 1e-6)
		near(t, "high", got.High, c.high, 1e-6)
	}
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		near(t, "Holm", stats.Holm([]float64{0.01, 0.04, 0.03, 0.005})[i], want, 1e-12)
	}
	for i, want := range []float64{0.08, 0.06, 0.9} {
		near(t, "Holm", stats.Holm([]float64{0.04, 0.02, 0.9})[i], want, 1e-12)
	}
}
