//go:build linux

package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fabula/story"
	"fabula/story/store"
)

// fullEnv makes this test binary a program that writes until nothing more can
// be written.
const fullEnv = "FABULA_TEST_FULL"

func init() { programs[fullEnv] = fill }

// fill takes turns until the disk is full; the limit on the size of a file
// stands for it. It prints what was acknowledged, and goes on after room was made.
func fill(dir string) error {
	s, err := store.Open(dir)
	if err != nil {
		return err
	}
	limit := syscall.Rlimit{Cur: 1 << 20, Max: syscall.RLIM_INFINITY & (1<<63 - 1)}
	old := syscall.Rlimit{}
	if err := errors.Join(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old), nil); err != nil {
		return err
	}
	limit.Max = old.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	b, err := s.Branch("salt")
	if err != nil {
		return err
	}
	full := 0
	for n := 0; n < 4000 && full < 3; n++ {
		id := fmt.Sprintf("9%025d", n)
		t := story.Turn{ID: story.ID("T" + id), Playthrough: b.Playthrough, Parent: b.Leaf, Branch: b.ID, Depth: 41 + n - full,
			Input: story.Input{Text: strings.Repeat("words ", 400)}, Status: story.Pending}
		if err = s.Begin(nil, nil, t); err == nil {
			fmt.Println("said", t.ID)
			a := story.Alternative{ID: story.ID("A" + id), Turn: t.ID, Speaker: "adu", Text: strings.Repeat("answer ", 400), Status: story.Finished}
			moved := b
			moved.Leaf = a.ID
			if err = s.Finish(a, story.Finished, moved, nil); err == nil {
				b = moved
				fmt.Println("done", a.ID)
			}
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "make room") {
			return fmt.Errorf("not said to be full: %w", err)
		}
		full++
		if limit.Cur += 256 << 10; full < 3 {
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
				return err
			}
		}
	}
	if full < 3 {
		return errors.New("it never filled up")
	}
	return s.Close()
}

// Ensure that a full disk is said to be full, that what was acknowledged is
// there, and that writing goes on once there is room.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	told(t, dir)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fullEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	said, done := 0, 0
	for lines := bufio.NewScanner(strings.NewReader(string(out))); lines.Scan(); {
		what, id, _ := strings.Cut(lines.Text(), " ")
		if what == "said" {
			said++
			if _, err := s.Turn(story.ID(id)); err != nil {
				t.Errorf("said and lost: %v", err)
			}
			continue
		}
		done++
		if _, err := s.Alternative(story.ID(id)); err != nil {
			t.Errorf("done and lost: %v", err)
		}
	}
	if done < 20 {
		t.Errorf("only %d turns", done)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sound(t, dir)
	if left, _ := filepath.Glob(filepath.Join(dir, "*.new.*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	t.Logf("%d turns said, %d done, full three times", said, done)
}
