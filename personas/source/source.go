// Package source reads authored YAML with a position for every value, and
// turns everything that YAML would swallow into a fault with a line.
//
// It is the only importer of yaml.v3. Non-goals: knowing any field of fabula.
package source

import "fmt"

// Pos is a place in an authored file; Line and Col count from 1, columns in
// characters. The zero Pos means "nowhere".
type Pos struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

// String gives file:line:col.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Cond is a condition as it was written. story/plot compiles and evaluates it;
// an empty Src means "always".
type Cond struct {
	Src string `json:"src"`
	Pos Pos    `json:"pos"`
}

// Empty reports whether nothing was written.
func (c Cond) Empty() bool { return c.Src == "" }

// Fault is one thing wrong with an authored file. Code names the kind, Args
// fill the sentence that cmd and tui word for it in the person's language.
type Fault struct {
	Pos  Pos      `json:"pos"`
	Code string   `json:"code"` // e.g. "unknown_key"; see the Code constants
	Args []string `json:"args,omitempty"`
}
