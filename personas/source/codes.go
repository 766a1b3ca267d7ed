package source

// Codes of the faults that reading can find, with their arguments. A field is
// named as its path from the top of the file: "secrets[2].text".
const (
	CodeUTF16            = "utf16"              // the file is UTF-16
	CodeNotUTF8          = "not_utf8"           // bytes that are no UTF-8
	CodeBadCharacter     = "bad_character"      // character ("U+0007")
	CodeTooLarge         = "too_large"          // limit in MiB
	CodeTooDeep          = "too_deep"           // limit of nesting
	CodeAliases          = "alias_expansion"    // limit: aliases repeat the file that many times
	CodeEmptyFile        = "empty_file"         //
	CodeManyDocuments    = "many_documents"     // a second `---`
	CodeSyntax           = "syntax"             // reason (one of the Reason constants), the line; with ReasonTag the tag
	CodeTab              = "tab_indent"         //
	CodeFlowText         = "flow_text"          // text that YAML cut inside { }: what it saw
	CodeTag              = "tag"                // the tag, e.g. "!x"
	CodeMergeKey         = "merge_key"          //
	CodeOddKey           = "odd_key"            // field: a key that is no plain word
	CodeUnknownKey       = "unknown_key"        // key, nearest known key or "", what it is a key of
	CodeMisplacedKey     = "misplaced_key"      // key, what it is in, what it belongs to
	CodeDuplicateKey     = "duplicate_key"      // key, line of the first
	CodeMissing          = "missing_key"        // key, what lacks it
	CodeNull             = "null_value"         // field, what was typed: "", "~", "null" or "#…"
	CodeEmptyText        = "empty_text"         // field
	CodeEmptyCondition   = "empty_condition"    // field
	CodeCommentAfterText = "comment_after_text" // field, the text before #
	CodeWrongType        = "wrong_type"         // field, expected, kind found, text found; where a list is expected, the text as an item of one
	CodeOutOfRange       = "out_of_range"       // field, value, lowest, highest
	CodeUnknownWord      = "unknown_word"       // field, word, allowed words, nearest or ""
	CodeBadID            = "bad_id"             // field, id
	CodeLanguage         = "language_code"      // field, code
)

// Reasons of a syntax fault.
const (
	ReasonColon     = "colon"     // ": " inside unquoted text
	ReasonNoColon   = "no_colon"  // a line without `key:`
	ReasonIndent    = "indent"    // does not line up with the lines above
	ReasonDash      = "dash"      // a list is not continued by "- "
	ReasonBracket   = "bracket"   // [ ] not closed or not separated
	ReasonQuote     = "quote"     // a quote that is never closed
	ReasonCharacter = "character" // a text that starts with a character YAML keeps for itself
	ReasonAnchor    = "anchor"    // a text that starts with & or *
	ReasonEscape    = "escape"    // an unknown \ escape inside "…"
	ReasonFlow      = "flow"      // text that YAML cannot read inside { }
	ReasonTag       = "tag"       // a value that starts with !
	ReasonOther     = "other"

	ReasonConflict   = "conflict"    // a mark of a merge that was not finished
	ReasonWideIndent = "wide_indent" // full-width or no-break blanks before a key or a dash
	ReasonWideColon  = "wide_colon"  // a full-width colon after a key
	ReasonWideComma  = "wide_comma"  // a full-width comma before the next key inside { }
	ReasonNoSpace    = "no_space"    // no blank behind the colon of a key
	ReasonDashSpace  = "dash_space"  // no blank behind a dash, or a full-width dash
)

// Codes lists every fault code of this package.
func Codes() []string {
	return []string{CodeUTF16, CodeNotUTF8, CodeBadCharacter, CodeTooLarge, CodeTooDeep, CodeAliases,
		CodeEmptyFile, CodeManyDocuments, CodeSyntax, CodeTab, CodeFlowText, CodeTag, CodeMergeKey,
		CodeOddKey, CodeUnknownKey, CodeMisplacedKey, CodeDuplicateKey, CodeMissing, CodeNull,
		CodeEmptyText, CodeEmptyCondition, CodeCommentAfterText, CodeWrongType, CodeOutOfRange,
		CodeUnknownWord, CodeBadID, CodeLanguage}
}
