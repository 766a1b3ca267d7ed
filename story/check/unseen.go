package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// unseen finds texts with characters that nobody sees and that change what is read:
// marks that turn the direction of writing, blanks without width, control
// characters, which no export can carry. A name with one
// is not the name that it looks like. The joiners of scripts and of emoji are left
// alone.
func unseen(c *checker) {
	for _, p := range c.passages {
		var marks []string
		for _, text := range p.text.All() {
			for _, r := range text {
				if mark := fmt.Sprintf("U+%04X", r); hides(r) && !slices.Contains(marks, mark) {
					marks = append(marks, mark)
				}
			}
		}
		if len(marks) > 0 {
			c.warn(p.allow, p.text.Pos, CodeUnseen, p.field, strings.Join(marks, ", "))
		}
	}
}

func hides(r rune) bool {
	const nonJoiner, joiner = 0x200C, 0x200D
	if unicode.IsControl(r) {
		return r != '\n' && r != '\r' && r != '\t'
	}
	return r != nonJoiner && r != joiner && unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}
