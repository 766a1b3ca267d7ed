package ladder_test

import (
	"context"
	"io"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/ladder"
)

// fast is an engine whose tokens cost nothing.
type fast struct{ tokens int }

func (fast) Info() engine.Info { return engine.Info{Name: "fast"} }
func (fast) Close() error      { return nil }
func (f fast) Generate(context.Context, engine.Request) (engine.Stream, error) {
	return &counted{left: f.tokens}, nil
}

type counted struct{ left int }

func (c *counted) Next() (engine.Event, error) {
	switch c.left--; {
	case c.left >= 0:
		return engine.Token{Text: "a"}, nil
	case c.left == -1:
		return engine.Done{Reason: engine.Stop}, nil
	}
	return nil, io.EOF
}

// BenchmarkWatch gives what the guard adds to a token, against the same stream
// without it.
func BenchmarkWatch(b *testing.B) {
	const tokens = 1000
	e := fast{tokens}
	run := func(b *testing.B, generate func() (engine.Stream, error)) float64 {
		began := time.Now()
		for b.Loop() {
			s, err := generate()
			if err != nil {
				b.Fatal(err)
			}
			for err == nil {
				_, err = s.Next()
			}
		}
		perToken := float64(time.Since(began).Nanoseconds()) / float64(b.N*tokens)
		b.ReportMetric(perToken, "ns/token")
		return perToken
	}
	var plain float64
	b.Run("plain", func(b *testing.B) {
		plain = run(b, func() (engine.Stream, error) { return e.Generate(b.Context(), engine.Request{}) })
	})
	b.Run("guarded", func(b *testing.B) {
		w := &ladder.Watch{Health: ladder.New(ladder.Policy{}, nil, nil), Key: "fast", Name: "fast",
			Limits: ladder.Limits{FirstToken: time.Second, Gap: time.Second}}
		guarded := run(b, func() (engine.Stream, error) { return w.Generate(b.Context(), e, engine.Request{}) })
		if plain > 0 {
			b.ReportMetric(guarded-plain, "added-ns/token")
		}
	})
}
