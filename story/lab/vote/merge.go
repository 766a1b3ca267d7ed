package vote

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fabula/engine/safefile"
)

// Merged is what became of one ballot file.
type Merged struct {
	Voter string
	Votes int
	New   int // that were not there before
}

// Merge takes a ballot that came from elsewhere into the folder of its batch. A
// ballot of a voter who has one already is the same further on, and then the
// longer one stays; any other is refused: the same voter is not counted twice.
func (f Folder) Merge(b *Batch, file string) (Merged, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Merged{}, err
	}
	l, err := ReadBallot(file, data, b)
	if err != nil {
		return Merged{}, err
	}
	data = data[:l.whole]
	out := Merged{l.Voter, len(l.Votes), len(l.Votes)}
	name := f.Ballot(b.ID, l.Voter)
	have, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return out, err
	default:
		old, err := ReadBallot(name, have, b)
		if err != nil {
			return out, err
		}
		have = have[:old.whole]
		n := min(len(have), len(data))
		if !slices.Equal(have[:n], data[:n]) {
			return out, &Fault{file, 0, FaultOther, []string{l.Voter, name}}
		}
		if out.New = len(l.Votes) - len(old.Votes); len(data) <= len(have) {
			out.New = 0
			return out, nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return out, err
	}
	return out, safefile.Replace(name, data)
}

// Ballots reads those of a batch, by voter.
func (f Folder) Ballots(b *Batch) ([]*Ballot, error) {
	dir := filepath.Join(f.of(b.ID), ballots)
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []*Ballot
	for _, e := range files {
		if filepath.Ext(e.Name()) != ".jsonl" {
			continue
		}
		name := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		l, err := ReadBallot(name, data, b)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(o *Ballot) bool { return o.Voter == l.Voter }) {
			return nil, &Fault{name, 0, FaultOther, []string{l.Voter, dir}} // a copy under another name
		}
		all = append(all, l)
	}
	return all, err
}
