package story

import (
	"context"

	"fabula/engine"
)

// Warm has the engine compute what the next prompt on a branch begins with, so
// that the first turn there costs only its own line. It stores nothing, gives way
// to replies, and does nothing where the engine keeps no prompts. It refuses what
// Preview refuses.
func (s *Session) Warm(ctx context.Context, branch ID) error {
	p, path, err := s.nextTurn(branch, "", previewed(Input{}))
	if err != nil {
		return err
	}
	a, err := s.asking(&p, path)
	if err != nil {
		return err
	}
	for rung := range s.rungs(&a, "") {
		warmer, keeps := rung.Engine.(engine.Warmer)
		if !keeps {
			return nil
		}
		a.rung = rung
		made, err := a.assemble(ctx, &p)
		if err != nil {
			return err
		}
		return warmer.Warm(ctx, made.Messages)
	}
	return nil
}
