package stats_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fabula/story/lab/stats"
)

// The season of the American League's eastern division in 1987: A. Agresti,
// Categorical Data Analysis (2002), 10.6.2. He prints the strengths over the last
// club: 1.581, 1.436, 1.294, 1.248, 1.108, 0.684; the standard errors are those
// of scipy's maximum with a numeric Hessian.
func TestBradleyTerryOfBaseball(t *testing.T) {
	won := [7][7]int{
		{0, 7, 9, 7, 7, 9, 11}, {6, 0, 7, 5, 11, 9, 9}, {4, 6, 0, 7, 7, 8, 12}, {6, 8, 6, 0, 6, 7, 10},
		{6, 2, 6, 7, 0, 7, 12}, {4, 4, 5, 6, 6, 0, 6}, {2, 4, 1, 3, 1, 7, 0},
	}
	var votes []stats.Pairing
	for i := range won {
		for j := range i {
			votes = append(votes, stats.Pairing{I: i, J: j, WinsI: won[i][j], WinsJ: won[j][i]})
		}
	}
	s, err := stats.BradleyTerry(7, votes)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0} {
		near(t, "strength", s.Log[i]-s.Log[6], want, 0.0011)
	}
	for i, want := range []float64{0.20741948, 0.20415656, 0.20206152, 0.20160375, 0.20091907, 0.20504432, 0.2324623} {
		near(t, "standard error", s.SE[i], want, 1e-6)
	}
	d, in := s.Apart(0, 1)
	near(t, "difference", (in.High-d)/1.959964, 0.3111348972635717, 1e-6)
	if s.Tie != 0 || !in.Holds(0) {
		t.Errorf("tie %v, first two apart by %v", s.Tie, in)
	}
}

// Davidson's likelihood maximised by scipy (BFGS, numeric Hessian).
func TestBradleyTerryWithTies(t *testing.T) {
	s, err := stats.BradleyTerry(3, []stats.Pairing{{0, 1, 12, 7, 3}, {0, 2, 15, 4, 2}, {1, 2, 9, 8, 6}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.64172292, -0.16161056, -0.48011236} {
		near(t, "strength", s.Log[i], want, 1e-6)
	}
	for i, want := range []float64{0.24688525, 0.22683967, 0.23683412} {
		near(t, "standard error", s.SE[i], want, 1e-6)
	}
	near(t, "ν", s.Tie, 0.43209729643049966, 1e-6)
	_, in := s.Apart(0, 1)
	near(t, "standard error of the difference", (in.High-in.Low)/2/1.959964, 0.41076358736368657, 1e-6)
}

func TestBradleyTerryRefuses(t *testing.T) {
	for _, votes := range [][]stats.Pairing{
		nil,
		{{0, 1, 5, 5, 0}},                  // the third was never compared
		{{0, 1, 5, 0, 0}, {1, 2, 2, 2, 0}}, // the first never lost
	} {
		if _, err := stats.BradleyTerry(3, votes); !errors.Is(err, stats.ErrApart) {
			t.Errorf("%v: %v", votes, err)
		}
	}
	for _, votes := range [][]stats.Pairing{
		{{0, 1, 0, 0, 9}}, // nobody ever decided: ν is without end
		{{0, 1, 5, 0, 5}}, // strength and ν grow together
		{{0, 1, 5, 0, 5}, {1, 2, 0, 0, 3}, {0, 2, 2, 0, 1}},
	} {
		if _, err := stats.BradleyTerry(min(len(votes)+1, 3), votes); !errors.Is(err, stats.ErrApart) {
			t.Errorf("%v: %v", votes, err)
		}
	}
	if _, err := stats.BradleyTerry(2, []stats.Pairing{{0, 2, 1, 1, 1}}); !errors.Is(err, stats.ErrCandidates) {
		t.Errorf("an unknown candidate: %v", err)
	}
}

// Strengths solve the likelihood's equations: each candidate wins as often as the
// model expects, ties counting half, and there are as many ties as it expects. Where
// votes are few and one-sided there may be no strengths, but never ones that do not.
func TestBradleyTerryMeetsItsEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "candidates")
		count := rapid.IntRange(rapid.IntRange(0, 1).Draw(t, "least"), 6)
		var votes []stats.Pairing
		for i := range n {
			for j := range i {
				votes = append(votes, stats.Pairing{I: i, J: j, WinsI: count.Draw(t, "wins"), WinsJ: count.Draw(t, "losses"), Ties: count.Draw(t, "ties")})
			}
		}
		s, err := stats.BradleyTerry(n, votes)
		if errors.Is(err, stats.ErrApart) && slices.ContainsFunc(votes, func(v stats.Pairing) bool { return v.WinsI*v.WinsJ == 0 }) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		score, ties := make([]float64, n), 0.0
		for _, v := range votes {
			p, q := math.Exp(s.Log[v.I]), math.Exp(s.Log[v.J])
			tie := s.Tie * math.Sqrt(p*q)
			all := float64(v.WinsI+v.WinsJ+v.Ties) / (p + q + tie)
			score[v.I] += float64(v.WinsI) + float64(v.Ties)/2 - all*(p+tie/2)
			score[v.J] += float64(v.WinsJ) + float64(v.Ties)/2 - all*(q+tie/2)
			ties += float64(v.Ties) - all*tie
		}
		for _, d := range append(score, ties) {
			if math.Abs(d) > 1e-5 {
				t.Fatalf("off by %v of %v", score, votes)
			}
		}
	})
}
