// Package source reads authored YAML with a position for every value, and
// turns everything that YAML would swallow into a fault with a line.
//
// A loader declares the fields of an object once, with Object and Key. That
// one declaration decodes, finds unknown keys with the nearest known one, and
// writes the JSON Schema, so the three cannot drift:
//
//	type Boat struct {
//		ID   string
//		Seat int
//	}
//
//	func boat() source.Type[Boat] {
//		return source.Object("boat", "a boat of the ferry",
//			source.Key("boat", source.ID(), func(b *Boat) *string { return &b.ID },
//				"its id").Required(),
//			source.Key("seats", source.Whole(1, 40), func(b *Boat) *int { return &b.Seat },
//				"how many it carries").Default(6),
//		)
//	}
//
//	boat, faults := source.Read(file, boat())
//
// It is the only importer of yaml.v3. Non-goals: knowing any field of fabula,
// wording faults (tui/text/lang does), writing YAML.
package source

import (
	"cmp"
	"fmt"
	"slices"
)

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

// File is one authored file: Name as a person knows it (relative to the
// world's folder, slashes), Data as it lies on disk.
type File struct {
	Name string
	Data []byte
}

// Fault is one thing wrong with an authored file. Code names the kind, Args
// fill the sentence that cmd and tui word for it in the person's language.
type Fault struct {
	Pos  Pos      `json:"pos"`
	Code string   `json:"code"` // e.g. "unknown_key"; see the Code constants
	Args []string `json:"args,omitempty"`
}

// Read decodes a file as t. Every fault of the file is reported, in order of
// place; the value holds whatever could be read.
func Read[V any](file File, t Type[V]) (V, []Fault) {
	var v V
	root, doc := parse(file)
	if root != nil {
		t.load(Value{doc: doc, node: root}, &v)
	}
	return v, doc.report()
}

// Sort orders faults by file, line, column, and drops repeated ones.
func Sort(faults []Fault) []Fault {
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Code, b.Code), slices.Compare(a.Args, b.Args))
	})
	return slices.CompactFunc(faults, func(a, b Fault) bool {
		return a.Pos == b.Pos && a.Code == b.Code && slices.Equal(a.Args, b.Args)
	})
}
