package worker_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fabula/engine/worker"
)

// Pieces that were split are not split again while they are in use, are forgotten in
// the end, and never mixed up with control text or errors.
func TestPieces(t *testing.T) {
	calls := 0
	of := worker.Pieces(func(text string, control bool) ([]int32, error) {
		calls++
		if text == "bad" {
			return nil, errors.New("bad")
		}
		ids := []int32{int32(len(text))}
		if control {
			ids[0] = -1
		}
		return ids, nil
	})
	want := func(text string, control bool, id int32, splits int) {
		t.Helper()
		before := calls
		ids, err := of(text, control)
		if err != nil || !slices.Equal(ids, []int32{id}) || calls-before != splits {
			t.Errorf("%.10q: %v, %v after %d splits, not %d", text, ids, err, calls-before, splits)
		}
	}
	want("<|im_start|>", false, 12, 1)
	want("<|im_start|>", true, -1, 1)
	want("<|im_start|>", false, 12, 0)
	want("<|im_start|>", true, -1, 0)
	for range 2 {
		if _, err := of("bad", false); err == nil {
			t.Error("an error was forgotten")
		}
	}
	for i := range 40 { // each a quarter of a generation
		want(strings.Repeat(string(rune('a'+i)), 1<<18-100), false, int32(len(string(rune('a'+i)))*(1<<18-100)), 1)
		want("<|im_start|>", true, -1, 0)
	}
	want("<|im_start|>", false, 12, 1)
}
