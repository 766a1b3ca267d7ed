package story_test

import (
	"errors"
	"testing"

	"fabula/story"
	"fabula/story/plot"
)

// Ensure that a reload plays what loads and keeps what played before.
func TestReload(t *testing.T) {
	first, second, broken := &plot.Script{ID: "one"}, &plot.Script{ID: "two"}, errors.New("does not load")
	next, fail := second, broken
	s, err := story.New(story.Config{Script: first, Reload: func() (*plot.Script, error) { return next, fail }})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(); !errors.Is(err, broken) || s.Script() != first {
		t.Errorf("Reload() = %v, plays %s", err, s.Script().ID)
	}
	fail = nil
	if err := s.Reload(); err != nil || s.Script() != second || s.Stale() != nil {
		t.Errorf("Reload() = %v, plays %s, stale %v", err, s.Script().ID, s.Stale())
	}
}
