package compare

import (
	"slices"
	"strings"

	"fabula/story"
)

// threshold is how alike two turns must be to be taken for the same one.
const threshold = 0.35

// pair aligns what follows the shared steps: of all ways to pair turns in
// order, the one that pairs the most alike (Needleman and Wunsch, 1970, with
// no price on a gap).
func (c *Comparison) pair() {
	a, b := profiles(c.A[c.Shared:]), profiles(c.B[c.Shared:])
	score := make([][]float64, len(a)+1)
	for i := range score {
		score[i] = make([]float64, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			score[i][j] = max(score[i+1][j], score[i][j+1], score[i+1][j+1]+a[i].gain(&b[j]))
		}
	}
	i, j := 0, 0
	fromA, fromB := 0, 0 // where the gap began
	for i < len(a) && j < len(b) {
		switch gain := a[i].gain(&b[j]); {
		case gain > 0 && score[i][j] == score[i+1][j+1]+gain:
			c.gap(fromA, i, fromB, j)
			c.Rows = append(c.Rows, c.row(i, j))
			i, j = i+1, j+1
			fromA, fromB = i, j
		case score[i][j] == score[i+1][j]:
			i++
		default:
			j++
		}
	}
	c.gap(fromA, len(a), fromB, len(b))
}

// gap puts turns that are like none beside each other as they come.
func (c *Comparison) gap(a, toA, b, toB int) {
	for ; a < toA || b < toB; a, b = a+1, b+1 {
		switch {
		case a >= toA:
			c.Rows = append(c.Rows, Row{OnlyB, -1, c.Shared + b})
		case b >= toB:
			c.Rows = append(c.Rows, Row{OnlyA, c.Shared + a, -1})
		default:
			c.Rows = append(c.Rows, Row{Apart, c.Shared + a, c.Shared + b})
		}
	}
}

func (c *Comparison) row(i, j int) Row {
	i, j = i+c.Shared, j+c.Shared
	r := Row{Changed, i, j}
	if slices.Equal(Said(c.A[i]), Said(c.B[j])) {
		r.Kind = Equal
	}
	return r
}

// profile is what a turn is known by.
type profile struct {
	turn   story.ID
	did    string // what the player did without words
	node   string
	asked  []string // words of the player, sorted
	answer []string // words of everybody else, sorted
}

func profiles(steps []story.Step) []profile {
	out := make([]profile, len(steps))
	for i, s := range steps {
		in := s.Turn.Input
		p := profile{turn: s.Turn.ID, node: s.Alternative.State.Node, did: strings.Join([]string{in.Choose, in.Jump}, "/"), asked: bag(in.Text)}
		var said strings.Builder
		for _, l := range Said(s) {
			if l.By != Player {
				said.WriteString(l.Text + "\n")
			}
		}
		p.answer = bag(said.String())
		out[i] = p
	}
	return out
}

// bag gives the different words of a text, folded and sorted, blanks and marks
// left out.
func bag(s string) []string {
	all := slices.DeleteFunc(words(strings.ToLower(s)), func(w string) bool { return letters([]string{w}) == 0 })
	slices.Sort(all)
	return slices.Compact(all)
}

// like says how alike two turns are, from 0 to 1. Alternatives of one turn are
// the same turn whatever was answered.
func (p *profile) like(q *profile) float64 {
	if p.turn == q.turn {
		return 1
	}
	asked := 0.0
	if p.did == q.did {
		asked = overlap(p.asked, q.asked)
	}
	score := 0.6*asked + 0.25*overlap(p.answer, q.answer)
	if p.node == q.node {
		score += 0.15
	}
	return score
}

// gain is what pairing two turns is worth; below 0 it is not.
func (p *profile) gain(q *profile) float64 { return p.like(q) - threshold }

// overlap is the Jaccard index of two sorted sets; two empty ones are equal.
func overlap(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch c := strings.Compare(a[i], b[j]); {
		case c == 0:
			both, i, j = both+1, i+1, j+1
		case c < 0:
			i++
		default:
			j++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
