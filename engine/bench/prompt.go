package bench

import (
	"context"
	"fmt"
	"strings"

	"fabula/engine"
)

// words are plain ones that most vocabularies hold whole.
var words = strings.Fields(`the rain fell on the river and the old man lit a lamp by the door while a boat
came down with salt and rope for the market where people sat and told stories of the road over the hills`)

// builder makes prompts of a given size.
type builder struct {
	e       engine.Engine
	tokens  int     // of a reply
	perWord float64 // tokens a word, as far as is known
}

func newBuilder(e engine.Engine, tokens int) *builder {
	return &builder{e: e, tokens: tokens, perWord: 1.1}
}

// asked is a prompt that can be asked again with another last line.
type asked struct{ request engine.Request }

// cold makes a prompt of about size tokens that begins with a number no other
// has, so that nothing of it lies in a cache but what the template begins with.
func (b *builder) cold(ctx context.Context, size, serial int) (asked, error) {
	r := engine.Request{
		Sampling: engine.Sampling{Temperature: 0.8, TopK: 40, TopP: 0.95, MaxTokens: b.tokens},
		Seed:     uint64(serial), Language: "en", Query: "Who lit the lamp?",
	}
	if b.e.Info().Kind == engine.Recall {
		r.Candidates = lines(size, serial)
		return asked{r}, nil
	}
	n, err := b.fit(ctx, size, serial)
	r.Messages = messages(serial, n, r.Query)
	return asked{r}, err
}

// again is the same prompt with another last line.
func (a asked) again() engine.Request {
	r := a.request
	r.Seed += 1 << 32
	r.Query = "Who keeps the boat?"
	if len(r.Messages) > 0 {
		r.Messages = []engine.Message{r.Messages[0], {Role: engine.User, Parts: []string{r.Query}}}
	}
	return r
}

func messages(serial, n int, query string) []engine.Message {
	var b strings.Builder
	fmt.Fprintf(&b, "Tale %d.", serial*7919)
	for i := range n {
		b.WriteByte(' ')
		b.WriteString(words[(serial*13+i)%len(words)])
	}
	b.WriteString(". Go on with the tale, at length.")
	return []engine.Message{{Role: engine.System, Parts: []string{b.String()}}, {Role: engine.User, Parts: []string{query}}}
}

// fit gives how many words make size tokens: exactly where the engine counts,
// else as many as were counted of servers so far.
func (b *builder) fit(ctx context.Context, size, serial int) (int, error) {
	const around = 30 // tokens of what is not filler
	n := max(int(float64(size-around)/b.perWord), 0)
	counter, ok := b.e.(engine.Counter)
	if !ok {
		return n, nil
	}
	for range 6 {
		c, err := counter.Count(ctx, messages(serial, n, "Who lit the lamp?"))
		if err != nil {
			return 0, err
		}
		total := c.Control
		for _, parts := range c.Parts {
			for _, p := range parts {
				total += p
			}
		}
		next := max(n+int(float64(size-total)/b.perWord), 0)
		if n > 0 && total > around {
			b.perWord = max(float64(total-around)/float64(n), 0.1)
		}
		if total <= size && size-total <= max(2, size/100) || next == n {
			return n, nil
		}
		n = next
	}
	return max(n-2, 0), nil
}

// lines are candidates for recall.
func lines(n, serial int) []engine.Candidate {
	all := make([]engine.Candidate, n)
	for i := range all {
		at := serial*31 + i*7
		cue := fmt.Sprintf("Who %s the %s %d?", words[at%len(words)], words[(at*5+3)%len(words)], i)
		all[i] = engine.Candidate{ID: fmt.Sprintf("%d.%d", serial, i), Cue: cue, Text: "Sit by the wall. " + words[at%len(words)] + "."}
	}
	return all
}
