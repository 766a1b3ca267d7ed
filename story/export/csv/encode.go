package csv

import "strings"

// Encode writes records by RFC 4180. encoding/csv of the standard library will
// not do: with CRLF between records it also changes line ends inside fields.
func Encode(records [][]string) []byte {
	var b strings.Builder
	for _, record := range records {
		for i, field := range record {
			if i > 0 {
				b.WriteByte(',')
			}
			writeField(&b, field, len(record) == 1)
		}
		b.WriteString("\r\n")
	}
	return []byte(b.String())
}

// writeField quotes where a reader could stumble: also blanks at either end,
// which some trim, and an empty field that is alone, which some skip.
func writeField(b *strings.Builder, field string, alone bool) {
	if !strings.ContainsAny(field, "\",\r\n") && strings.TrimSpace(field) == field && !(alone && field == "") {
		b.WriteString(field)
		return
	}
	b.WriteByte('"')
	b.WriteString(strings.ReplaceAll(field, `"`, `""`))
	b.WriteByte('"')
}

// Inert makes a cell harmless in a spreadsheet, which would compute a cell that
// begins with = + - @, their full-width twins, a tab or a carriage return. It
// gets a leading apostrophe, and so does a cell that begins with one: to undo
// it, take one leading apostrophe away.
func Inert(cell string) string {
	for _, lead := range []string{"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠", "'"} {
		if strings.HasPrefix(cell, lead) {
			return "'" + cell
		}
	}
	return cell
}
