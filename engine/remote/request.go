package remote

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"fabula/engine"
)

// Limits of the protocol.
const (
	mostStops = 4
	mostTop   = 20
)

// backgroundPriority is what background requests carry: vLLM serves lower ones
// first, and 0 is the default.
const backgroundPriority = 10

// ask makes the body of a request.
func (e *Engine) ask(r engine.Request) (openai.ChatCompletionNewParams, []option.RequestOption) {
	s := r.Sampling
	p := openai.ChatCompletionNewParams{
		Model: e.o.Model, Messages: messages(r.Messages),
		Temperature:   openai.Float(s.Temperature),
		Seed:          openai.Int(int64(r.Seed & math.MaxInt64)),
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
	if s.TopP > 0 && s.TopP < 1 {
		p.TopP = openai.Float(s.TopP)
	}
	if s.MaxTokens > 0 && e.o.Dialect == OpenAI {
		p.MaxCompletionTokens = openai.Int(int64(s.MaxTokens))
	} else if s.MaxTokens > 0 {
		p.MaxTokens = openai.Int(int64(s.MaxTokens))
	}
	if n := min(len(r.Stop), mostStops); n > 0 {
		p.Stop.OfStringArray = r.Stop[:n] // this side watches for all of them
	}
	if r.Top > 0 && !e.mute.Load() {
		p.Logprobs, p.TopLogprobs = openai.Bool(true), openai.Int(int64(min(r.Top, mostTop)))
	}
	if len(s.Bias) > 0 {
		p.LogitBias = bias(s.Bias)
	}
	return p, e.extras(r)
}

func messages(list []engine.Message) []openai.ChatCompletionMessageParamUnion {
	var all []openai.ChatCompletionMessageParamUnion
	for _, m := range list {
		text := strings.ToValidUTF8(strings.Join(m.Parts, ""), "\ufffd")
		switch m.Role {
		case engine.System:
			all = append(all, openai.SystemMessage(text))
		case engine.Assistant:
			all = append(all, openai.AssistantMessage(text))
		default:
			all = append(all, openai.UserMessage(text))
		}
	}
	return all
}

// bias is in the protocol's range: -100 bans, 100 forces.
func bias(of map[int32]float32) map[string]int64 {
	all := make(map[string]int64, len(of))
	for id, b := range of {
		all[strconv.Itoa(int(id))] = int64(math.Round(float64(min(max(b, -100), 100))))
	}
	return all
}

// extras are the fields that only some servers know. What is off is said too:
// servers have defaults of their own.
func (e *Engine) extras(r engine.Request) []option.RequestOption {
	s := r.Sampling
	penalty := cmp.Or(s.RepeatPenalty, 1)
	switch e.o.Dialect {
	case VLLM:
		all := []option.RequestOption{option.WithJSONSet("top_k", cmp.Or(s.TopK, -1)), option.WithJSONSet("min_p", s.MinP),
			option.WithJSONSet("repetition_penalty", penalty)}
		if e.o.Priority && r.Priority != engine.Chat {
			all = append(all, option.WithJSONSet("priority", backgroundPriority))
		}
		return all
	case Llama:
		return []option.RequestOption{option.WithJSONSet("top_k", s.TopK), option.WithJSONSet("min_p", s.MinP),
			option.WithJSONSet("repeat_penalty", penalty), option.WithJSONSet("repeat_last_n", cmp.Or(s.RepeatWindow, 64))}
	}
	return nil
}
