package story

// Reload takes up an edit of the world's files now; without it the next turn
// does. The error says why they do not load: the last good script stays in use.
func (s *Session) Reload() error {
	s.refresh()
	return s.Stale()
}
