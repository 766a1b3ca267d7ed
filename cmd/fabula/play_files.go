package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"fabula/story"
	"fabula/story/export/csv"
	"fabula/story/export/junit"
	playing "fabula/story/playtest/play"
)

// writeTo writes a report to a file that a person named, a pipe too. The file is
// touched only once the report is whole.
func writeTo(file string, write func(io.Writer) error) error {
	if err := guard("", file); err != nil {
		return err
	}
	return writeWhole(file, write)
}

// writeWhole is writeTo for a file of our own.
func writeWhole(file string, write func(io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o600)
}

// suite holds a case for each run; notes say how each went.
func (p *playReport) suite(world string) junit.Suite {
	suite := junit.Suite{Package: "fabula." + world, Name: "fabula play " + world}
	for _, r := range p.results {
		one := junit.Case{Class: world, Name: fmt.Sprintf("%s seed %d", r.Task.Name(), r.Task.Seed)}
		suite.Notes = append(suite.Notes, fmt.Sprintf("%s: %s at %s after %d turns, branch %s", one.Name, r.Why, r.Node, r.Turns, r.Branch.Name))
		if r.Failed() {
			one.Failure = &junit.Failure{Type: r.Failures[0].Code, Message: p.failure(r.Failures[0]), Text: p.all(r)}
		}
		suite.Cases = append(suite.Cases, one)
	}
	return suite
}

func (p *playReport) all(r playing.Result) string {
	var lines []string
	for _, f := range r.Failures {
		lines = append(lines, p.failure(f))
	}
	return strings.Join(lines, "\n")
}

// writeCSV writes a row for each run, as RFC 4180 has it.
func (p *playReport) writeCSV(w io.Writer) error {
	rows := [][]string{{"name", "seed", "branch", "passed", "why", "node", "turns", "nodes", "exits", "beats", "findings", "ttft_ms_max", "failures"}}
	for _, r := range p.results {
		findings, slowest := 0, 0.0
		for _, n := range r.Findings {
			findings += n
		}
		for _, d := range r.TTFT {
			slowest = max(slowest, story.Millis(d))
		}
		rows = append(rows, []string{r.Task.Name(), strconv.FormatUint(r.Task.Seed, 10), string(r.Branch.ID), strconv.FormatBool(!r.Failed()), r.Why, r.Node,
			strconv.Itoa(r.Turns), strconv.Itoa(len(r.Tally.Nodes)), strconv.Itoa(len(r.Tally.Taken)), strconv.Itoa(len(r.Tally.Beats)),
			strconv.Itoa(findings), strconv.FormatFloat(slowest, 'f', 3, 64), p.all(r)})
	}
	_, err := w.Write(csv.Encode(rows))
	return err
}
