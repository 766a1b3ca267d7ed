package vote_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fabula/story/lab/stats"
	"fabula/story/lab/vote"
)

func now() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }

// plan has scenes in which each candidate says its own name.
func plan(scenes int, candidates ...string) vote.Plan {
	p := vote.Plan{World: "tale", Language: "en", Candidates: candidates, Seed: 7, Made: now()}
	for i := range scenes {
		s := vote.Scene{Name: fmt.Sprint("scene ", i), Before: []vote.Line{{By: "You", Text: fmt.Sprint("Question ", i)}}}
		for _, c := range candidates {
			s.Said = append(s.Said, []vote.Line{{By: "Bo", Text: fmt.Sprint(c, " ", i)}})
		}
		p.Scenes = append(p.Scenes, s)
	}
	return p
}

// held is a batch in a folder of its own.
func held(t testing.TB, p vote.Plan) (vote.Folder, *vote.Batch, *vote.Key) {
	t.Helper()
	b, k, err := vote.Make(p)
	if err != nil {
		t.Fatal(err)
	}
	f := vote.Folder(t.TempDir())
	if err := f.Save(b, k); err != nil {
		t.Fatal(err)
	}
	return f, b, k
}

// judge says which side is better, or neither.
type judge func(it vote.Showing) vote.Choice

// prefers takes the side on which a candidate speaks.
func prefers(name string) judge {
	return func(it vote.Showing) vote.Choice {
		left, right := strings.HasPrefix(it.Left[0].Text, name), strings.HasPrefix(it.Right[0].Text, name)
		switch {
		case left && !right:
			return vote.First
		case right && !left:
			return vote.Second
		}
		return vote.Tie
	}
}

func always(c vote.Choice) judge { return func(vote.Showing) vote.Choice { return c } }

func all(c vote.Choice) vote.Answers {
	return vote.Answers{vote.Immersion: c, vote.Character: c, vote.Overall: c}
}

// votes casts the first n votes of a voter, all for n < 0.
func votes(t testing.TB, f vote.Folder, b *vote.Batch, voter string, j judge, n int) *vote.Session {
	t.Helper()
	s, err := f.Begin(b, voter, now)
	if err != nil {
		t.Fatal(err)
	}
	for ; n != 0; n-- {
		it, more := s.Now()
		if !more {
			break
		}
		if err := s.Cast(all(j(it)), "flat"); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func verdict(t testing.TB, f vote.Folder, b *vote.Batch) vote.Verdict {
	t.Helper()
	v, err := f.Verdict(b)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The batch that is mailed says nothing about whose sides are whose.
func TestBatchIsBlind(t *testing.T) {
	p := plan(20, "fp16", "int8")
	for i := range p.Scenes {
		for c := range p.Scenes[i].Said {
			p.Scenes[i].Said[c] = []vote.Line{{By: "Bo", Text: fmt.Sprint(i, c*i)}}
		}
	}
	b, k, err := vote.Make(p)
	if err != nil {
		t.Fatal(err)
	}
	data := b.Encode()
	for _, secret := range []string{"fp16", "int8", "scene", "pair", "repeat", k.Salt} {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("the batch holds %q", secret)
		}
	}
	read, err := vote.ReadBatch("b", data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(b, read); d != "" {
		t.Errorf("read otherwise than written:\n%s", d)
	}
	if k.Equal != 1 || b.Planned != 164 || b.Margin != 0.1 {
		t.Errorf("%d equal, %d planned, margin %v", k.Equal, b.Planned, b.Margin)
	}
}

// Sides are drawn by lot, one item in ten is repeated with its sides swapped, one
// in twenty has the same on both.
func TestMakeMixesControls(t *testing.T) {
	_, b, k := held(t, plan(100, "a", "b"))
	kinds, first := map[vote.Kind]int{}, 0
	text := map[string]vote.Item{}
	for _, it := range b.Items {
		text[it.ID] = it
	}
	for id, o := range k.Items {
		kinds[o.Kind]++
		it := text[id]
		switch o.Kind {
		case vote.Pair:
			first += o.First
		case vote.Repeat:
			if d := cmp.Diff(it.First, text[o.Of].Second); d != "" || o.First != k.Items[o.Of].Second {
				t.Errorf("repeat %s: %s", id, d)
			}
		case vote.Same:
			if d := cmp.Diff(it.First, it.Second); d != "" {
				t.Errorf("the same %s: %s", id, d)
			}
		}
	}
	if d := cmp.Diff(map[vote.Kind]int{vote.Pair: 100, vote.Repeat: 10, vote.Same: 5}, kinds); d != "" {
		t.Error(d)
	}
	if first < 30 || first > 70 {
		t.Errorf("b is first in %d of 100", first)
	}
	if _, _, err := vote.Make(vote.Plan{Candidates: []string{"a", "b"}}); !errors.Is(err, vote.ErrNothing) {
		t.Errorf("a batch of nothing: %v", err)
	}
}

// Everybody prefers b wherever it stands: the verdict says so, on every question,
// and a voter who claims differences where there are none does not count.
func TestVerdict(t *testing.T) {
	f, b, _ := held(t, plan(20, "a", "b"))
	for _, voter := range []string{"mei", "ivo"} {
		votes(t, f, b, voter, prefers("b"), -1)
	}
	votes(t, f, b, "lefty", always(vote.First), -1)
	v := verdict(t, f, b)
	if len(v.Results) != 3 || v.Scenes != 20 {
		t.Fatalf("%+v", v)
	}
	for _, r := range v.Results {
		if r.Wins != 40 || r.Losses != 0 || r.Way.Verdict != stats.First || r.Standing.Standing != stats.NotWorse || r.B != "b" || r.Share != 1 {
			t.Errorf("%+v", r)
		}
	}
	for _, a := range v.Agreed {
		if a.Value != 1 || a.N != 20 {
			t.Errorf("agreement %+v", a)
		}
	}
	ivo, lefty, mei := v.Voters[0], v.Voters[1], v.Voters[2]
	if ivo.Void || mei.Void || mei.Votes != 20 || mei.Repeats != 2 || mei.Consistent != 2 || mei.Leans {
		t.Errorf("ivo %+v, mei %+v", ivo, mei)
	}
	if !lefty.Void || !lefty.Leans || lefty.Consistent != 0 || lefty.Right != 0 {
		t.Errorf("who always says left: %+v", lefty)
	}
}

// A standing that further planned votes could undo passes no gate: 40 of 40 are
// enough of 60, and not of 164.
func TestNotWorseWaitsForThePlan(t *testing.T) {
	for planned, want := range map[int]bool{40: true, 60: true, 164: false} {
		p := plan(20, "a", "b")
		p.Planned = planned
		f, b, _ := held(t, p)
		votes(t, f, b, "mei", prefers("b"), -1)
		votes(t, f, b, "ivo", prefers("b"), -1)
		if v := verdict(t, f, b); v.NotWorse() != want || v.Results[0].Standing.Standing != stats.NotWorse {
			t.Errorf("40:0 of %d: not worse %v, want %v", planned, v.NotWorse(), want)
		}
	}
}

// What is no batch in the folder is passed over.
func TestListPassesOverFiles(t *testing.T) {
	f, b, _ := held(t, plan(2, "a", "b"))
	if err := os.WriteFile(filepath.Join(string(f), ".DS_Store"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := f.List(); err != nil || len(all) != 1 || all[0].ID != b.ID {
		t.Errorf("%v, %v", all, err)
	}
}

// Who says "no difference" everywhere decides nothing.
func TestTiesDecideNothing(t *testing.T) {
	f, b, _ := held(t, plan(8, "a", "b"))
	votes(t, f, b, "mei", always(vote.Tie), -1)
	for _, r := range verdict(t, f, b).Results {
		if r.Ties != 8 || r.Way.Verdict != stats.Undecided || r.Standing.Standing != stats.Open {
			t.Errorf("%+v", r)
		}
	}
}

// Of three candidates every pair is voted on, and they are ranked.
func TestThreeAreRanked(t *testing.T) {
	f, b, _ := held(t, plan(12, "a", "b", "c"))
	rank := map[byte]int{'a': 0, 'b': 1, 'c': 2}
	n := 0
	better := func(it vote.Showing) vote.Choice {
		l, r := rank[it.Left[0].Text[0]], rank[it.Right[0].Text[0]]
		if n++; n%4 == 0 && l != r { // not always
			l, r = r, l
		}
		switch {
		case l > r:
			return vote.First
		case r > l:
			return vote.Second
		}
		return vote.Tie
	}
	votes(t, f, b, "mei", better, -1)
	v := verdict(t, f, b)
	if len(v.Results) != 9 || len(v.Ranked) != 3 || v.Scenes != 36 {
		t.Fatalf("%d results, %d rankings, %d scenes", len(v.Results), len(v.Ranked), v.Scenes)
	}
	if s := v.Ranked[2].Log; len(s) != 3 || !(s[0] < s[1] && s[1] < s[2]) {
		t.Errorf("strengths %v", s)
	}
}

// A session goes on where it was left, a vote can be taken back, and a line that
// was cut short counts as never written.
func TestSessionGoesOn(t *testing.T) {
	f, b, _ := held(t, plan(6, "a", "b"))
	s := votes(t, f, b, "mei", prefers("a"), 3)
	next, _ := s.Now()
	file, err := os.OpenFile(f.Ballot(b.ID, "mei"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"item":"cut sh`); err != nil {
		t.Fatal(err)
	}
	file.Close()
	s = votes(t, f, b, "mei", prefers("a"), 0)
	if again, _ := s.Now(); cmp.Diff(next, again) != "" {
		t.Errorf("goes on with %+v, was at %+v", again, next)
	}
	if done, of := s.Progress(); done != 3 || of != 8 {
		t.Errorf("%d of %d", done, of)
	}
	if ok, err := s.Undo(); !ok || err != nil {
		t.Fatalf("undo: %v %v", ok, err)
	}
	if done, _ := votes(t, f, b, "mei", prefers("a"), 0).Progress(); done != 2 {
		t.Errorf("%d votes after the undo", done)
	}
	if done, _ := votes(t, f, b, "mei", prefers("a"), -1).Progress(); done != 8 {
		t.Errorf("%d votes at the end", done)
	}
}

// faultOf gives the code of a refusal.
func faultOf(err error) string {
	var fault *vote.Fault
	if errors.As(err, &fault) {
		return fault.Code
	}
	return fmt.Sprint(err)
}

func TestMergeRefusesDoubleCounting(t *testing.T) {
	f, b, k := held(t, plan(6, "a", "b"))
	other := plan(6, "a", "b")
	other.Seed = 8
	g, c, _ := held(t, other)
	votes(t, f, b, "mei", prefers("a"), 3)
	votes(t, g, c, "zoe", prefers("a"), 3)
	elsewhere := vote.Folder(t.TempDir())
	if err := elsewhere.Save(b, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := elsewhere.Key(b); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key came with the batch: %v", err)
	}
	votes(t, elsewhere, b, "mei", prefers("b"), -1)
	votes(t, elsewhere, b, "ivo", prefers("b"), -1)
	merge := func(name string) string {
		_, err := f.Merge(b, name)
		return faultOf(err)
	}
	mailed := filepath.Join(t.TempDir(), "mail.jsonl")
	mail := func(change func(string) string) string {
		data, err := os.ReadFile(elsewhere.Ballot(b.ID, "ivo"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(mailed, []byte(change(string(data))), 0o600); err != nil {
			t.Fatal(err)
		}
		return mailed
	}
	drop := func(s string) string { // a vote out of the middle
		l := strings.SplitAfter(s, "\n")
		return strings.Join(append(l[:2:2], l[3:]...), "")
	}
	twice := func(s string) string { return s + strings.SplitAfter(s, "\n")[1] }
	for _, c := range []struct{ what, got, want string }{
		{"another ballot of mei", merge(elsewhere.Ballot(b.ID, "mei")), vote.FaultOther},
		{"another batch", merge(g.Ballot(c.ID, "zoe")), vote.FaultBatch},
		{"an edited vote", merge(mail(func(s string) string { return strings.Replace(s, "first", "second", 1) })), vote.FaultEdited},
		{"another name", merge(mail(func(s string) string { return strings.Replace(s, "ivo", "eva", 1) })), vote.FaultEdited},
		{"a vote taken out", merge(mail(drop)), vote.FaultEdited},
		{"a vote twice", merge(mail(twice)), vote.FaultEdited},
		{"no ballot", merge(f.File(b.ID)), vote.FaultLine},
		{"nothing", merge(mail(func(string) string { return "" })), vote.FaultFormat},
		{"ivo's own", merge(mail(func(s string) string { return s })), "<nil>"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	if m, err := f.Merge(b, mailed); err != nil || m.New != 0 || m.Votes != len(k.Items) {
		t.Errorf("ivo's once more: %+v %v", m, err)
	}
	if v := verdict(t, f, b); len(v.Voters) != 2 {
		t.Errorf("voters %+v", v.Voters)
	}
}

// A voter who goes on elsewhere is merged further, not twice.
func TestMergeTakesTheLongerBallot(t *testing.T) {
	f, b, _ := held(t, plan(6, "a", "b"))
	votes(t, f, b, "mei", prefers("a"), 3)
	elsewhere := vote.Folder(t.TempDir())
	if err := elsewhere.Save(b, nil); err != nil {
		t.Fatal(err)
	}
	begun, err := os.ReadFile(f.Ballot(b.ID, "mei"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(elsewhere.Ballot(b.ID, "mei"), begun, 0o600); err != nil {
		t.Fatal(err)
	}
	votes(t, elsewhere, b, "mei", prefers("a"), -1)
	if m, err := f.Merge(b, elsewhere.Ballot(b.ID, "mei")); err != nil || m.New != 5 {
		t.Errorf("%+v %v", m, err)
	}
	// two files of one voter in the folder are not counted both
	data, _ := os.ReadFile(f.Ballot(b.ID, "mei"))
	if err := os.WriteFile(f.Ballot(b.ID, "mei2"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Ballots(b); faultOf(err) != vote.FaultOther {
		t.Errorf("a copied ballot: %v", err)
	}
}

func TestEditedFilesAreRefused(t *testing.T) {
	f, b, k := held(t, plan(3, "a", "b"))
	data := b.Encode()
	for what, changed := range map[string]string{
		"a text":   strings.Replace(string(data), "Question 1", "Question 9", 1),
		"a margin": strings.Replace(string(data), `"margin":0.1`, `"margin":0.2`, 1),
	} {
		read, err := vote.ReadBatch("b", []byte(changed))
		if err == nil && read.ID == b.ID {
			t.Errorf("%s was changed, the batch is taken for the same", what)
		}
	}
	if _, err := vote.ReadKey("k", []byte(`{"vote":"key/1"}`), b); faultOf(err) != vote.FaultKey {
		t.Errorf("another key: %v", err)
	}
	if got, err := f.Key(b); err != nil || cmp.Diff(k, got) != "" {
		t.Errorf("the key: %v", err)
	}
	if _, err := f.Begin(b, "../mei", now); faultOf(err) != vote.FaultVoter {
		t.Errorf("a voter that is a path: %v", err)
	}
}

// Two programs at one ballot: the second to write is refused, nothing is mixed.
func TestOneProgramAtATime(t *testing.T) {
	f, b, _ := held(t, plan(6, "a", "b"))
	one, two := votes(t, f, b, "mei", prefers("a"), 1), votes(t, f, b, "mei", prefers("a"), 0)
	if err := one.Cast(all(vote.Tie)); err != nil {
		t.Fatal(err)
	}
	if err := two.Cast(all(vote.Tie)); faultOf(err) != vote.FaultChanged {
		t.Errorf("the other program's vote: %v", err)
	}
	if l, err := f.Ballots(b); err != nil || len(l[0].Votes) != 2 {
		t.Errorf("%v", err)
	}
}

// Whatever a voter does, the ballot that is read is what the session holds.
func TestBallotIsWhatWasCast(t *testing.T) {
	f, b, _ := held(t, plan(6, "a", "b"))
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s, err := f.Begin(b, fmt.Sprint("voter", n), now)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, undo := range rapid.SliceOfN(rapid.Bool(), 0, 20).Draw(t, "undo") {
			it, more := s.Now()
			switch {
			case undo:
				ok, err := s.Undo()
				if err != nil || ok != (want > 0) {
					t.Fatal(ok, err)
				}
				want = max(want-1, 0)
			case more:
				if err := s.Cast(all(prefers("a")(it))); err != nil {
					t.Fatal(err)
				}
				want++
			}
		}
		data, err := os.ReadFile(f.Ballot(b.ID, s.Voter))
		if err != nil {
			t.Fatal(err)
		}
		l, err := vote.ReadBallot("l", data, b)
		if err != nil || len(l.Votes) != want {
			t.Fatalf("%d votes, want %d: %v", len(l.Votes), want, err)
		}
	})
}
