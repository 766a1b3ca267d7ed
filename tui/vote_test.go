package tui_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fabula/story/lab/vote"
)

// stormy is a batch of one scene with both controls; nothing in it is by chance.
func stormy(t *testing.T, dir string) (vote.Folder, *vote.Batch) {
	t.Helper()
	f := vote.Folder(filepath.Join(dir, vote.Dir))
	bo := func(s ...string) []vote.Line {
		out := []vote.Line{{By: "You", Text: "Is there a storm?"}}
		for _, x := range s {
			out = append(out, vote.Line{By: "Bo", Text: x})
		}
		return out
	}
	b, k, err := vote.Make(vote.Plan{World: "ferry", Language: "en", Candidates: []string{"fp16", "int8"}, Seed: 1,
		Made: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC), Scenes: []vote.Scene{{
			Name: "storm", Before: []vote.Line{{Text: "The rope creaks."}, {By: "Bo", Text: "Step in."}},
			Said: [][]vote.Line{
				bo("Aye. It stands over the far bank, and it is in no hurry.", "Nor am I."),
				bo("Weather update: there is a storm with a probability of 90 percent.", "Stay safe!"),
			},
		}}})
	if err == nil {
		err = f.Save(b, k)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f, b
}

// showVote is a blind vote, which hides whose the sides are until all is voted on,
// and then says what came of it.
func showVote(t *testing.T, b *bench, _ string, shot func(string)) {
	t.Helper()
	stormy(t, b.dir)
	b.Press("alt+c", "v")
	b.Until("the vote", func() bool { return strings.Contains(b.Plain(), "mei") })
	b.Press(" ", "1", "5")
	shot("")
	if p := b.Plain(); strings.Contains(p, "fp16") || strings.Contains(p, "int8") {
		t.Errorf("the engines are named:\n%s", p)
	}
	b.Press("u")
	for range 3 {
		b.Press("0", "0", "0")
		b.Settle()
	}
	b.Until("the verdict", func() bool { return strings.Contains(b.Plain(), "int8") })
	shot("-verdict")
}

// Ensure that answers are taken back one by one, then votes; that the vote goes on
// where it was left; and that the key is opened at the end.
func TestVoteIsTakenBackAndGoesOn(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	f, batch := stormy(t, b.dir)
	b.Press("alt+c", "v")
	b.Wait("mei, 0 of 3")
	b.Press("u")
	b.Wait("there is no vote to take back")
	b.Press("1", "2", "u", "u", "0", "0", "0")
	b.Wait("mei, 1 of 3")
	b.Press("u")
	b.Wait("mei, 0 of 3")
	b.Press("0", "0", "6", "0")
	b.Wait("mei, 1 of 3")
	b.Press("esc")
	b.Wait("Nothing to compare")
	b.Press("v")
	b.Wait("mei, 1 of 3")
	b.Press("1", "esc")
	b.Wait("not fully answered")
	b.Press("v")
	b.Wait("mei, 1 of 3")
	b.Press("0", "0", "0")
	b.Wait("mei, 2 of 3")
	b.Press("0", "0", "0")
	b.Wait("All items are voted on.")
	b.Wait("int8 over fp16: no decisive vote yet, no difference 1")
	b.Exact(120, 40)
	l, err := f.Ballots(batch)
	if err != nil || len(l) != 1 || len(l[0].Votes) != 3 || l[0].Voter != "mei" {
		t.Fatalf("ballots %+v, %v", l, err)
	}
	if tags := l[0].Votes[0].Tags; len(tags) != 1 || tags[0] != "voice" {
		t.Errorf("reasons %v", tags)
	}
}

// Ensure that both sides come at one pace, and that what is compared can be voted
// on as it stands: its batch is made once.
func TestVoteOnWhatIsCompared(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.Press("esc", "r")
	b.idle()
	b.say("two", "somebody")
	b.Press("f6")
	b.Settle()
	b.Press("g", "j", " ", "G", "c")
	b.Wait("A landing-1")
	for range 2 {
		b.Press("v")
		b.Wait("mei, 0 of 3")
		b.Wait("LEFT")
		if p := b.Plain(); strings.Contains(p, "A landing-1") {
			t.Errorf("the branch is named:\n%s", p)
		}
		b.Press("esc")
		b.Wait("A landing-1")
	}
	all, err := vote.Folder(filepath.Join(b.dir, vote.Dir)).List()
	if err != nil || len(all) != 1 {
		t.Errorf("%d batches, %v", len(all), err)
	}
}
