package drift

import (
	"cmp"
	"fmt"
	"slices"

	"fabula/engine"
	"fabula/engine/score"
	"fabula/story/lab/sets"
)

// Row is what was measured of one NPC in one language.
type Row struct {
	Persona  string `json:"persona"`
	Language string `json:"language"`
	Replies  int    `json:"replies"`
	score.Divergence
	// Differs is at which token of a reply, from 0, the engines would first have
	// chosen differently: the median over the replies, and in how many never.
	Differs int `json:"first_differs"`
	Never   int `json:"never_differs"`
	// End is how the end of the turn changed.
	End       End     `json:"end"`
	Positions []Place `json:"positions"`        // by place in the reply
	Masses    []Mass  `json:"masses,omitempty"` // of watched words, by kind
	Worst     []Spot  `json:"worst,omitempty"`  // the places furthest apart
}

// End is the mean probability of ending the turn: where the reply ends, and
// within it, where ending cuts it short. Of A and of B.
type End struct {
	AtA     float64 `json:"at_a"`
	AtB     float64 `json:"at_b"`
	WithinA float64 `json:"within_a"`
	WithinB float64 `json:"within_b"`
}

// Place is one place in the reply, over all replies that are as long.
type Place struct {
	At      int     `json:"at"` // token, from 0
	N       int     `json:"n"`
	Mean    float64 `json:"mean"` // KL
	SameTop float64 `json:"same_top"`
}

// Spot is a place of a reply, for a person to look at.
type Spot struct {
	Sample string  `json:"sample"`
	At     int     `json:"at"`
	Before string  `json:"before"` // the reply up to there, its last characters
	KL     float64 `json:"kl"`
	A      string  `json:"a"` // what each likes best there
	B      string  `json:"b"`
	PA     float64 `json:"p_a"` // of its best
	PB     float64 `json:"p_b"`
}

// spots is how many places are shown of a row.
const spots = 3

// tally gathers what becomes a row.
type tally struct {
	places  []score.Place
	at      []Place // sums; Mean and SameTop are divided at the end
	differs []int   // by reply, −1 = nowhere
	end     End
	ends    int
	within  int
	replies int
	worst   []Spot
	masses  masses
}

func newTally(words []watched) tally { return tally{masses: masses{words: words}} }

// add takes two readings of a sample. The end of the turn counts as a place
// of its own behind the reply.
func (t *tally) add(s sets.Sample, a, b engine.Scored) error {
	textA, endA, ok := split(a)
	textB, endB, _ := split(b)
	if !ok || len(textA.Tokens) != len(textB.Tokens) {
		return fmt.Errorf("sample %s: %w: %d tokens and %d", s.ID, score.ErrTexts, len(a.Tokens), len(b.Tokens))
	}
	places, err := score.Places(textA, textB)
	if err != nil {
		return fmt.Errorf("sample %s: %w", s.ID, err)
	}
	last, err := score.At(endA, endB)
	if err != nil {
		return fmt.Errorf("sample %s: end: %w", s.ID, err)
	}
	places = append(places, last)
	t.replies++
	t.places = append(t.places, places...)
	t.position(places)
	t.ending(textA, textB, endA, endB)
	t.spot(s, places, a, b)
	t.masses.add(s, textA, textB)
	return nil
}

func (t *tally) position(places []score.Place) {
	differs := -1
	for k, p := range places {
		if k == len(t.at) {
			t.at = append(t.at, Place{At: k})
		}
		x := &t.at[k]
		x.N++
		x.Mean += p.KL
		if p.Same {
			x.SameTop++
		} else if differs < 0 {
			differs = k
		}
	}
	t.differs = append(t.differs, differs)
}

func (t *tally) ending(textA, textB engine.Scored, endA, endB engine.ScoredToken) {
	t.ends++
	t.end.AtA += exp(endA.Logprob)
	t.end.AtB += exp(endB.Logprob)
	for k := range textA.Tokens {
		t.within++
		t.end.WithinA += probability(textA.Tokens[k], endA.ID)
		t.end.WithinB += probability(textB.Tokens[k], endA.ID)
	}
}

// spot keeps the places furthest apart, one a reply.
func (t *tally) spot(s sets.Sample, places []score.Place, a, b engine.Scored) {
	far := 0
	for k, p := range places {
		if p.KL > places[far].KL {
			far = k
		}
	}
	x := Spot{Sample: s.ID, At: far, Before: ending(a.Tokens[:far]), KL: places[far].KL}
	x.A, x.PA = best(a.Tokens[far])
	x.B, x.PB = best(b.Tokens[far])
	t.worst = append(t.worst, x)
	slices.SortStableFunc(t.worst, func(a, b Spot) int { return cmp.Compare(b.KL, a.KL) })
	t.worst = t.worst[:min(len(t.worst), spots)]
}

// tail is how much of a reply is shown before a place, in characters.
const tail = 32

func ending(tokens []engine.ScoredToken) string {
	var b []byte
	for _, t := range tokens {
		b = append(b, t.Text...)
	}
	r := []rune(string(b))
	return string(r[max(len(r)-tail, 0):])
}

func best(t engine.ScoredToken) (string, float64) {
	if len(t.Top) == 0 {
		return "", 0
	}
	return t.Top[0].Text, exp(float64(t.Top[0].Logprob))
}

// close makes the row.
func (t *tally) close(g group) Row {
	r := Row{Persona: g.persona, Language: g.language, Replies: t.replies, Divergence: score.Pool(t.places), Worst: t.worst}
	for _, p := range t.at {
		p.Mean /= float64(p.N)
		p.SameTop /= float64(p.N)
		r.Positions = append(r.Positions, p)
	}
	r.Differs, r.Never = middle(t.differs)
	if t.ends > 0 {
		r.End.AtA, r.End.AtB = t.end.AtA/float64(t.ends), t.end.AtB/float64(t.ends)
	}
	if t.within > 0 {
		r.End.WithinA, r.End.WithinB = t.end.WithinA/float64(t.within), t.end.WithinB/float64(t.within)
	}
	r.Masses = t.masses.close()
	return r
}

// middle is the median of where replies differ, those that never do last; −1
// where that is most of them.
func middle(differs []int) (median, never int) {
	var at []int
	for _, d := range differs {
		if d < 0 {
			never++
		} else {
			at = append(at, d)
		}
	}
	slices.Sort(at)
	if half := (len(differs) - 1) / 2; half < len(at) {
		return at[half], never
	}
	return -1, never
}

// worstFirst puts the rows furthest apart first.
func worstFirst(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Mean, a.Mean), cmp.Compare(a.SameTop, b.SameTop))
	})
}
