package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"fabula/personas/lint"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
)

// The JUnit elements that every reader understands: no nested suites.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Skipped *junitSkipped `xml:"skipped,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

// junitSkipped is a finding that an author allows, with the reason.
type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// steps gives the way of a finding, a line each.
func (f found) steps() string {
	if !wording.Telling(f.way) {
		return ""
	}
	return "\n" + strings.Join(wording.Way(f.way, lang.For("en")), "\n")
}

// writeJUnit writes one case for each thing found, or one that passes. JUnit
// knows no warnings: their cases pass and say it as output.
func writeJUnit(file, world string, list, allowed []found) error {
	suite := junitSuite{Name: "fabula check " + world, Tests: max(1, len(list)+len(allowed)), Failures: errorsIn(list), Skipped: len(allowed)}
	for _, f := range list {
		one := junitCase{Class: f.pos.File, Name: f.pos.String() + " " + f.code}
		if f.level == lint.Error {
			one.Failure = &junitFailure{f.code, f.what, f.todo + f.steps()}
		} else {
			one.Output = string(f.level) + ": " + f.what + "\n" + f.todo + f.steps()
		}
		suite.Cases = append(suite.Cases, one)
	}
	for _, f := range allowed {
		suite.Cases = append(suite.Cases, junitCase{Class: f.pos.File, Name: f.pos.String() + " " + f.code, Skipped: &junitSkipped{f.reason}})
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []junitCase{{Class: world, Name: "loads"}}
	}
	return writeTo(file, suite.write)
}

// write writes the suite as a document.
func (s junitSuite) write(w io.Writer) error {
	data, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	_, err = w.Write(append([]byte(xml.Header), append(data, '\n')...))
	return err
}
