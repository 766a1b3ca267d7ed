package story

import (
	"context"
	"errors"
	"fmt"

	"fabula/engine"
	"fabula/story/prompt"
)

// Fixed is what every prompt of a persona begins with, whatever was said: rules,
// the persona, samples and lore without a condition.
type Fixed struct {
	Language string // that it is in
	Segments []prompt.Segment
	Tokens   int    // of the segments
	Counted  string // engine whose tokeniser counted; empty = estimated
	Window   int    // of that engine; 0 = not known
	Reply    int    // tokens kept free for the reply
}

// Fixed gives the fixed part of a persona's prompts in a language. Errors:
// ErrNotFound for a persona that the world does not have; a *prompt.TooLong
// where even the fixed part does not fit.
func (s *Session) Fixed(ctx context.Context, persona, lang string) (Fixed, error) {
	script := s.Script()
	who := script.Persona(persona)
	if who == nil {
		return Fixed{}, fmt.Errorf("persona %s: %w", persona, ErrNotFound)
	}
	st := script.Initial()
	script.Enter(&st, script.Start, lang)
	p := plan{script: script, lang: lang, turn: Turn{Before: st, Speaker: persona, Input: Input{Next: true}}}
	a := asking{persona: who, lang: who.Language(lang), sampling: sampling(script, who, Options{})}
	out := Fixed{Language: a.lang, Reply: a.sampling.MaxTokens}
	var made prompt.Prompt
	err := ErrNoEngine
	for rung := range s.rungs(&a, "") {
		a.rung = rung
		info := rung.Engine.Info()
		out.Window = info.Context
		if made, err = a.assemble(ctx, &p); err == nil && !made.Estimated {
			out.Counted = info.Name
		}
		break
	}
	if errors.Is(err, ErrNoEngine) {
		made, err = prompt.Assemble(prompt.Input{Script: script, State: st, Speaker: who, Language: a.lang})
	}
	if err != nil {
		return out, err
	}
	for _, seg := range made.Segments {
		if seg.Role == engine.System {
			out.Segments = append(out.Segments, seg)
			out.Tokens += seg.Tokens
		}
	}
	return out, nil
}

// PersonaVersion gives ordinal and hash of a persona's present wording; the
// ordinal is 0 in a session without a store.
func (s *Session) PersonaVersion(persona string) Version {
	if v := s.version(persona); v.Hash != "" {
		return v
	}
	if p := s.Script().Persona(persona); p != nil {
		return Version{Hash: p.Hash}
	}
	return Version{}
}
