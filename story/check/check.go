// Package check finds mistakes of a world that loads: what is written, is well
// formed, and yet breaks the story or the author's intention. One rule a file.
//
// Most rules look at what is written and at the domains of variables, one
// condition at a time. Those of proof.go, truth.go, knots.go and silent.go look
// at every state that the world can be played into (package space), and give a
// shortest way there. Non-goals: wording findings (tui/text/lang does); load
// faults (the loaders report those).
package check

import (
	"cmp"
	"slices"
	"strconv"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/personas/source"
	"fabula/story/check/space"
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
	CodeUnseen        = "unseen_character"    // field, the characters as U+…
	CodeSwallowed     = "swallowed_language"  // field, what looks like a language key
	CodeComma         = "keyword_comma"       // the keyword
	CodeNever         = "never_holds"         // comparison, a variable, its domain
	CodeAlways        = "always_holds"        // comparison, a variable, its domain
	CodeSaturates     = "always_saturates"    // effect, variable, its domain
	CodeNoWay         = "exit_without_words"  // exit: neither choice, said, auto nor otherwise
	CodeSaidOnly      = "said_without_choice" // exit
	CodeUnsayable     = "never_said"          // beat, exit or anchor
	CodeDeadEnd       = "dead_end"            // node
	CodeUnreachable   = "unreachable"         // node
	CodeNeverWritten  = "never_written"       // variable
	CodeNeverRead     = "never_read"          // variable
	CodeNeverUnlocks  = "never_unlocks"       // "npc.secret", its condition
	CodeUnknownAllow  = "unknown_finding"     // code in an `allow`, nearest or ""
	CodeUnreached     = "unreached"           // node, exit "node.id" nearest to it, what keeps that closed or ""
	CodeNeverTrue     = "never_true"          // condition, the part of it that never holds, or "together" where each does, or ""
	CodeAlwaysTrue    = "always_true"         // condition
	CodeStuck         = "stuck"               // node, its exits and what closes them
	CodeExhausted     = "exhausted"           // node, the visit in which it happens, its exits and what closes them
	CodeTrap          = "trap"                // node where it begins, the nodes that are in it
	CodeAutoCycle     = "auto_cycle"          // the nodes in order
	CodeNeverFires    = "never_fires"         // beat, speaker or "ending"
	CodeNeverTaken    = "never_taken"         // exit, the target's condition, "auto" or ""
	CodeAnchor        = "anchor_unreached"    // anchor, persona
	CodeConstant      = "constant"            // variable, value
	CodeNotProven     = "not_proven"          // kind of bound (package space), number, name
)

// Codes lists every code of this package.
func Codes() []string {
	return []string{CodeExampleSilent, CodeExampleFires, CodeLeak, CodeTaboo, CodeOverLength, CodeMissing, CodeOutside, CodeUnseen,
		CodeSwallowed, CodeComma, CodeNever, CodeAlways, CodeSaturates, CodeNoWay, CodeSaidOnly, CodeUnsayable, CodeDeadEnd,
		CodeUnreachable, CodeNeverWritten, CodeNeverRead, CodeNeverUnlocks, CodeUnknownAllow, CodeUnreached, CodeNeverTrue,
		CodeAlwaysTrue, CodeStuck, CodeExhausted, CodeTrap, CodeAutoCycle, CodeNeverFires, CodeNeverTaken, CodeAnchor,
		CodeConstant, CodeNotProven}
}

// Finding is one thing a rule saw, at a place. Level is that of lint: an error
// makes `check` exit 3.
type Finding struct {
	Code   string
	Level  lint.Level
	Args   []string
	Pos    source.Pos
	Way    []space.Step // a shortest way to a state that shows it, from the start; nil where none is needed
	Forced bool         // no words were found that take the way: it may be impossible
	Reason string       // of an allowed finding: why the author allows it
}

func fault(at source.Pos, code string, args ...string) Finding {
	return Finding{Code: code, Level: lint.Error, Args: args, Pos: at}
}

func caution(at source.Pos, code string, args ...string) Finding {
	return Finding{Code: code, Level: lint.Warning, Args: args, Pos: at}
}

// Report is what became of looking at a world.
type Report struct {
	Findings []Finding // in order of place
	Allowed  []Finding // those that an author allowed, with the reason
	Space    *space.Space
}

// Script applies every rule to a compiled script without load faults. Findings
// come in order of place; those that an author allowed are left out.
func Script(s *plot.Script) []Finding { return Examine(s, space.Limits{}).Findings }

// Examine applies every rule, within limits of the search.
func Examine(s *plot.Script, l space.Limits) Report {
	c := &checker{s: s, survey: look(s), space: space.Explore(s, l)}
	c.known = c.space.Conditions()
	for _, rule := range []func(*checker){
		examples, unsayable, leaks, spoken, languages, unseen, slips, comparisons, saturation, exits, nodes, variables, secrets, allowances,
		reach, truths, locked, halts, traps, cycles, silent, constants, unproven,
	} {
		rule(c)
	}
	return Report{Findings: ordered(c.found), Allowed: ordered(c.allowed), Space: c.space}
}

// ordered sorts findings by place and leaves out what is said twice.
func ordered(list []Finding) []Finding {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Code, b.Code), slices.Compare(a.Args, b.Args))
	})
	return slices.CompactFunc(list, func(a, b Finding) bool {
		return a.Code == b.Code && a.Pos == b.Pos && slices.Equal(a.Args, b.Args)
	})
}

// checker gathers what the rules find.
type checker struct {
	s *plot.Script
	survey
	space   *space.Space
	known   []space.Condition
	found   []Finding
	allowed []Finding
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
	for _, a := range slices.Concat(allow, c.s.Allow) {
		if a.Finding == f.Code {
			f.Reason = a.Reason
			c.allowed = append(c.allowed, f)
			return
		}
	}
	c.found = append(c.found, f)
}

// said reports whether a finding of a place is there, allowed or not.
func (c *checker) said(code string, at source.Pos) bool {
	same := func(f Finding) bool { return f.Code == code && f.Pos == at }
	return slices.ContainsFunc(c.found, same) || slices.ContainsFunc(c.allowed, same)
}

func number(n int) string { return strconv.Itoa(n) }
