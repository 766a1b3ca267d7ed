package catalog_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fabula/engine/catalog"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/hub"
)

// shelf is a hub with one model; the file itself is on another host, as hubs
// keep them.
func shelf(t *testing.T, data []byte) (*httptest.Server, *mirror) {
	t.Helper()
	store := newMirror(t, data)
	mux := http.NewServeMux()
	mux.HandleFunc("/api/models/x/y/revision/main", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"sha":"c0ffee","cardData":{"license":"apache-2.0"},"siblings":[{"rfilename":"m-Q4_K_M.gguf","lfs":{"sha256":%q,"size":%d}}]}`, digest(data), len(data))
	})
	mux.HandleFunc("/x/y/resolve/c0ffee/m-Q4_K_M.gguf", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		http.Redirect(w, r, strings.Replace(store.URL, "127.0.0.1", "localhost", 1)+"/blob", http.StatusFound)
	})
	s := httptest.NewTLSServer(mux)
	t.Cleanup(s.Close)
	return s, store
}

// trusting is a client that takes the certificate of a test under any name.
func trusting(s *httptest.Server) *http.Client {
	client := s.Client()
	transport := client.Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.ServerName = "example.com"
	client.Transport = transport
	return client
}

func TestPullByID(t *testing.T) {
	data := sample.Model("M", 5000).Bytes()
	s, store := shelf(t, data)
	store.after = 9000 // and the connection breaks on the way
	store.handle = func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		if r.Header.Get("Authorization") != "" {
			t.Error("the token went to another host")
		}
		return false
	}
	dir := t.TempDir()
	c := open(t, catalog.Options{Dir: dir, Client: trusting(s), Hub: s.URL, HubToken: "secret"})
	m, err := c.Pull(t.Context(), "x/y:Q4_K_M", "", nil)
	if err != nil || m.SHA256 != digest(data) || m.Licence != "apache-2.0" || m.Origin != "x/y@c0ffee:m-Q4_K_M.gguf" {
		t.Fatalf("%+v, %v", m, err)
	}
	connections := len(store.ranges)
	if connections != 3 {
		t.Errorf("%d connections for %d bytes", connections, len(data))
	}
	again, err := c.Pull(t.Context(), "x/y", digest(data), nil)
	if err != nil || again.SHA256 != m.SHA256 || len(store.ranges) != connections {
		t.Errorf("the same again: %+v, %v, %d connections", again, err, len(store.ranges))
	}
	if err := os.WriteFile(filepath.Join(dir, "m-Q4_K_M.gguf"), sample.Model("Other", 9).Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if models, err := c.List(); err != nil || models[0].Origin != "" {
		t.Errorf("another file keeps the origin: %+v, %v", models, err)
	}
	if _, err := c.Pull(t.Context(), "x/y", "", nil); !errors.Is(err, catalog.ErrExists) || len(store.ranges) != connections {
		t.Errorf("another of that name: %v", err)
	}
	if _, err := c.Pull(t.Context(), "x/y", strings.Repeat("0", 64), nil); err == nil || !strings.Contains(err.Error(), "the hub says") {
		t.Errorf("another sum than the hub's: %v", err)
	}
	if _, err := c.Pull(t.Context(), "x/z", "", nil); !errors.Is(err, hub.ErrNotFound) || strings.Contains(err.Error(), "secret") {
		t.Errorf("unknown: %v", err)
	}
}
