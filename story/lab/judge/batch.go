package judge

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"fabula/story/golden"
)

// Judgement is what a judge makes of one item.
type Judgement struct {
	Item
	Flaws      []Verdict   `json:"flaws,omitempty"`
	Guess      *Guess      `json:"guess,omitempty"`
	Preference *Preference `json:"preference,omitempty"`
	// Missed says of a control that the judge got it wrong, and how.
	Missed string `json:"missed,omitempty"`
}

// Batch is a set of items that is judged as one.
type Batch struct {
	Items []Item // those under test
	// Labelled are lines with the flaws that people see in them, see Labelled.
	Labelled []Item
	Flaws    []golden.Flaw // that are asked about; nil = all
	// Speakers asks who says each line.
	Speakers bool
	Seed     uint64
}

// Mixed gives the items with the controls among them, in an order by the seed.
func (b Batch) Mixed(controls []Item) []Item {
	all := slices.Concat(b.Items, controls)
	rand.New(rand.NewPCG(b.Seed, 3)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// enoughMissed controls end a batch: it is void by the first, and so many show why.
const enoughMissed = 3

// Run judges a batch, controls among it, and tells of each item; it ends early once
// it is void. tell may end it by an error, which is given back.
func (b Batch) Run(ctx context.Context, j *Judge, tell func(Judgement) error) (Sum, error) {
	if b.Flaws == nil {
		b.Flaws = golden.Flaws()
	}
	sum := newSum()
	for _, i := range b.Mixed(slices.Concat(b.controls(j), b.Labelled)) {
		if err := ctx.Err(); err != nil {
			return sum, err
		}
		one, err := b.judge(ctx, j, i)
		if err != nil {
			return sum, err
		}
		sum.add(one)
		if err := tell(one); err != nil {
			return sum, err
		}
		if len(sum.Missed) >= enoughMissed {
			break // nothing that is still asked could be used
		}
	}
	return sum, nil
}

// controls are those that a batch has a question for.
func (b Batch) controls(j *Judge) []Item {
	asked := func(code string) bool {
		return slices.ContainsFunc(b.Flaws, func(f golden.Flaw) bool { return f.Code == code })
	}
	pairs := slices.ContainsFunc(b.Items, func(i Item) bool { return i.Against != "" })
	return slices.DeleteFunc(Controls(j.script, b.Items, b.Seed), func(i Item) bool {
		switch i.Control {
		case Planted:
			return !asked(i.Expect[0])
		case Twin, Broken:
			return !pairs
		}
		return len(b.Flaws) == 0
	})
}

func (b Batch) judge(ctx context.Context, j *Judge, i Item) (Judgement, error) {
	out := Judgement{Item: i}
	if i.Against != "" {
		p, err := j.Pair(ctx, i)
		out.Preference = &p
		out.Missed = missedPair(i, p)
		return out, err
	}
	for _, f := range b.Flaws {
		if i.Control == Planted && !slices.Contains(i.Expect, f.Code) {
			continue
		}
		v, err := j.Flaw(ctx, i, f)
		if err != nil {
			return out, err
		}
		out.Flaws = append(out.Flaws, v)
	}
	if b.Speakers && i.Control != Planted && i.Control != Label {
		g, err := j.Speaker(ctx, i)
		if err != nil {
			return out, err
		}
		if g.Among > 0 {
			out.Guess = &g
		}
	}
	out.Missed = missedFlaws(i, out.Flaws)
	return out, nil
}

// missedFlaws says what a judge got wrong about a control: the flaw that it did
// not find, or those that it found in a good line.
func missedFlaws(i Item, verdicts []Verdict) string {
	if i.Control == "" || i.Control == Label {
		return ""
	}
	var wrong []string
	for _, v := range verdicts {
		if v.Yes != slices.Contains(i.Expect, v.Code) {
			wrong = append(wrong, v.Code)
		}
	}
	return strings.Join(wrong, ", ")
}

func missedPair(i Item, p Preference) string {
	switch {
	case i.Control == Twin && p.Winner != 0:
		return Twin
	case i.Control == Broken && p.Winner != 1:
		return Broken
	}
	return ""
}
