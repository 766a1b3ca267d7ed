//go:build tensorrt

package tensorrt

import (
	"fmt"
	"slices"

	"fabula/engine/tensorrt/bridge"
	"fabula/engine/worker"
)

// Decode implements worker.Backend. Runs of a few tokens share steps, which are CUDA
// graphs and read the weights once; longer ones go through the prefill profile. What
// is scored beside the last token of a run goes through steps.
func (m *Model) Decode(runs []worker.Run) ([]worker.Scores, error) {
	d := decoding{m: m}
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

// decoding is one Decode under way: tokens that wait for a step, and scores.
type decoding struct {
	m              *Model
	slots, at, ids []int32
	of             []wanted // for every token that waits
	scores         []worker.Scores
	several        bool // scores, which must outlive the next step
}

// wanted says which score a token is to give, -1 = none, and how many of the best
// logits would do.
type wanted struct{ score, best int }

func (d *decoding) check(r worker.Run) error {
	if len(r.IDs) < 1 || len(r.IDs) > d.m.facts.Chunk || r.Want < 0 || r.Want > len(r.IDs) {
		return fmt.Errorf("decode %d tokens, %d scores: 1 to %d tokens can be, and no more scores", len(r.IDs), r.Want, d.m.facts.Chunk)
	}
	for _, id := range r.IDs {
		if id < 0 || int(id) >= d.m.facts.Vocab {
			return fmt.Errorf("decode: token %d of a vocabulary of %d", id, d.m.facts.Vocab)
		}
	}
	d.scores = append(d.scores, make([]worker.Scores, r.Want)...)
	return nil
}

// run takes one run, whose first score has the number next.
func (d *decoding) run(r worker.Run, next int) error {
	head, most := 0, 1 // head: tokens for the prefill profile
	if d.m.session.Runs() {
		most = d.m.session.Most()
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
	if d.m.aborted.Load() {
		return worker.ErrAborted
	}
	if err := d.flush(); err != nil { // whose results the next call overwrites
		return err
	}
	best, err := d.m.session.Prefill(r.Seq, r.At, r.IDs[:n], w.score >= 0)
	if err != nil || w.score < 0 {
		return err
	}
	return d.score(w, best, 0)
}

// wait puts a token into the next step.
func (d *decoding) wait(slot, at, id int32, w wanted) error {
	n := len(d.slots)
	if n == d.m.session.Most() || n > 0 && !d.m.session.Runs() && slices.Contains(d.slots, slot) {
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
	if d.m.aborted.Load() {
		return worker.ErrAborted
	}
	list, err := d.m.session.Step(d.slots, d.at, d.ids)
	if err != nil {
		return err
	}
	for row, w := range d.of {
		if w.score < 0 {
			continue
		}
		if err := d.score(w, list[row], row); err != nil {
			return err
		}
	}
	d.slots, d.at, d.ids, d.of = d.slots[:0], d.at[:0], d.ids[:0], d.of[:0]
	return nil
}

// score gives the best logits where these do, else all of a row.
func (d *decoding) score(w wanted, b bridge.Best, row int) error {
	if n := len(b.IDs); w.best > 0 && n > 0 && (n >= w.best || n == d.m.facts.Vocab) {
		n = min(n, w.best)
		d.scores[w.score] = worker.Scores{IDs: slices.Clone(b.IDs[:n]), Logits: slices.Clone(b.Logits[:n]), LogSum: b.LogSum}
		return nil
	}
	logits, err := d.m.session.Logits(row)
	if err != nil {
		return err
	}
	if d.several {
		logits = slices.Clone(logits)
	}
	d.scores[w.score].Logits = logits
	return nil
}
