package tensorrt

import (
	"fmt"
	"slices"

	"fabula/engine/tensorrt/bridge"
	"fabula/engine/worker"
)

// stepper is what decoding needs of a bridge.Session. Prefill and Step are queued;
// Finish waits for the last one, and whatever comes next overwrites what it gave.
type stepper interface {
	Most() int  // tokens of a step
	Runs() bool // a step takes several tokens of one sequence
	Prefill(slot, at int, ids []int32) error
	Step(slots, at, ids []int32) error
	Finish() ([]bridge.Best, error)
	Logits(row int) ([]float32, error)
}

// decoding is one Decode under way: tokens that wait for a step, and scores. Runs of a
// few tokens share steps, which are CUDA graphs and read the weights once; longer ones
// go through the prefill profile. What is scored beside the last token of a run goes
// through steps.
type decoding struct {
	card         stepper
	chunk, vocab int
	aborted      func() bool
	meanwhile    func() // called each time that work was queued, before it is waited for

	slots, at, ids []int32
	of             []wanted // for every token that waits
	scores         []worker.Scores
	several        bool // scores, which must outlive the next step
}

// wanted says which score a token is to give, -1 = none, and how many of the best
// logits would do.
type wanted struct{ score, best int }

// all decodes runs.
func (d *decoding) all(runs []worker.Run) ([]worker.Scores, error) {
	for _, r := range runs {
		if err := d.check(r); err != nil {
			return nil, err
		}
	}
	d.several = len(d.scores) > 1
	next := 0
	for _, r := range runs {
		if err := d.run(r, next); err != nil {
			return nil, err
		}
		next += r.Want
	}
	return d.scores, d.flush()
}

func (d *decoding) check(r worker.Run) error {
	if len(r.IDs) < 1 || len(r.IDs) > d.chunk || r.Want < 0 || r.Want > len(r.IDs) {
		return fmt.Errorf("decode %d tokens, %d scores: 1 to %d tokens can be, and no more scores", len(r.IDs), r.Want, d.chunk)
	}
	for _, id := range r.IDs {
		if id < 0 || int(id) >= d.vocab {
			return fmt.Errorf("decode: token %d of a vocabulary of %d", id, d.vocab)
		}
	}
	d.scores = append(d.scores, make([]worker.Scores, r.Want)...)
	return nil
}

// run takes one run, whose first score has the number next.
func (d *decoding) run(r worker.Run, next int) error {
	head, most := 0, 1 // head: tokens for the prefill profile
	if d.card.Runs() {
		most = d.card.Most()
	}
	if rest := max(r.Want-1, 0); len(r.IDs)-rest > most {
		head = len(r.IDs) - rest
		w := wanted{-1, r.Best}
		if r.Want > 0 {
			w.score = next
		}
		if err := d.prefill(r, head, w); err != nil {
			return err
		}
	}
	for i := head; i < len(r.IDs); i++ {
		w := wanted{i - len(r.IDs) + r.Want, r.Best}
		if w.score >= 0 {
			w.score += next
		}
		if err := d.wait(int32(r.Seq), int32(r.At+i), r.IDs[i], w); err != nil {
			return err
		}
	}
	return nil
}

// prefill appends the first n tokens of a run at once.
func (d *decoding) prefill(r worker.Run, n int, w wanted) error {
	if err := d.flush(); err != nil { // whose results the next call overwrites
		return err
	}
	if d.aborted() {
		return worker.ErrAborted
	}
	if err := d.card.Prefill(r.Seq, r.At, r.IDs[:n]); err != nil {
		return err
	}
	return d.finish([]wanted{w})
}

// wait puts a token into the next step.
func (d *decoding) wait(slot, at, id int32, w wanted) error {
	n := len(d.slots)
	if n == d.card.Most() || n > 0 && !d.card.Runs() && slices.Contains(d.slots, slot) {
		if err := d.flush(); err != nil {
			return err
		}
	}
	d.slots, d.at, d.ids, d.of = append(d.slots, slot), append(d.at, at), append(d.ids, id), append(d.of, w)
	return nil
}

// flush runs the step of the tokens that wait.
func (d *decoding) flush() error {
	if len(d.slots) == 0 {
		return nil
	}
	if d.aborted() {
		return worker.ErrAborted
	}
	if err := d.card.Step(d.slots, d.at, d.ids); err != nil {
		return err
	}
	of := d.of
	d.slots, d.at, d.ids, d.of = d.slots[:0], d.at[:0], d.ids[:0], d.of[:0]
	return d.finish(of)
}

// finish waits for what is queued and takes the scores that its rows are to give. A
// prompt of which none is wanted is waited for as well, so that a cancel is never late.
func (d *decoding) finish(of []wanted) error {
	d.meanwhile()
	list, err := d.card.Finish()
	if err != nil {
		return err
	}
	for row, w := range of {
		if w.score < 0 {
			continue
		}
		if err := d.score(w, list[row], row); err != nil {
			return err
		}
	}
	return nil
}

// score gives the best logits where these do, else all of a row.
func (d *decoding) score(w wanted, b bridge.Best, row int) error {
	if n := len(b.IDs); w.best > 0 && n > 0 && (n >= w.best || n == d.vocab) {
		n = min(n, w.best)
		d.scores[w.score] = worker.Scores{IDs: slices.Clone(b.IDs[:n]), Logits: slices.Clone(b.Logits[:n]), LogSum: b.LogSum}
		return nil
	}
	logits, err := d.card.Logits(row)
	if err != nil {
		return err
	}
	if d.several {
		logits = slices.Clone(logits)
	}
	d.scores[w.score].Logits = logits
	return nil
}
