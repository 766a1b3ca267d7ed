package story

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Move is a move of a branch's leaf to where its path does not lead: to another
// alternative, or elsewhere in the tree.
type Move struct {
	From ID        `json:"from"`
	To   ID        `json:"to"`
	At   time.Time `json:"at"`
}

// mostMoves bounds what a branch remembers of its moves, mostNoted the journal.
const mostMoves, mostNoted = 64, 200

// move puts the leaf elsewhere. A step further is not noted: the tree tells
// where it came from.
func (b *Branch) move(to, parent ID, at time.Time) {
	from := b.Leaf
	if from == to {
		return
	}
	b.Leaf, b.Ahead = to, nil
	if from == "" || from == parent {
		return
	}
	b.Past = append(slices.Clip(b.Past), Move{From: from, To: to, At: at})
	b.Past = b.Past[max(len(b.Past)-mostMoves, 0):]
}

// Deed is a kind of change that can be undone.
type Deed string

// What Undo can take back.
const (
	Moving   Deed = "move"   // the leaf: a turn, another reply, another place
	Stamping Deed = "stamp"  // an alternative's mark or title
	Deletion Deed = "delete" // a branch
	Renaming Deed = "rename" // a branch
)

// noted is a change that no leaf tells of.
type noted struct {
	At          time.Time `json:"at"`
	Undone      time.Time `json:"undone,omitzero"`
	Kind        Deed      `json:"kind"`
	Playthrough ID        `json:"playthrough"`
	Alternative ID        `json:"alternative,omitempty"`
	Was         stamp     `json:"was,omitzero"`
	Is          stamp     `json:"is,omitzero"`
	Branch      *Branch   `json:"branch,omitempty"` // deleted or renamed
}

// Undone says what Undo or Redo did.
type Undone struct {
	Kind   Deed
	Branch Branch // that Undo was asked on, as it now is
	Depth  int    // of its leaf, for Moving
	Name   string // of the branch that was brought back, hidden or renamed
}

func (s *Session) journal() (all []noted, err error) {
	data, err := s.store.Journal()
	if err != nil || len(data) == 0 {
		return nil, err
	}
	if err := json.Unmarshal(data, &all); err != nil {
		s.log.Warn("journal of changes is unreadable and begins anew", "error", err)
		return nil, nil
	}
	return all, nil
}

func (s *Session) putJournal(all []noted) error {
	data, err := json.Marshal(all[max(len(all)-mostNoted, 0):])
	if err != nil {
		return err
	}
	return s.store.PutJournal(data)
}

// note adds a change to the journal; what was undone before it can no longer be
// done again.
func (s *Session) note(n noted) error {
	s.noting.Lock()
	defer s.noting.Unlock()
	all, err := s.journal()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(o noted) bool { return !o.Undone.IsZero() && o.Playthrough == n.Playthrough })
	n.At = s.now()
	return s.putJournal(append(all, n))
}

// Undo takes back the newest change of a branch or of its playthrough: the leaf
// goes to where it was before, a mark, a title or a name is as it was, a deleted
// branch is there again. Nothing is deleted: Redo does it again, also after a
// restart. ErrNothing where nothing is left.
func (s *Session) Undo(branch ID) (Undone, error) {
	return s.step(branch, "undo", func(b Branch, all []noted) (int, Move, error) {
		i := newest(all, b.Playthrough, func(n noted) time.Time {
			if n.Undone.IsZero() {
				return n.At
			}
			return time.Time{}
		})
		m, err := s.before(b)
		if err == nil && i >= 0 && all[i].At.After(m.At) {
			m = Move{}
		} else if err == nil && m.From != "" {
			i = -1
		}
		return i, m, err
	})
}

// Redo does again what Undo took back last.
func (s *Session) Redo(branch ID) (Undone, error) {
	return s.step(branch, "redo", func(b Branch, all []noted) (int, Move, error) {
		i := newest(all, b.Playthrough, func(n noted) time.Time { return n.Undone })
		var m Move
		if n := len(b.Ahead); n > 0 && s.known(b.Ahead[n-1].To) {
			m = b.Ahead[n-1]
		}
		if i >= 0 && all[i].Undone.After(m.At) {
			m = Move{}
		} else if m.To != "" {
			i = -1
		}
		return i, m, nil
	})
}

// Newest gives the branch of a playthrough on which Undo, or Redo (forth), takes
// the newest change of all its branches back, or does it again. ErrNothing where
// the playthrough has none.
func (s *Session) Newest(playthrough ID, forth bool) (ID, error) {
	all, err := s.reader.Branches()
	if err != nil {
		return "", err
	}
	var best ID
	var last time.Time
	for _, b := range all {
		if b.Playthrough != playthrough {
			continue
		}
		m := Move{}
		if n := len(b.Ahead); forth && n > 0 {
			m = b.Ahead[n-1]
		} else if !forth {
			if m, err = s.before(b); err != nil {
				return "", err
			}
		}
		if best == "" || m.At.After(last) {
			best, last = b.ID, m.At
		}
	}
	if best == "" {
		return "", fmt.Errorf("undo in %s: %w", playthrough, ErrNothing)
	}
	return best, nil
}

// newest finds the entry of a playthrough with the latest time; -1 = none has one.
func newest(all []noted, playthrough ID, at func(noted) time.Time) int {
	best := -1
	for i, n := range all {
		if n.Playthrough == playthrough && !at(n).IsZero() && (best < 0 || !at(n).Before(at(all[best]))) {
			best = i
		}
	}
	return best
}

// before gives the move that brought a branch to its leaf; none at an opening.
func (s *Session) before(b Branch) (Move, error) {
	if n := len(b.Past); n > 0 && b.Past[n-1].To == b.Leaf && s.known(b.Past[n-1].From) {
		return b.Past[n-1], nil
	}
	a, t, err := s.leaf(b.Leaf)
	if err != nil || t.Parent == "" {
		return Move{}, err
	}
	return Move{From: t.Parent, To: a.ID, At: a.Made}, nil
}

// known reports whether an alternative is there still: a purge may have taken it.
func (s *Session) known(alternative ID) bool {
	_, err := s.reader.Alternative(alternative)
	return err == nil
}

// step does or undoes one change that pick chose: the journal's, or a move.
func (s *Session) step(branch ID, what string, pick func(Branch, []noted) (int, Move, error)) (Undone, error) {
	if s.store == nil {
		return Undone{}, fmt.Errorf("%s: %w", what, ErrReadOnly)
	}
	if err := s.claim(nil, branch); err != nil {
		return Undone{}, err
	}
	defer s.release(branch)
	s.noting.Lock()
	defer s.noting.Unlock()
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return Undone{}, err
	}
	all, err := s.journal()
	if err != nil {
		return Undone{}, err
	}
	i, m, err := pick(b, all)
	switch {
	case err != nil:
		return Undone{}, err
	case i >= 0:
		if of := all[i].Branch; of != nil && of.ID != branch { // a turn on it must not store it as it was
			if err := s.claim(nil, of.ID); err != nil {
				return Undone{}, err
			}
			defer s.release(of.ID)
		}
		return s.stepNoted(b, all, i, what == "redo")
	case m.To == "":
		return Undone{}, fmt.Errorf("%s on %s: %w", what, b.Name, ErrNothing)
	}
	return s.stepMove(b, m, what == "redo")
}

// stepMove puts the leaf back, or forth again.
func (s *Session) stepMove(b Branch, m Move, forth bool) (Undone, error) {
	to := m.From
	if forth {
		to = m.To
		b.Ahead = b.Ahead[:len(b.Ahead)-1]
		if _, t, err := s.leaf(m.To); err == nil && t.Parent != m.From {
			b.Past = append(slices.Clip(b.Past), Move{From: m.From, To: m.To, At: s.now()})
		}
	} else {
		if n := len(b.Past); n > 0 && b.Past[n-1].To == b.Leaf {
			b.Past = b.Past[:n-1]
		}
		b.Ahead = append(slices.Clip(b.Ahead), Move{From: m.From, To: m.To, At: s.now()})
		b.Ahead = b.Ahead[max(len(b.Ahead)-mostMoves, 0):]
	}
	_, t, err := s.leaf(to)
	if err != nil {
		return Undone{}, err
	}
	b.Leaf, b.Touched = to, s.now()
	return Undone{Kind: Moving, Branch: b, Depth: t.Depth}, s.store.PutBranch(b)
}

// stepNoted undoes entry i of the journal, or does it again.
func (s *Session) stepNoted(b Branch, all []noted, i int, forth bool) (Undone, error) {
	n := &all[i]
	out := Undone{Kind: n.Kind, Branch: b}
	is := n.Was
	n.Undone = s.now()
	if forth {
		is, n.Undone = n.Is, time.Time{}
		n.At = s.now()
	}
	var err error
	switch n.Kind {
	case Stamping:
		var a Alternative
		if a, err = s.reader.Alternative(n.Alternative); err == nil {
			_, err = s.stamp(&a, is)
		}
	case Renaming:
		out.Name, err = s.rename(n.Branch.ID, is.Title)
	case Deletion:
		out.Name = n.Branch.Name
		if forth {
			err = s.store.DeleteBranch(n.Branch.ID)
		} else {
			var back Branch // with another name where its own is taken
			back, err = s.Restore(*n.Branch)
			out.Name = back.Name
		}
	}
	if err != nil {
		return Undone{}, err
	}
	if fresh, ferr := s.reader.Branch(string(b.ID)); ferr == nil {
		out.Branch = fresh
	}
	return out, s.putJournal(all)
}

// rename gives a branch a name it had, or the next free one like it, and says
// which.
func (s *Session) rename(branch ID, name string) (string, error) {
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return "", err
	}
	if b.Name, err = s.regained(name); err != nil {
		return "", err
	}
	return b.Name, s.store.PutBranch(b)
}

// regained is a name that a branch had before, or, where another has it by now,
// the next free one like it.
func (s *Session) regained(name string) (string, error) {
	free, err := s.freeName(name, "")
	if errors.Is(err, ErrExists) {
		return s.freeName("", name)
	}
	return free, err
}
