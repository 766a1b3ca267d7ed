package tensorrt_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fabula/engine/tensorrt"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/worker"
)

const (
	cardVocab = 11
	cardBest  = 4 // logits that come back of each row
)

// card keeps sequences as a session does and refuses what a session would. What it
// gives lies in buffers that the next call overwrites.
type card struct {
	most  int
	runs  bool
	odd   bool // rows whose best cannot be told
	slots [][]int32

	queued   [][]int32 // what each token that was queued last saw
	waiting  bool
	steps    int
	best     []bridge.Best
	logits   []float32
	overlaps int // times that something ran beside the card
}

// after are the logits after a sequence: other ones after every other.
func after(ids []int32) []float32 {
	h := uint32(7)
	for _, id := range ids {
		h = h*31 + uint32(id) + 1
	}
	logits := make([]float32, cardVocab)
	for i := range logits {
		h = h*1664525 + 1013904223
		logits[i] = float32(h>>20) / 256
	}
	return logits
}

func (c *card) Most() int  { return c.most }
func (c *card) Runs() bool { return c.runs }

func (c *card) queue(slot, at int, ids []int32) error {
	if at != len(c.slots[slot]) {
		return fmt.Errorf("slot %d holds %d tokens, not %d", slot, len(c.slots[slot]), at)
	}
	c.slots[slot] = append(c.slots[slot], ids...)
	c.queued = append(c.queued, slices.Clone(c.slots[slot]))
	return nil
}

func (c *card) begin() error {
	if c.waiting {
		return errors.New("queued behind what nobody waited for")
	}
	c.queued, c.waiting = nil, true
	c.steps++
	return nil
}

func (c *card) Prefill(slot, at int, ids []int32) error {
	if err := c.begin(); err != nil {
		return err
	}
	return c.queue(slot, at, ids)
}

func (c *card) Step(slots, at, ids []int32) error {
	if err := c.begin(); err != nil {
		return err
	}
	if len(ids) < 1 || len(ids) > c.most || len(ids) != len(slots) || len(ids) != len(at) {
		return fmt.Errorf("%d tokens in a step of at most %d", len(ids), c.most)
	}
	for i, slot := range slots {
		if i > 0 && slices.Contains(slots[:i], slot) && (!c.runs || slots[i-1] != slot) {
			return fmt.Errorf("slot %d twice", slot)
		}
		if err := c.queue(int(slot), int(at[i]), ids[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (c *card) Finish() ([]bridge.Best, error) {
	if !c.waiting || c.overlaps != c.steps {
		return nil, errors.New("nothing was queued, or nothing could run beside it")
	}
	c.waiting = false
	if c.best == nil {
		c.best = make([]bridge.Best, max(c.most, 1))
		for i := range c.best {
			c.best[i] = bridge.Best{IDs: make([]int32, cardBest), Logits: make([]float32, cardBest)}
		}
	}
	list := slices.Clone(c.best[:len(c.queued)])
	for i, ids := range c.queued {
		if c.odd && len(ids)%3 == 0 {
			list[i] = bridge.Best{}
			continue
		}
		want := bestOf(after(ids), cardBest)
		copy(list[i].IDs, want.IDs)
		copy(list[i].Logits, want.Logits)
		list[i].LogSum = want.LogSum
	}
	return list, nil
}

func (c *card) Logits(row int) ([]float32, error) {
	if c.waiting || row >= len(c.queued) {
		return nil, fmt.Errorf("logits of row %d of %d", row, len(c.queued))
	}
	c.logits = append(c.logits[:0], after(c.queued[row])...)
	return c.logits, nil
}

func bestOf(logits []float32, n int) worker.Scores {
	var s worker.Scores
	sum := 0.0
	for id, v := range logits {
		s.IDs = append(s.IDs, int32(id))
		sum += math.Exp(float64(v))
	}
	slices.SortStableFunc(s.IDs, func(a, b int32) int { return int(logits[b]*256) - int(logits[a]*256) })
	s.IDs = s.IDs[:n]
	for _, id := range s.IDs {
		s.Logits = append(s.Logits, logits[id])
	}
	s.LogSum = math.Log(sum)
	return s
}

const cardChunk = 12

// drawn gives a card whose slots hold something, and runs for it.
func drawn(t *rapid.T) (*card, []worker.Run) {
	c := &card{most: rapid.IntRange(1, 6).Draw(t, "most"), runs: rapid.Bool().Draw(t, "runs"), odd: rapid.Bool().Draw(t, "odd"), slots: make([][]int32, 5)}
	token := rapid.Int32Range(0, cardVocab-1)
	for i := range c.slots {
		c.slots[i] = rapid.SliceOfN(token, 0, 9).Draw(t, "held")
	}
	var runs []worker.Run
	for _, seq := range rapid.Permutation([]int{0, 1, 2, 3, 4}).Draw(t, "order")[:rapid.IntRange(1, 5).Draw(t, "count")] {
		ids := rapid.SliceOfN(token, 1, cardChunk).Draw(t, "ids")
		runs = append(runs, worker.Run{
			Seq: seq, At: len(c.slots[seq]), IDs: ids, Want: rapid.IntRange(0, len(ids)).Draw(t, "want"), Best: rapid.IntRange(0, cardBest+2).Draw(t, "best"),
		})
	}
	return c, runs
}

// However runs are packed into steps and prompts, each token sees its own sequence, and
// each score is of the token that it was asked of.
func TestPacking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, runs := drawn(t)
		var want []worker.Scores
		held := make([][]int32, len(c.slots))
		for i, ids := range c.slots {
			held[i] = slices.Clone(ids)
		}
		for _, r := range runs {
			for i, id := range r.IDs {
				held[r.Seq] = append(held[r.Seq], id)
				if i < len(r.IDs)-r.Want {
					continue
				}
				s := worker.Scores{Logits: after(held[r.Seq])}
				if r.Best > 0 && r.Best <= cardBest && !(c.odd && len(held[r.Seq])%3 == 0) {
					s = bestOf(s.Logits, r.Best)
				}
				want = append(want, s)
			}
		}
		got, err := tensorrt.DecodeOn(c, cardChunk, cardVocab, func() bool { return false }, func() { c.overlaps++ }, runs)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(held, c.slots); diff != "" {
			t.Error(diff)
		}
		tokens := 0
		for _, r := range runs {
			tokens += len(r.IDs)
		}
		if c.runs && tokens <= c.most && c.steps != 1 {
			t.Errorf("%d tokens took %d steps of %d", tokens, c.steps, c.most)
		}
	})
}

// A cancel lets what is queued end and queues no more.
func TestPackingStops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, runs := drawn(t)
		stop := rapid.IntRange(0, 3).Draw(t, "stop")
		_, err := tensorrt.DecodeOn(c, cardChunk, cardVocab, func() bool { return c.steps == stop }, func() { c.overlaps++ }, runs)
		if c.waiting || c.steps > stop || (err != nil) != errors.Is(err, worker.ErrAborted) {
			t.Errorf("%d steps after a cancel at %d, %v", c.steps, stop, err)
		}
	})
}

// What no session can do is refused before anything is queued.
func TestPackingRefuses(t *testing.T) {
	for _, r := range []worker.Run{
		{}, {IDs: make([]int32, cardChunk+1)}, {IDs: []int32{1}, Want: 2}, {IDs: []int32{1}, Want: -1}, {IDs: []int32{cardVocab}}, {IDs: []int32{-1}},
	} {
		c := &card{most: 4, slots: make([][]int32, 2)}
		ok := worker.Run{Seq: 1, IDs: []int32{1}, Want: 1}
		if _, err := tensorrt.DecodeOn(c, cardChunk, cardVocab, func() bool { return false }, func() {}, []worker.Run{ok, r}); err == nil || c.steps != 0 {
			t.Errorf("%+v: %v after %d steps", r, err, c.steps)
		}
	}
}
