// Package npm runs other people's checkers of what fabula exports: a script of
// Node.js that reads one JSON value and writes one, for all cases at once.
//
// Only tests with the tag npm import it; `make test-export` installs the pinned
// packages and names their folder in FABULA_NPM.
package npm

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"fabula/story/export/played"
)

// Run gives in to script on its standard input and reads its answer into out.
// The script finds the packages below the folder that FABULA_NPM names.
func Run(t testing.TB, script string, in, out any) {
	t.Helper()
	if os.Getenv("FABULA_NPM") == "" {
		t.Fatal("FABULA_NPM names no folder with the npm packages: run make test-export")
	}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var answer, notes bytes.Buffer
	c := exec.Command("node", script)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(data), &answer, &notes
	if err := c.Run(); err != nil {
		t.Fatalf("node %s: %v\n%s", script, err, tail(notes.String()))
	}
	if err := json.Unmarshal(answer.Bytes(), out); err != nil {
		t.Fatalf("node %s: %v in %s\n%s", script, err, tail(answer.String()), tail(notes.String()))
	}
}

// tail keeps what a person reads of a long output.
func tail(s string) string { return s[max(0, len(s)-4000):] }

// Play has a script compile stories and play them.
func Play(t *testing.T, script string, stories []string, plays []played.Play) []played.Reading {
	t.Helper()
	var out struct {
		Errors [][]string       `json:"errors"` // by story
		Plays  []played.Reading `json:"plays"`
	}
	Run(t, script, map[string]any{"stories": stories, "plays": plays}, &out)
	for i, notes := range out.Errors {
		for _, note := range notes {
			t.Errorf("story %d: %s", i, note)
		}
	}
	if t.Failed() || len(out.Plays) != len(plays) {
		t.Fatalf("%d of %d plays were played", len(out.Plays), len(plays))
	}
	return out.Plays
}
