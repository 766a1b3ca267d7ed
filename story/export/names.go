package export

import (
	"strconv"
	"strings"
	"unicode"
)

// Names gives file names, each once.
type Names map[string]bool

// Of makes a file name that every system takes: letters and digits of any
// script, - and _; a second one of the same name gets a number.
func (n Names) Of(name string) string {
	const most = 60
	clean := []rune(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name))
	stem := string(clean[:min(len(clean), most)])
	if stem == "" {
		stem = "_"
	}
	made := stem
	for i := 2; n[strings.ToLower(made)]; i++ {
		made = stem + "-" + strconv.Itoa(i)
	}
	n[strings.ToLower(made)] = true
	return made
}
