package grounded

import (
	"context"

	"fabula/engine"
	"fabula/engine/score"
)

// prior names what a model thinks of a cue by itself.
type prior struct{ model, lang, cue string }

// mostPriors bounds what is remembered.
const mostPriors = 1 << 16

// priors gives what the model thinks of cues after a neutral prompt, asking for
// those that are not known.
func (c *Chooser) priors(ctx context.Context, s engine.Scorer, lang string, neutral []engine.Message, cues []string) ([]float64, score.Gains, error) {
	key := prior{lang: lang}
	if e, ok := s.(engine.Engine); ok {
		key.model = e.Info().Name + e.Info().Build.BaseHash
	}
	out := make([]float64, len(cues))
	ask := c.unknown(key, cues, out)
	if len(ask) == 0 {
		return out, score.Gains{}, nil
	}
	texts := make([]string, len(ask))
	for i, at := range ask {
		texts[i] = cues[at]
	}
	g, err := score.Prior(ctx, s, neutral, texts)
	if err != nil {
		return nil, g, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, at := range ask {
		out[at] = g.Texts[i]
		key.cue = texts[i]
		c.known[key] = g.Texts[i]
	}
	return out, g, nil
}

// unknown fills in the priors that are remembered and gives the indices of the
// others.
func (c *Chooser) unknown(key prior, cues []string, out []float64) (ask []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) > mostPriors {
		clear(c.known)
	}
	for i, cue := range cues {
		key.cue = cue
		if p, ok := c.known[key]; ok {
			out[i] = p
		} else {
			ask = append(ask, i)
		}
	}
	return ask
}
