package chat

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"fabula/engine"
)

// marks writes and finds the stand-ins for content. A stand-in is a number
// between two characters of private use that the template itself does not hold:
// nothing that trims, changes case or escapes markup touches it.
type marks struct{ open, shut rune }

// freeMarks picks two characters of private use that occur nowhere in text.
func freeMarks(text string) (marks, error) {
	var free []rune
	for r := rune(0xE000); r <= 0xF8FF && len(free) < 2; r++ {
		if !strings.ContainsRune(text, r) {
			free = append(free, r)
		}
	}
	if len(free) < 2 {
		return marks{}, fmt.Errorf("%w: it uses every character of private use", ErrTemplate)
	}
	return marks{free[0], free[1]}, nil
}

func (m marks) write(n int) string {
	return string(m.open) + strconv.Itoa(n) + string(m.shut)
}

// split exchanges the marks in rendered text for the parts of the messages,
// each of which has to occur once and in order.
func (m marks) split(text string, messages []engine.Message) ([]Piece, error) {
	var pieces []Piece
	n := 0
	for i, message := range messages {
		for j, part := range message.Parts {
			before, after, found := strings.Cut(text, m.write(n))
			if !found {
				return nil, fmt.Errorf("%w: it leaves out, changes or moves part %d of message %d (%s)",
					ErrTemplate, j+1, i+1, message.Role)
			}
			pieces = append(pieces, m.control(before)...)
			pieces = append(pieces, Piece{Text: part, Message: i, Part: j})
			text = after
			n++
		}
	}
	pieces = append(pieces, m.control(text)...)
	return pieces, m.verify(pieces)
}

// control makes a piece of template text, none of nothing.
func (m marks) control(text string) []Piece {
	if text == "" {
		return nil
	}
	return []Piece{{Text: text, Control: true}}
}

// verify refuses control text that still holds a mark: content was repeated.
func (m marks) verify(pieces []Piece) error {
	for _, p := range pieces {
		if p.Control && (strings.ContainsRune(p.Text, m.open) || strings.ContainsRune(p.Text, m.shut)) {
			return fmt.Errorf("%w: it repeats or takes apart content", ErrTemplate)
		}
		if p.Control && !utf8.ValidString(p.Text) {
			return fmt.Errorf("%w: it writes invalid UTF-8", ErrTemplate)
		}
	}
	return nil
}
