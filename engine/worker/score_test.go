package worker_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/worker"
)

func asks(text string) []engine.Message {
	return []engine.Message{{Role: engine.User, Parts: []string{text}}}
}

// Ensure that each text is scored as the fake would say it: a foreseen byte has
// probability e³⁰/(e³⁰+257), any other the rest's share.
func TestScore(t *testing.T) {
	c := start(t, "")
	got, err := c.Score(context.Background(), engine.ScoreRequest{
		Messages: asks("say:lamp"), Texts: []string{"lamp", "lama", "", "x"}, End: true, Top: 2, Rows: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	sure := -math.Log1p(257 * math.Exp(-30))
	never := sure - 30
	want := [][]float64{{sure, sure, sure, sure, sure}, {sure, sure, sure, never, sure}, {never}, {never, never}}
	for i, w := range want {
		if len(got[i].Tokens) != len(w) {
			t.Fatalf("text %d has %d tokens, want %d", i, len(got[i].Tokens), len(w))
		}
		for k, tok := range got[i].Tokens {
			if math.Abs(tok.Logprob-w[k]) > 1e-5 {
				t.Errorf("text %d, token %d %q: %g, want %g", i, k, tok.Text, tok.Logprob, w[k])
			}
			if len(tok.Row) != vocab || float64(tok.Row[tok.ID]) != tok.Logprob {
				t.Errorf("text %d, token %d: a row of %d that does not hold %g", i, k, len(tok.Row), tok.Logprob)
			}
			if len(tok.Top) != 2 || tok.Top[0].Logprob < tok.Top[1].Logprob || w[k] == sure && tok.Top[0].ID != tok.ID {
				t.Errorf("text %d, token %d: top %v", i, k, tok.Top)
			}
		}
	}
	if last := got[0].Tokens[4]; last.ID != shut || last.Text != "" {
		t.Errorf("the end is scored as %+v", last)
	}
}

// Ensure that what texts share is computed once, that a chat finds its prompt
// after them, and that scoring finds the chat's.
func TestScoreReuses(t *testing.T) {
	c := start(t, "")
	messages := asks("say:lamp and wire")
	texts := []string{"lamp", "wire"}
	first, err := c.Score(context.Background(), engine.ScoreRequest{Messages: messages, Texts: texts})
	if err != nil {
		t.Fatal(err)
	}
	prompt := first[0].Computed - 3 // what follows the last byte is not asked for
	if first[0].Reused != 0 || first[1].Computed != 3 || first[1].Reused != prompt {
		t.Errorf("computed %d and %d, reused %d and %d of a prompt of %d", first[0].Computed, first[1].Computed, first[0].Reused, first[1].Reused, prompt)
	}
	got := generate(t, c, engine.Request{Messages: messages})
	if got.prefill.Computed != 1 || got.prefill.Reused != prompt-1 {
		t.Errorf("the reply after it: %+v of a prompt of %d", got.prefill, prompt)
	}
	again, err := c.Score(context.Background(), engine.ScoreRequest{Messages: messages, Texts: texts[:1]})
	if err != nil || again[0].Reused != prompt-1 || again[0].Computed != 1+3 {
		t.Errorf("scored after the reply: %d computed, %d reused, %v", again[0].Computed, again[0].Reused, err)
	}
}

// Ensure that a text by itself is scored but for its first token, that a model
// that cannot be wound back scores too, and that requests without texts or
// beyond the limits cost nothing.
func TestScoreAlone(t *testing.T) {
	for _, query := range []string{"", "rewind=no"} {
		c := start(t, query)
		got, err := c.Score(context.Background(), engine.ScoreRequest{Texts: []string{"abc", "a", "", "abcd"}})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []struct{ tokens, skipped int }{{2, 1}, {0, 1}, {0, 0}, {3, 1}} {
			if len(got[i].Tokens) != want.tokens || got[i].Skipped != want.skipped {
				t.Errorf("text %d: %d tokens, %d skipped, want %+v", i, len(got[i].Tokens), got[i].Skipped, want)
			}
		}
		two, err := c.Score(context.Background(), engine.ScoreRequest{Messages: asks("say:ab"), Texts: []string{"ab", "ab"}})
		if err != nil || two[0].Logprob() != two[1].Logprob() {
			t.Errorf("the same text twice: %g and %g, %v", two[0].Logprob(), two[1].Logprob(), err)
		}
	}
	c := start(t, "")
	if got, err := c.Score(context.Background(), engine.ScoreRequest{}); got != nil || err != nil {
		t.Errorf("no texts: %v, %v", got, err)
	}
	if _, err := c.Score(context.Background(), engine.ScoreRequest{Texts: []string{"a"}, Top: engine.MostScored + 1}); err == nil {
		t.Error("more alternatives than can be were taken")
	}
	var long *worker.TooLong
	_, err := c.Score(context.Background(), engine.ScoreRequest{Messages: asks("x"), Texts: []string{strings.Repeat("a", 3000)}})
	if !errors.As(err, &long) || long.Window != 2048 || long.Reply != 3000 {
		t.Errorf("a text beyond the window: %v", err)
	}
}

// Ensure that scoring stops when told to, at a chat's cost of one step, and
// that a chat overtakes scoring that waits.
func TestScoreYields(t *testing.T) {
	g := newGate(t)
	c := start(t, g.query(""))
	g.shut()
	ctx, cancel := context.WithCancel(context.Background())
	texts := make([]string, 200)
	for i := range texts {
		texts[i] = "abcdefgh"
	}
	scored := make(chan error, 1)
	go func() {
		_, err := c.Score(ctx, engine.ScoreRequest{Messages: asks("say:a"), Texts: texts, Priority: engine.Background})
		scored <- err
	}()
	g.wait(1)
	cancel()
	if err := <-scored; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if n := len(g.passes()); n != 1 {
		t.Errorf("it took %d passes to stop", n)
	}
	g.open()
	if got := generate(t, c, engine.Request{Messages: asks("say:yes")}); got.text != "yes" {
		t.Errorf("the reply after it: %+v", got)
	}
}

// Ensure that a child that dies is an error, and that the next one scores.
func TestScoreSurvivesDeath(t *testing.T) {
	c := start(t, "")
	if _, err := c.Score(context.Background(), engine.ScoreRequest{Messages: asks("say:crash!"), Texts: []string{"c", "crash!"}}); err == nil {
		t.Error("a dead child scored")
	}
	got, err := c.Score(context.Background(), engine.ScoreRequest{Messages: asks("say:ok"), Texts: []string{"ok"}})
	if err != nil || got[0].Logprob() < -1 {
		t.Errorf("after a death: %v, %v", got, err)
	}
}
