// Package check finds mistakes of a world that loads: what is written, is well
// formed, and yet breaks the story or the author's intention. One rule a file.
//
// The rules look at what is written and at the domains of variables, one
// condition at a time. Non-goals: searching the states that a playthrough can
// reach, so a condition that no path ever meets, or a node that only a closed
// exit leads to, is not found here; wording findings (tui/text/lang does);
// load faults (the loaders report those).
package check

import (
	"cmp"
	"slices"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/personas/source"
	"fabula/story/plot"
)

// Codes of the findings, with their arguments. A field is the key that the
// author wrote; a language is its code.
const (
	CodeExampleSilent = "example_silent"      // beat, the sentence that does not fire it
	CodeExampleFires  = "example_fires"       // beat, the sentence that fires it, by which words
	CodeLeak          = lint.CodeLeak         // "npc.secret", the words that hit
	CodeTaboo         = lint.CodeTaboo        // the term, the words that hit
	CodeOverLength    = lint.CodeOverLength   // words counted, words allowed
	CodeMissing       = "missing_translation" // field, language
	CodeOutside       = "language_outside"    // field, language, the world's languages
	CodeSwallowed     = "swallowed_language"  // field, what looks like a language key
	CodeComma         = "keyword_comma"       // the keyword
	CodeNever         = "never_holds"         // comparison, a variable, its domain
	CodeAlways        = "always_holds"        // comparison, a variable, its domain
	CodeSaturates     = "always_saturates"    // effect, variable, its domain
	CodeNoWay         = "exit_without_words"  // exit: neither choice, said, auto nor otherwise
	CodeSaidOnly      = "said_without_choice" // exit
	CodeDeadEnd       = "dead_end"            // node
	CodeUnreachable   = "unreachable"         // node
	CodeNeverWritten  = "never_written"       // variable
	CodeNeverRead     = "never_read"          // variable
	CodeNeverUnlocks  = "never_unlocks"       // "npc.secret", its condition
	CodeUnknownAllow  = "unknown_finding"     // code in an `allow`, nearest or ""
)

// Codes lists every code of this package.
func Codes() []string {
	return []string{CodeExampleSilent, CodeExampleFires, CodeLeak, CodeTaboo, CodeOverLength, CodeMissing, CodeOutside,
		CodeSwallowed, CodeComma, CodeNever, CodeAlways, CodeSaturates, CodeNoWay, CodeSaidOnly, CodeDeadEnd,
		CodeUnreachable, CodeNeverWritten, CodeNeverRead, CodeNeverUnlocks, CodeUnknownAllow}
}

// Finding is one thing a rule saw, at a place. Level is that of lint: an error
// makes `check` exit 3.
type Finding struct {
	Code  string
	Level lint.Level
	Args  []string
	Pos   source.Pos
}

// Script applies every rule to a compiled script without load faults. Findings
// come in order of place; those that an author allowed are left out.
func Script(s *plot.Script) []Finding {
	c := &checker{s: s, survey: look(s)}
	for _, rule := range []func(*checker){
		examples, leaks, spoken, languages, slips, comparisons, saturation, exits, nodes, variables, secrets, allowances,
	} {
		rule(c)
	}
	slices.SortStableFunc(c.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Code, b.Code), slices.Compare(a.Args, b.Args))
	})
	return slices.CompactFunc(c.found, func(a, b Finding) bool {
		return a.Code == b.Code && a.Pos == b.Pos && slices.Equal(a.Args, b.Args)
	})
}

// checker gathers what the rules find.
type checker struct {
	s *plot.Script
	survey
	found []Finding
}

// warn reports a warning unless one of the allowances covers its code; fail
// does so with an error.
func (c *checker) warn(allow []personas.Allow, at source.Pos, code string, args ...string) {
	c.report(allow, Finding{Code: code, Level: lint.Warning, Args: args, Pos: at})
}

func (c *checker) fail(allow []personas.Allow, at source.Pos, code string, args ...string) {
	c.report(allow, Finding{Code: code, Level: lint.Error, Args: args, Pos: at})
}

func (c *checker) report(allow []personas.Allow, f Finding) {
	covers := func(a personas.Allow) bool { return a.Finding == f.Code }
	if !slices.ContainsFunc(allow, covers) && !slices.ContainsFunc(c.s.Allow, covers) {
		c.found = append(c.found, f)
	}
}
