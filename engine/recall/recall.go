// Package recall answers with authored lines and no model at all: of the lines
// that may be said now, the one whose cue is nearest to the player's words.
//
// Ranking is BM25 over words (stemmed where English) and, for scripts without
// blanks, over characters and pairs of them, in an inverted index that is kept
// between requests. Every count is taken over the lines that may be said now,
// so the same request gives the same line whatever else was indexed. Where no
// cue is near, a line without a cue is said: a remark, a line of the place, a
// greeting. Lines that the conversation already holds come last; equals are
// told apart by the seed.
//
// The index is our own. bleve v2.6 counts terms over all that is indexed, lines
// that may not be said now included, and at 50,000 lines it took 10 ms in the
// median and 28 ms at p95 to search (in memory, scorch; its other store 84 ms),
// and 11 s to fill, on the two cores where this index takes under 5 ms.
//
// A recalled reply costs no model time and is never a measurement: its Stats
// count no tokens. Non-goals: choosing the candidates (story/prompt does),
// searching transcripts, imitating the pace of a model.
package recall

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"fabula/engine"
	"fabula/engine/terms"
)

// New makes the engine. It needs nothing and cannot fail.
func New() *Engine { return &Engine{index: newIndex()} }

// Engine recalls. It is safe for concurrent use.
type Engine struct {
	mu    sync.Mutex // one search takes milliseconds
	index *index
}

// Info describes the engine.
func (*Engine) Info() engine.Info {
	return engine.Info{Kind: engine.Recall, Name: "recall", Build: engine.Build{Runtime: "bm25"}}
}

// Generate picks a line. Without candidates nothing starts: the error says
// what an author can do.
func (e *Engine) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	start := time.Now()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("recall: %w", err)
	}
	if len(r.Begin) > 0 {
		return nil, fmt.Errorf("recall: %w: authored lines have no tokens that a reply could begin with", engine.ErrUnsupported)
	}
	if len(r.Candidates) == 0 {
		return nil, fmt.Errorf("recall: %w: %w; give the persona style_samples or a greeting in language %q",
			engine.ErrUnavailable, engine.ErrNoLine, r.Language)
	}
	e.mu.Lock()
	c := e.index.choose(r)
	e.mu.Unlock()
	return &stream{ctx: ctx, start: start, id: c.ID, pieces: Pieces(c.Text)}, nil
}

// Shortlist gives at most n lines that have a word in common with what was
// said, best first, for a better judge than words to choose from, and what is
// to be said where none answers. ok is false without candidates.
func (e *Engine) Shortlist(r engine.Request, n int) (hits []Hit, remark engine.Candidate, ok bool) {
	if len(r.Candidates) == 0 {
		return nil, remark, false
	}
	said := lastSaid(r.Messages)
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.index.answering(r, said, faint, 0, n), pick(remarks(r.Candidates, said), r.Seed), true
}

// Close has nothing to release.
func (*Engine) Close() error { return nil }

// stream hands out a line word by word, at once.
type stream struct {
	ctx    context.Context
	start  time.Time
	id     string
	pieces []string
	next   int
	over   bool
}

// Next never waits.
func (s *stream) Next() (engine.Event, error) {
	switch {
	case s.over:
		return nil, io.EOF
	case s.ctx.Err() != nil:
		s.over = true
		return engine.Done{Reason: engine.Cancelled, Detail: s.id}, nil
	case s.next == len(s.pieces):
		s.over = true
		return engine.Done{Reason: engine.Stop, Detail: s.id}, nil
	}
	s.next++
	return engine.Token{ID: int32(s.next), Text: s.pieces[s.next-1], At: time.Since(s.start)}, nil
}

// Pieces cuts a line where a reader would expect it to grow: after a word with
// its blanks, and after every character of a script without blanks.
func Pieces(text string) []string {
	var out []string
	begin, blank := 0, false
	for i, r := range text {
		if i > begin && (terms.Unspaced(r) || blank && !isBlank(r)) {
			out = append(out, text[begin:i])
			begin = i
		}
		blank = isBlank(r) || terms.Unspaced(r)
	}
	if begin < len(text) {
		out = append(out, text[begin:])
	}
	return out
}

func isBlank(r rune) bool { return strings.ContainsRune(" \t\n\r", r) }
