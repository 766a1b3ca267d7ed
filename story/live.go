package story

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"time"

	"fabula/engine"
)

// live copies a streaming reply to the unsynced file beside the store: a line
// with what is known before, then a line for each token. A reply goes on
// without it when the disk is full.
type live struct {
	out io.WriteCloser
	log *slog.Logger
}

// liveHead is the first line of a live file.
type liveHead struct {
	Alternative ID     `json:"alternative"`
	Branch      Branch `json:"branch"`
	Reply       Reply  `json:"reply"`
}

// liveToken is a line for one token: µs since the request was sent.
type liveToken struct {
	ID      int32   `json:"i"`
	At      int64   `json:"t"`
	Text    string  `json:"s"`
	Logprob float32 `json:"p,omitempty"`
}

func (s *Session) openLive(p *plan, r *Reply) *live {
	l := &live{log: s.log}
	if s.store == nil {
		return l
	}
	out, err := s.store.Live(p.turn.ID, p.alternative)
	if err != nil {
		s.log.Warn("no live file", "error", err)
		return l
	}
	l.out = out
	l.write(liveHead{Alternative: p.alternative, Branch: p.branch, Reply: *r})
	return l
}

func (l *live) token(t engine.Token) {
	l.write(liveToken{ID: t.ID, At: t.At.Microseconds(), Text: t.Text, Logprob: t.Logprob})
}

func (l *live) write(v any) {
	if l.out == nil {
		return
	}
	data, err := json.Marshal(v)
	if err == nil {
		_, err = l.out.Write(append(data, '\n'))
	}
	if err != nil {
		l.log.Warn("live file given up", "error", err)
		l.close()
	}
}

func (l *live) close() {
	if l.out != nil {
		_ = l.out.Close() // unsynced by design
		l.out = nil
	}
}

// readLive reads what a dead program left. The last line may be cut short;
// ok is false when not even the head is whole.
func readLive(data []byte) (head liveHead, tokens []engine.Token, text string, ok bool) {
	var all bytes.Buffer
	for i := 0; ; i++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return head, tokens, all.String(), i > 0
		}
		data = rest
		if i == 0 {
			if json.Unmarshal(line, &head) != nil {
				return head, nil, "", false
			}
			continue
		}
		var t liveToken
		if json.Unmarshal(line, &t) != nil {
			return head, tokens, all.String(), true
		}
		tokens = append(tokens, engine.Token{ID: t.ID, At: time.Duration(t.At) * time.Microsecond, Text: t.Text, Logprob: t.Logprob})
		all.WriteString(t.Text)
	}
}
