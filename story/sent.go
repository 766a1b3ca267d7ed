package story

import (
	"context"
	"fmt"

	"fabula/engine"
	"fabula/story/prompt"
)

// Sent is the prompt of a stored reply, as it was sent.
type Sent struct {
	Segments []prompt.Segment
	// Marks is what the model's template writes before each segment, and after the
	// last: one more than Segments. Nil where the engine is not here to tell.
	Marks   []string
	Control int // tokens of the marks
}

// Sent reads the prompt of a stored reply. The marks of the template are those
// that the engine of the reply uses now.
func (s *Session) Sent(ctx context.Context, a Alternative) (Sent, error) {
	r := a.Reply
	if r == nil || s.reader == nil {
		return Sent{}, fmt.Errorf("prompt of alternative %s: no engine was asked: %w", a.ID, ErrNothing)
	}
	out := Sent{Control: r.Stats.ControlTokens}
	for _, ref := range r.Segments {
		text, err := s.reader.Blob(ref.Blob)
		if err != nil {
			return Sent{}, err
		}
		out.Segments = append(out.Segments, prompt.Segment{Kind: ref.Kind, Source: ref.Source, Role: ref.Role, Text: text,
			Tokens: ref.Tokens, Because: r.Because[ref.Source]})
	}
	if s.engines == nil {
		return out, nil
	}
	for rung := range s.engines.Rungs(engine.Ask{Persona: a.Speaker, Only: r.Engine.Name}) {
		if counter, ok := rung.Engine.(engine.Counter); ok {
			if c, err := counter.Count(ctx, prompt.Messages(out.Segments)); err == nil && len(c.Marks) == len(out.Segments)+1 {
				out.Marks = c.Marks
			}
		}
		break
	}
	return out, nil
}
