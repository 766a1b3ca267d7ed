package main

import (
	"encoding/xml"
	"fmt"
	"os"

	"fabula/personas/lint"
)

// The JUnit elements that every reader understands: no nested suites.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes one case for each thing found, or one that passes. JUnit
// knows no warnings: their cases pass and say it as output.
func writeJUnit(file, world string, list []found) error {
	suite := junitSuite{Name: "fabula check " + world, Tests: max(1, len(list)), Failures: errorsIn(list)}
	for _, f := range list {
		one := junitCase{Class: f.pos.File, Name: f.pos.String() + " " + f.code}
		if f.level == lint.Error {
			one.Failure = &junitFailure{f.code, f.what, f.todo}
		} else {
			one.Output = string(f.level) + ": " + f.what + "\n" + f.todo
		}
		suite.Cases = append(suite.Cases, one)
	}
	if len(list) == 0 {
		suite.Cases = []junitCase{{Class: world, Name: "loads"}}
	}
	data, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	if err := os.WriteFile(file, append([]byte(xml.Header), append(data, '\n')...), 0o644); err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	return nil
}
