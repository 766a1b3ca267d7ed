package scripted

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"fabula/engine"
)

// liking is a choose line: with every text of within in the prompt, the label of
// the option that holds a text has this share.
type liking struct {
	option string
	share  float64
	within []string
}

// leastShare keeps a label that nothing prefers from being impossible.
const leastShare = 1e-3

// choose reads a choose line.
func (s *script) choose(args []string) error {
	const usage = `choose "option" 0.9 ["in the prompt"…]`
	if err := arity(args, 2, 99, usage); err != nil {
		return err
	}
	share, err := strconv.ParseFloat(args[1], 64)
	if err != nil || share < 0 || share > 1 {
		return fmt.Errorf("expected a share from 0 to 1, got %q; write `%s`", args[1], usage)
	}
	s.likings = append(s.likings, liking{strings.ToLower(args[0]), share, lower(args[2:])})
	return nil
}

func lower(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = strings.ToLower(s)
	}
	return out
}

// Chooser is a scripted engine with choose lines: it owns an opinion, so that
// questions can be put to it as to a model.
type Chooser struct{ *Engine }

// Score gives the texts, which are labels of options that the prompt lists as
// "A: …", one a line, the shares of the first choose line that serves; without
// one all are equally likely. Other texts count as labels of no option.
func (c Chooser) Score(ctx context.Context, r engine.ScoreRequest) ([]engine.Scored, error) {
	var all strings.Builder
	for _, m := range r.Messages {
		all.WriteString(strings.Join(m.Parts, "") + "\n")
	}
	prompt := strings.ToLower(all.String())
	out := make([]engine.Scored, len(r.Texts))
	for i, share := range c.script.shares(prompt, lower(r.Texts)) {
		out[i] = engine.Scored{Computed: len(words(prompt)), Tokens: []engine.ScoredToken{{ID: int32(i), Text: r.Texts[i], Logprob: math.Log(max(share, leastShare))}}}
	}
	return out, ctx.Err()
}

// shares gives what each label gets, of folded texts.
func (s script) shares(prompt string, labels []string) []float64 {
	out := make([]float64, len(labels))
	for i := range out {
		out[i] = 1 / float64(len(labels))
	}
	for _, l := range s.likings {
		if !l.serves(prompt) {
			continue
		}
		for i, label := range labels {
			if l.likes(prompt, label) {
				for k := range out {
					out[k] = (1 - l.share) / float64(max(len(labels)-1, 1))
				}
				out[i] = l.share
				return out
			}
		}
		if l.option == "" { // no opinion
			return out
		}
	}
	return out
}

func (l liking) serves(prompt string) bool {
	for _, text := range l.within {
		if !strings.Contains(prompt, text) {
			return false
		}
	}
	return true
}

// likes reports whether the option of a label is the one.
func (l liking) likes(prompt, label string) bool {
	for line := range strings.Lines(prompt) {
		if option, ok := strings.CutPrefix(strings.TrimSpace(line), label+": "); ok && l.option != "" && strings.Contains(option, l.option) {
			return true
		}
	}
	return false
}
