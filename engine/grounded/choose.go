package grounded

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"fabula/engine"
	"fabula/engine/score"
)

// What was measured with SmolLM2-135M on 50 paraphrases of cues of the demo
// world (BenchmarkChoice): how often the line that is said answers.
const (
	// trust is what a nat of the model counts beside the score of the words;
	// between 0.5 and 2 it makes no difference.
	trust = 0.75
	// doubt is the gain in nats below which a line is taken for no answer: a
	// remark is said instead. Half of what passes answers, a sixth of the rest.
	doubt = 2
	// certain is the share of words in common from which a line is an answer
	// whatever the model thinks.
	certain = 0.8
	// alike is the part of the best odds from which a line is as good, so that
	// another seed may bring another one.
	alike = 0.5
)

// choose has the model say how well each hit's cue puts what the player said,
// and picks one of those that do; the remark if none does. Cues are compared,
// not replies: whether a reply fits is beyond a small model, whether two
// questions mean the same is not.
func (s *stream) choose() (engine.Odds, engine.Prefill, error) {
	gains, err := s.gains()
	if err != nil {
		return engine.Odds{}, engine.Prefill{}, err
	}
	lines := make([]engine.Odd, len(s.hits))
	var weights []float64
	for i, h := range s.hits {
		lines[i] = engine.Odd{ID: h.ID, Text: h.Text, Recall: h.Score, Model: trust * gains.Texts[i]}
		if gains.Texts[i] >= doubt || h.Relevance >= certain {
			weights = append(weights, lines[i].Recall+lines[i].Model)
		}
	}
	if len(weights) == 0 {
		lines = append(lines, engine.Odd{ID: s.remark.ID, Text: s.remark.Text, P: 1, Recall: s.remark.Prior})
	}
	shares, next := score.Softmax(weights), 0
	for i, h := range s.hits {
		if gains.Texts[i] >= doubt || h.Relevance >= certain {
			lines[i].P = shares[next]
			next++
		}
	}
	slices.SortStableFunc(lines, func(a, b engine.Odd) int {
		return cmp.Or(cmp.Compare(b.P, a.P), cmp.Compare(b.Recall+b.Model, a.Recall+a.Model), cmp.Compare(a.ID, b.ID))
	})
	return engine.Odds{Lines: lines, Said: said(lines, s.request)}, engine.Prefill{Computed: gains.Computed, Reused: gains.Reused}, nil
}

// said gives the line that is said: one of the likeliest by the seed, or of
// several replies to the same line the Nth.
func said(lines []engine.Odd, r engine.Request) int {
	if r.Nth > 0 {
		return (r.Nth - 1) % len(lines)
	}
	return draw(lines, r.Seed)
}

// draw picks among the lines that are about as likely as the first, by their
// odds.
func draw(lines []engine.Odd, seed uint64) int {
	sum := 0.0
	n := 0
	for n < len(lines) && lines[n].P >= alike*lines[0].P {
		sum += lines[n].P
		n++
	}
	at := rand.New(rand.NewPCG(seed, 0)).Float64() * sum
	for i := range n {
		if at -= lines[i].P; at < 0 {
			return i
		}
	}
	return 0
}

// gains asks the model. What it thinks of a cue by itself is asked once.
func (s *stream) gains() (score.Gains, error) {
	if len(s.hits) == 0 {
		return score.Gains{}, nil
	}
	cues := make([]string, len(s.hits))
	for i, h := range s.hits {
		cues[i] = cmp.Or(h.Cue, h.Text)
	}
	words := wording(s.request.Language)
	priors, asked, err := s.chooser.priors(s.ctx, s.scorer, s.request.Language, words.prompt(words.neutral), cues)
	if err != nil {
		return asked, err
	}
	g, err := score.Gain(s.ctx, s.scorer, words.prompt(s.request.Query), cues, priors)
	g.Computed += asked.Computed
	g.Reused += asked.Reused
	return g, err
}
