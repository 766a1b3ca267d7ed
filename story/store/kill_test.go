package store_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fabula/story"
	"fabula/story/store"
)

// writerEnv makes this test binary a program that writes turns until killed.
const writerEnv = "FABULA_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		if err := write(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m)
}

// write adds turns below the branch's leaf for ever and prints what each
// Update acknowledged.
func write(dir string) error {
	s, err := store.Open(dir)
	if err != nil {
		return err
	}
	b, err := s.Branch("B0")
	if err != nil {
		return err
	}
	left, err := s.Pending()
	if err != nil {
		return err
	}
	leaf, err := s.Alternative(b.Leaf)
	if err != nil {
		return err
	}
	depth := len(leaf.Turn) // any start: ids below are unique by time
	for n := time.Now().UnixNano(); ; n++ {
		turn := turnAt(1)
		turn.ID, turn.Parent, turn.Depth = story.ID(fmt.Sprintf("T%d", n)), b.Leaf, depth
		if err := s.Begin(nil, nil, turn); err != nil {
			return err
		}
		fmt.Println("said", turn.ID)
		live, err := s.Live(turn.ID, "")
		if err != nil {
			return err
		}
		for range 5 {
			fmt.Fprintln(live, "a token of the reply")
		}
		_ = live.Close()
		a := alternativeAt(1)
		a.ID, a.Turn = story.ID(fmt.Sprintf("A%d", n)), turn.ID
		b.Leaf = a.ID
		if err := s.Finish(a, story.Finished, b, map[string]string{hash(int(n % 1000)): "prompt"}); err != nil {
			return err
		}
		fmt.Println("done", a.ID, len(left))
	}
}

// Ensure that kill -9 in the middle of writing loses nothing that was
// acknowledged, the player's line of an interrupted turn included (R34).
func TestKill(t *testing.T) {
	kills := 50
	if testing.Short() {
		kills = 8
	}
	dir := t.TempDir()
	s := open(t, dir)
	grow(t, s, 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	said, done := map[story.ID]bool{}, map[story.ID]bool{}
	for i := range kills {
		killOnce(t, dir, time.Duration(i%10)*4*time.Millisecond, said, done)
	}
	s = open(t, dir)
	for id := range said {
		if turn, err := s.Turn(id); err != nil || turn.Input.Text == "" {
			t.Errorf("said and lost: %s, %v", id, err)
		}
	}
	for id := range done {
		if a, err := s.Alternative(id); err != nil || a.Text == "" {
			t.Errorf("done and lost: %s, %v", id, err)
		}
	}
	left, err := s.Pending()
	if err != nil {
		t.Fatal(err)
	}
	left = slices.DeleteFunc(left, func(u story.Unfinished) bool { return u.Turn.Status != story.Pending })
	stats, _ := s.Stats()
	if len(done) < kills || stats.Turns != stats.Alternatives+len(left) {
		t.Errorf("%d kills, %d done, %d turns, %d alternatives, %d unfinished", kills, len(done), stats.Turns, stats.Alternatives, len(left))
	}
	t.Logf("%d kills: %d turns acknowledged, %d of them unfinished", kills, len(said), len(left))
}

// killOnce lets a writer finish a turn, waits a little and kills it.
func killOnce(t *testing.T, dir string, after time.Duration, said, done map[story.ID]bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	killing := false
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 2 && words[0] == "said":
			said[story.ID(words[1])] = true
		case len(words) == 3 && words[0] == "done":
			done[story.ID(words[1])] = true
			if !killing {
				killing = true
				time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
			}
		}
	}
	_ = cmd.Wait() // killed
	if !killing {
		t.Fatal("the writer wrote nothing")
	}
}
