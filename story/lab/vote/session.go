package vote

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Session is one voter at a batch: the workbench and the command line cast votes
// through it. Every vote is on disk before it counts, so that a session goes on
// where it was left. Not safe for concurrent use.
type Session struct {
	Batch *Batch
	Voter string

	order  []int
	ballot *Ballot
	file   string
	now    func() time.Time
}

// Showing is an item as a voter sees it.
type Showing struct {
	Item   string
	Number int // from 1
	Of     int
	Before []Line
	Left   []Line
	Right  []Line
}

// Begin opens the ballot of a voter in the batch's folder, or makes it.
func (f Folder) Begin(b *Batch, voter string, now func() time.Time) (*Session, error) {
	return Begin(b, voter, f.Ballot(b.ID, voter), now)
}

// Begin opens the ballot of a voter in a file, or makes it. The order of items,
// and which sides are on the left, are drawn by lot from batch and voter, so that
// they are the same after an interruption.
func Begin(b *Batch, voter, name string, now func() time.Time) (*Session, error) {
	if !ValidVoter(voter) {
		return nil, &Fault{name, 0, FaultVoter, []string{voter}}
	}
	s := &Session{Batch: b, Voter: voter, file: name, now: now, order: draw(b.ID, voter).Perm(len(b.Items))}
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.ballot = &Ballot{}
		return s, s.append(record{Vote: BallotFormat, Batch: b.ID, Voter: voter})
	case err != nil:
		return nil, err
	}
	if s.ballot, err = ReadBallot(name, data, b); err == nil && s.ballot.Voter != voter {
		err = &Fault{name, 1, FaultOther, []string{s.ballot.Voter, name}}
	}
	if err == nil && len(data) > s.ballot.whole {
		err = os.Truncate(name, int64(s.ballot.whole)) // a line cut short, never confirmed
	}
	return s, err
}

// Ballot is the path of a voter's file.
func (f Folder) Ballot(batch, voter string) string {
	return filepath.Join(f.of(batch), ballots, filepath.Base(voter)+".jsonl")
}

// draw is the lot of words.
func draw(words ...string) *rand.Rand {
	var data [][]byte
	for _, w := range words {
		data = append(data, []byte(w), []byte{0})
	}
	var seed [32]byte
	copy(seed[:], hash(data...))
	return rand.New(rand.NewChaCha8(seed))
}

// turned reports whether this voter sees the second sides on the left: of all items, so
// that those put twice keep their sides swapped.
func turned(batch, voter string) bool { return draw("sides", batch, voter).UintN(2) == 1 }

// Now gives the item that is next; false when all are voted on.
func (s *Session) Now() (Showing, bool) {
	for n, i := range s.order {
		it := s.Batch.Items[i]
		if s.ballot.on(it.ID) != nil {
			continue
		}
		out := Showing{it.ID, n + 1, len(s.order), it.Before, it.First, it.Second}
		if turned(s.Batch.ID, s.Voter) {
			out.Left, out.Right = out.Right, out.Left
		}
		return out, true
	}
	return Showing{}, false
}

// Progress counts the items voted on, and all.
func (s *Session) Progress() (done, all int) { return len(s.ballot.Votes), len(s.order) }

// Cast stores the answers to the item that is next. First means the left side.
func (s *Session) Cast(a Answers, tags ...string) error {
	it, more := s.Now()
	if !more {
		return fmt.Errorf("cast: %w", ErrNothing)
	}
	if !a.whole() {
		return &Fault{s.file, 0, FaultAnswer, []string{it.Item}}
	}
	if turned(s.Batch.ID, s.Voter) {
		a = a.Turned()
	}
	return s.append(record{Item: it.Item, Answers: a, Tags: slices.Clone(tags)})
}

// Undo takes the last vote back; false if there is none. Both stay in the file.
func (s *Session) Undo() (bool, error) {
	n := len(s.ballot.Votes)
	if n == 0 {
		return false, nil
	}
	return true, s.append(record{Undo: s.ballot.Votes[n-1].Item})
}

// append writes one line, has it on disk, then counts it.
func (s *Session) append(r record) error {
	r.At = s.now().UTC().Truncate(time.Second)
	line, sum := r.sealed(s.ballot.sum)
	first := s.ballot.whole == 0
	if err := s.write(line); err != nil {
		return err
	}
	if code, args := s.ballot.take(r, first, s.Batch); code != "" {
		return &Fault{s.file, 0, code, args}
	}
	s.ballot.sum, s.ballot.whole = sum, s.ballot.whole+len(line)
	return nil
}

func (s *Session) write(line []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(s.file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if st, err := f.Stat(); err != nil || st.Size() != int64(s.ballot.whole) {
		return errors.Join(err, &Fault{s.file, 0, FaultChanged, nil})
	}
	if _, err = f.Write(line); err != nil {
		return errors.Join(err, f.Truncate(int64(s.ballot.whole)))
	}
	return f.Sync()
}
