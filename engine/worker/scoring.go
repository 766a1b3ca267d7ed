package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"fabula/engine"
)

// Score implements engine.Scorer. A request waits in the queue of replies, by
// its priority.
func (c *Client) Score(ctx context.Context, r engine.ScoreRequest) ([]engine.Scored, error) {
	switch {
	case len(r.Texts) == 0:
		return nil, nil
	case r.Top < 0 || r.Top > engine.MostScored:
		return nil, fmt.Errorf("worker: score with %d alternatives: 0 to %d can be", r.Top, engine.MostScored)
	}
	sent := time.Now()
	id := c.id()
	_, life, err := c.ask(ctx, frame{Kind: kindPrepare, ID: id, Score: &r})
	if err != nil {
		return nil, err
	}
	s := newStream(id, engine.Request{Priority: r.Priority})
	s.score, s.texts = &r, make([]engine.Scored, len(r.Texts))
	if err := c.order(ctx, &waiter{stream: s, sent: sent, life: life}); err != nil {
		return nil, err
	}
	return s.scores(ctx)
}

// scores waits for the end of a request that scores.
func (s *stream) scores(ctx context.Context) ([]engine.Scored, error) {
	for {
		e, err := s.Next()
		if err != nil {
			return nil, fmt.Errorf("worker: score: %w", io.ErrUnexpectedEOF)
		}
		done, over := e.(engine.Done)
		switch {
		case !over:
		case done.Reason == engine.Stop:
			return s.texts, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case done.Err != nil:
			return nil, done.Err
		case done.Reason == engine.Cancelled:
			return nil, errClosed
		default:
			return nil, errors.New("worker: score: " + done.Detail)
		}
	}
}

// scored takes a part of a scored text. It runs with Client.mu held.
func (s *stream) scored(p scored) {
	if s.score == nil || p.Text < 0 || p.Text >= len(s.texts) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	to := &s.texts[p.Text]
	width := 0
	if len(p.Tokens) > 0 {
		width = len(p.Rows) / len(p.Tokens)
	}
	for i, t := range p.Tokens {
		if width > 0 {
			t.Row = floats(p.Rows[i*width : (i+1)*width])
		}
		to.Tokens = append(to.Tokens, t)
	}
	to.Skipped += p.Skipped
	to.Computed += p.Computed
	to.Reused += p.Reused
}

func floats(bytes []byte) []float32 {
	out := make([]float32, len(bytes)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(bytes[4*i:]))
	}
	return out
}
