package main

import (
	"io"
	"strings"

	"fabula/personas/lint"
	"fabula/story/export/junit"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
)

// steps gives the way of a finding, a line each.
func (f found) steps() string {
	if !wording.Telling(f.way) {
		return ""
	}
	return "\n" + strings.Join(wording.Way(f.way, lang.For("en")), "\n")
}

// writeJUnit writes one case for each thing found, or one that passes. JUnit
// knows no warnings, and findings that an author allows are none: their cases
// pass, and the output of the suite says it.
func writeJUnit(file, world string, list, allowed []found) error {
	suite := junit.Suite{Package: "fabula." + world, Name: "fabula check " + world}
	for _, f := range list {
		one := junit.Case{Class: f.pos.File, Name: f.pos.String() + " " + f.code}
		if f.level == lint.Error {
			one.Failure = &junit.Failure{Type: f.code, Message: f.what, Text: f.todo + f.steps()}
		} else {
			suite.Notes = append(suite.Notes, string(f.level)+": "+f.pos.String()+": "+f.what+"\n"+f.todo+f.steps())
		}
		suite.Cases = append(suite.Cases, one)
	}
	for _, f := range allowed {
		suite.Notes = append(suite.Notes, "allowed: "+f.pos.String()+": "+f.code+": "+f.reason)
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []junit.Case{{Class: world, Name: "loads"}}
	}
	return writeSuite(file, suite)
}

// writeSuite writes a report of one suite.
func writeSuite(file string, suite junit.Suite) error {
	return writeTo(file, func(w io.Writer) error {
		data, err := junit.Encode(suite)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
}
