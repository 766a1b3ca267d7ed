package vote_test

import (
	"os"
	"testing"

	"fabula/story/lab/vote"
)

// Ensure that no bytes make a reader panic or count a vote twice.
func FuzzReadBallot(f *testing.F) {
	folder, b, _ := held(f, plan(6, "a", "b"))
	s := votes(f, folder, b, "mei", prefers("a"), 4)
	if _, err := s.Undo(); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(folder.Ballot(b.ID, "mei"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)-9])
	f.Add(b.Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := vote.ReadBallot("fuzz", data, b)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, v := range l.Votes {
			if seen[v.Item] {
				t.Fatalf("%s twice", v.Item)
			}
			seen[v.Item] = true
		}
	})
}

// Ensure that no bytes make a reader panic, and that a batch is written as it was
// read.
func FuzzReadBatch(f *testing.F) {
	_, b, _ := held(f, plan(2, "a", "b"))
	f.Add(b.Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := vote.ReadBatch("fuzz", data)
		if err != nil {
			return
		}
		again, err := vote.ReadBatch("again", b.Encode())
		if err != nil || again.ID != b.ID {
			t.Fatalf("%v", err)
		}
	})
}
