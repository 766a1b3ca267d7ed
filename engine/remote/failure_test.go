package remote_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"fabula/engine"
	"fabula/engine/remote"
)

const secret = "sk-live-0123456789abcdef"

func keyed(o *remote.Options) { o.Key = func(context.Context) (string, error) { return secret, nil } }

// Ensure that what fails before anything started is an error of the right
// kind, tells what to do, and is asked again only where that may help.
func TestRefusals(t *testing.T) {
	tests := map[string]struct {
		answer   answer
		is       error
		says     string
		requests int
	}{
		"wrong key":         {status(401, `{"error":{"message":"Incorrect API key provided: `+secret+`"}}`), engine.ErrUnavailable, "check the key", 1},
		"no such model":     {status(404, `{"error":{"message":"The model qwen does not exist","code":404}}`), engine.ErrUnavailable, "has model qwen", 1},
		"window, as vLLM":   {status(400, `{"error":{"message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}}`), engine.ErrTooLong, "4096", 1},
		"window, as llama":  {status(400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`), engine.ErrTooLong, "set context", 1},
		"unknown field":     {status(400, `{"detail":[{"loc":["body","top_k"],"msg":"extra fields not permitted"}]}`), engine.ErrIncompatible, "extra fields", 1},
		"always full":       {status(429, `{"error":"overloaded"}`), engine.ErrUnavailable, "overloaded", 4},
		"full for an hour":  {status(429, `{"error":"overloaded"}`, "Retry-After", "3600"), engine.ErrUnavailable, "overloaded", 1},
		"no quota":          {status(429, `{"error":{"message":"You exceeded your quota","type":"insufficient_quota"}}`), engine.ErrUnavailable, "no quota", 1},
		"always failing":    {status(500, strings.Repeat("x", 1<<20)), engine.ErrUnavailable, "HTTP 500", 4},
		"a web page":        {status(200, "<html>", "Content-Type", "text/html"), engine.ErrIncompatible, "no event stream", 1},
		"an error in 200":   {status(200, `{"error":{"message":"no slot"}}`, "Content-Type", "application/json"), engine.ErrIncompatible, "no slot", 1},
		"a whole answer":    {status(200, `{"choices":[{"message":{"content":"x"}}]}`, "Content-Type", "application/json"), engine.ErrIncompatible, "no event stream", 1},
		"sent elsewhere":    {status(307, "", "Location", "http://192.0.2.1/v1/chat/completions"), engine.ErrUnavailable, "http://192.0.2.1", 1},
		"breaks every time": {snap, engine.ErrUnavailable, "connection broke", 4},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, httptest.NewServer, tc.answer)
			_, err := s.open(t, keyed).Generate(context.Background(), request())
			if !errors.Is(err, tc.is) || !strings.Contains(fmt.Sprint(err), tc.says) || s.requests() != tc.requests {
				t.Errorf("%d requests: %v", s.requests(), err)
			}
			if len(fmt.Sprint(err)) > 600 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

// Ensure that what a stream can do wrong before a text ends as a fault of the
// right kind.
func TestFaults(t *testing.T) {
	tests := map[string]struct {
		answer answer
		is     error
		says   string
	}{
		"refusal":           {events(`{"choices":[{"index":0,"delta":{"refusal":"I cannot help with that."}}]}`, finish("stop")), engine.ErrUnavailable, "declined to answer: I cannot"},
		"filter":            {events(finish("content_filter")), engine.ErrUnavailable, "content filter"},
		"only thought":      {events(`{"choices":[{"index":0,"delta":{"reasoning_content":"Hmm"}}]}`, finish("length")), engine.ErrUnavailable, "hidden reasoning"},
		"tools":             {events(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0}]}}]}`), engine.ErrIncompatible, "tool"},
		"window, in stream": {events(`{"error":{"message":"context length exceeded"}}`), engine.ErrTooLong, "context length"},
		"garbage":           {events("}{"), engine.ErrUnavailable, "no chat completion"},
		"flood":             {events(text(strings.Repeat("x", 2<<20))), engine.ErrIncompatible, "more text"},
		"endless line": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.Copy(w, io.LimitReader(zeros{}, 64<<20))
		}, engine.ErrUnavailable, "too long"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, httptest.NewServer, tc.answer)
			stream, err := s.open(t, func(o *remote.Options) { o.Attempts = 2 }).Generate(context.Background(), request())
			if err != nil {
				t.Fatal(err)
			}
			h := hear(t, stream)
			if h.done.Reason != engine.Fault || !errors.Is(h.done.Err, tc.is) || !strings.Contains(h.done.Detail, tc.says) || h.text != "" {
				t.Errorf("%q, %+v", h.text, h.done)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// Ensure that the key is sent to the server, and appears in no error, event or
// log, even if the server repeats it.
func TestRedaction(t *testing.T) {
	var log bytes.Buffer
	echo := `{"error":{"message":"bad key ` + secret + `","type":"` + secret + `","code":"` + secret + `"}}`
	answers := map[string]answer{
		"status":       status(401, echo),
		"not JSON":     status(500, "trace: Authorization: Bearer "+secret),
		"event":        events(echo),
		"garbage":      events(`{"choices": "` + secret + `"`),
		"reason":       events(text("x"), finish(secret)),
		"refusal":      events(`{"choices":[{"index":0,"delta":{"refusal":"`+secret+`"}}]}`, finish("stop")),
		"content type": status(200, "", "Content-Type", secret),
		"location":     status(302, "", "Location", "http://"+secret+".example/"),
	}
	for name, a := range answers {
		t.Run(name, func(t *testing.T) {
			s := serve(t, httptest.NewServer, a)
			e := s.open(t, func(o *remote.Options) {
				keyed(o)
				o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			})
			stream, err := e.Generate(context.Background(), request())
			said := fmt.Sprintf("%v %+v %#v %+v", err, err, err, e.Info())
			if err == nil {
				h := hear(t, stream)
				said = fmt.Sprintf("%v %+v %#v", h.done.Err, h.done, h.done.Err)
			}
			if strings.Contains(said, secret) {
				t.Errorf("the key is in %s", said)
			}
			if got := s.header[0].Get("Authorization"); got != "Bearer "+secret {
				t.Errorf("sent %q", got)
			}
		})
	}
	if strings.Contains(log.String(), secret) || log.Len() == 0 {
		t.Errorf("log: %s", log.String())
	}
}

// Ensure that certificates are checked, and that an authority can be named.
func TestTLS(t *testing.T) {
	quiet := func(h http.Handler) *httptest.Server {
		s := httptest.NewUnstartedServer(h)
		s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
		s.StartTLS()
		return s
	}
	s := serve(t, quiet, whole())
	_, err := s.open(t, keyed).Generate(context.Background(), request())
	if !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "under ca") || s.requests() != 0 {
		t.Errorf("unknown authority: %v", err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(file, block, 0o600); err != nil {
		t.Fatal(err)
	}
	stream, err := s.open(t, func(o *remote.Options) { keyed(o); o.CA = file }).Generate(context.Background(), request())
	if err != nil {
		t.Fatal(err)
	}
	if h := hear(t, stream); h.text != "Who asks?" {
		t.Errorf("got %+v", h)
	}
	old := serve(t, func(h http.Handler) *httptest.Server {
		s := httptest.NewUnstartedServer(h)
		s.TLS = &tls.Config{MaxVersion: tls.VersionTLS11}
		s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
		s.StartTLS()
		return s
	}, whole())
	if _, err := old.open(t, func(o *remote.Options) { o.CA, o.Attempts = file, 1 }).Generate(context.Background(), request()); err == nil {
		t.Error("TLS 1.1 was taken")
	}
	plain := serve(t, httptest.NewServer, whole())
	e, err := remote.New(remote.Options{URL: strings.Replace(plain.URL, "http:", "https:", 1) + "/v1", Model: "m", Attempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Generate(context.Background(), request()); !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "no TLS") {
		t.Errorf("plain server: %v", err)
	}
}

// Ensure that what cannot work, or would give a key away, is refused before
// anything is sent.
func TestOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "no.pem")
	if err := os.WriteFile(file, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := remote.Options{URL: "https://example.com/v1", Model: "m"}
	keyed(&good)
	tests := map[string]func(*remote.Options){
		"http or https": func(o *remote.Options) { o.URL = "example.com/v1" },
		"looks like":    func(o *remote.Options) { o.URL = "https://us er:" + secret + "@host" },
		"keys go under": func(o *remote.Options) { o.URL = "https://me:" + secret + "@example.com/v1" },
		"question mark": func(o *remote.Options) { o.URL = "https://example.com/v1?key=" + secret },
		"no model":      func(o *remote.Options) { o.Model = "" },
		"dialect":       func(o *remote.Options) { o.Dialect = "klingon" },
		"unencrypted":   func(o *remote.Options) { o.URL = "http://example.com/v1" },
		"no PEM":        func(o *remote.Options) { o.CA = file },
		"ca: ":          func(o *remote.Options) { o.CA = file + ".missing" },
	}
	for says, change := range tests {
		o := good
		change(&o)
		_, err := remote.New(o)
		if !errors.Is(err, engine.ErrIncompatible) || !strings.Contains(fmt.Sprint(err), says) || strings.Contains(fmt.Sprint(err), secret) {
			t.Errorf("%s: %v", says, err)
		}
	}
	for _, url := range []string{"http://127.0.0.1:1/v1", "http://[::1]:1/v1", "http://localhost:1/v1/"} {
		o := good
		o.URL = url
		if _, err := remote.New(o); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// Ensure that a server that is not there is reported, and no host is invented.
func TestUnreachable(t *testing.T) {
	s := serve(t, httptest.NewServer, whole())
	e := s.open(t, func(o *remote.Options) { o.Attempts = 2 })
	s.Close()
	if _, err := e.Generate(context.Background(), request()); !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "is it running?") {
		t.Errorf("got %v", err)
	}
	begun := request()
	begun.Begin = []int32{1}
	if _, err := e.Generate(context.Background(), begun); !errors.Is(err, engine.ErrUnsupported) {
		t.Errorf("begun: %v", err)
	}
	_ = e.Close()
	if _, err := e.Generate(context.Background(), request()); !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "closed") {
		t.Errorf("after close: %v", err)
	}
}

// Ensure that a server is asked whether it is back without a prompt.
func TestProbe(t *testing.T) {
	code, list := http.StatusOK, `{"data":[{"id":"first"},{"id":"second"}]}`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.Method != http.MethodGet || r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("asked %s %s with %q", r.Method, r.URL.Path, r.Header.Get("Authorization"))
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, list)
	}))
	o := remote.Options{URL: s.URL + "/v1", Model: "m"}
	keyed(&o)
	e, err := remote.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for want, codes := range map[bool][]int{true: {200, 404}, false: {401, 429, 500, 503}} {
		for _, code = range codes {
			if err := e.Probe(t.Context()); (err == nil) != want || err != nil && !errors.Is(err, engine.ErrUnavailable) {
				t.Errorf("status %d: %v", code, err)
			}
		}
	}
	code, o.Model = http.StatusOK, ""
	if names, err := remote.Models(t.Context(), o); err != nil || len(names) != 2 || names[0] != "first" {
		t.Errorf("got %v, %v", names, err)
	}
	for code, list = range map[int]string{200: "<html>", 401: `{"error":"` + secret + `"}`, 204: `{"data":[]}`} {
		if _, err := remote.Models(t.Context(), o); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("status %d: %v", code, err)
		}
	}
	s.Close()
	if err := e.Probe(t.Context()); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("gone: %v", err)
	}
}

// Ensure that keys come from where they are kept, and that one that is not
// there is told with what to do.
func TestKeys(t *testing.T) {
	keyring.MockInit()
	ctx := context.Background()
	if _, err := remote.Keyring("studio")(ctx); err == nil || !strings.Contains(err.Error(), "engines key studio") {
		t.Errorf("empty keyring: %v", err)
	}
	if err := remote.StoreKey(ctx, "studio", secret); err != nil {
		t.Fatal(err)
	}
	if got, err := remote.Keyring("studio")(ctx); got != secret || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	for range 2 {
		if err := remote.StoreKey(ctx, "studio", ""); err != nil {
			t.Error(err)
		}
	}
	if _, err := remote.Keyring("studio")(ctx); err == nil {
		t.Error("the key is still there")
	}
	keyring.MockInitWithError(errors.New("no bus"))
	if _, err := remote.Keyring("studio")(ctx); err == nil || !strings.Contains(err.Error(), "key_env: VARIABLE") {
		t.Errorf("no keyring: %v", err)
	}
	t.Setenv("STUDIO_KEY", " "+secret+"\n")
	if got, err := remote.Environment("STUDIO_KEY")(ctx); got != secret || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := remote.Environment("NO_SUCH_KEY")(ctx); err == nil {
		t.Error("an empty variable served")
	}
	s := serve(t, httptest.NewServer, whole())
	e := s.open(t, func(o *remote.Options) {
		o.Key = func(context.Context) (string, error) { return "two\nlines " + secret, nil }
	})
	if _, err := e.Generate(ctx, request()); !errors.Is(err, engine.ErrUnavailable) || strings.Contains(err.Error(), secret) || s.requests() != 0 {
		t.Errorf("a key of two lines: %v", err)
	}
}

// FuzzStream sends any bytes as a stream: whatever comes, the reply ends, and
// its text is text.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{"data: " + text("x") + "\n\ndata: " + finish("stop") + "\n\ndata: [DONE]\n\n", "data: {\"choices\":null}\n\n", ": ping\n\nevent: x\ndata\n\n",
		"data: " + usage + "\n\n", "data: {\"timings\":{\"prompt_n\":-1,\"prompt_ms\":1e308}}\n\n", "\xff\x00data:", "data: {\"error\":[]}\n\n"} {
		f.Add([]byte(seed))
	}
	var body []byte
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(body)
	}))
	f.Cleanup(s.Close)
	e, err := remote.New(remote.Options{URL: s.URL + "/v1", Model: "m", Attempts: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = e.Close() })
	f.Fuzz(func(t *testing.T, data []byte) {
		body = data
		stream, err := e.Generate(context.Background(), request())
		if err != nil {
			return // refused before anything began, which is an answer too
		}
		h := hear(t, stream)
		if h.done.Reason == "" || strings.ToValidUTF8(h.text, "") != h.text || h.done.Stats.PromptTokens < 0 || h.done.Stats.Tokens < len(h.tokens) {
			t.Errorf("%+v", h)
		}
	})
}
