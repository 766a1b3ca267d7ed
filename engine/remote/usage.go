package remote

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"

	"fabula/engine"
)

// usage is what a server tells of its own work.
type usage struct {
	known                     bool
	total, cached, completion int
	processing                time.Duration // of the prompt, 0 = not told
}

// mostTokens is more than any figure a sound server gives.
const mostTokens = 1 << 30

// read takes the protocol's usage, and the timings that llama-server adds.
func (u *usage) read(c openai.ChatCompletionChunk) {
	if c.JSON.Usage.Valid() {
		total, cached, done := c.Usage.PromptTokens, c.Usage.PromptTokensDetails.CachedTokens, c.Usage.CompletionTokens
		if within(total, mostTokens) && within(cached, total) && within(done, mostTokens) {
			u.known, u.total, u.cached, u.completion = true, int(total), int(cached), int(done)
		}
	}
	raw := c.JSON.ExtraFields["timings"].Raw()
	var t struct {
		Cached int64   `json:"cache_n"`
		New    int64   `json:"prompt_n"`
		Spent  float64 `json:"prompt_ms"`
	}
	if raw == "" || json.Unmarshal([]byte(raw), &t) != nil || !within(t.Cached, mostTokens) || !within(t.New, mostTokens) {
		return
	}
	if t.New > 0 {
		u.known, u.total, u.cached = true, int(t.New+t.Cached), int(t.Cached)
	}
	if t.Spent > 0 && t.Spent < 1e9 {
		u.processing = time.Duration(t.Spent * float64(time.Millisecond))
	}
}

func within(n, most int64) bool { return n >= 0 && n <= most }

// prompt is the event of the prompt, if its figures are known.
func (u *usage) prompt() (engine.Prefill, bool) {
	return engine.Prefill{Computed: u.total - u.cached, Reused: u.cached}, u.known
}

// stats fills in what the server knows better.
func (u *usage) stats(s *engine.Stats) {
	s.PromptTokens = u.total
	if u.processing > 0 {
		s.Prefill = u.processing
	}
}

// leastLogprob bounds log-probabilities, so that no figure of a server leaves the range
// that files can hold.
const leastLogprob = -1e4

// explain gives the log-probability of a chunk's text, the sum over its
// tokens, and the alternatives where it holds one token.
func explain(probs []openai.ChatCompletionTokenLogprob) (float32, []engine.TopToken) {
	if len(probs) == 0 {
		return 0, nil
	}
	sum := 0.0
	for _, p := range probs {
		sum += p.Logprob
	}
	if len(probs) > 1 {
		return clamp(sum), nil
	}
	var top []engine.TopToken
	for _, t := range probs[0].TopLogprobs {
		if len(top) == mostTop {
			break
		}
		top = append(top, engine.TopToken{ID: -1, Text: strings.ToValidUTF8(t.Token, "\ufffd"), Logprob: clamp(t.Logprob)})
	}
	return clamp(sum), top
}

func clamp(logprob float64) float32 { return float32(min(max(logprob, leastLogprob), 0)) }
