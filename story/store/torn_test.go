//go:build unix

package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"fabula/story"
	"fabula/story/store"
)

// Ensure that flipped bytes, most of them in the heads of pages where the
// library trusts what it reads, end in an answer or an error that names the
// file, never in a panic.
func TestFlippedBytes(t *testing.T) {
	whole := t.TempDir()
	s := open(t, whole)
	b := grow(t, s, 12)
	stats, err := s.Stats()
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(whole, store.File))
	if err != nil {
		t.Fatal(err)
	}
	page, dir := os.Getpagesize(), t.TempDir()
	random := rand.New(rand.NewPCG(7, 7))
	refused := 0
	for i := range 400 {
		at := random.IntN(int(stats.Bytes))
		if i%4 > 0 {
			at = at/page*page + random.IntN(64)
		}
		data := append([]byte(nil), good...)
		data[at] ^= byte(1 << random.IntN(8))
		if err := os.WriteFile(filepath.Join(dir, store.File), data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := readAll(dir, b.Leaf); err != nil {
			refused++
			if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, story.ErrNotFound) && !errors.Is(err, store.ErrSchema) {
				t.Errorf("byte %d: %v", at, err)
			}
		}
	}
	t.Logf("%d of 400 flips were noticed", refused)
}

func readAll(dir string, leaf story.ID) error {
	r, c, err := store.OpenReader(dir)
	if err != nil {
		return err
	}
	_, perr := r.Path(leaf)
	werr := r.Walk(func(story.Turn, []story.Alternative) error { return nil })
	return errors.Join(perr, werr, c.Close())
}

// Ensure that of many openers of a new store exactly one gets it, and nobody
// is given half of it.
func TestOpenAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	var mu sync.Mutex
	var held []*store.Store
	for range 8 {
		all.Go(func() {
			s, err := store.Open(dir)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				held = append(held, s)
			} else if !errors.Is(err, store.ErrLocked) {
				t.Errorf("err = %v", err)
			}
		})
	}
	all.Wait()
	if len(held) != 1 {
		t.Fatalf("%d hold the store", len(held))
	}
	grow(t, held[0], 1)
	if err := held[0].Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.new*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Ensure that a suspended holder, which keeps the lock and answers nothing,
// is named, not waited for (R32).
func TestSuspendedHolder(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for i := range writers {
		tell(t, s, fmt.Sprintf("tale%d", i), 0)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	if _, err := fmt.Fscanln(out, new(string), new(string)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() error{
		"Open":       func() error { _, err := store.Open(dir); return err },
		"OpenReader": func() error { _, _, err := store.OpenReader(dir); return err },
	} {
		var locked *store.LockedError
		if err := try(); !errors.As(err, &locked) || locked.PID != cmd.Process.Pid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
