package worker

import (
	"errors"
	"fmt"
	"testing"

	"fabula/engine"
)

// Ensure that want of memory keeps its kind and its sizes on the way through the
// pipe, and that a kill by the kernel is told from a crash and from our own.
func TestMemoryKeepsItsKind(t *testing.T) {
	sent := fmt.Errorf("model x: %w", &engine.Shortage{Need: 3, Free: 2, Detail: "needs 3, 2 free"})
	got := newFailure(sent).err()
	var short *engine.Shortage
	if !errors.As(got, &short) || short.Need != 3 || short.Free != 2 || !errors.Is(got, engine.ErrUnavailable) || got.Error() != sent.Error() {
		t.Errorf("%v, %+v", got, short)
	}
	if got := newFailure(fmt.Errorf("cache: %w", engine.ErrMemory)).err(); !errors.Is(got, engine.ErrMemory) {
		t.Error(got)
	}
	for what, memory := range map[string]bool{"died: signal: killed": true, "died: signal: segmentation fault": false, "made no progress for 60s": false} {
		err := error(&crash{what: what})
		if !errors.Is(err, engine.ErrCrashed) || errors.Is(err, engine.ErrMemory) != memory {
			t.Errorf("%s: crash %v, memory %v", what, errors.Is(err, engine.ErrCrashed), errors.Is(err, engine.ErrMemory))
		}
	}
}
