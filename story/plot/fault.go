package plot

import (
	"fabula/personas/source"
)

// Codes of the faults this package reports. The comment gives the arguments,
// in order; a nearest known name is "" where nothing is near.
const (
	CodeExprSyntax    = "expr_syntax"    // the text where reading stopped, "" at the end
	CodeExprOperator  = "expr_operator"  // an operator that conditions do not have; what to write instead, if it is known
	CodeExprFunction  = "expr_function"  // a function that conditions do not have, nearest
	CodeExprArguments = "expr_arguments" // function, what it takes: "" nothing, else node, beat, exit, secret
	CodeExprNumber    = "expr_number"    // a number that is no plain whole number
	CodeExprTooLong   = "expr_too_long"  // limit in bytes
	CodeExprTooDeep   = "expr_too_deep"  // limit of brackets
	CodeExprType      = "expr_type"      // operator, type it needs, type found (bool, int, enum, list)
	CodeExprMix       = "expr_mix"       // operator, type left, type right
	CodeExprNot       = "expr_not"       // operator: `not x == y` reads as `(not x) == y`
	CodeExprResult    = "expr_result"    // type found where yes or no is needed
	CodeExprText      = "expr_text"      // a text compared with no enum
	CodeEnumValue     = "enum_value"     // variable, value, nearest, all values joined by ", "
	CodeEnumQuote     = "enum_quote"     // a bare word that is a value of an enum
	CodeEnumDiffer    = "enum_differ"    // two enums without a common value, or values that do not fit
	CodeUnknownName   = "unknown_name"   // kind, name, nearest; kind: variable, node, beat, exit, secret, persona, cue, placeholder, speaker, event (of `tell`)

	CodeEffectSyntax = "effect_syntax" // the text
	CodeEffectType   = "effect_type"   // variable, its type, type found

	CodeExtendKey     = "extend_key"          // a key that `extend` cannot add
	CodeDuplicate     = "duplicate_id"        // kind, id, place of the first
	CodeReservedName  = "reserved_name"       // a variable named like a word of conditions
	CodeExitTarget    = "exit_target"         // exit; "to?" where it has neither `to` nor `stay`, "to+stay" where it has both
	CodeOtherwiseTwo  = "otherwise_twice"     // node, id of the first
	CodeOtherwiseWhen = "otherwise_when"      // exit: `otherwise` takes no `when`
	CodeLineAt        = "line_at"             // the value of `at`
	CodeDetectEmpty   = "detect_empty"        // neither any, all, intent nor judge
	CodeClockVar      = "clock_var"           // variable that is no int
	CodeDomain        = "variable_domain"     // type, what is wrong (range, default: the domain; values; twice: the value; key: a key of another type), that
	CodeNoStart       = "no_start"            // no argument: the script has no start node
	CodeSetValue      = "set_value"           // variable, value, what it takes (Set)
	CodeClamped       = "state_clamped"       // variable, old value, new value (Adopt)
	CodeVanishedNode  = "state_node_gone"     // node, nearest (Adopt)
	CodeVanishedVar   = "state_variable_gone" // variable, old value (Adopt)
)

// fault places r inside the condition it concerns.
func (r *refusal) fault(c source.Cond) source.Fault {
	return source.Fault{Pos: at(c, r.at), Code: r.code, Args: r.args}
}

// at is the place of the n-th character of a condition. Lines after the first
// start at column 1: their indentation is not known here.
func at(c source.Cond, n int) source.Pos {
	p := c.Pos
	for i, r := range []rune(c.Src) {
		if i >= n {
			break
		}
		if p.Col++; r == '\n' {
			p.Line, p.Col = p.Line+1, 1
		}
	}
	return p
}

// Codes lists the fault codes of this package.
func Codes() []string {
	return []string{
		CodeExprSyntax, CodeExprOperator, CodeExprFunction, CodeExprArguments, CodeExprNumber, CodeExprTooLong,
		CodeExprTooDeep, CodeExprType, CodeExprMix, CodeExprNot, CodeExprResult, CodeExprText, CodeEnumValue,
		CodeEnumQuote, CodeEnumDiffer, CodeUnknownName, CodeEffectSyntax, CodeEffectType, CodeExtendKey,
		CodeDuplicate, CodeReservedName, CodeExitTarget, CodeOtherwiseTwo, CodeOtherwiseWhen, CodeLineAt,
		CodeDetectEmpty, CodeClockVar, CodeDomain, CodeNoStart, CodeSetValue, CodeClamped, CodeVanishedNode,
		CodeVanishedVar,
	}
}
