package qa

import (
	"fmt"
	"strings"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/junit"
)

// junitXML writes a suite for each branch and a case for each turn, which fails
// by its findings at error level. Warnings are notes of the suite.
func junitXML(in export.Input) ([]byte, error) {
	var suites []junit.Suite
	for _, b := range in.Branches {
		s := junit.Suite{Package: "fabula." + in.Script.ID, Name: b.Name, Made: b.Made}
		for _, step := range b.Steps {
			s.Cases = append(s.Cases, turnCase(in, b, step))
			for _, f := range step.Alternative.Findings {
				if f.Level != lint.Error {
					s.Notes = append(s.Notes, fmt.Sprintf("turn %d: %s: %s", step.Turn.Depth, f.Level, in.Worded("en", f)))
				}
			}
		}
		suites = append(suites, s)
	}
	return junit.Encode(suites...)
}

func turnCase(in export.Input, b export.Branch, s story.Step) junit.Case {
	a := s.Alternative
	c := junit.Case{Class: in.Script.ID + "." + b.Name, Name: fmt.Sprintf("turn %d in %s", s.Turn.Depth, s.Turn.Before.Node)}
	if a.Reply != nil {
		c.Took = a.Reply.Total
	}
	var wrong []string
	for _, f := range a.Findings {
		if f.Level != lint.Error {
			continue
		}
		if c.Failure == nil {
			c.Failure = &junit.Failure{Type: f.Code, Message: in.Worded("en", f)}
		}
		wrong = append(wrong, f.Code+": "+in.Worded("en", f))
	}
	if c.Failure == nil && a.Status == story.Failed {
		c.Failure = &junit.Failure{Type: "no_reply", Message: "no reply came"}
	}
	if c.Failure != nil {
		c.Failure.Text = strings.Join(append(wrong, "player: "+s.Turn.Input.Text, a.Speaker+": "+a.Text), "\n")
	}
	return c
}
