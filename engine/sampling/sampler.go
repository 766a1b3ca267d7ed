// Package sampling turns the logits of one step into one token. Every backend
// that yields logits shares it.
//
// Order of operations, each step on what the one before it left:
//
//  1. repetition penalty over the last RepeatWindow accepted tokens, once per
//     distinct token: positive logits are divided by it, others multiplied
//     (Keskar et al. 2019, arXiv:1909.05858, with the usual mend for negative
//     logits, which dividing would favour);
//  2. bias, added; -Inf bans;
//  3. mask: tokens that it does not allow are banned;
//  4. top-k: the k largest logits (Fan et al. 2018, arXiv:1805.04833);
//  5. top-p: the fewest tokens, largest first, whose mass reaches p of what
//     top-k left (Holtzman et al. 2019, arXiv:1904.09751);
//  6. min-p: tokens at least min_p as probable as the likeliest one (Nguyen et
//     al. 2024, arXiv:2407.01082);
//  7. temperature, then one draw.
//
// Steps 4 to 6 see probabilities at temperature 1. They always keep the
// likeliest token. Equal logits rank by the lower id. Temperature 0 takes the
// likeliest token after step 3 and draws nothing.
//
// Log-probabilities, of the chosen token and of the alternatives, are those of
// the model itself: temperature 1, before steps 1 to 7. So they compare between
// engines and settings, and a banned token can still be the top alternative.
//
// The same settings, seed, accepted tokens and logits give the same ids on
// every platform: the exponential is our own and keeps the compiler from fusing
// multiply and add. A reported log-probability may differ in its last bit.
//
// Non-goals: grammars (they can use the mask), beam search, mirostat.
package sampling

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"fabula/engine"
)

// Errors of Next; both are faults of the engine or of the request, not of the
// sampler, and leave it usable.
var (
	// ErrLogits: a logit is NaN or infinite, or there is none.
	ErrLogits = errors.New("logits unusable")
	// ErrNoToken: bias and mask ban every token.
	ErrNoToken = errors.New("no token left to choose from")
)

// maxTop bounds the alternatives reported with a token, as engine.Request.Top.
const maxTop = 20

// defaultWindow is how far the repetition penalty looks back when
// engine.Sampling leaves it open.
const defaultWindow = 64

// Sampler chooses the tokens of one reply. It is not safe for concurrent use.
type Sampler struct {
	set    engine.Sampling
	source *rand.PCG
	exp    exponential
	top    int
	mask   []bool
	bias   []candidate // by token; what is added to its logit
	biased map[int32]float32
	raises bool // a bias or the penalty can make a token likelier
	recent window

	given   []float32   // logits of the last step, untouched; of the whole vocabulary or
	likely  []candidate // the likeliest only, best first
	step    step
	pool    []candidate // a heap, worst on top
	work    []float32   // logits after penalty, bias and mask
	kept    []candidate
	heap    []candidate
	weights []float64
	best    []candidate
	report  []engine.TopToken
}

// step is what Choose did, for Explain.
type step struct {
	id     int32
	raw    float32 // its untouched logit
	peak   float32 // largest of the untouched logits
	logSum float64 // with likely: of the whole vocabulary
	some   bool    // likely holds what was given
	chosen bool
}

// candidate is a token that may still be chosen.
type candidate struct {
	id    int32
	logit float32
}

// before says whether c ranks ahead of o: larger logit first, then lower id.
func (c candidate) before(o candidate) bool {
	return c.logit > o.logit || c.logit == o.logit && c.id < o.id
}

// New makes a sampler. Settings that Check refuses count as off.
//
// The generator is PCG-DXSM of math/rand/v2, its two words being the first two
// outputs of SplitMix64 started at seed; each draw takes the upper 53 bits of
// one output. One draw is made per Next at a temperature above 0.
func New(s engine.Sampling, seed uint64) *Sampler {
	s = sane(s)
	list := biases(s.Bias)
	biased, raises := make(map[int32]float32, len(list)), s.RepeatPenalty < 1
	for _, b := range list {
		biased[b.id] = b.logit
		raises = raises || b.logit > 0
	}
	return &Sampler{
		set:    s,
		source: rand.NewPCG(splitMix(seed, 1), splitMix(seed, 2)),
		exp:    newExponential(),
		bias:   list,
		biased: biased,
		raises: raises,
		recent: newWindow(s),
	}
}

// splitMix gives output n (from 1) of SplitMix64 started at seed (Steele, Lea
// and Flood 2014). It spreads neighbouring seeds apart.
func splitMix(seed, n uint64) uint64 {
	z := seed + n*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Check names the first setting that makes no sense.
func Check(s engine.Sampling) error {
	switch {
	case !(s.Temperature >= 0) || math.IsInf(s.Temperature, 0):
		return fmt.Errorf("sampling: temperature %v is not a number from 0 up", s.Temperature)
	case s.TopK < 0:
		return fmt.Errorf("sampling: top_k %d is negative", s.TopK)
	case !(s.TopP >= 0 && s.TopP <= 1):
		return fmt.Errorf("sampling: top_p %v is not within 0 and 1", s.TopP)
	case !(s.MinP >= 0 && s.MinP <= 1):
		return fmt.Errorf("sampling: min_p %v is not within 0 and 1", s.MinP)
	case !(s.RepeatPenalty >= 0) || math.IsInf(s.RepeatPenalty, 0):
		return fmt.Errorf("sampling: repeat_penalty %v is not a number from 0 up", s.RepeatPenalty)
	case s.RepeatWindow < 0:
		return fmt.Errorf("sampling: repeat_window %d is negative", s.RepeatWindow)
	}
	for id, bias := range s.Bias {
		if bias != bias || bias > math.MaxFloat32 {
			return fmt.Errorf("sampling: bias %v of token %d is not a number or bans everything else", bias, id)
		}
	}
	return nil
}

// sane turns off what Check would refuse.
func sane(s engine.Sampling) engine.Sampling {
	if !(s.Temperature >= 0) || math.IsInf(s.Temperature, 0) {
		s.Temperature = 0
	}
	s.TopK = max(s.TopK, 0)
	if !(s.TopP > 0 && s.TopP < 1) {
		s.TopP = 0
	}
	if !(s.MinP > 0 && s.MinP <= 1) {
		s.MinP = 0
	}
	if !(s.RepeatPenalty > 0) || math.IsInf(s.RepeatPenalty, 0) {
		s.RepeatPenalty = 1
	}
	s.RepeatPenalty = min(max(s.RepeatPenalty, 1e-6), 1e6) // stays finite in float32
	if s.RepeatWindow <= 0 {
		s.RepeatWindow = defaultWindow
	}
	return s
}

// Report asks Next for the n likeliest tokens of each step, 0 to 20; more
// counts as 20.
func (s *Sampler) Report(n int) { s.top = min(max(n, 0), maxTop) }

// Allow restricts the choice to tokens whose entry is true, until the next
// call; ids beyond the end are banned. nil lifts the mask. The slice is read,
// never kept beyond the next Allow.
func (s *Sampler) Allow(mask []bool) { s.mask = mask }

// Accept tells the sampler that a token is now part of the text, chosen or
// given; the repetition penalty looks back over these.
func (s *Sampler) Accept(id int32) { s.recent.push(id) }

// Next chooses a token from the logits of one step, one per id of the
// vocabulary. It returns its id, its log-probability under the model (see the
// package comment) and the tokens asked for by Report, likeliest first, which
// stay valid until the next call; their Text is empty, since a sampler knows no
// words. Next changes neither the logits nor the accepted tokens.
func (s *Sampler) Next(logits []float32) (int32, float32, []engine.TopToken, error) {
	id, err := s.Choose(logits)
	if err != nil {
		return 0, 0, nil, err
	}
	lp, top := s.Explain()
	return id, lp, top, nil
}

// Choose is the half of Next that a reply waits for: it returns the id alone
// and keeps a copy of the logits for Explain. Where few of the largest logits
// decide (Needs), it looks for these and computes no exponential of the others.
func (s *Sampler) Choose(logits []float32) (int32, error) {
	s.step = step{}
	if n := s.Needs(); n > 0 && n <= len(logits)/4 {
		return s.chooseFew(logits, n)
	}
	peak, err := peakOf(logits)
	if err != nil {
		return 0, err
	}
	s.work = append(s.work[:0], logits...)
	best, err := s.adjust(peak)
	if err != nil {
		return 0, err
	}
	id := best.id
	if s.set.Temperature > 0 {
		id = s.draw(best.logit)
	}
	s.given = append(s.given[:0], logits...)
	s.step = step{id: id, raw: logits[id], peak: peak.logit, chosen: true}
	return id, nil
}

// Explain is the other half of Next, for the token that was chosen last; zero
// when there is none. It may run beside Accept, and beside a decode that
// overwrites the logits, but not beside Choose.
func (s *Sampler) Explain() (float32, []engine.TopToken) {
	switch {
	case !s.step.chosen:
		return 0, nil
	case s.step.some:
		return logprob(s.step.raw, s.step.logSum), s.reported(s.likely, s.step.logSum)
	}
	logZ := s.logNormaliser(s.given, s.step.peak)
	return logprob(s.step.raw, logZ), s.alternatives(s.given, logZ)
}

// peakOf finds the largest logit and refuses any that is not finite.
func peakOf(logits []float32) (candidate, error) {
	if len(logits) == 0 {
		return candidate{}, fmt.Errorf("%w: none given", ErrLogits)
	}
	peak := candidate{0, logits[0]}
	for i, x := range logits {
		if math.Float32bits(x)&0x7f800000 == 0x7f800000 {
			return candidate{}, fmt.Errorf("%w: token %d has %v", ErrLogits, i, x)
		}
		if x > peak.logit {
			peak = candidate{int32(i), x}
		}
	}
	return peak, nil
}

func logprob(logit float32, logZ float64) float32 {
	return float32(min(float64(logit)-logZ, 0))
}
