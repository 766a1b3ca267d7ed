package score

import (
	"context"

	"fabula/engine"
)

// Gains says for each text how much likelier a talk makes it than a neutral one
// does: log p(text | talk) − log p(text | neutral), in nats. It is the pointwise
// mutual information of talk and text: what a model thinks of a text by itself,
// its length and its rare words, falls out (domain-conditional PMI, Holtzman et
// al. 2021, arXiv 2104.08315).
type Gains struct {
	Texts    []float64
	Computed int // tokens run through the model
	Reused   int // tokens of the talk that were found; that all texts share it is not counted
}

// Gain scores texts after a talk and takes off their priors.
func Gain(ctx context.Context, s engine.Scorer, talk []engine.Message, texts []string, priors []float64) (Gains, error) {
	g, err := Prior(ctx, s, talk, texts)
	for i := range g.Texts {
		g.Texts[i] -= priors[i]
	}
	return g, err
}

// Prior gives the log-probability of each text after a neutral talk, in nats.
func Prior(ctx context.Context, s engine.Scorer, neutral []engine.Message, texts []string) (Gains, error) {
	var g Gains
	scored, err := s.Score(ctx, engine.ScoreRequest{Messages: neutral, Texts: texts})
	for i, x := range scored {
		g.Texts = append(g.Texts, x.Logprob())
		g.Computed += x.Computed
		if i == 0 {
			g.Reused = x.Reused
		}
	}
	return g, err
}
