package score

import (
	"math"

	"fabula/engine"
)

// Fit is how well a model foresees a text. Figures of models with different
// vocabularies cannot be compared; per character (Bits) they can.
type Fit struct {
	Tokens     int     `json:"tokens"`     // scored
	NLL        float64 `json:"nll"`        // mean of −log p, nats a token
	Error      float64 `json:"error"`      // standard error of NLL
	Perplexity float64 `json:"perplexity"` // exp(NLL)
	Bits       float64 `json:"bits"`       // a byte of text
}

// Perplexity pools texts that a model has scored. Without a token all figures
// are 0.
func Perplexity(texts ...engine.Scored) Fit {
	var f Fit
	sum, squares, bytes := 0.0, 0.0, 0
	for _, s := range texts {
		for _, t := range s.Tokens {
			f.Tokens++
			sum -= t.Logprob
			squares += t.Logprob * t.Logprob
			bytes += len(t.Text)
		}
	}
	if f.Tokens == 0 {
		return f
	}
	n := float64(f.Tokens)
	f.NLL = sum / n
	f.Perplexity = math.Exp(f.NLL)
	if f.Tokens > 1 {
		f.Error = math.Sqrt(max(squares/n-f.NLL*f.NLL, 0) / (n - 1))
	}
	if bytes > 0 {
		f.Bits = sum / math.Ln2 / float64(bytes)
	}
	return f
}
