package card

import (
	"cmp"
	"slices"
	"strings"
)

// Fate is what became of a part of an imported file.
type Fate string

// The fates.
const (
	Taken   Fate = "read"
	Coerced Fate = "coerced" // read, with a change
	Kept    Fate = "kept"    // not used, but exported again with the card
	Dropped Fate = "dropped"
)

// Note says what became of one part. Code and Args are worded by cmd.
type Note struct {
	Fate  Fate     `json:"fate"`
	Field string   `json:"field,omitempty"` // as in the file: "character_book.entries[3].keys"
	Code  string   `json:"code"`
	Args  []string `json:"args,omitempty"`
}

// Codes of notes, with their arguments.
const (
	NoteRead       = "import_read"        // where it went
	NoteNoData     = "import_no_data"     // V2 or V3 without `data`: read as V1
	NoteBytes      = "import_bytes"       // bytes that are no UTF-8
	NoteType       = "import_type"        // expected, found
	NoteNewer      = "import_both"        // chunk read, chunk passed over
	NoteCRC        = "import_crc"         // keyword
	NoteControl    = "import_control"     // count of control characters taken out
	NoteMacro      = "import_macro"       // the macro, what it became, count
	NoteUnknown    = "import_unknown"     // a macro that stays as text
	NoteBrace      = "import_brace"       // braces that fabula would fill in, what they became
	NoteNoPlace    = "import_no_place"    // fabula has nothing like it
	NoteHTML       = "import_html"        // HTML stays as text
	NoteSpeaker    = "import_no_speaker"  // count of example lines that nobody says
	NoteRegex      = "import_regex"       // the key
	NoteLogic      = "import_logic"       // the rule for secondary keys
	NoteDisabled   = "import_disabled"    // an entry that was switched off
	NoteNoKeys     = "import_no_keys"     // an entry that nothing brings up
	NoteNoText     = "import_no_text"     // an empty entry
	NoteDecorator  = "import_decorator"   // the decorator
	NoteRange      = "import_range"       // number, what it became
	NoteChance     = "import_chance"      // percent
	NoteCase       = "import_case"        // keys fold case here
	NotePosition   = "import_position"    // where it stood in the prompt
	NoteAssets     = "import_assets"      // count of files left in the archive
	NoteTooMany    = "import_too_many"    // count, limit
	NotePicture    = "import_picture"     // why the picture is not kept
	NoteID         = "import_id"          // id asked for, id given
	NoteKeepsApart = "import_keeps_apart" // text that is said by nobody now: alternate greetings
)

// Codes lists the codes of notes.
func Codes() []string {
	return []string{NoteRead, NoteNoData, NoteBytes, NoteType, NoteNewer, NoteCRC, NoteControl, NoteMacro, NoteUnknown, NoteBrace,
		NoteNoPlace, NoteHTML, NoteSpeaker, NoteRegex, NoteLogic, NoteDisabled, NoteNoKeys, NoteNoText, NoteDecorator, NoteRange,
		NoteChance, NoteCase, NotePosition, NoteAssets, NoteTooMany, NotePicture, NoteID, NoteKeepsApart}
}

// natural compares fields so that entries[2] comes before entries[10].
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			if c := cmp.Or(cmp.Compare(x, y), cmp.Compare(a[:x], b[:y])); c != 0 { // no zeros in front
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// Sort orders notes by field, and drops repeated ones.
func Sort(notes []Note) []Note {
	slices.SortStableFunc(notes, func(a, b Note) int {
		return cmp.Or(natural(a.Field, b.Field), cmp.Compare(a.Code, b.Code), slices.Compare(a.Args, b.Args))
	})
	return slices.CompactFunc(notes, func(a, b Note) bool {
		return a.Field == b.Field && a.Code == b.Code && slices.Equal(a.Args, b.Args)
	})
}
