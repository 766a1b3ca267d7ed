package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/prompt"
	"fabula/story/store"
)

func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// grow makes a playthrough of n turns with one alternative each and gives its
// branch.
func grow(t testing.TB, s *store.Store, n int) story.Branch {
	t.Helper()
	p := story.Playthrough{ID: "P0", Root: "T0000", Language: "en"}
	b := story.Branch{ID: "B0", Name: "main", Playthrough: "P0"}
	for i := range n + 1 {
		turn := turnAt(i)
		var err error
		if i == 0 {
			err = s.Begin(&p, &b, turn)
		} else {
			err = s.Begin(nil, nil, turn)
		}
		if err != nil {
			t.Fatal(err)
		}
		a := alternativeAt(i)
		b.Leaf, b.Touched = a.ID, time.Unix(int64(i), 0).UTC()
		if err := s.Finish(a, story.Finished, b, map[string]string{hash(i): fmt.Sprint("prompt ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func hash(i int) string { return fmt.Sprintf("%064x", i) }

func state(i int) plot.State {
	return plot.State{Node: "landing", Vars: map[string]plot.Value{"herbs": plot.IntValue(i % 4), "sold": plot.BoolValue(false),
		"weather": plot.EnumValue("rain")}, Beats: map[string]int{"landing.asks": 1}, Visits: map[string]int{"landing": 1},
		TurnsTotal: i, Speaker: "adu"}
}

func turnAt(i int) story.Turn {
	turn := story.Turn{ID: story.ID(fmt.Sprintf("T%04d", i)), Playthrough: "P0", Branch: "B0", Depth: i, Status: story.Pending,
		Before: state(i), Made: time.Unix(int64(i), 0).UTC()}
	if i > 0 {
		turn.Parent = story.ID(fmt.Sprintf("A%04d", i-1))
		turn.Speaker = "adu"
		turn.Input = story.Input{Text: fmt.Sprintf("Question %d about the salt?", i), To: "adu"}
	}
	return turn
}

// tokens are as many as a reply of the default budget usually has.
const tokens = 60

func alternativeAt(i int) story.Alternative {
	a := story.Alternative{ID: story.ID(fmt.Sprintf("A%04d", i)), Turn: story.ID(fmt.Sprintf("T%04d", i)), Status: story.Finished,
		State: state(i), Made: time.Unix(int64(i), 0).UTC()}
	if i == 0 {
		a.Lines = []plot.Played{{ID: "adu.greeting", By: "adu", Text: "Aboard?", Kind: "greeting"}}
		return a
	}
	r := &story.Reply{Engine: engine.Info{Kind: engine.GGUF, Name: "smollm2", Model: "SmolLM2-135M-Instruct",
		Build: engine.Build{BaseHash: hash(9), Precision: "Q4_1", Runtime: "llama.cpp"}}, Step: "full", Seed: 7, Reason: engine.Stop,
		Sampling: engine.Sampling{Temperature: 0.7, MaxTokens: 160}, Prompt: hash(1), Script: hash(2), TTFT: 80 * time.Millisecond,
		Persona: story.Version{Ordinal: 1, Hash: hash(3)}}
	var text strings.Builder
	for n := range tokens {
		word := fmt.Sprintf("w%d ", n)
		text.WriteString(word)
		r.Tokens = append(r.Tokens, engine.Token{ID: int32(n * 700), Text: word, Logprob: -0.25, Given: n < 2,
			At: 80*time.Millisecond + time.Duration(n*27031)*time.Microsecond})
	}
	r.Segments = segments(i)
	a.Speaker, a.Text, a.Reply = "adu", text.String(), r
	a.Findings = []lint.Finding{{Code: "too_long", Level: lint.Warning, Span: [2]int{0, 3}}}
	return a
}

// segments are a prompt's as they usually are: a stable head, the last
// exchanges of the history, and a volatile block that is new each turn.
func segments(i int) []story.SegmentRef {
	var all []story.SegmentRef
	add := func(kind prompt.Kind, source string, n int) {
		all = append(all, story.SegmentRef{Kind: kind, Source: source, Role: engine.User, Tokens: 20, Blob: hash(n)})
	}
	for n := range 12 {
		add(prompt.Persona, "personas/adu.yaml", n)
	}
	for n := max(0, (i-33)/32*32); n < i; n++ {
		add(prompt.History, fmt.Sprintf("01JAAAAAAAAAAAAAAAAAAAT%04d", n), 2*n)
		add(prompt.History, fmt.Sprintf("01JAAAAAAAAAAAAAAAAAAAT%04d", n), 2*n+1)
	}
	for n := range 8 {
		add(prompt.Scene, "landing", i*n)
	}
	return all
}

// Ensure that what is stored comes back as it was, after a new start too.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	const n = 70
	b := grow(t, s, n)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	path, err := s.Path(b.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range path {
		turn, a := turnAt(i), alternativeAt(i)
		turn.Status, turn.Children = story.Finished, []story.ID{a.ID}
		if i < n {
			a.Children = []story.ID{turnAt(i + 1).ID}
		}
		if diff := cmp.Diff(story.Step{Turn: turn, Alternative: a}, step); diff != "" {
			t.Errorf("step %d (-want +got):\n%s", i, diff)
		}
	}
	if text, err := s.Blob(hash(2)); err != nil || text != "prompt 2" {
		t.Errorf("blob = %q, %v", text, err)
	}
	if _, err := s.Blob(hash(99)); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("unknown blob: %v", err)
	}
}

// Ensure that a turn costs exactly two Updates.
func TestTwoUpdatesATurn(t *testing.T) {
	s := open(t, t.TempDir())
	grow(t, s, 0)
	before, _ := s.Stats()
	if err := s.Begin(nil, nil, turnAt(1)); err != nil {
		t.Fatal(err)
	}
	live, err := s.Live("T0001", "A0001")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = live.Write([]byte("words\n"))
	_ = live.Close()
	if err := s.Finish(alternativeAt(1), story.Finished, story.Branch{ID: "B0", Leaf: "A0001"}, nil); err != nil {
		t.Fatal(err)
	}
	after, _ := s.Stats()
	if n := after.Writes - before.Writes; n != 2 {
		t.Errorf("a turn took %d Updates, want 2", n)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(after.File), "live", "*")); len(left) != 0 {
		t.Errorf("live files left: %v", left)
	}
}

// Ensure that a branch is found by id, name and unique prefix, and by nothing
// else.
func TestBranchByRef(t *testing.T) {
	s := open(t, t.TempDir())
	grow(t, s, 0)
	for _, b := range []story.Branch{{ID: "01AAB", Name: "one"}, {ID: "01AAC", Name: "two"}, {ID: "01BBB", Name: "01AAB-copy"}, {ID: "02", Name: "dup"}, {ID: "03", Name: "dup"}} {
		b.Leaf = "A0000"
		if err := s.PutBranch(b); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		ref  string
		want story.ID
		err  error
	}{
		{ref: "01AAB", want: "01AAB"}, {ref: "two", want: "01AAC"}, {ref: "01b", want: "01BBB"},
		{ref: "01A", err: story.ErrAmbiguous}, {ref: "dup", err: story.ErrAmbiguous},
		{ref: "", err: story.ErrNotFound}, {ref: "three", err: story.ErrNotFound},
	} {
		got, err := s.Branch(c.ref)
		if got.ID != c.want || !errors.Is(err, c.err) {
			t.Errorf("Branch(%q) = %q, %v; want %q, %v", c.ref, got.ID, err, c.want, c.err)
		}
	}
	if err := s.DeleteBranch("02"); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteBranch("02"); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("second delete: %v", err)
	}
	if got, err := s.Branch("dup"); err != nil || got.ID != "03" {
		t.Errorf("after delete: %q, %v", got.ID, err)
	}
}

// Ensure that the leaf visited last below an alternative is found again.
func TestLatest(t *testing.T) {
	s := open(t, t.TempDir())
	b := grow(t, s, 4)
	sibling := alternativeAt(2)
	sibling.ID = "A0002b"
	b.Leaf = sibling.ID
	if err := s.Finish(sibling, story.Finished, b, nil); err != nil {
		t.Fatal(err)
	}
	for alt, want := range map[story.ID]story.ID{"A0000": "A0002b", "A0002": "A0004", "A0002b": "A0002b", "A0004": "A0004"} {
		if got, err := s.Latest(alt); err != nil || got != want {
			t.Errorf("Latest(%s) = %s, %v; want %s", alt, got, err, want)
		}
	}
	if _, err := s.Latest("nope"); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("unknown: %v", err)
	}
}

// Ensure that every turn is walked once, parents first, with alternatives off
// every branch too.
func TestWalk(t *testing.T) {
	s := open(t, t.TempDir())
	b := grow(t, s, 150)
	off := alternativeAt(3)
	off.ID, off.Text = "A0003b", "The SALT is in 盐窖."
	if err := s.Finish(off, story.Finished, b, nil); err != nil {
		t.Fatal(err)
	}
	seen := map[story.ID]bool{"": true}
	n := 0
	err := s.Walk(func(turn story.Turn, alts []story.Alternative) error {
		n++
		if !seen[turn.Parent] {
			t.Errorf("turn %s came before its parent %s", turn.ID, turn.Parent)
		}
		for _, a := range alts {
			seen[a.ID] = true
		}
		return s.PutBranch(b) // a callback may write: no transaction is open
	})
	if err != nil || n != 151 {
		t.Fatalf("walked %d turns, %v", n, err)
	}
	if !seen[off.ID] {
		t.Error("an alternative off every branch was not walked")
	}
}

// Ensure that a persona's wordings are numbered once and only new ones cost
// an Update.
func TestOrdinal(t *testing.T) {
	s := open(t, t.TempDir())
	for _, c := range []struct {
		persona, hash string
		want          int
	}{{"adu", "x", 1}, {"adu", "y", 2}, {"adu", "x", 1}, {"qin", "x", 1}} {
		if n, err := s.Ordinal(c.persona, c.hash); err != nil || n != c.want {
			t.Errorf("Ordinal(%s, %s) = %d, %v; want %d", c.persona, c.hash, n, err, c.want)
		}
	}
	if st, _ := s.Stats(); st.Writes != 3 {
		t.Errorf("%d Updates, want 3", st.Writes)
	}
}

// Ensure that unfinished turns and cut-off retries are found with their live
// text, and that strays are not.
func TestPending(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	grow(t, s, 1)
	if err := s.Begin(nil, nil, turnAt(2)); err != nil {
		t.Fatal(err)
	}
	for _, id := range []story.ID{"T0001", "T0002", "T9999"} {
		live, err := s.Live(id, "A"+id)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = live.Write([]byte("half of " + id))
		_ = live.Close()
	}
	left, err := s.Pending()
	if err != nil || len(left) != 2 {
		t.Fatalf("Pending = %d, %v", len(left), err)
	}
	if left[0].Turn.ID != "T0002" || string(left[0].Live) != "half of T0002" || left[1].Turn.ID != "T0001" {
		t.Errorf("Pending = %+v", left)
	}
	if _, err := os.Stat(filepath.Join(dir, "live", "T9999.AT9999.jsonl")); err == nil {
		t.Error("the live file of no turn is still there")
	}
	if err := s.DropLive("T0001", "AT0001"); err != nil {
		t.Fatal(err)
	}
	if left, _ := s.Pending(); len(left) != 1 {
		t.Errorf("after DropLive: %d", len(left))
	}
}

// Ensure that a turn below nothing is refused whole.
func TestBeginBelowNothing(t *testing.T) {
	s := open(t, t.TempDir())
	if err := s.Begin(nil, &story.Branch{ID: "B1"}, turnAt(5)); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("err = %v", err)
	}
	if all, _ := s.Branches(); len(all) != 0 {
		t.Errorf("half of it was stored: %v", all)
	}
}

// Ensure that a branch whose opening is not stored is not listed and has no
// name yet, while the program that mends it finds it by its id.
func TestBranchWithoutOpening(t *testing.T) {
	s := open(t, t.TempDir())
	grow(t, s, 1)
	turn := turnAt(7)
	turn.ID, turn.Parent, turn.Playthrough = "T0700", "", "P0700"
	if err := s.Begin(&story.Playthrough{ID: "P0700", Root: "T0700"}, &story.Branch{ID: "B0700", Name: "half", Playthrough: "P0700"}, turn); err != nil {
		t.Fatal(err)
	}
	all, err := s.Branches()
	if err != nil || len(all) != 1 {
		t.Errorf("%d branches, %v", len(all), err)
	}
	if _, err := s.Branch("half"); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("by name: %v", err)
	}
	if b, err := s.Branch("B0700"); err != nil || b.Name != "half" {
		t.Errorf("by id: %+v, %v", b, err)
	}
}
