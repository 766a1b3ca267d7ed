package story

import "fmt"

// DeleteBranch takes a branch's name away. Its turns stay in the tree, and
// BranchAt on its leaf brings it back. ErrBusy while a reply is in flight on it.
func (s *Session) DeleteBranch(branch ID) error {
	if s.store == nil {
		return fmt.Errorf("hide branch: %w", ErrReadOnly)
	}
	if err := s.claim(nil, branch); err != nil {
		return err
	}
	defer s.release(branch)
	return s.store.DeleteBranch(branch)
}
