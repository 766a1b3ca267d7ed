package story

import (
	"time"

	"fabula/engine"
)

// TailID marks the token that carries text which was held back and became
// certain at the end of a reply. It was not decoded, so it has no gap.
const TailID int32 = -1

// Decoded counts the tokens that an engine decoded for a reply.
func (r *Reply) Decoded() int {
	n := 0
	for _, t := range r.Tokens {
		if t.ID != TailID {
			n++
		}
	}
	return n
}

// Gaps gives the time between each decoded token and the one before: one less
// than Decoded, none for a reply of one token. A recalled line has none: no
// model decoded it, so it has no speed.
func (r *Reply) Gaps() []time.Duration {
	if r.Engine.Kind == engine.Recall {
		return nil
	}
	return gaps(r.Tokens)
}

func gaps(tokens []engine.Token) []time.Duration {
	var all []time.Duration
	last := time.Duration(-1)
	for _, t := range tokens {
		if t.ID == TailID {
			continue
		}
		if last >= 0 {
			all = append(all, t.At-last)
		}
		last = t.At
	}
	return all
}

// firstToken gives the time to the first decoded token, 0 when there is none.
func firstToken(tokens []engine.Token) time.Duration {
	for _, t := range tokens {
		if t.ID != TailID {
			return t.At
		}
	}
	return 0
}
