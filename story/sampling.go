package story

import (
	"fabula/engine"
	"fabula/personas"
	"fabula/story/plot"
)

// DefaultSampling is what a reply is drawn with where neither options, persona
// nor world say otherwise. The penalty keeps small models out of loops.
func DefaultSampling() engine.Sampling {
	return engine.Sampling{Temperature: 0.7, TopK: 40, TopP: 0.95, MinP: 0.05, RepeatPenalty: 1.15, MaxTokens: 160}
}

// sampling gives the options' knobs, else the persona's over the world's over
// the default.
func sampling(script *plot.Script, p *personas.Persona, o Options) engine.Sampling {
	if o.Sampling != nil {
		return *o.Sampling
	}
	s := DefaultSampling()
	for _, over := range []personas.Sampling{script.Sampling, p.Sampling} {
		set(&s.Temperature, over.Temperature)
		set(&s.TopK, over.TopK)
		set(&s.TopP, over.TopP)
		set(&s.MinP, over.MinP)
		set(&s.RepeatPenalty, over.RepeatPenalty)
		set(&s.MaxTokens, over.MaxTokens)
	}
	return s
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}
