package coverage_test

import (
	"testing"

	"fabula/story"
	"fabula/story/coverage"
	"fabula/story/store"
	"fabula/worlds"
)

// played opens the demo world over an empty store.
func played(t *testing.T) *story.Session {
	t.Helper()
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := story.New(story.Config{Script: w.Script, Store: tree, Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Ensure that what people and what simulated players did is counted apart, each
// turn once, and that branches are found in the nodes of their paths.
func TestRead(t *testing.T) {
	s := played(t)
	b, _, err := s.Begin(story.Start{Name: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	robot, _, err := s.Begin(story.Start{Name: "robot", Tags: []string{story.SimulatedTag}})
	if err != nil {
		t.Fatal(err)
	}
	there, _, err := s.Jump(b.ID, story.Start{Node: "kitchen", Name: "there"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := coverage.Read(s.Reader(), s.Script())
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Nodes["hall"]; got != (coverage.Count{People: 1, Simulated: 1}) {
		t.Errorf("hall was entered %+v", got)
	}
	if got := c.Nodes["kitchen"]; got != (coverage.Count{People: 1}) {
		t.Errorf("kitchen was entered %+v", got)
	}
	at := c.At("kitchen")
	if len(at) != 1 || at[0].Branch.ID != there.ID || !at[0].Stands || !at[0].Forced || at[0].Simulated {
		t.Errorf("in the kitchen: %+v", at)
	}
	stands, simulated := 0, 0
	for _, p := range c.At("hall") {
		if p.Stands {
			stands++
		}
		if p.Simulated {
			simulated++
		}
	}
	if len(c.At("hall")) != 3 || stands != 2 || simulated != 1 {
		t.Errorf("in the hall: %+v", c.At("hall"))
	}
	if err := s.DeleteBranch(robot.ID); err != nil {
		t.Fatal(err)
	}
	if c, err = coverage.Read(s.Reader(), s.Script()); err != nil || c.Nodes["hall"] != (coverage.Count{People: 1, Simulated: 1}) || len(c.At("hall")) != 2 {
		t.Errorf("once the robot's branch is hidden: %+v in %+v, %v", c.Nodes["hall"], c.At("hall"), err)
	}
}
