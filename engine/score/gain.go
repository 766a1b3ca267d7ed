package score

import (
	"context"

	"fabula/engine"
)

// Gains says for each line how much likelier the talk makes it than a neutral
// one does, in nats a token: log p(line | talk) − log p(line | neutral), over
// the line's tokens. What a model thinks of a line by itself, its length and
// its rare words, falls out (domain-conditional PMI, Holtzman et al. 2021,
// arXiv 2104.08315).
type Gains struct {
	Lines    []float64
	Tokens   int // of all lines
	Computed int // tokens run through the model
	Reused   int // tokens found
}

// Gain scores lines after a talk, less the priors that Prior gave.
func Gain(ctx context.Context, s engine.Scorer, talk []engine.Message, lines []string, priors []float64) (Gains, error) {
	g := Gains{}
	scored, err := s.Score(ctx, engine.ScoreRequest{Messages: talk, Texts: lines, End: true})
	if err != nil {
		return g, err
	}
	for i, x := range scored {
		g.Tokens += len(x.Tokens)
		g.Computed += x.Computed
		g.Reused += x.Reused
		g.Lines = append(g.Lines, mean(x)-priors[i])
	}
	return g, nil
}

// Prior gives the mean log-probability a token of each line after a neutral
// talk.
func Prior(ctx context.Context, s engine.Scorer, neutral []engine.Message, lines []string) ([]float64, []engine.Scored, error) {
	scored, err := s.Score(ctx, engine.ScoreRequest{Messages: neutral, Texts: lines, End: true})
	if err != nil {
		return nil, nil, err
	}
	out := make([]float64, len(scored))
	for i, x := range scored {
		out[i] = mean(x)
	}
	return out, scored, nil
}

func mean(s engine.Scored) float64 {
	if len(s.Tokens) == 0 {
		return 0
	}
	return s.Logprob() / float64(len(s.Tokens))
}
