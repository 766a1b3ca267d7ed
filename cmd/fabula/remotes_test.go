package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// Ensure that a server answers a turn, that it gets the key, and that the key
// is in nothing that fabula prints, stores, logs or exports, even though the
// server repeats it.
func TestAServerAnswersATurn(t *testing.T) {
	const secret = "sk-live-0123456789abcdef"
	home := t.TempDir()
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(v, filepath.Join(home, v))
	}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("authorised by %q", r.Header.Get("Authorization"))
		}
		if asked++; asked == 1 {
			http.Error(w, `{"error":{"message":"busy, `+secret+`","type":"`+secret+`"}}`, http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, word := range []string{"A ", "fox ", "did."} {
			fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"content":%q},"logprobs":null}]}`+"\n\n", word)
		}
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"`+secret+`"}],"system_fingerprint":"`+secret+`"}`+"\n\n"+
			`data: {"choices":[],"usage":{"prompt_tokens":300,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":250}}}`+"\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	t.Setenv("FABULA_REMOTE_URL", server.URL+"/v1")
	t.Setenv("FABULA_REMOTE_MODEL", "npc")
	t.Setenv("FABULA_REMOTE_KEY", secret)
	xdg.Reload()
	var out, notes bytes.Buffer
	do := func(args ...string) {
		root, _ := newRoot()
		root.SetOut(&out)
		root.SetErr(&notes)
		root.SetArgs(args)
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatal(args, err)
		}
	}
	do("say", "fox_lantern", "laozhou", "Who lit the lamp?", "--engine", "remote", "--json", "--lang", "en")
	do("find", "fox_lantern", "A fox did.", "--json")
	for _, want := range []string{`"event":"prefill","computed":50,"reused":250`, `"text":"A fox did."`, `"engine":"remote","step":"full"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
	do("export", "fox_lantern", "--format", "qa,plottree", "--out", filepath.Join(home, "out"), "--all")
	do("log")
	do("engines", "list", "--json")
	if !strings.Contains(out.String(), "server is asked again") || strings.Contains(out.String()+notes.String(), secret) {
		t.Errorf("printed:\n%s%s", out.String(), notes.String())
	}
	files := 0
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		files++
		if bytes.Contains(raw, []byte(secret)) {
			t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil || files < 5 {
		t.Errorf("%d files, %v", files, err)
	}
}
