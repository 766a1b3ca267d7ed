package lint

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// Codes of the findings about a reply, with their arguments.
const (
	CodeTaboo           = "taboo"             // the term, the words that hit
	CodeLeak            = "leak"              // "npc.secret", the words that hit
	CodeNearLeak        = "near_leak"         // "npc.secret", the words, per cent of the secret that they hold
	CodeOverLength      = "over_length"       // words counted, words allowed
	CodeForeignScript   = "foreign_script"    // the script found, the language expected
	CodeDrift           = "drift"             // the words; script, word, traditional or punctuation
	CodeSelf            = "self"              // the word used, the words allowed
	CodeAddress         = "address"           // the word used, the words allowed
	CodeNearName        = "near_name"         // the word used, the name it is nearly
	CodeSpeaksForPlayer = "speaks_for_player" // the label
	CodeSpeaksForOther  = "speaks_for_other"  // the label
	CodeRolePrefix      = "role_prefix"       // the label: the speaker's own name, or a role
	CodeAgency          = "agency"            // the words
	CodeRepeats         = "repeats"           // what is repeated, how often
	CodeEcho            = "echo"              // what was said before; how many replies back, or how often
	CodeEmpty           = "empty"
	CodeSlang           = "slang"         // the words
	CodeMeta            = "meta"          // the words
	CodeAnachronism     = "anachronism"   // the words, the year from which on
	CodeContradiction   = "contradiction" // the words, what the scene says
	CodeUnknownCue      = "unknown_cue"   // the direction; found by story/cues
	CodeBrokenCue       = "broken_cue"    // the mark that is never closed; found by story/cues
	CodeManyEmotions    = "many_emotions" // the emotions; found by story/cues
	CodeAgreeable       = "agreeable"     // the words; a rate
)

// Rule describes one rule to a person.
type Rule struct {
	Code   string
	Level  Level
	Stream bool // it can judge a reply while it streams, and stop it
	Rate   bool // one hit says nothing; only the rate over many replies does
}

// rules are all of them, in the order in which they run. Those without a check
// are found elsewhere and share the codes.
var rules = []struct {
	Rule
	check func(*reading) []Finding
}{
	{Rule{Code: CodeEmpty, Level: Warning}, empty},
	{Rule{Code: CodeTaboo, Level: Error, Stream: true}, taboo},
	{Rule{Code: CodeLeak, Level: Error, Stream: true}, leak},
	{Rule{Code: CodeNearLeak, Level: Warning}, nearLeak},
	{Rule{Code: CodeSlang, Level: Warning, Stream: true}, slang},
	{Rule{Code: CodeMeta, Level: Warning, Stream: true}, meta},
	{Rule{Code: CodeAnachronism, Level: Warning, Stream: true}, anachronism},
	{Rule{Code: CodeOverLength, Level: Warning}, overLength},
	{Rule{Code: CodeForeignScript, Level: Warning}, foreignScript},
	{Rule{Code: CodeDrift, Level: Warning}, drift},
	{Rule{Code: CodeSelf, Level: Warning}, self},
	{Rule{Code: CodeAddress, Level: Warning}, address},
	{Rule{Code: CodeNearName, Level: Warning}, names},
	{Rule{Code: CodeRolePrefix, Level: Warning}, labels},
	{Rule{Code: CodeSpeaksForPlayer, Level: Warning}, nil},
	{Rule{Code: CodeSpeaksForOther, Level: Warning}, nil},
	{Rule{Code: CodeAgency, Level: Warning}, agency},
	{Rule{Code: CodeRepeats, Level: Warning}, repeats},
	{Rule{Code: CodeEcho, Level: Warning}, echo},
	{Rule{Code: CodeContradiction, Level: Warning}, contradiction},
	{Rule{Code: CodeUnknownCue, Level: Warning}, nil},
	{Rule{Code: CodeBrokenCue, Level: Warning}, nil},
	{Rule{Code: CodeManyEmotions, Level: Warning}, nil},
	{Rule{Code: CodeAgreeable, Level: Info, Rate: true}, agreeable},
}

// Rules lists every rule.
func Rules() []Rule {
	out := make([]Rule, len(rules))
	for i, r := range rules {
		out[i] = r.Rule
	}
	return out
}

// Codes lists every code of this package.
func Codes() []string {
	out := make([]string, len(rules))
	for i, r := range rules {
		out[i] = r.Code
	}
	return out
}

// Measured is how a rule does on its labelled cases, testdata/cases.
type Measured struct {
	Hits      int      `json:"hits"`      // replies that it is to find
	Misses    int      `json:"misses"`    // replies that it is to leave alone
	Precision float64  `json:"precision"` // of what it found, the share that it was to find
	Recall    float64  `json:"recall"`    // of what it was to find, the share that it found
	Wrong     []string `json:"wrong,omitempty"`
	// Second is how it does on testdata/second: cases that were written without
	// sight of the rule's words and of the first cases.
	Second *Measured `json:"second,omitempty"`
}

//go:embed measured.json
var measuredJSON []byte

var measured = sync.OnceValue(func() map[string]Measured {
	all := map[string]Measured{}
	_ = json.Unmarshal(measuredJSON, &all) // a test compares it with what the cases give
	return all
})

// MeasuredBy gives how a rule did on its cases when it was last measured; ok is
// false for a rule without cases.
func MeasuredBy(code string) (m Measured, ok bool) {
	m, ok = measured()[code]
	return m, ok
}

// fewestRight is the precision below which a rule may not stop a reply.
const fewestRight = 0.9

// MayBlock reports whether a rule may stop or regenerate a reply: it judges
// streams, and is right nine times out of ten on its cases, the second ones too.
func MayBlock(code string) bool {
	for _, r := range rules {
		if m, ok := MeasuredBy(code); r.Code == code {
			return r.Stream && ok && m.Precision >= fewestRight && m.Second != nil && m.Second.Precision >= fewestRight
		}
	}
	return false
}
