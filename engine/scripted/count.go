package scripted

import (
	"context"

	"fabula/engine"
)

// controlPerMessage is what a chat template usually spends on one message.
const controlPerMessage = 4

// Count counts a word, or a wide character, as one token: a toy, but the same
// on every machine.
func (e *Engine) Count(_ context.Context, messages []engine.Message) (engine.Count, error) {
	c := engine.Count{Parts: make([][]int, len(messages)), Control: controlPerMessage * (len(messages) + 1)}
	for i, m := range messages {
		c.Parts[i] = make([]int, len(m.Parts))
		for j, part := range m.Parts {
			c.Parts[i][j] = len(words(part))
		}
	}
	return c, nil
}

func total(c engine.Count) int {
	n := c.Control
	for _, parts := range c.Parts {
		for _, p := range parts {
			n += p
		}
	}
	return n
}
