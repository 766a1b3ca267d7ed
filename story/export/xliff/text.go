package xliff

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fabula/story/export"
	"fabula/story/export/table"
)

// writer writes XML text. With points, characters that XML cannot hold become
// <cp>; else they are refused.
type writer struct {
	strings.Builder
	points bool
	line   string // id of the row, for errors
}

// text writes character data; a carriage return is a reference, since a reader
// would make a line feed of it.
func (w *writer) text(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("xliff: line %s holds bytes that are no UTF-8: %w", w.line, export.ErrCannotCarry)
	}
	for _, r := range s {
		switch {
		case r == '\r' || r == 0x85 || r == 0x2028:
			fmt.Fprintf(w, "&#x%X;", r)
		case !allowed(r) && !w.points:
			return fmt.Errorf("xliff 1.2: line %s holds U+%04X, which XML has not; change the line, or leave its branch out with --branch: %w",
				w.line, r, export.ErrCannotCarry)
		case !allowed(r):
			fmt.Fprintf(w, `<cp hex="%04X"/>`, r)
		case r == '<':
			w.WriteString("&lt;")
		case r == '>':
			w.WriteString("&gt;")
		case r == '&':
			w.WriteString("&amp;")
		default:
			w.WriteRune(r)
		}
	}
	return nil
}

// plain writes text where no inline element may stand: in notes and data.
func (w *writer) plain(s string) {
	w.WriteString(plain.Replace(strings.Map(visible, s)))
}

// attribute writes a value; blanks other than spaces are references, since a
// reader would make spaces of them.
func attribute(s string) string { return quoted.Replace(strings.Map(visible, s)) }

var (
	plain  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
	quoted = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")
)

// visible shows a character that XML cannot hold by its stand-in.
func visible(r rune) rune {
	if allowed(r) {
		return r
	}
	if r < 0x20 {
		return 0x2400 + r // control pictures
	}
	return utf8.RuneError
}

// allowed is the Char production of XML 1.0.
func allowed(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}

// pieces writes a text with its placeholders as elements.
func (w *writer) pieces(list []table.Piece, ids []int, element func(id int, name string) string) error {
	for i, p := range list {
		if ids[i] > 0 {
			w.WriteString(element(ids[i], p.Text))
		} else if err := w.text(p.Text); err != nil {
			return err
		}
	}
	return nil
}
