package story_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"fabula/engine/scripted"
	"fabula/story"
	"fabula/story/store"
)

// playerEnv makes this test binary a program that plays until it is killed.
const playerEnv = "FABULA_TEST_PLAYER"

// playForEver takes turns and prints what was acknowledged: that the input is
// stored, and every `done`.
func playForEver(dir string) error {
	script, err := loadFerry(nil)
	if err != nil {
		return err
	}
	e, err := scripted.Parse([]byte("reply\nsay \"Look at the water, the water is all there is.\" 1ms\n"))
	if err != nil {
		return err
	}
	held, err := store.Open(dir)
	if err != nil {
		return err
	}
	s, err := story.New(story.Config{Script: script, Store: held, Engines: rungs{{Engine: e}}})
	if err != nil {
		return err
	}
	b, err := s.Reader().Branch("main")
	if err != nil {
		return err
	}
	for {
		r, err := s.Say(context.Background(), b.ID, story.Input{Text: "Good day."}, story.Options{})
		if err != nil {
			return err
		}
		fmt.Println("said", r.Snapshot().Turn.ID)
		if _, _, err := r.Wait(); err != nil {
			return err
		}
		for _, e := range r.Events(0) {
			if e.Kind == story.DoneEvent {
				fmt.Println("done", e.Done.Alternative)
			}
		}
	}
}

// Ensure that kill -9 at any moment of play loses no printed `done` and no
// stored line of the player, and leaves a tree in which every id resolves.
func TestKill(t *testing.T) {
	kills := 40
	if n, err := strconv.Atoi(os.Getenv("FABULA_KILLS")); err == nil {
		kills = n
	} else if testing.Short() {
		kills = 6
	}
	g := newGame(t, plays(t, ""))
	g.begin(story.Start{Name: "main"})
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	var said, done []story.ID
	for range kills {
		lines := playAndKill(t, g.dir, time.Duration(rand.IntN(60_000))*time.Microsecond)
		for _, l := range lines {
			if what, id, ok := strings.Cut(l, " "); ok && what == "said" {
				said = append(said, story.ID(id))
			} else if ok {
				done = append(done, story.ID(id))
			}
		}
	}
	g.open()
	interrupted := 0
	for _, id := range said {
		turn, err := g.Reader().Turn(id)
		if err != nil || turn.Input.Text != "Good day." || turn.Status == story.Pending {
			t.Errorf("said and lost: %+v, %v", turn, err)
		}
	}
	for _, id := range done {
		if a, err := g.Reader().Alternative(id); err != nil || a.Text == "" {
			t.Errorf("done and lost: %s, %v", id, err)
		}
	}
	b, _ := g.Reader().Branch("main")
	path, err := g.Reader().Path(b.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range path[1:] {
		if r := step.Alternative.Reply; r == nil || r.Reason == "interrupted" {
			interrupted++
		}
	}
	if len(done) < kills || len(path)-1 < len(said) {
		t.Errorf("%d done, %d said, path of %d", len(done), len(said), len(path))
	}
	g.sound()
	t.Logf("%d kills: %d turns acknowledged, %d on the branch, %d interrupted", kills, len(said), len(path)-1, interrupted)
}

// playAndKill lets a player finish a turn, waits a little, kills it, and gives
// the lines it printed whole.
func playAndKill(t *testing.T, dir string, after time.Duration) []string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), playerEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	in := bufio.NewReader(out)
	killing := false
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		lines = append(lines, strings.TrimSpace(line))
		if strings.HasPrefix(line, "done") && !killing {
			killing = true
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed
	if !killing {
		t.Fatal("the player finished no turn")
	}
	return lines
}
