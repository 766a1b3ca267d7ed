package remote_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/remote"
)

// answer plays one answer of a server.
type answer func(w http.ResponseWriter, r *http.Request)

// server speaks the protocol: answers in order, the last one again and again.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []map[string]any
	header []http.Header
}

func serve(t *testing.T, make func(http.Handler) *httptest.Server, answers ...answer) *server {
	t.Helper()
	s := &server{}
	s.Server = make(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var body map[string]any
		if err := json.Unmarshal(raw, &body); err != nil || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("asked %s with %q", r.URL.Path, raw)
		}
		s.mu.Lock()
		s.asked, s.header = append(s.asked, body), append(s.header, r.Header)
		a := answers[min(len(s.asked), len(answers))-1]
		s.mu.Unlock()
		a(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// open makes an engine that is quick to try again.
func (s *server) open(t *testing.T, change func(*remote.Options)) *remote.Engine {
	t.Helper()
	o := remote.Options{Name: "studio", URL: s.URL + "/v1", Model: "qwen", Backoff: func(int) time.Duration { return time.Millisecond }}
	if change != nil {
		change(&o)
	}
	e, err := remote.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// events writes the data of an event stream; each is flushed.
func events(data ...string) answer {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, d := range data {
			fmt.Fprintf(w, "data: %s\n\n", d)
			w.(http.Flusher).Flush()
		}
	}
}

// status answers with an error.
func status(code int, body string, header ...string) answer {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// then plays one answer after another into one stream.
func then(parts ...answer) answer {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, p := range parts {
			p(w, r)
		}
	}
}

// hang sends the head of a stream and then waits until the client leaves.
func hang(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// snap breaks the connection.
func snap(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func text(s string) string {
	quoted, _ := json.Marshal(s)
	return `{"choices":[{"index":0,"delta":{"content":` + string(quoted) + `},"finish_reason":null}]}`
}

func finish(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const (
	opening = `{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`
	usage   = `{"choices":[],"usage":{"prompt_tokens":120,"completion_tokens":5,"total_tokens":125,"prompt_tokens_details":{"cached_tokens":100}}}`
	over    = "[DONE]"
)

// whole is a sound reply.
func whole() answer {
	return events(opening, text("Who "), text("asks"), text("?"), finish("stop"), usage, over)
}

// heard is a reply that was read to its end.
type heard struct {
	text    string
	tokens  []engine.Token
	prefill []engine.Prefill
	done    engine.Done
}

func hear(t *testing.T, s engine.Stream) heard {
	t.Helper()
	var h heard
	for {
		ev, err := s.Next()
		if err == io.EOF {
			return h
		} else if err != nil {
			t.Fatal(err)
		}
		switch ev := ev.(type) {
		case engine.Token:
			h.text += ev.Text
			h.tokens = append(h.tokens, ev)
		case engine.Prefill:
			h.prefill = append(h.prefill, ev)
		case engine.Done:
			h.done = ev
			h.text += ev.Tail
		}
	}
}

func request() engine.Request {
	return engine.Request{Messages: []engine.Message{
		{Role: engine.System, Parts: []string{"You are ", "Lao Zhou."}},
		{Role: engine.User, Parts: []string{"hi"}},
	}, Sampling: engine.Sampling{Temperature: 0.7, TopK: 40, TopP: 0.9, MinP: 0.05, RepeatPenalty: 1.1, MaxTokens: 160}, Seed: 7, Stop: []string{"\nPlayer:"}}
}
