package tensorrt

import (
	"context"
	"fmt"
	"strings"

	"fabula/engine/worker"
)

// Equality tells how far a plan would have written what the CPU engine wrote greedily.
// It is given the true text so far at every token (teacher-forced).
type Equality struct {
	Reference string  `json:"reference"` // what wrote the replies
	Replies   int     `json:"replies"`
	Tokens    int     `json:"tokens"`   // of all replies
	Alone     float64 `json:"alone"`    // share of tokens that the plan chose too, fed one by one
	Together  float64 `json:"together"` // the same, each reply fed as one run
}

// Equal lets the reference continue each prompt by n tokens and counts those that the
// plan would have chosen. Control tokens are written like others: what matters is
// which logit is greatest.
func Equal(ctx context.Context, reference, plan worker.Backend, prompts [][]int32, n int) (*Equality, error) {
	e := &Equality{Reference: reference.Facts().Precision + " on " + reference.Facts().Runtime, Replies: len(prompts)}
	alone, together := 0, 0
	for _, prompt := range prompts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := greedy(reference, prompt, n)
		if err != nil {
			return nil, fmt.Errorf("equality, CPU engine: %w", err)
		}
		chosen, err := forced(plan, prompt, text)
		if err != nil {
			return nil, fmt.Errorf("equality: %w", err)
		}
		alone += same(text, chosen)
		if chosen, err = forcedTogether(plan, prompt, text); err != nil {
			return nil, fmt.Errorf("equality: %w", err)
		}
		together += same(text, chosen)
		e.Tokens += len(text)
	}
	if e.Tokens > 0 {
		e.Alone, e.Together = float64(alone)/float64(e.Tokens), float64(together)/float64(e.Tokens)
	}
	return e, nil
}

// greedy continues a prompt by n tokens.
func greedy(b worker.Backend, prompt []int32, n int) ([]int32, error) {
	b.Truncate(0, 0)
	logits, err := decode(b, 0, prompt)
	var text []int32
	for err == nil {
		text = append(text, int32(best(logits)))
		if len(text) == n {
			return text, nil
		}
		logits, err = decode(b, len(prompt)+len(text)-1, text[len(text)-1:])
	}
	return nil, err
}

// forced gives the tokens that a backend prefers where text is, fed one by one.
func forced(b worker.Backend, prompt, text []int32) ([]int32, error) {
	b.Truncate(0, 0)
	logits, err := decode(b, 0, prompt)
	var chosen []int32
	for i := range text {
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, int32(best(logits)))
		if i+1 < len(text) {
			logits, err = decode(b, len(prompt)+i, text[i:i+1])
		}
	}
	return chosen, nil
}

// forcedTogether gives the same by one run, of which the best logit of each token comes.
func forcedTogether(b worker.Backend, prompt, text []int32) ([]int32, error) {
	b.Truncate(0, 0)
	logits, err := decode(b, 0, prompt)
	if err != nil {
		return nil, err
	}
	chosen := []int32{int32(best(logits))}
	scores, err := b.Decode([]worker.Run{{At: len(prompt), IDs: text[:len(text)-1], Want: len(text) - 1, Best: 1}})
	for _, s := range scores {
		chosen = append(chosen, first(s))
	}
	return chosen, err
}

func same(a, b []int32) int {
	n := 0
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}

// first is the best token of scores.
func first(s worker.Scores) int32 {
	if s.IDs != nil {
		return s.IDs[0]
	}
	return int32(best(s.Logits))
}

// Openings are the beginnings of n tales, a few sentences each.
func Openings(n int) []string {
	sentences := strings.SplitAfter(Prose(4*n), ". ")
	list := make([]string, n)
	for i := range list {
		list[i] = strings.TrimSpace(strings.Join(sentences[min(3*i, len(sentences)-3):][:3], ""))
	}
	return list
}
