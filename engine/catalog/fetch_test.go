package catalog_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/engine/catalog"
	"fabula/engine/gguf/header"
	"fabula/engine/gguf/header/sample"
)

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// left lists the folder, with what may have been left behind.
func left(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAdd(t *testing.T) {
	data := sample.Model("M", 4096).Bytes()
	from := filepath.Join(t.TempDir(), "m.gguf")
	if err := os.WriteFile(from, data, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data", "models")
	c := open(t, catalog.Options{Dir: dir})
	var done, total int64
	m, err := c.Add(t.Context(), from, func(d, n int64) { done, total = d, n })
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "m" || m.SHA256 != digest(data) || m.File != filepath.Join(dir, "m.gguf") {
		t.Errorf("%+v", m)
	}
	if done != int64(len(data)) || total != done {
		t.Errorf("progress ends at %d of %d", done, total)
	}
	if got := fmt.Sprint(left(t, dir)); got != "[m.gguf m.gguf.json]" {
		t.Errorf("folder holds %s", got)
	}
	if _, err := c.Add(t.Context(), from, nil); err != nil {
		t.Errorf("the same again: %v", err)
	}
	if err := os.WriteFile(from, sample.Model("Other", 64).Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Add(t.Context(), from, nil); !errors.Is(err, catalog.ErrExists) {
		t.Errorf("another of that name: %v", err)
	}
	if there, err := os.ReadFile(filepath.Join(dir, "m.gguf")); err != nil || digest(there) != digest(data) {
		t.Error("the first model was overwritten")
	}
}

func TestAddRefuses(t *testing.T) {
	from := t.TempDir()
	dir := filepath.Join(t.TempDir(), "models")
	c := open(t, catalog.Options{Dir: dir})
	sound := sample.Model("M", 4096).Bytes()
	tests := map[string]struct {
		data []byte
		says string
	}{
		"page.gguf":        {[]byte("<!DOCTYPE html>"), "web page"},
		"pytorch.bin":      {[]byte("PK\x03\x04............"), "zip archive"},
		"model.safetensor": {[]byte("\x10\x00\x00\x00\x00\x00\x00\x00{\"x\":1}"), "safetensors"},
		"cut.gguf":         {sound[:len(sound)-9], "truncated"},
		"part.gguf":        {sample.Model("M", 64, sample.Pair{Key: "split.count", Value: uint32(2)}).Bytes(), "parts"},
		"adapter.gguf":     {sample.File{Pairs: []sample.Pair{{Key: "general.architecture", Value: "llama"}}}.Bytes(), "no model"},
		".hidden.gguf":     {sound, "no name"},
		"empty.gguf":       {nil, "empty"},
	}
	for name, test := range tests {
		path := filepath.Join(from, name)
		if err := os.WriteFile(path, test.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Add(t.Context(), path, nil); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one with %q", name, err, test.says)
		}
	}
	if _, err := c.Add(t.Context(), filepath.Join(from, "none"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	if names := left(t, dir); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestAddStops(t *testing.T) {
	from := filepath.Join(t.TempDir(), "m.gguf")
	if err := os.WriteFile(from, sample.Model("M", 1<<20).Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := open(t, catalog.Options{Dir: dir}).Add(ctx, from, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) || len(left(t, dir)) > 0 {
		t.Errorf("error %v, left behind %v", err, left(t, dir))
	}
}

// library serves models and misbehaviour over TLS.
func library(t *testing.T, data []byte) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/m.gguf", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) })
	mux.HandleFunc("/page.gguf", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!doctype html>" + strings.Repeat("please log in ", 1000)))
	})
	mux.HandleFunc("/gone.gguf", http.NotFound)
	mux.HandleFunc("/short.gguf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data[:len(data)/2])
	})
	mux.HandleFunc("/huge.gguf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(int64(1)<<50))
	})
	mux.HandleFunc("/endless.gguf", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(data)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/moved.gguf", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/m.gguf", http.StatusFound) })
	mux.HandleFunc("/loop.gguf", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/loop.gguf", http.StatusFound)
	})
	mux.HandleFunc("/plain.gguf", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.Host+"/m.gguf", http.StatusFound)
	})
	s := httptest.NewTLSServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestPull(t *testing.T) {
	data := sample.Model("M", 5000).Bytes()
	s := library(t, data)
	for _, address := range []string{"/m.gguf", "/moved.gguf", "/m.gguf?download=true"} {
		dir := filepath.Join(t.TempDir(), "models")
		c := open(t, catalog.Options{Dir: dir, Client: s.Client()})
		var done, total int64
		m, err := c.Pull(t.Context(), s.URL+address, strings.ToUpper(digest(data)), func(d, n int64) { done, total = d, n })
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		if m.SHA256 != digest(data) || m.Title != "M" || done != int64(len(data)) {
			t.Errorf("%s: %+v after %d of %d bytes", address, m, done, total)
		}
		if names := left(t, dir); len(names) != 2 {
			t.Errorf("%s: folder holds %v", address, names)
		}
	}
}

func TestPullWithoutSumTellsIt(t *testing.T) {
	data := sample.Model("M", 50).Bytes()
	s := library(t, data)
	m, err := open(t, catalog.Options{Dir: t.TempDir(), Client: s.Client()}).Pull(t.Context(), s.URL+"/m.gguf", "", nil)
	if err != nil || m.SHA256 != digest(data) {
		t.Errorf("%+v, %v", m, err)
	}
	var kept struct{ SHA256 string }
	text, err := os.ReadFile(m.File + ".json")
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.SHA256 != m.SHA256 {
		t.Errorf("sidecar %s, %v", text, err)
	}
}

func TestPullRefuses(t *testing.T) {
	data := sample.Model("M", 50_000).Bytes()
	s := library(t, data)
	wrong := strings.Repeat("0", 64)
	tests := map[string]struct {
		address, sum, says string
		is                 error
	}{
		"http":              {"http://example.invalid/m.gguf", "", "not http:", catalog.ErrInsecure},
		"file":              {"file:///etc/passwd", "", "not file:", catalog.ErrInsecure},
		"no address":        {"m.gguf", "", "https", catalog.ErrInsecure},
		"broken address":    {"https://user:secret@[::1/m.gguf", "", "cannot be read", nil},
		"redirect to http":  {s.URL + "/plain.gguf", "", "not http:", catalog.ErrInsecure},
		"redirect for ever": {s.URL + "/loop.gguf", "", "redirects more than", nil},
		"wrong sum":         {s.URL + "/m.gguf", wrong, "thrown away", nil},
		"no sum at all":     {s.URL + "/m.gguf", "abc", "no SHA-256", nil},
		"short sum":         {s.URL + "/m.gguf", "abcd", "no SHA-256", nil},
		"web page":          {s.URL + "/page.gguf", "", "a web page", header.ErrNotGGUF},
		"not there":         {s.URL + "/gone.gguf", "", "404", nil},
		"huge":              {s.URL + "/huge.gguf", "", "bytes long", nil},
		"no name":           {s.URL + "/", "", "no name", nil},
		"dots":              {s.URL + "/x/..", "", "no name", nil},
		"nobody there":      {"https://user:secret@127.0.0.1:1/m.gguf", "", "refused", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			_, err := open(t, catalog.Options{Dir: dir, Client: s.Client()}).Pull(t.Context(), test.address, test.sum, nil)
			if err == nil || !strings.Contains(err.Error(), test.says) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v, want one with %q", err, test.says)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("error shows a password: %v", err)
			}
			if names := left(t, dir); len(names) > 0 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}
