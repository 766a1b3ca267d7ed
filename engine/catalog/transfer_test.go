package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fabula/engine/catalog"
	"fabula/engine/gguf/header/sample"
)

// mirror serves one file at /m.gguf over TLS and misbehaves as told.
type mirror struct {
	*httptest.Server
	mu     sync.Mutex
	data   []byte
	etag   string
	after  int                                                            // bytes after which a connection is dropped, 0 = never
	handle func(w http.ResponseWriter, r *http.Request, data []byte) bool // answers instead, when it says so
	ranges []string                                                       // Range of each request
}

func newMirror(t *testing.T, data []byte) *mirror {
	m := &mirror{data: data, etag: `"1"`}
	m.Server = httptest.NewTLSServer(http.HandlerFunc(m.serve))
	m.Config.ErrorLog = nil
	t.Cleanup(m.Close)
	return m
}

func (m *mirror) serve(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	m.ranges = append(m.ranges, r.Header.Get("Range"))
	data, etag, after, handle := m.data, m.etag, m.after, m.handle
	m.mu.Unlock()
	if etag != "" {
		w.Header().Set("ETag", etag)
	}
	if handle != nil && handle(w, r, data) {
		return
	}
	if after > 0 {
		w = &dropping{w, after}
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(data)))
}

// dropping breaks the connection after some bytes.
type dropping struct {
	http.ResponseWriter
	left int
}

func (d *dropping) Write(b []byte) (int, error) {
	n, err := d.ResponseWriter.Write(b[:min(len(b), d.left)])
	if d.left -= n; d.left == 0 {
		d.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

// TestPullGoesOn drops the connection every so many bytes.
func TestPullGoesOn(t *testing.T) {
	data := sample.Model("M", 5000).Bytes()
	s := newMirror(t, data)
	s.after = 3000
	dir := t.TempDir()
	c := open(t, catalog.Options{Dir: dir, Client: s.Client()})
	var last int64
	m, err := c.Pull(t.Context(), s.URL+"/m.gguf", digest(data), func(done, _ int64) {
		if done < last {
			t.Errorf("progress went back from %d to %d", last, done)
		}
		last = done
	})
	if err != nil || m.SHA256 != digest(data) || last != int64(len(data)) {
		t.Fatalf("%+v, %v, %d bytes", m, err, last)
	}
	if want := len(data)/3000 + 1; len(s.ranges) != want || s.ranges[1] != "bytes=3000-" {
		t.Errorf("%d connections, want %d: %q", len(s.ranges), want, s.ranges)
	}
	if names := left(t, dir); len(names) != 2 {
		t.Errorf("folder holds %v", names)
	}
}

// TestPullIsTakenUp cancels and pulls again, with and without a known sum.
func TestPullIsTakenUp(t *testing.T) {
	data := sample.Model("M", 200_000).Bytes()
	for _, sum := range []string{"", digest(data)} {
		s := newMirror(t, data)
		s.handle = func(w http.ResponseWriter, r *http.Request, data []byte) bool {
			if r.Header.Get("Range") != "" {
				return false
			}
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			_, _ = w.Write(data[:100_000])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		}
		dir := t.TempDir()
		c := open(t, catalog.Options{Dir: dir, Client: s.Client()})
		ctx, cancel := context.WithCancel(t.Context())
		_, err := c.Pull(ctx, s.URL+"/m.gguf", sum, func(done, _ int64) {
			if done == 100_000 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "are kept") {
			t.Fatalf("cancelled: %v", err)
		}
		if info, err := os.Stat(filepath.Join(dir, ".m.gguf.part")); err != nil || info.Size() != 100_000 {
			t.Fatalf("part: %v, %v", info, err)
		}
		if models, err := c.List(); err != nil || len(models) != 0 {
			t.Errorf("a part is listed: %v, %v", models, err)
		}
		m, err := c.Pull(t.Context(), s.URL+"/m.gguf", sum, nil)
		if err != nil || m.SHA256 != digest(data) {
			t.Errorf("taken up: %+v, %v", m, err)
		}
		if got := s.ranges[len(s.ranges)-1]; got != "bytes=100000-" {
			t.Errorf("asked for %q", got)
		}
		if names := left(t, dir); len(names) != 2 {
			t.Errorf("folder holds %v", names)
		}
	}
}

// TestPullFromALiar has servers whose ranges are not what was asked for. What is
// put together from them is never taken for the model.
func TestPullFromALiar(t *testing.T) {
	data := sample.Model("M", 5000).Bytes()
	tests := map[string]func(w http.ResponseWriter, from int){
		"another range": func(w http.ResponseWriter, from int) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from-10, len(data)-1, len(data)))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(data[from-10:])
		},
		"no range": func(w http.ResponseWriter, _ int) {
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(data)
		},
		"other bytes": func(w http.ResponseWriter, from int) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)-1, len(data)))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(data[:len(data)-from])
		},
		"another length": func(w http.ResponseWriter, from int) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)+9, len(data)+10))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(append(data[from:], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
		},
		"not satisfiable": func(w http.ResponseWriter, _ int) { w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) },
		"ignored":         func(w http.ResponseWriter, _ int) { _, _ = w.Write(data) },
	}
	for name, lie := range tests {
		t.Run(name, func(t *testing.T) {
			s, first := newMirror(t, data), true
			s.handle = func(w http.ResponseWriter, r *http.Request, data []byte) bool {
				from := 0
				if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); n == 1 {
					lie(w, from)
				} else if first {
					first = false
					http.ServeContent(&dropping{w, 4000}, r, "", time.Time{}, strings.NewReader(string(data)))
				} else {
					_, _ = w.Write(data)
				}
				return true
			}
			dir := t.TempDir()
			m, err := open(t, catalog.Options{Dir: dir, Client: s.Client()}).Pull(t.Context(), s.URL+"/m.gguf", digest(data), nil)
			if err != nil || m.SHA256 != digest(data) || len(left(t, dir)) != 2 {
				t.Errorf("%+v, %v, folder %v; asked %q", m, err, left(t, dir), s.ranges)
			}
		})
	}
}

// TestPullOfAChangingFile replaces the file behind an address after the first
// connection broke: the result is the new file, never a mixture.
func TestPullOfAChangingFile(t *testing.T) {
	old, fresh := sample.Model("Old", 5000).Bytes(), sample.Model("New", 5000).Bytes()
	for _, tags := range [][2]string{{`"1"`, `"2"`}, {`W/"1"`, `W/"1"`}, {"", ""}} {
		s, first := newMirror(t, old), true
		s.etag = tags[0]
		s.handle = func(w http.ResponseWriter, r *http.Request, data []byte) bool {
			if !first {
				return false
			}
			first = false
			s.mu.Lock()
			s.data, s.etag = fresh, tags[1]
			s.mu.Unlock()
			http.ServeContent(&dropping{w, 4000}, r, "", time.Time{}, strings.NewReader(string(data)))
			return true
		}
		dir := t.TempDir()
		m, err := open(t, catalog.Options{Dir: dir, Client: s.Client()}).Pull(t.Context(), s.URL+"/m.gguf", "", nil)
		if err != nil || m.SHA256 != digest(fresh) {
			t.Errorf("tags %q: %+v, %v; asked %q", tags, m, err, s.ranges)
		}
	}
	// With a sum the new file is refused, and said to be another one.
	s := newMirror(t, fresh)
	dir := t.TempDir()
	_, err := open(t, catalog.Options{Dir: dir, Client: s.Client()}).Pull(t.Context(), s.URL+"/m.gguf", digest(old), nil)
	if err == nil || !strings.Contains(err.Error(), "thrown away") || len(left(t, dir)) > 0 {
		t.Errorf("%v, left %v", err, left(t, dir))
	}
}

// TestPullGivesUp has a server that always breaks at the same byte.
func TestPullGivesUp(t *testing.T) {
	data := sample.Model("M", 5000).Bytes()
	s := newMirror(t, data)
	s.handle = func(w http.ResponseWriter, _ *http.Request, data []byte) bool {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data[:len(data)/2])
		return true
	}
	dir := t.TempDir()
	_, err := open(t, catalog.Options{Dir: dir, Client: s.Client()}).Pull(t.Context(), s.URL+"/m.gguf", "", nil)
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "are kept") || len(s.ranges) != 6 {
		t.Errorf("%v after %d connections", err, len(s.ranges))
	}
}

func TestPullNeedsRoom(t *testing.T) {
	data := sample.Model("M", 50_000).Bytes()
	s := newMirror(t, data)
	dir := t.TempDir()
	c := open(t, catalog.Options{Dir: dir, Client: s.Client(), FreeDisk: func(string) (int64, error) { return 100_000, nil }})
	_, err := c.Pull(t.Context(), s.URL+"/m.gguf", "", nil)
	if !errors.Is(err, catalog.ErrDisk) || !strings.Contains(err.Error(), "0 MiB free") || len(left(t, dir)) > 0 {
		t.Errorf("%v, left %v", err, left(t, dir))
	}
}

// TestPullTwiceAtOnce has a second process at the same file.
func TestPullTwiceAtOnce(t *testing.T) {
	data := sample.Model("M", 50_000).Bytes()
	s := newMirror(t, data)
	dir := t.TempDir()
	c := open(t, catalog.Options{Dir: dir, Client: s.Client()})
	var second error
	_, err := c.Pull(t.Context(), s.URL+"/m.gguf", "", func(int64, int64) {
		if second == nil {
			_, second = open(t, catalog.Options{Dir: dir, Client: s.Client()}).Pull(t.Context(), s.URL+"/m.gguf", "", nil)
		}
	})
	if err != nil || !errors.Is(second, catalog.ErrBusy) {
		t.Errorf("first %v, second %v", err, second)
	}
}
