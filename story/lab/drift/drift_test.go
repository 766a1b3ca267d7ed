package drift_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/engine/score"
	"fabula/story/lab/drift"
	"fabula/story/lab/sets"
)

// vocabulary of the fake model: words, and the end of the turn.
var vocabulary = []string{"end", "the", "lamp", "oil", "haha", "lol", "rain", "Haha", " haha", "x"}

// fake is a model of fixed distributions: noise tilts them by place, so that two
// fakes with other noise diverge.
type fake struct {
	noise  float64
	window int // prompts and texts beyond so many words are too long
}

func (f *fake) row(at int, prompt int) []float32 {
	logits := make([]float64, len(vocabulary))
	for i := range logits {
		logits[i] = math.Sin(float64(i*7+at*3+prompt)) + f.noise*math.Cos(float64(i*5+at))
	}
	sum := 0.0
	for _, l := range logits {
		sum += math.Exp(l)
	}
	row := make([]float32, len(logits))
	for i, l := range logits {
		row[i] = float32(l - math.Log(sum))
	}
	return row
}

// Score takes a text apart at blanks; a word of a text that is none of the
// vocabulary is its last.
func (f *fake) Score(_ context.Context, r engine.ScoreRequest) ([]engine.Scored, error) {
	prompt := 0
	for _, m := range r.Messages {
		prompt += len(strings.Fields(strings.Join(m.Parts, " ")))
	}
	if f.window > 0 && prompt > f.window {
		return nil, engine.ErrTooLong
	}
	var out []engine.Scored
	for _, text := range r.Texts {
		s := engine.Scored{Computed: prompt}
		words := strings.Fields(text)
		if r.First > 0 {
			words = []string{text}
		}
		for at, w := range words {
			id := max(slices.Index(vocabulary, w), 1)
			if r.First > 0 {
				id = slices.Index(vocabulary, w)
			}
			if id < 0 {
				id = len(vocabulary) - 1
			}
			row := f.row(at, prompt)
			s.Tokens = append(s.Tokens, token(int32(id), row, r))
		}
		if r.End {
			s.Tokens = append(s.Tokens, token(0, f.row(len(words), prompt), r))
		}
		s.Computed += len(words)
		out = append(out, s)
	}
	return out, nil
}

func token(id int32, row []float32, r engine.ScoreRequest) engine.ScoredToken {
	t := engine.ScoredToken{ID: id, Text: vocabulary[id], Logprob: float64(row[id])}
	order := make([]int32, len(row))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		if row[a] > row[b] {
			return -1
		}
		return 1
	})
	for _, i := range order[:min(r.Top, len(order))] {
		t.Top = append(t.Top, engine.TopToken{ID: i, Text: vocabulary[i], Logprob: row[i]})
	}
	if r.Rows {
		t.Row = row
	}
	return t
}

func samples(personas ...string) []sets.Sample {
	var out []sets.Sample
	for _, p := range personas {
		for i, reply := range []string{"the lamp", "oil", "the rain the oil lamp", "rain rain", "lamp oil the"} {
			out = append(out, sets.Sample{ID: p + string(rune('a'+i)), Persona: p, Language: "en", Node: "hall", Reply: reply,
				Messages: []engine.Message{{Role: engine.System, Parts: []string{"you are " + p}}, {Role: engine.User, Parts: []string{strings.Repeat("w ", i+1)}}}})
		}
	}
	return out
}

func side(name string, f *fake) drift.Engine {
	return drift.Engine{Info: engine.Info{Name: name}, Scorer: f}
}

func measured(t *testing.T, noise float64, o drift.Options) *drift.Report {
	t.Helper()
	r, err := drift.Run(context.Background(), side("a", &fake{}), side("b", &fake{noise: noise}), samples("jin", "ling"), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Ensure that an engine passes against itself, with a floor of nothing, and that
// one which differs is measured, judged, and named with its worst NPC.
func TestRun(t *testing.T) {
	r := measured(t, 0, drift.Options{})
	if !r.Passed || r.Read != 10 || len(r.Rows) != 2 || len(r.Floor) != 2 || r.Rows[0].Mean != 0 || r.Rows[0].SameTop != 1 || r.Rows[0].Differs != -1 {
		t.Errorf("against itself: %+v", r)
	}
	r = measured(t, 0.8, drift.Options{})
	worst := r.Rows[0]
	if r.Passed || worst.Mean < r.Rows[1].Mean || worst.Mean <= 0.01 || worst.Ratio == 1 || worst.Error <= 0 || r.Floor[0].Mean != 0 {
		t.Errorf("a tilted engine: %+v", r)
	}
	if worst.Replies != 5 || worst.Tokens != 13+5 || len(worst.Positions) != 6 || worst.Positions[0].N != 5 || worst.Positions[5].N != 1 {
		t.Errorf("%d replies, %d tokens, %+v", worst.Replies, worst.Tokens, worst.Positions)
	}
	if len(worst.Worst) == 0 || worst.Worst[0].KL < worst.Mean {
		t.Errorf("the places furthest apart: %+v", worst.Worst)
	}
	wide := measured(t, 0.8, drift.Options{Limits: drift.Limits{SameTop: 0.01, Mean: 9, P99: 9, Mass: 9}})
	if !wide.Passed {
		t.Errorf("wide limits are missed: %v", wide.Gates)
	}
}

// Ensure that every figure of a row is that of a computation from whole rows, one
// number at a time.
func TestAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		noise := rapid.Float64Range(0.01, 2).Draw(t, "noise")
		a, b := &fake{}, &fake{noise: noise}
		all := samples("jin")
		r, err := drift.Run(context.Background(), side("a", a), side("b", b), all, drift.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var n, same, kl, logs, atA, atB, within float64
		inside := 0
		for _, s := range all {
			prompt := 0
			for _, m := range s.Messages {
				prompt += len(strings.Fields(strings.Join(m.Parts, " ")))
			}
			words := append(strings.Fields(s.Reply), "end")
			for at, w := range words {
				ra, rb := a.row(at, prompt), b.row(at, prompt)
				id := slices.Index(vocabulary, w)
				n++
				logs += float64(ra[id] - rb[id])
				bestA, bestB := 0, 0
				for i := range ra {
					kl += math.Exp(float64(ra[i])) * (float64(ra[i]) - float64(rb[i]))
					if ra[i] > ra[bestA] {
						bestA = i
					}
					if rb[i] > rb[bestB] {
						bestB = i
					}
				}
				if bestA == bestB {
					same++
				}
				if w == "end" {
					atA += math.Exp(float64(ra[0]))
					atB += math.Exp(float64(rb[0]))
				} else {
					inside++
					within += math.Exp(float64(rb[0]))
				}
			}
		}
		row := r.Rows[0]
		for name, x := range map[string][2]float64{
			"mean KL": {row.Mean, kl / n}, "same top": {row.SameTop, same / n}, "ratio": {row.Ratio, math.Exp(logs / n)},
			"end of A": {row.End.AtA, atA / 5}, "end of B": {row.End.AtB, atB / 5}, "end within": {row.End.WithinB, within / float64(inside)},
		} {
			if math.Abs(x[0]-x[1]) > 1e-5 {
				t.Errorf("%s: %.7f, naively %.7f", name, x[0], x[1])
			}
		}
	})
}

// Ensure that the likeliest tokens and the rest as one give no more than the
// whole, and that a report says which it was.
func TestTop(t *testing.T) {
	whole, few := measured(t, 0.5, drift.Options{}), measured(t, 0.5, drift.Options{Top: 4})
	if !whole.Rows[0].Exact || few.Rows[0].Exact || few.Rows[0].Mean > whole.Rows[0].Mean+1e-9 || few.Rows[0].Mean <= 0 || few.Top != 4 {
		t.Errorf("whole %+v, few %+v", whole.Rows[0].Divergence, few.Rows[0].Divergence)
	}
}

// Ensure that words which an NPC never says are watched, in the mass of both,
// and that a word whose first token is said in replies is not.
func TestMass(t *testing.T) {
	o := drift.Options{Words: []drift.Words{
		{Persona: "jin", Language: "en", Kind: drift.Taboo, List: []string{"haha", "rain"}},
		{Persona: "jin", Language: "en", Kind: drift.Slang, List: []string{"lol"}},
		{Persona: "ling", Language: "zh", Kind: drift.Taboo, List: []string{"haha"}},
	}}
	r := measured(t, 0.8, o)
	for _, row := range r.Rows {
		if row.Persona == "ling" {
			if len(row.Masses) != 0 {
				t.Errorf("words of another language are watched: %+v", row.Masses)
			}
			continue
		}
		if len(row.Masses) != 2 || row.Masses[0].Words < 1 || row.Masses[0].A <= 0 || math.Abs(row.Masses[0].Ratio-row.Masses[0].B/row.Masses[0].A) > 1e-9 {
			t.Errorf("masses: %+v", row.Masses)
		}
	}
}

// Ensure that a limit is shared by the NPCs, that those it leaves out are named
// and do not pass, and that samples beyond a window are named.
func TestLimit(t *testing.T) {
	all := samples("jin", "ling", "qiao")
	r, err := drift.Run(context.Background(), side("a", &fake{}), side("b", &fake{}), all, drift.Options{Limit: 1})
	if err != nil || r.Passed || len(r.Unread) != 2 || len(r.Rows) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = drift.Run(context.Background(), side("a", &fake{}), side("b", &fake{}), all, drift.Options{Limit: 60})
	if err != nil || !r.Passed || len(r.Rows) != 3 || r.Read == len(all) || r.ComputedA > 60 {
		t.Errorf("%d read, %d computed, %v", r.Read, r.ComputedA, err)
	}
	r, err = drift.Run(context.Background(), side("a", &fake{}), side("b", &fake{window: 5}), all, drift.Options{})
	if err != nil || len(r.Left) != 9 || r.Read != 6 {
		t.Errorf("%d left out, %d read, %v", len(r.Left), r.Read, err)
	}
	all[10].Messages[1].Parts = []string{"w w w w w w"} // of the third nothing fits
	r, err = drift.Run(context.Background(), side("a", &fake{}), side("b", &fake{window: 6}), all[:11], drift.Options{})
	if err != nil || r.Passed || len(r.Rows) != 2 || !slices.Equal(r.Unread, []string{"qiao en"}) {
		t.Errorf("an NPC whose samples no window holds: %v, unread %v, %v", r.Passed, r.Unread, err)
	}
	if _, err = drift.Run(context.Background(), side("a", &fake{window: 1}), side("b", &fake{}), all, drift.Options{}); !errors.Is(err, drift.ErrNothing) {
		t.Errorf("a window that holds nothing: %v", err)
	}
}

// Ensure that fewer places than are asked for are no pass, that a gate which was
// missed stays so, and that every step of a pass is told.
func TestLeast(t *testing.T) {
	var steps []drift.Step
	r := measured(t, 0, drift.Options{Least: 19, Step: func(s drift.Step) { steps = append(steps, s) }})
	if r.Passed || r.Verdict != drift.NotEnough || !slices.Equal(r.Few, []drift.Few{{Persona: "jin", Language: "en", Places: 18}, {Persona: "ling", Language: "en", Places: 18}}) {
		t.Errorf("%s, %v", r.Verdict, r.Few)
	}
	if last := steps[len(steps)-1]; len(steps) != 6 || last.NPC != 2 || last.NPCs != 2 || last.Reply != 5 || last.Replies != 5 || last.Places <= 18 || steps[0].Places != 0 {
		t.Errorf("%+v", steps)
	}
	if r = measured(t, 0, drift.Options{Least: 18}); !r.Passed || r.Verdict != drift.Passed || len(r.Few) != 0 {
		t.Errorf("enough: %s, %v", r.Verdict, r.Few)
	}
	if r = measured(t, 0.8, drift.Options{Least: 19}); r.Verdict != drift.Missed {
		t.Errorf("a gate missed on little: %s", r.Verdict)
	}
}

// other is a model with another vocabulary.
type other struct{ fake }

func (o *other) Score(ctx context.Context, r engine.ScoreRequest) ([]engine.Scored, error) {
	out, err := o.fake.Score(ctx, r)
	for i := range out {
		for k := range out[i].Tokens {
			out[i].Tokens[k].ID += 3
		}
	}
	return out, err
}

// Ensure that engines of different vocabularies are refused.
func TestOtherVocabulary(t *testing.T) {
	b := drift.Engine{Info: engine.Info{Name: "b"}, Scorer: &other{}}
	if _, err := drift.Run(context.Background(), side("a", &fake{}), b, samples("jin"), drift.Options{}); !errors.Is(err, score.ErrTexts) {
		t.Errorf("%v", err)
	}
}
