package story

import (
	"fmt"
	"time"
)

// unstored is a reply that the store could not take: its disk is full, or its
// folder has vanished. It is kept until the store takes it.
type unstored struct {
	alternative Alternative
	status      Status
	branch      Branch
	blobs       map[string]string
}

func (s *Session) owe(u unstored) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owed = append(s.owed, u)
}

// Owed gives the replies that are not stored yet because the store could not
// take them. They are stored before the next turn begins, or at Close.
func (s *Session) Owed() []Alternative {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Alternative
	for _, u := range s.owed {
		all = append(all, u.alternative)
	}
	return all
}

// StoreOwed stores what could not be stored before. An error means that it
// still cannot: nothing else may be stored then, because it would hang below.
func (s *Session) StoreOwed() error {
	s.owing.Lock()
	defer s.owing.Unlock()
	s.mu.Lock()
	owed := s.owed
	s.owed = nil
	s.mu.Unlock()
	for i, u := range owed {
		if err := s.store.Finish(u.alternative, u.status, u.branch, u.blobs); err != nil {
			s.mu.Lock()
			s.owed = append(owed[i:len(owed):len(owed)], s.owed...)
			s.mu.Unlock()
			return fmt.Errorf("a reply before this one is not stored yet: %w", err)
		}
	}
	return nil
}

// lastTouch takes up when a branch was used last.
func (s *Session) lastTouch() error {
	all, err := s.store.Branches()
	if err == nil && len(all) > 0 {
		s.touched = all[0].Touched
	}
	return err
}

// touch is the time for a branch that is used now: not before that of one that
// was used earlier, also when the clock was set back.
func (s *Session) touch() time.Time {
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Before(s.touched) {
		now = s.touched.Add(time.Microsecond)
	}
	s.touched = now
	return now
}
