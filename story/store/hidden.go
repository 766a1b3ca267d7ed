package store

import (
	"strconv"
	"time"

	"fabula/story"
)

// Unhide brings a deleted branch back, by what Named takes, under a free name.
// For a store that no session plays; a session has Restore.
func (s *Store) Unhide(ref string) (story.Branch, error) {
	hidden, err := s.Hidden()
	if err != nil {
		return story.Branch{}, err
	}
	b, err := Named(hidden, ref)
	if err != nil {
		return b, err
	}
	shown, err := s.Branches()
	if err != nil {
		return b, err
	}
	taken := map[string]bool{}
	for _, other := range shown {
		taken[other.Name] = true
	}
	name := b.Name
	for n := 1; taken[b.Name]; n++ {
		b.Name = name + "-" + strconv.Itoa(n)
	}
	b.Hidden = time.Time{}
	return b, s.PutBranch(b)
}
