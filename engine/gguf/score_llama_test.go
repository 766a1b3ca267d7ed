//go:build llama

package gguf_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/chat"
	"fabula/engine/gguf"
	"fabula/engine/score"
	"fabula/engine/worker"
)

// naive scores a text by the definition: everything computed anew, one token at
// a time in a fresh sequence, normalised in 64 bits.
func naive(t *testing.T, b worker.Backend, before, ids []int32, end bool) []float64 {
	t.Helper()
	b.Truncate(0, 0)
	var logits []float32
	var out []float64
	note := func(list ...int32) {
		sum, part := 0.0, 0.0
		for id, v := range logits {
			sum += math.Exp(float64(v))
			for _, x := range list {
				if int32(id) == x {
					part += math.Exp(float64(v))
				}
			}
		}
		out = append(out, math.Log(part/sum))
	}
	for at, id := range append(before[:len(before):len(before)], ids...) {
		if at >= len(before) && at > 0 {
			note(id)
		}
		scores, err := b.Decode([]worker.Run{{At: at, IDs: []int32{id}, Want: 1}})
		if err != nil {
			t.Fatal(err)
		}
		logits = scores[0].Logits
	}
	if end {
		var ends []int32
		for id := range int32(b.Facts().Vocab) {
			if b.Ends(id) {
				ends = append(ends, id)
			}
		}
		note(ends...)
	}
	return out
}

// Ensure that the log-probabilities of texts after a chat are those of a
// computation token by token, whatever was cached and however long they are.
func TestScoreAgainstNaive(t *testing.T) {
	c := start(t, 0)
	b, err := gguf.Open(worker.Load{Model: model(t), Threads: c.Info().Build.Threads, BaseHash: "known"}, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	talk := say("You are an innkeeper of few words.", "Who lit the lamp?", 1, 8).Messages
	texts := []string{
		"Not me.", "The lamp lights itself, every night, when somebody is on the road and has no other light to walk by. " +
			"I have seen it eleven years now, and I have never once seen the match, nor the hand that held it, and I do not look.",
		"灯是自己亮的。", "", "Not you.",
	}
	r := engine.ScoreRequest{Messages: talk, Texts: texts, End: true, Top: 5, Rows: true}
	template, err := chat.New(b.Facts().Template, b.Facts().BOS, b.Facts().EOS)
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := template.Render(talk)
	if err != nil {
		t.Fatal(err)
	}
	var before []int32
	for _, p := range pieces {
		ids, err := b.Tokens(p.Text, p.Control)
		if err != nil {
			t.Fatal(err)
		}
		before = append(before, ids...)
	}
	for round := range 2 { // the second finds the prompt
		got, err := c.Score(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		if round == 1 && got[0].Reused < len(before)-1 {
			t.Errorf("the second time %d of %d prompt tokens are found", got[0].Reused, len(before))
		}
		for i, text := range texts {
			ids, err := b.Tokens(text, false)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, text, got[i], naive(t, b, before, ids, true))
		}
	}
}

func compare(t *testing.T, text string, got engine.Scored, want []float64) {
	t.Helper()
	if len(got.Tokens) != len(want) {
		t.Fatalf("%q: %d tokens, want %d", text, len(got.Tokens), len(want))
	}
	for k, tok := range got.Tokens {
		if math.Abs(tok.Logprob-want[k]) > 2e-5 {
			t.Errorf("%q, token %d %q: %.6f, token by token %.6f", text, k, tok.Text, tok.Logprob, want[k])
		}
		sum := 0.0
		for _, v := range tok.Row {
			sum += math.Exp(float64(v))
		}
		if math.Abs(sum-1) > 1e-4 {
			t.Errorf("%q, token %d: the row sums to %.6f", text, k, sum)
		}
		if len(tok.Top) != 5 || tok.Row[tok.Top[0].ID] != tok.Top[0].Logprob || tok.Top[0].Logprob < tok.Row[tok.ID] {
			t.Errorf("%q, token %d: top %v", text, k, tok.Top)
		}
	}
}

// Ensure that perplexity tells prose from its words in disorder, is that of the
// naive computation, and that a model does not diverge from itself.
func TestPerplexity(t *testing.T) {
	c := start(t, 0)
	prose := "The old man put the lamp on the table and looked out at the rain. He had not slept for two days."
	words := strings.Fields(prose)
	for i := range words {
		j := (i * 7) % len(words)
		words[i], words[j] = words[j], words[i]
	}
	got, err := c.Score(context.Background(), engine.ScoreRequest{Texts: []string{prose, strings.Join(words, " ")}, Rows: true})
	if err != nil {
		t.Fatal(err)
	}
	sound, torn := score.Perplexity(got[0]), score.Perplexity(got[1])
	if sound.Perplexity < 2 || sound.Perplexity > 60 || torn.Perplexity < 3*sound.Perplexity {
		t.Errorf("prose %.1f, in disorder %.1f", sound.Perplexity, torn.Perplexity)
	}
	again, err := c.Score(context.Background(), engine.ScoreRequest{Texts: []string{prose, strings.Join(words, " ")}, Rows: true})
	if err != nil {
		t.Fatal(err)
	}
	d, err := score.Compare(got, again)
	if err != nil || !d.Exact || d.Max > 1e-6 || d.SameTop != 1 || math.Abs(d.Ratio-1) > 1e-6 {
		t.Errorf("a model against itself: %+v, %v", d, err)
	}
}
