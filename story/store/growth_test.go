package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fabula/story/store"
)

// BenchmarkGrowth appends turns to a store of 100 to 100,000 turns, each synced
// twice as in play, and opens it. Bytes a turn and time a turn are to stay flat;
// ratio is this size's time a turn over that of 100 turns in the same run.
func BenchmarkGrowth(b *testing.B) {
	dir := b.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	l := tell(b, s, "grow", 0)
	first := 0.0
	for _, n := range []int{100, 1_000, 10_000, 100_000} {
		s.Unsynced(true)
		l.on(n - l.depth)
		s.Unsynced(false)
		stats, err := s.Stats()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("turns=%d", n), func(b *testing.B) {
			l.t = b
			for b.Loop() {
				l.on(1)
			}
			each := float64(b.Elapsed()) / float64(b.N)
			if first == 0 {
				first = each
			}
			b.ReportMetric(each/first, "ratio")
			b.ReportMetric(float64(stats.Bytes)/float64(n), "bytes/turn")
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
			_ = os.RemoveAll(filepath.Join(dir, store.BackupDir)) // the copy is made beside the opening that is measured
			start := time.Now()
			if s, err = store.Open(dir); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(time.Since(start).Milliseconds()), "open_ms")
			l.s = s
		})
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// FuzzRestore takes anything for a dump: it is refused, or it is a whole store
// whose dump is the same bytes.
func FuzzRestore(f *testing.F) {
	dir := f.TempDir()
	s := open(f, dir)
	tell(f, s, "salt", 2)
	if err := s.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(dumped(f, dir))
	f.Add([]byte(`{"format":"fabula-store/1","schema":2}` + "\n" + `{"end":"","lines":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		to := t.TempDir()
		file := filepath.Join(to, "dump")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Restore(to, file, store.For{}); err != nil {
			return
		}
		if _, err := store.Check(to); err != nil {
			t.Errorf("restored, and cannot be checked: %v", err)
		}
		if bytes.HasPrefix(data, []byte(`{"format"`)) {
			first := dumped(t, to)
			if _, err := store.Restore(to, file, store.For{}); err != nil || !bytes.Equal(first, dumped(t, to)) {
				t.Errorf("the second dump differs, %v", err)
			}
		}
	})
}

// FuzzSalvage looks for turns in anything: it never panics, and what it saves is
// a sound store.
func FuzzSalvage(f *testing.F) {
	dir := f.TempDir()
	s := open(f, dir)
	tell(f, s, "salt", 2)
	if err := s.Close(); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(dir, store.File))
	if err != nil {
		f.Fatal(err)
	}
	page := os.Getpagesize()
	f.Add(uint32(0), []byte{})
	f.Add(uint32(2*page+10), []byte{0xff, 0xff})
	f.Add(uint32(3*page), bytes.Repeat([]byte{2}, 40))
	f.Fuzz(func(t *testing.T, at uint32, patch []byte) {
		data := bytes.Clone(good)
		copy(data[int(at)%len(data):], patch)
		to := t.TempDir()
		if err := os.WriteFile(filepath.Join(to, store.File), data, 0o600); err != nil {
			t.Fatal(err)
		}
		saved, err := store.Salvage(to, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(saved.File, filepath.Join(to, store.File)); err != nil {
			t.Fatal(err)
		}
		rep, err := store.Check(to)
		if err != nil || rep.Turns != saved.Turns {
			t.Fatalf("%+v, %v", rep, err)
		}
		for _, p := range rep.Problems {
			if p.Code != store.CodeMissing || p.Args[0] != "text" {
				t.Errorf("%+v", p)
			}
		}
	})
}
