package catalog_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/gguf/header/sample"
)

// fake is an engine that loads until told otherwise.
type fake struct {
	info   engine.Info
	mu     sync.Mutex
	err    error
	loaded chan struct{}
	closed bool
}

func newFake(m catalog.Model) *fake { return &fake{info: m.Info(), loaded: make(chan struct{})} }

func (f *fake) Info() engine.Info { return f.info }
func (f *fake) Generate(context.Context, engine.Request) (engine.Stream, error) {
	return nil, engine.ErrUnavailable
}

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}

func (f *fake) Ready(ctx context.Context) error {
	select {
	case <-f.loaded:
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.err
	default:
	}
	select {
	case <-f.loaded:
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *fake) finish(err error) {
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
	close(f.loaded)
}

// opener opens fakes and remembers them by name.
type opener struct {
	mu     sync.Mutex
	opened map[string][]*fake
	refuse map[string]error
	seen   []catalog.Model
}

func (o *opener) open(m catalog.Model) (engine.Engine, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = append(o.seen, m)
	if err := o.refuse[m.Name]; err != nil {
		return nil, err
	}
	f := newFake(m)
	if o.opened == nil {
		o.opened = map[string][]*fake{}
	}
	o.opened[m.Name] = append(o.opened[m.Name], f)
	return f, nil
}

// pool is a folder of small model files. Sizes are in elements of one tensor,
// whose data is left a hole in the file.
func pool(t *testing.T, models map[string]sample.File) string {
	t.Helper()
	dir := t.TempDir()
	for name, f := range models {
		if err := os.WriteFile(filepath.Join(dir, name+".gguf"), f.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func languages(codes ...string) sample.Pair {
	return sample.Pair{Key: "general.languages", Value: codes}
}

func sidecar(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name+".gguf.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, o catalog.Options) *catalog.Catalog {
	t.Helper()
	o.Pause = func(int) time.Duration { return 0 }
	c, err := catalog.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
