package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fabula/tui/text/lang"
)

// printSaid writes a line for a person in a language. It is written in English where it
// is made; tui/text/lang/said.go has the Chinese of it.
func printSaid(w io.Writer, language, format string, args ...any) {
	fmt.Fprintln(w, said(language, format, args...))
}

// said words a sentence in a language; amounts among its arguments are worded too.
func said(language, format string, args ...any) string {
	args = slices.Clone(args)
	for i, a := range args {
		if x, ok := a.(wordable); ok {
			args[i] = x.in(language)
		}
	}
	return fmt.Sprintf(lang.Said(format, language), args...)
}

// wordable is an argument that is worded in a language with its sentence.
type wordable interface{ in(language string) string }

// amount is so many of something, named in the singular.
type amount struct {
	n  int
	of string
}

func (a amount) in(language string) string {
	if format := "%d " + a.of; lang.Said(format, language) != format {
		return fmt.Sprintf(lang.Said(format, language), a.n)
	}
	return plural(a.n, a.of)
}

// amounts words several with what stands between them in a language.
func amounts(language string, all ...amount) string {
	var out []string
	for _, a := range all {
		out = append(out, a.in(language))
	}
	return strings.Join(out, lang.Said(", ", language))
}
