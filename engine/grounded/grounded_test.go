package grounded_test

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/grounded"
)

// judge is a model that thinks what its table says: how likely a text is after
// a sentence, in nats; anything else has −10.
type judge struct {
	engine.Engine
	after map[[2]string]float64
	asked int
	err   error
	slow  bool
}

func (j *judge) Info() engine.Info { return engine.Info{Kind: engine.GGUF, Name: "judge"} }

func (j *judge) Score(ctx context.Context, r engine.ScoreRequest) ([]engine.Scored, error) {
	if j.slow {
		<-ctx.Done()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	said := r.Messages[len(r.Messages)-1].Parts[0]
	var out []engine.Scored
	for _, text := range r.Texts {
		p, ok := j.after[[2]string{said, text}]
		if !ok {
			p = -10
		}
		j.asked++
		out = append(out, engine.Scored{Tokens: []engine.ScoredToken{{Text: text, Logprob: p}}, Computed: 3, Reused: 40})
	}
	return out, j.err
}

func lines() []engine.Candidate {
	return []engine.Candidate{
		{ID: "son", Cue: "What happened to your son?", Text: "Didn't come back."},
		{ID: "cook", Cue: "What happened to your cook?", Text: "She talks."},
		{ID: "roof", Cue: "What happened to your roof?", Text: "It leaks."},
		{ID: "hm", Text: "Hm."},
	}
}

func play(t *testing.T, j *judge, c *grounded.Chooser, r engine.Request) (string, *engine.Odds, engine.Done) {
	t.Helper()
	e, ok := c.On(j)
	if !ok {
		t.Fatal("a scorer cannot choose")
	}
	s, err := e.Generate(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	var odds *engine.Odds
	for {
		ev, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		switch ev := ev.(type) {
		case engine.Odds:
			odds = &ev
		case engine.Token:
			if odds == nil || ev.ID != engine.TailID {
				t.Errorf("token %+v, odds %v", ev, odds)
			}
			text.WriteString(ev.Text)
		case engine.Done:
			if _, err := s.Next(); err != io.EOF {
				t.Errorf("after Done: %v", err)
			}
			return text.String(), odds, ev
		}
	}
}

// Ensure that the model decides between lines that words cannot tell apart,
// that a remark is said where it thinks none answers, and that words alone
// decide where they are the same.
func TestChoice(t *testing.T) {
	tests := map[string]struct {
		query string
		after map[[2]string]float64
		want  string
	}{
		"the model's":       {"What happened to your boy?", map[[2]string]float64{{"What happened to your boy?", "What happened to your son?"}: -4}, "son"},
		"none":              {"What happened to your boy?", map[[2]string]float64{{"What happened to your boy?", "What happened to your son?"}: -9}, "hm"},
		"nothing in common": {"Dragons!", nil, "hm"},
		"the same words":    {"What happened to your roof?", nil, "roof"},
		"likely anyway": {"What happened to your boy?", map[[2]string]float64{
			{"What happened to your boy?", "What happened to your son?"}: -4, {"...", "What happened to your son?"}: -4,
			{"What happened to your boy?", "What happened to your cook?"}: -6}, "cook"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			text, odds, done := play(t, &judge{after: tc.after}, grounded.New(), engine.Request{Query: tc.query, Candidates: lines(), Language: "en"})
			said := odds.Lines[odds.Said]
			if said.ID != tc.want || said.Text != text || done.Reason != engine.Stop || done.Stats.Tokens != 0 {
				t.Errorf("said %s %q, done %+v, odds %+v", said.ID, text, done, odds.Lines)
			}
			sum := 0.0
			for _, o := range odds.Lines {
				sum += o.P
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("the odds sum to %g", sum)
			}
		})
	}
}

// Ensure that a seed gives one line, that seeds divide equals, and that what the
// model thinks of a cue by itself is asked once.
func TestSeedAndPriors(t *testing.T) {
	twins := []engine.Candidate{{ID: "a", Cue: "Any news?", Text: "None."}, {ID: "b", Cue: "Any news?", Text: "Rain."}, {ID: "c", Text: "Hm."}}
	j, c := &judge{}, grounded.New()
	said := map[string]int{}
	for seed := range uint64(40) {
		r := engine.Request{Query: "Any news?", Candidates: twins, Seed: seed}
		first, _, _ := play(t, j, c, r)
		if again, _, _ := play(t, j, c, r); again != first {
			t.Errorf("seed %d: %q, then %q", seed, first, again)
		}
		said[first]++
	}
	if said["None."] < 8 || said["Rain."] < 8 || len(said) != 2 {
		t.Errorf("over seeds: %v", said)
	}
	if want := 80*2 + 2; j.asked != want {
		t.Errorf("%d texts were scored, want %d: 2 a choice and the priors once", j.asked, want)
	}
}

// Ensure that nothing is hidden: a failing model is a fault before any text, a
// stopped one ends as cancelled, and without lines nothing starts.
func TestFailures(t *testing.T) {
	r := engine.Request{Query: "What happened to you?", Candidates: lines(), Language: "en"}
	broken := errors.New("broken")
	if text, odds, done := play(t, &judge{err: broken}, grounded.New(), r); text != "" || odds != nil || done.Reason != engine.Fault || !errors.Is(done.Err, broken) {
		t.Errorf("got %q, %v, %+v", text, odds, done)
	}
	e, _ := grounded.New().On(&judge{slow: true})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	s, err := e.Generate(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	if ev, _ := s.Next(); ev.(engine.Done).Reason != engine.Cancelled {
		t.Errorf("got %+v", ev)
	}
	if _, err := e.Generate(context.Background(), engine.Request{Query: "hi", Language: "zh"}); !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "style_samples") {
		t.Errorf("without lines: %v", err)
	}
	begun := r
	begun.Begin = []int32{1}
	if _, err := e.Generate(context.Background(), begun); !errors.Is(err, engine.ErrUnsupported) {
		t.Errorf("begun: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// loading is a judge that still loads.
type loading struct{ judge }

func (*loading) Ready(context.Context) error { return engine.ErrMemory }

// Ensure that who waits for the model can wait through the chooser.
func TestReadyIsTheModels(t *testing.T) {
	for want, e := range map[error]engine.Engine{nil: &judge{}, engine.ErrMemory: &loading{}} {
		g, ok := grounded.New().On(e)
		if !ok {
			t.Fatal("it cannot choose")
		}
		if err := g.(interface{ Ready(context.Context) error }).Ready(t.Context()); err != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// Ensure that several replies to one line are the lines in the order of their
// odds, each another one as long as there are any.
func TestSeveralDiffer(t *testing.T) {
	c := grounded.New()
	ask := "Tell me what happened to your son."
	seen := map[string]int{}
	for nth := 1; nth <= 3; nth++ {
		text, odds, _ := play(t, &judge{}, c, engine.Request{Query: ask, Candidates: lines(), Language: "en", Nth: nth, Seed: 7})
		seen[text]++
		if odds.Said != (nth-1)%len(odds.Lines) || odds.Lines[odds.Said].Text != text {
			t.Errorf("reply %d says %q, line %d of %+v", nth, text, odds.Said, odds.Lines)
		}
	}
	if len(seen) != 3 {
		t.Errorf("three replies say %v", seen)
	}
}
