package store_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fabula/story"
	"fabula/story/store"
)

// writerEnv makes this test binary a program that writes turns until killed.
const writerEnv = "FABULA_TEST_WRITER"

// programs are what this test binary can be in place of a test, by the variable
// that names the folder.
var programs = map[string]func(dir string) error{writerEnv: write}

func TestMain(m *testing.M) {
	for env, run := range programs {
		if dir := os.Getenv(env); dir != "" {
			if err := run(dir); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}

// writers is how many branches write at once.
const writers = 3

// write adds turns below the leaves of several branches at once, for ever, and
// prints what each Update acknowledged. Now and then a branch is renamed.
func write(dir string) error {
	s, err := store.Open(dir)
	if err != nil {
		return err
	}
	if _, err := s.Pending(); err != nil {
		return err
	}
	failed := make(chan error)
	for i := range writers {
		go func() { failed <- writeBranch(s, fmt.Sprintf("tale%d", i)) }()
	}
	return <-failed
}

func writeBranch(s *store.Store, name string) error {
	b, err := s.Branch(name)
	if err != nil {
		return err
	}
	leaf, err := s.Alternative(b.Leaf)
	if err != nil {
		return err
	}
	last, err := s.Turn(leaf.Turn)
	if err != nil {
		return err
	}
	for n, depth := 0, last.Depth+1; ; n, depth = n+1, depth+1 {
		id := fmt.Sprintf("%s%019d", name, time.Now().UnixNano())
		turn := turnAt(1)
		turn.ID, turn.Parent, turn.Playthrough, turn.Branch, turn.Depth = story.ID("T"+id), b.Leaf, b.Playthrough, b.ID, depth
		if err := s.Begin(nil, nil, turn); err != nil {
			return err
		}
		a := alternativeAt(1)
		a.ID, a.Turn, a.Reply.Segments = story.ID("A"+id), turn.ID, nil
		fmt.Println("said", turn.ID)
		live, err := s.Live(turn.ID, a.ID)
		if err != nil {
			return err
		}
		for range 5 {
			fmt.Fprintln(live, "a token of the reply")
		}
		_ = live.Close()
		text := strings.Repeat("prompt text ", 200) + id
		sum := sha256.Sum256([]byte(text))
		b.Leaf = a.ID
		if err := s.Finish(a, story.Finished, b, map[string]string{hex.EncodeToString(sum[:]): text}); err != nil {
			return err
		}
		fmt.Println("done", a.ID)
		if n%7 == 6 {
			b.Tags = []string{fmt.Sprint("at ", n)}
			if err := s.PutBranch(b); err != nil {
				return err
			}
		}
	}
}

// kills is how often TestKill kills: CI does it for some seconds, make test-long
// for a minute and more.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("FABULA_KILLS")); err == nil {
		return n
	}
	if testing.Short() {
		return 8
	}
	return 40
}

// Ensure that kill -9 at random moments of writing on several branches, of
// opening and of copying loses nothing that was acknowledged, the player's line
// of an interrupted turn included, and that every id resolves (R34).
func TestKill(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for i := range writers {
		tell(t, s, fmt.Sprintf("tale%d", i), 2)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(34, uint64(time.Now().UnixNano())))
	said, done := map[story.ID]bool{}, map[story.ID]bool{}
	for range kills() {
		killOnce(t, dir, random.IntN(12), time.Duration(random.IntN(10_000))*time.Microsecond, said, done)
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
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	rep := sound(t, dir)
	if len(done) == 0 || rep.Turns != rep.Alternatives+rep.Unfinished {
		t.Errorf("%d kills, %d done; %+v", kills(), len(done), rep)
	}
	for _, b := range rep.Backups {
		if err := store.Verify(b.File); err != nil {
			t.Errorf("copy %s: %v", b.File, err)
		}
	}
	t.Logf("%d kills: %d turns acknowledged, %d replies, %d unfinished, %d copies whole", kills(), len(said), len(done), rep.Unfinished, len(rep.Backups))
}

// killOnce starts a writer and kills it a while after it acknowledged so many
// writes (with none, while it opens), wherever it is then. A busy machine is
// slower and comes as far.
func killOnce(t *testing.T, dir string, writes int, after time.Duration, said, done map[story.ID]bool) {
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
	kill := func() { time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) }
	if writes == 0 {
		kill()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if writes--; writes == 0 {
			kill()
		}
		switch what, id, _ := strings.Cut(lines.Text(), " "); {
		case len(id) != len("Ttale0")+19: // cut off
		case what == "said":
			said[story.ID(id)] = true
		case what == "done":
			done[story.ID(id)] = true
		}
	}
	_ = cmd.Wait() // killed
}
