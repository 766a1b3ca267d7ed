// Package emit writes authored YAML in block style, so that what is read back
// is what was meant: a text keeps every character, and none of it becomes a
// comment, a number, a date or a tag.
//
// Non-goals: rewriting files that an author wrote, keeping comments of theirs.
package emit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Object is a mapping in the order of its fields; a field whose value is empty
// is left out.
type Object []Field

// Field is a key with its value: string, int, bool, Object, List or Raw.
type Field struct {
	Key     string
	Value   any
	Comment string // a line above it
}

// List is a sequence.
type List []any

// Raw is written as it stands: an expression, an id.
type Raw string

// File writes a file: comments, one a line, then the object.
func File(o Object, comments ...string) []byte {
	var b strings.Builder
	for _, c := range comments {
		comment(&b, "", c)
	}
	object(&b, o, "")
	return []byte(b.String())
}

func comment(b *strings.Builder, indent, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(b, "%s# %s\n", indent, strings.Map(printable, line))
	}
}

// printable keeps what a comment may hold.
func printable(r rune) rune {
	if needsEscape(r) || r == '\n' {
		return ' '
	}
	return r
}

func object(b *strings.Builder, o Object, indent string) {
	for _, f := range o {
		if empty(f.Value) {
			continue
		}
		if f.Comment != "" {
			comment(b, indent, f.Comment)
		}
		b.WriteString(indent + key(f.Key) + ":")
		value(b, f.Value, indent)
	}
}

func key(k string) string {
	if plainShape().MatchString(k) && !special[strings.ToLower(k)] {
		return k
	}
	return Quote(k)
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case Raw:
		return v == ""
	case List:
		return len(v) == 0
	case Object:
		for _, f := range v {
			if !empty(f.Value) {
				return false
			}
		}
		return true
	}
	return false
}

// value writes what stands behind a key at indent.
func value(b *strings.Builder, v any, indent string) {
	switch v := v.(type) {
	case Object:
		b.WriteByte('\n')
		object(b, v, indent+"  ")
	case List:
		b.WriteByte('\n')
		list(b, v, indent+"  ")
	default:
		b.WriteByte(' ')
		scalar(b, v, indent)
	}
}

func list(b *strings.Builder, l List, indent string) {
	for _, item := range l {
		switch v := item.(type) {
		case Object:
			var inner strings.Builder
			object(&inner, v, indent+"  ")
			b.WriteString(indent + "- " + strings.TrimPrefix(inner.String(), indent+"  "))
		default:
			b.WriteString(indent + "- ")
			scalar(b, item, indent)
		}
	}
}

func scalar(b *strings.Builder, v any, indent string) {
	switch v := v.(type) {
	case string:
		b.WriteString(text(v, indent) + "\n")
	case Raw:
		b.WriteString(string(v) + "\n")
	case int:
		b.WriteString(strconv.Itoa(v) + "\n")
	case bool:
		b.WriteString(strconv.FormatBool(v) + "\n")
	default:
		panic(fmt.Sprintf("emit: a %T is no value", v))
	}
}

// plainShape is text that YAML reads as it stands, wherever it is.
var plainShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\p{L}][\p{L}\p{N}_ ,.;!?'’“”，。！？；、()-]*$`)
})

// special are the words that YAML 1.1 or 1.2 would not read as text.
var special = map[string]bool{"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}

// text writes a string: plain where that is safe, as a block where it has
// lines, else in double quotes.
func text(s, indent string) string {
	switch {
	case plainShape().MatchString(s) && !special[strings.ToLower(s)] && strings.TrimSpace(s) == s && len(s) <= 200:
		return s
	case blockable(s):
		return block(s, indent)
	}
	return Quote(s)
}

// blockable reports a text that a literal block keeps: no character that needs
// an escape, no blank at the ends of it that would be lost.
func blockable(s string) bool {
	if !strings.Contains(strings.TrimRight(s, "\n"), "\n") && len(s) <= 200 {
		return false
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, needsEscape) || strings.Contains(s, "\t") {
		return false
	}
	first, _, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(first) != "" && first[0] != ' ' && !strings.HasSuffix(s, "\n") && strings.TrimSpace(lastLine(s)) != ""
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

func block(s, indent string) string {
	var b strings.Builder
	b.WriteString("|-")
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString(indent + "  " + line)
		}
	}
	return b.String()
}

// needsEscape reports what cannot stand in a file as it is: control marks that
// the loader refuses or that YAML takes for a line end, and marks that are not
// seen but turn or join what is.
func needsEscape(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF ||
		r == 0xFFFE || r == 0xFFFF || r == utf8.RuneError || unicode.Is(unicode.Cf, r)
}

// Quote writes a scalar in double quotes; what cannot be seen is escaped.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case needsEscape(r):
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
