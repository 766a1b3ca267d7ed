package source

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of one authored file.
const (
	MaxBytes     = 4 << 20
	MaxNesting   = 64
	MaxExpansion = 10 // times the file's own size, by aliases
)

// plainText checks the bytes of a file and gives them as text with LF line
// ends and no byte order mark, so that line numbers are those of an editor.
func plainText(doc *document, data []byte) (string, bool) {
	switch {
	case len(data) > MaxBytes:
		doc.fault(Pos{File: doc.file}, CodeTooLarge, strconv.Itoa(MaxBytes>>20))
		return "", false
	case isUTF16(data):
		doc.fault(Pos{File: doc.file}, CodeUTF16)
		return "", false
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	return text, checkCharacters(doc, text)
}

func isUTF16(data []byte) bool {
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		return true
	}
	head := data[:min(len(data), 64)]
	return len(head) >= 4 && bytes.Count(head, []byte{0})*4 >= len(head)
}

// checkCharacters reports the first bytes that are no UTF-8, and every
// character that YAML refuses or takes for a line end that no editor shows.
func checkCharacters(doc *document, text string) bool {
	line, col, fine := 1, 1, true
	for i, r := range text {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				doc.fault(Pos{doc.file, line, col}, CodeNotUTF8)
				return false
			}
		}
		if badCharacter(r) {
			doc.fault(Pos{doc.file, line, col}, CodeBadCharacter, fmt.Sprintf("U+%04X", r))
			fine = false
		}
		if col++; r == '\n' {
			line, col = line+1, 1
		}
	}
	return fine
}

func badCharacter(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return false
	case r < 0x20, r >= 0x7F && r < 0xA0, r == 0x2028, r == 0x2029, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF:
		return true
	}
	return false
}
