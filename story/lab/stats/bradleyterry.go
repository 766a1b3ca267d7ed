package stats

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Pairing counts the votes between two candidates, by index.
type Pairing struct {
	I, J               int
	WinsI, WinsJ, Ties int
}

// Strengths are what a Bradley–Terry model makes of votes between three or more.
type Strengths struct {
	Log   []float64 // of each candidate, summing to 0: a difference of ln 2 is two wins to one loss
	SE    []float64 // their standard errors
	Tie   float64   // Davidson's ν: 0 = never a tie; at 2 equals tie in half of all votes
	cov   *mat.SymDense
	Steps int // iterations until nothing moved
}

// ErrApart says that the votes hold no finite strengths: some candidates only
// ever won against, or were never compared with, the rest (L. R. Ford, Solution
// of a ranking problem from binary comparisons, Amer. Math. Monthly 64, 1957), or
// there are ties and too little that holds them back: none of the votes decided,
// or those that did never outnumber the ties along any way round.
var ErrApart = errors.New("candidates are not linked by votes both ways")

// ErrCandidates says that a pairing names no candidate, or one twice.
var ErrCandidates = errors.New("pairing of unknown candidates")

// The end of the iteration: strengths are good to seven digits.
const (
	moved    = 1e-10
	maxSteps = 20000
)

// BradleyTerry fits strengths π and the tie parameter ν to votes between n
// candidates: P(i wins) : P(j wins) : P(tie) = πᵢ : πⱼ : ν√(πᵢπⱼ) (R. R. Davidson,
// On extending the Bradley–Terry model to accommodate ties, JASA 65, 1970), by
// minorisation in the manner of D. R. Hunter, MM algorithms for generalized
// Bradley–Terry models, Ann. Statist. 32 (2004): √(πᵢπⱼ) is bounded by the
// arithmetic mean of its terms at the last point, so that each step has a closed
// form and the likelihood never falls. Standard errors are those of the inverted
// information. The votes' order does not matter; who was paired with whom by
// choice and not by lot does: say it beside the figures.
func BradleyTerry(n int, votes []Pairing) (*Strengths, error) {
	for _, v := range votes {
		if v.I < 0 || v.J < 0 || v.I >= n || v.J >= n || v.I == v.J {
			return nil, ErrCandidates
		}
	}
	if n < 2 || !linked(n, votes) || ties(votes) > 0 && !held(n, votes) {
		return nil, ErrApart
	}
	s := &Strengths{Log: make([]float64, n), Tie: 1}
	if ties(votes) == 0 {
		s.Tie = 0
	}
	for s.Steps = 1; s.Steps < maxSteps; s.Steps++ {
		if s.step(votes) < moved {
			break
		}
	}
	s.errors(votes)
	return s, nil
}

// linked reports whether each candidate can be reached from each other along "did
// not lose against".
func linked(n int, votes []Pairing) bool {
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
		reach[i][i] = true
	}
	for _, v := range votes {
		reach[v.I][v.J] = reach[v.I][v.J] || v.WinsI+v.Ties > 0
		reach[v.J][v.I] = reach[v.J][v.I] || v.WinsJ+v.Ties > 0
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for i := range n {
		for j := range n {
			if !reach[i][j] {
				return false
			}
		}
	}
	return true
}

// held reports whether ν is finite. It is not where some strengths can grow apart
// together with it and make no vote less likely: by 2 or more from each loser to
// its winner, by at most 2 where there was a tie. These constraints have a solution
// unless a way round decides more often than it ties: a negative cycle of R. Bellman,
// On a routing problem, Quart. Appl. Math. 16 (1958), found as by R. W. Floyd, CACM 5
// (1962).
func held(n int, votes []Pairing) bool {
	far := make([][]int, n)
	for i := range far {
		far[i] = slices.Repeat([]int{apart}, n)
		far[i][i] = 0
	}
	step := func(i, j, by int) { far[i][j] = min(far[i][j], by) }
	for _, v := range votes {
		if v.Ties > 0 {
			step(v.I, v.J, 1)
			step(v.J, v.I, 1)
		}
		if v.WinsI > 0 {
			step(v.I, v.J, -1)
		}
		if v.WinsJ > 0 {
			step(v.J, v.I, -1)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if far[i][k] < apart && far[k][j] < apart {
					step(i, j, max(far[i][k]+far[k][j], -apart)) // once round is enough
				}
			}
			if far[i][i] < 0 {
				return true
			}
		}
	}
	return false
}

// apart stands for no way at all.
const apart = 1 << 20

func ties(votes []Pairing) float64 {
	n := 0
	for _, v := range votes {
		n += v.Ties
	}
	return float64(n)
}

// step moves all strengths once, then the tie parameter, and gives the greatest
// move.
func (s *Strengths) step(votes []Pairing) float64 {
	won, pull := make([]float64, len(s.Log)), make([]float64, len(s.Log))
	for _, v := range votes {
		p, q := math.Exp(s.Log[v.I]), math.Exp(s.Log[v.J])
		n := float64(v.WinsI + v.WinsJ + v.Ties)
		d := n / (p + q + s.Tie*math.Sqrt(p*q))
		won[v.I] += float64(v.WinsI) + float64(v.Ties)/2
		won[v.J] += float64(v.WinsJ) + float64(v.Ties)/2
		pull[v.I] += d * (1 + s.Tie/2*math.Sqrt(q/p))
		pull[v.J] += d * (1 + s.Tie/2*math.Sqrt(p/q))
	}
	next, mean := make([]float64, len(s.Log)), 0.0
	for i := range next {
		next[i] = math.Log(won[i] / pull[i])
		mean += next[i] / float64(len(next))
	}
	far := 0.0
	for i := range next {
		next[i] -= mean
		far = max(far, math.Abs(next[i]-s.Log[i]))
	}
	s.Log = next
	return max(far, s.stepTie(votes))
}

func (s *Strengths) stepTie(votes []Pairing) float64 {
	pull := 0.0
	for _, v := range votes {
		p, q := math.Exp(s.Log[v.I]), math.Exp(s.Log[v.J])
		root := math.Sqrt(p * q)
		pull += float64(v.WinsI+v.WinsJ+v.Ties) * root / (p + q + s.Tie*root)
	}
	tie := ties(votes) / pull
	far := math.Abs(tie - s.Tie)
	s.Tie = tie
	return far
}

// errors inverts the information about the strengths and ln ν. Strengths are
// known up to a shift; along it the information is nothing, so that one is added
// there and taken off again.
func (s *Strengths) errors(votes []Pairing) {
	n := len(s.Log)
	size := n
	if s.Tie > 0 {
		size++
	}
	info := mat.NewSymDense(size, nil)
	for _, v := range votes {
		s.inform(info, v)
	}
	shift := 1 / float64(n)
	for i := range n {
		for j := range i + 1 {
			info.SetSym(i, j, info.At(i, j)+shift)
		}
	}
	s.SE, s.cov = make([]float64, n), mat.NewSymDense(size, nil)
	var chol mat.Cholesky
	if !chol.Factorize(info) || chol.InverseTo(s.cov) != nil {
		for i := range s.SE {
			s.SE[i] = math.NaN()
		}
		return
	}
	for i := range n {
		s.SE[i] = math.Sqrt(max(s.cov.At(i, i)-shift, 0))
	}
}

// inform adds what one pairing tells: n times the covariance of the scores of one
// vote, (1,0,0), (0,1,0) and (½,½,1) for i, j and a tie.
func (s *Strengths) inform(info *mat.SymDense, v Pairing) {
	p, q := math.Exp(s.Log[v.I]), math.Exp(s.Log[v.J])
	t := s.Tie * math.Sqrt(p*q)
	n, d := float64(v.WinsI+v.WinsJ+v.Ties), p+q+t
	p, q, t = p/d, q/d, t/d
	at := []int{v.I, v.J, len(s.Log)}
	scores := [][3]float64{{1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 1}}
	mean := [3]float64{p + t/2, q + t/2, t}
	for a := range 3 {
		for b := range a + 1 {
			if at[a] >= info.SymmetricDim() {
				continue
			}
			m := -mean[a] * mean[b]
			for k, w := range [3]float64{p, q, t} {
				m += w * scores[k][a] * scores[k][b]
			}
			info.SetSym(at[a], at[b], info.At(at[a], at[b])+n*m)
		}
	}
}

// Apart gives the difference of two strengths with its 95 % interval: ranks may
// be told apart where it holds no 0.
func (s *Strengths) Apart(i, j int) (difference float64, in Interval) {
	difference = s.Log[i] - s.Log[j]
	half := z95 * math.Sqrt(max(s.cov.At(i, i)+s.cov.At(j, j)-2*s.cov.At(i, j), 0))
	return difference, Interval{difference - half, difference + half}
}
