package worker

import (
	"testing"
)

// Ensure that a request which is called off at any time before it is run leaves
// nothing behind in the child.
func TestCalledOffBeforeItRuns(t *testing.T) {
	steps := map[string]func(*server, uint64){
		"expect": (*server).expect,
		"keep":   func(s *server, id uint64) { s.keep(id, &job{id: id}) },
		"refuse": func(s *server, id uint64) { s.keep(id, nil) },
		"cancel": (*server).cancel,
	}
	for _, order := range [][]string{
		{"expect", "cancel", "keep"}, {"expect", "keep", "cancel"}, {"expect", "cancel", "refuse"}, {"expect", "refuse", "cancel"}, {"cancel"},
	} {
		s := &server{early: map[uint64]bool{}, jobs: map[uint64]*job{}}
		for _, step := range order {
			steps[step](s, 7)
		}
		if len(s.jobs) != 0 || len(s.early) != 0 {
			t.Errorf("%v leaves %d jobs, %d early", order, len(s.jobs), len(s.early))
		}
	}
	s := &server{early: map[uint64]bool{}, jobs: map[uint64]*job{}}
	s.expect(7)
	if !s.keep(7, &job{id: 7}) || s.jobs[7] == nil {
		t.Error("a request that nobody called off is not kept")
	}
}
