package lint

import (
	"cmp"
	"slices"

	"fabula/personas"
)

// Codes of the findings about a reply, with their arguments.
const (
	CodeTaboo           = "taboo"             // the term, the words that hit
	CodeLeak            = "leak"              // "npc.secret", the words that hit
	CodeOverLength      = "over_length"       // words counted, words allowed
	CodeForeignScript   = "foreign_script"    // the script found, the language expected
	CodeSelf            = "self"              // the word used, the words allowed
	CodeSpeaksForPlayer = "speaks_for_player" // the label
	CodeSpeaksForOther  = "speaks_for_other"  // the label
	CodeRolePrefix      = "role_prefix"       // the label: the speaker's own name, or a role
	CodeRepeats         = "repeats"           // what is repeated, how often
	CodeEmpty           = "empty"
)

// Codes lists every code of this package.
func Codes() []string {
	return []string{CodeTaboo, CodeLeak, CodeOverLength, CodeForeignScript, CodeSelf, CodeSpeaksForPlayer,
		CodeSpeaksForOther, CodeRolePrefix, CodeRepeats, CodeEmpty}
}

// Input is a reply with what it is checked against.
type Input struct {
	Persona    *personas.Persona
	WorldTaboo []personas.Text
	Locked     []personas.Secret // of the persona, locked when it spoke
	Language   string            // that it was to speak
	Text       string
	Player     []string         // names of the player's role
	Others     []string         // names of the other NPCs
	Allow      []personas.Allow // of world and node; the persona's own always count
}

// Reply checks a reply against every rule. Findings come in order of their
// place, those about the whole first. A rule that an author allowed is silent.
func Reply(in Input) []Finding {
	if in.Persona == nil {
		in.Persona = &personas.Persona{}
	}
	var out []Finding
	for _, rule := range []func(Input) []Finding{
		empty, taboo, leak, overLength, foreignScript, self, labels, repeats,
	} {
		out = append(out, rule(in)...)
	}
	out = slices.DeleteFunc(out, func(f Finding) bool { return allowed(in.Persona.Allow, f) || allowed(in.Allow, f) })
	slices.SortStableFunc(out, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Span[0], y.Span[0]), cmp.Compare(x.Span[1], y.Span[1]))
	})
	return out
}

func allowed(list []personas.Allow, f Finding) bool {
	return slices.ContainsFunc(list, func(a personas.Allow) bool { return a.Finding == f.Code })
}
