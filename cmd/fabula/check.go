package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"fabula/personas/source"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// faultLine is one object of `check --json`.
type faultLine struct {
	Event string   `json:"event"`
	Level string   `json:"level"`
	Code  string   `json:"code"`
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Col   int      `json:"col"`
	Args  []string `json:"args,omitempty"`
	What  string   `json:"what"`
	Do    string   `json:"do,omitempty"`
}

func newCheck(sh *shell) *cobra.Command {
	var asJSON bool
	var junit string
	c := &cobra.Command{
		Use:     "check WORLD",
		Short:   "Load everything and report every fault with its line",
		Example: "  fabula check my_world\n  fabula check my_world --junit faults.xml",
		Args:    exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			w, err := worlds.Open(args[0])
			var load *worlds.LoadError
			if err != nil && !errors.As(err, &load) {
				return err
			}
			var faults []source.Fault
			if load != nil {
				faults = load.Faults
			}
			if junit != "" {
				if err := writeJUnit(junit, args[0], faults, sh.lang); err != nil {
					return err
				}
			}
			if asJSON {
				err = printFaultLines(c.OutOrStdout(), faults, sh.lang)
			} else {
				printFaults(c.OutOrStdout(), faults, sh.lang)
				err = nil
			}
			if err != nil {
				return err
			}
			if load != nil {
				fmt.Fprintf(c.ErrOrStderr(), "%s\n", plural(len(faults), "fault"))
				return errReported
			}
			fmt.Fprintf(c.ErrOrStderr(), "%s loads: %s\n", w.Name, counts(w.Script))
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	c.Flags().StringVar(&junit, "junit", "", "also write a JUnit report to this file")
	return c
}

func printFaultLines(w io.Writer, faults []source.Fault, language string) error {
	for _, f := range faults {
		what, todo := lang.Fault(f.Code, f.Args, language)
		line := faultLine{"finding", "error", f.Code, f.Pos.File, f.Pos.Line, f.Pos.Col, f.Args, what, todo}
		if err := writeJSON(w, line); err != nil {
			return err
		}
	}
	return nil
}

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
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes one case a fault, or one that passes.
func writeJUnit(file, world string, faults []source.Fault, language string) error {
	suite := junitSuite{Name: "fabula check " + world, Tests: max(1, len(faults)), Failures: len(faults)}
	for _, f := range faults {
		what, todo := lang.Fault(f.Code, f.Args, language)
		suite.Cases = append(suite.Cases, junitCase{f.Pos.File, f.Pos.String() + " " + f.Code, &junitFailure{f.Code, what, todo}})
	}
	if len(faults) == 0 {
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
