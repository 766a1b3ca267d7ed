package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"fabula/engine/bench"
)

// Ensure that a server is asked the same as an engine, in turns, and that its
// lumps of tokens are not taken for fast tokens.
func TestBenchCompares(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("FABULA_REMOTE_KEY", "sk-live-0123456789abcdef")
	xdg.Reload()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sk-live-0123456789abcdef" {
			t.Errorf("authorised by %q", r.Header.Get("Authorization"))
		}
		if r.URL.Path == "/v1/models" {
			fmt.Fprint(w, `{"data":[{"id":"first"}]}`)
			return
		}
		asked++
		w.Header().Set("Content-Type", "text/event-stream")
		for range 5 {
			fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"a b"}}]}`+"\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(2 * time.Millisecond)
		}
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`+"\n\n"+
			`data: {"choices":[],"usage":{"prompt_tokens":70,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":60}}}`+"\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	var raw, table, notes bytes.Buffer
	for out, more := range map[*bytes.Buffer][]string{&raw: {"--json"}, &table: {"--lang", "en"}} {
		root, _ := newRoot()
		root.SetOut(out)
		root.SetErr(&notes)
		root.SetArgs(append([]string{"bench", "--engine", "recall", "--compare", server.URL + "/v1", "--sizes", "64", "--replies", "2", "--tokens", "10"}, more...))
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var r bench.Report
	if err := json.Unmarshal(raw.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if asked != 10 || len(r.Engines) != 2 || r.Engines[1].Engine.Model != "first" {
		t.Fatalf("asked %d times: %+v", asked, r.Engines)
	}
	z := r.Engines[1].Sizes[0]
	if z.PerEvent != 2 || z.Prompt != 70 || z.Reused != 60 || z.Cold.N != 2 || z.Gaps.N != 16 || z.Decode < 100 || z.Decode > 1100 {
		t.Errorf("%+v", z)
	}
	if strings.Contains(raw.String()+table.String()+notes.String(), "sk-live") {
		t.Error("the key was printed")
	}
	for _, want := range []string{"another machine: the network is in every time", "2.0 tokens at once", "recall"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
}
