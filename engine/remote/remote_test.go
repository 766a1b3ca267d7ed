package remote_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fabula/engine"
	"fabula/engine/remote"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Ensure that a reply arrives with its text, order, stamps and figures.
func TestReply(t *testing.T) {
	s := serve(t, httptest.NewServer, whole())
	e := s.open(t, nil)
	if s.requests() != 0 {
		t.Error("something was sent before a request")
	}
	stream, err := e.Generate(context.Background(), request())
	if err != nil {
		t.Fatal(err)
	}
	h := hear(t, stream)
	if h.text != "Who asks?" || h.done.Reason != engine.Stop || len(h.tokens) != 3 {
		t.Errorf("got %+v", h)
	}
	if len(h.prefill) != 1 || h.prefill[0].Computed != 20 || h.prefill[0].Reused != 100 {
		t.Errorf("prefill %+v", h.prefill)
	}
	if st := h.done.Stats; st.PromptTokens != 120 || st.Tokens != 5 || st.Prefill <= 0 {
		t.Errorf("stats %+v", st)
	}
	for i, tok := range h.tokens {
		if tok.ID != int32(i+1) || i > 0 && tok.At < h.tokens[i-1].At {
			t.Errorf("token %d: %+v", i, tok)
		}
	}
}

// Ensure that each dialect gets the fields it knows, and no server others.
func TestRequest(t *testing.T) {
	base := map[string]any{"model": "qwen", "stream": true, "temperature": 0.7, "top_p": 0.9, "seed": 7.0, "max_tokens": 160.0,
		"stop": []any{"\nPlayer:"}, "stream_options": map[string]any{"include_usage": true},
		"messages": []any{map[string]any{"role": "system", "content": "You are Lao Zhou."}, map[string]any{"role": "user", "content": "hi"}}}
	tests := map[remote.Dialect]map[string]any{
		remote.Common: {},
		remote.OpenAI: {"max_tokens": nil, "max_completion_tokens": 160.0},
		remote.VLLM:   {"top_k": 40.0, "min_p": 0.05, "repetition_penalty": 1.1, "priority": 10.0},
		remote.Llama:  {"top_k": 40.0, "min_p": 0.05, "repeat_penalty": 1.1, "repeat_last_n": 64.0},
	}
	for dialect, changes := range tests {
		s := serve(t, httptest.NewServer, whole())
		e := s.open(t, func(o *remote.Options) { o.Dialect, o.Priority = dialect, true })
		r := request()
		r.Priority = engine.Background
		stream, err := e.Generate(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		hear(t, stream)
		want := map[string]any{}
		for _, m := range []map[string]any{base, changes} {
			for k, v := range m {
				if want[k] = v; v == nil {
					delete(want, k)
				}
			}
		}
		if diff := cmp.Diff(want, s.asked[0]); diff != "" {
			t.Errorf("dialect %q: %s", dialect, diff)
		}
		for name := range s.header[0] {
			if strings.HasPrefix(name, "X-Stainless") || name == "Authorization" {
				t.Errorf("header %s was sent", name)
			}
		}
	}
}

// Ensure that log-probabilities come where offered, that a chunk of two tokens
// carries their sum, and that a server that refuses them is asked without.
func TestLogprobs(t *testing.T) {
	one := `{"choices":[{"index":0,"delta":{"content":"Hm"},"logprobs":{"content":[{"token":"Hm","logprob":-0.5,"bytes":null,"top_logprobs":[{"token":"Hm","logprob":-0.5,"bytes":null},{"token":"Ah","logprob":-1e300,"bytes":null}]}]}}]}`
	two := `{"choices":[{"index":0,"delta":{"content":" no"},"logprobs":{"content":[{"token":" n","logprob":-1,"top_logprobs":[]},{"token":"o","logprob":-0.25,"top_logprobs":[]}]}}]}`
	s := serve(t, httptest.NewServer, status(400, `{"error":{"message":"logprobs is not supported","type":"BadRequest"}}`), whole(),
		events(one, two, finish("stop"), over))
	e := s.open(t, nil)
	r := request()
	r.Top = 5
	for range 2 {
		stream, err := e.Generate(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		h := hear(t, stream)
		if s.requests() < 3 {
			continue
		}
		want := []engine.TopToken{{ID: -1, Text: "Hm", Logprob: -0.5}, {ID: -1, Text: "Ah", Logprob: -1e4}}
		if diff := cmp.Diff(want, h.tokens[0].Top); diff != "" || h.tokens[0].Logprob != -0.5 {
			t.Error(diff, h.tokens[0])
		}
		if h.tokens[1].Logprob != -1.25 || h.tokens[1].Top != nil {
			t.Errorf("two tokens in a chunk: %+v", h.tokens[1])
		}
	}
	if s.asked[0]["logprobs"] != true || s.asked[0]["top_logprobs"] != 5.0 || s.asked[1]["logprobs"] != nil || s.asked[2]["logprobs"] != nil {
		t.Errorf("asked %v", s.asked)
	}
}

// Ensure that a server that has a passing trouble is asked again, as long as no
// Ensure that replies beside each other all come where the server turns out to
// give no logprobs.
func TestLogprobsRefusedToSeveral(t *testing.T) {
	const replies = 4
	var all sync.WaitGroup
	all.Add(replies)
	refuse := func(w http.ResponseWriter, r *http.Request) {
		all.Done()
		all.Wait() // every one has asked for them
		status(400, `{"error":{"message":"logprobs is not supported"}}`)(w, r)
	}
	s := serve(t, httptest.NewServer, refuse, refuse, refuse, refuse, whole())
	e := s.open(t, func(o *remote.Options) { o.Attempts = 1 })
	var group sync.WaitGroup
	for range replies {
		group.Go(func() {
			r := request()
			r.Top = 5
			stream, err := e.Generate(context.Background(), r)
			if err != nil {
				t.Error(err)
				return
			}
			if h := hear(t, stream); h.done.Reason != engine.Stop || h.text == "" {
				t.Errorf("%q, %+v", h.text, h.done)
			}
		})
	}
	group.Wait()
}

// text came, and that what came before stays when it breaks later.
func TestAgain(t *testing.T) {
	tests := map[string]struct {
		answers  []answer
		text     string
		reason   engine.Reason
		requests int
	}{
		"full, then fine":              {[]answer{status(429, `{"error":{"message":"slow down"}}`, "Retry-After", "0.001"), whole()}, "Who asks?", engine.Stop, 2},
		"500, 503, then fine":          {[]answer{status(500, "boom"), status(503, "<html>"), whole()}, "Who asks?", engine.Stop, 3},
		"broken before the head":       {[]answer{snap, whole()}, "Who asks?", engine.Stop, 2},
		"broken after the head":        {[]answer{then(events(opening), snap), whole()}, "Who asks?", engine.Stop, 2},
		"ended before a text":          {[]answer{events(opening), whole()}, "Who asks?", engine.Stop, 2},
		"error event before a text":    {[]answer{events(`{"error":{"message":"CUDA error"}}`), whole()}, "Who asks?", engine.Stop, 2},
		"slow first token, then fine":  {[]answer{hang, whole()}, "Who asks?", engine.Stop, 2},
		"broken after text":            {[]answer{then(events(text("Who ")), snap), whole()}, "Who ", engine.Fault, 1},
		"ended without an end":         {[]answer{events(text("Who ")), whole()}, "Who ", engine.Fault, 1},
		"garbage after text":           {[]answer{events(text("Who "), `{"choices": [{`), whole()}, "Who ", engine.Fault, 1},
		"wrong types after text":       {[]answer{events(text("Who "), `[1,2]`, over), whole()}, "Who ", engine.Fault, 1},
		"stalled after text":           {[]answer{then(events(text("Who ")), hang), whole()}, "Who ", engine.Fault, 1},
		"broken after the end":         {[]answer{then(events(text("Who?"), finish("stop")), snap)}, "Who?", engine.Stop, 1},
		"no usage, no DONE":            {[]answer{events(text("Who?"), finish("length"))}, "Who?", engine.Length, 1},
		"stop string, in two chunks":   {[]answer{events(text("Who?\nPla"), text("yer: me"), finish("stop"))}, "Who?", engine.Stop, 1},
		"held text is kept at the end": {[]answer{events(text("Who?\nPla"), finish("stop"))}, "Who?\nPla", engine.Stop, 1},
		"not valid UTF-8":              {[]answer{events("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\xff\xe4b\"}}]}", finish("stop"))}, "a\ufffd\ufffdb", engine.Stop, 1},
		"half a surrogate pair":        {[]answer{events(`{"choices":[{"index":0,"delta":{"content":"a\ud83d"}}]}`, finish("stop"))}, "a\ufffd", engine.Stop, 1},
		"other choices":                {[]answer{events(`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"yes"}}]}`, finish("stop"))}, "yes", engine.Stop, 1},
		"filter after text":            {[]answer{events(text("Who "), finish("content_filter"))}, "Who ", engine.Fault, 1},
		"a long line":                  {[]answer{events(text(strings.Repeat("长", 100_000)), finish("stop"))}, strings.Repeat("长", 100_000), engine.Stop, 1},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, httptest.NewServer, tc.answers...)
			e := s.open(t, func(o *remote.Options) {
				o.FirstToken, o.Gap = 2*time.Second, 2*time.Second
				if strings.Contains(name, "slow") || strings.Contains(name, "stalled") {
					o.FirstToken, o.Gap = 300*time.Millisecond, 300*time.Millisecond
				}
			})
			stream, err := e.Generate(context.Background(), request())
			if err != nil {
				t.Fatal(err)
			}
			h := hear(t, stream)
			if h.text != tc.text || h.done.Reason != tc.reason || s.requests() != tc.requests {
				t.Errorf("text %.40q, %s (%s), %d requests", h.text, h.done.Reason, h.done.Detail, s.requests())
			}
			if h.done.Reason == engine.Fault && (!errors.Is(h.done.Err, engine.ErrUnavailable) || h.done.Detail != h.done.Err.Error()) {
				t.Errorf("fault %v, %q", h.done.Err, h.done.Detail)
			}
		})
	}
}

// Ensure that a stop is obeyed in every phase, and that closing ends replies.
func TestStop(t *testing.T) {
	t.Run("while connecting", func(t *testing.T) {
		s := serve(t, httptest.NewServer, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		if _, err := s.open(t, nil).Generate(ctx, request()); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("between attempts", func(t *testing.T) {
		s := serve(t, httptest.NewServer, status(503, ""))
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		e := s.open(t, func(o *remote.Options) { o.Backoff = func(int) time.Duration { return time.Hour } })
		if _, err := e.Generate(ctx, request()); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	for name, stop := range map[string]func(context.CancelFunc, *remote.Engine){
		"in the reply": func(cancel context.CancelFunc, _ *remote.Engine) { cancel() },
		"by closing":   func(_ context.CancelFunc, e *remote.Engine) { _ = e.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, httptest.NewServer, then(events(text("Who ")), hang))
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			e := s.open(t, nil)
			stream, err := e.Generate(ctx, request())
			if err != nil {
				t.Fatal(err)
			}
			first, _ := stream.Next()
			stop(cancel, e)
			h := hear(t, stream)
			if tok, ok := first.(engine.Token); !ok || tok.Text != "Who " || h.done.Reason != engine.Cancelled || h.done.Stats.Tokens != 1 {
				t.Errorf("first %+v, then %+v", first, h)
			}
		})
	}
}
