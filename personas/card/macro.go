package card

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// translator turns the texts of a card into those of fabula: {{user}} becomes
// {player}, {{char}} the name; hidden comments go; other macros stay as text.
type translator struct {
	name  string   // what {{char}} stands for; empty = nobody
	vars  []string // of the world: {var} would be filled in
	notes *[]Note
}

var (
	macro     = regexp.MustCompile(`\{\{([^{}]*)\}\}`)
	angle     = regexp.MustCompile(`(?i)<(user|bot|char)>`)
	hidden    = regexp.MustCompile(`(?is)<style\b[^>]*>.*?</style>|<script\b[^>]*>.*?</script>|<!--.*?-->`)
	newLine   = regexp.MustCompile(`(?i)[ \t]*(<br\b[^>]*>|</(div|p|li|tr|h[1-6]|summary|details)>)[ \t]*\n?`)
	slanted   = regexp.MustCompile(`(?i)</?(i|em)>`)
	tag       = regexp.MustCompile(`(?i)</?(div|p|span|img|b|u|strong|details|summary|table|tbody|tr|td|font|center|h[1-6]|a|ul|ol|li|hr)\b[^>]*>`)
	anyBraces = regexp.MustCompile(`(\{+)([ \t]*)([A-Za-z][A-Za-z0-9_]*)[ \t]*(\}+)`)
	idShape   = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// player stands for {player} while braces are looked at: a private character
// that clean takes out of every text.
const player = "\uE000"

// text translates one field.
func (t translator) text(field, s string) string {
	s = t.macros(field, t.clean(field, s))
	s = t.braces(field, t.html(field, s))
	s = strings.ReplaceAll(strings.ReplaceAll(s, "{"+player, "{ "+player), player+"}", player+" }")
	return strings.TrimSpace(strings.ReplaceAll(s, player, "{player}"))
}

// html takes HTML out and keeps its text: a terminal and a prompt have no use
// for it. Slanted text gets the asterisks that chats write.
func (t translator) html(field, s string) string {
	plain := hidden.ReplaceAllString(s, "")
	plain = newLine.ReplaceAllString(plain, "\n")
	plain = tag.ReplaceAllString(slanted.ReplaceAllString(plain, "*"), "")
	if plain != s {
		*t.notes = append(*t.notes, Note{Coerced, field, NoteHTML, nil})
	}
	return plain
}

func (t translator) macros(field, s string) string {
	counts := map[[2]string]int{}
	fill := func(m, to string) string {
		counts[[2]string{strings.ToLower(m), to}]++
		return to
	}
	s = macro.ReplaceAllStringFunc(s, func(m string) string {
		switch word := strings.ToLower(strings.TrimSpace(m[2 : len(m)-2])); {
		case word == "user" || word == "player":
			return fill(m, player)
		case word == "char" && t.name != "":
			return fill(m, t.name)
		case strings.HasPrefix(word, "//"), strings.HasPrefix(word, "comment:"):
			return fill(m, "")
		}
		*t.notes = append(*t.notes, Note{Coerced, field, NoteUnknown, []string{clip(m)}})
		return m
	})
	s = angle.ReplaceAllStringFunc(s, func(m string) string {
		switch {
		case strings.EqualFold(m, "<user>"):
			return fill(m, player)
		case t.name == "":
			return m
		}
		return fill(m, t.name)
	})
	for pair, n := range counts {
		to := strings.ReplaceAll(pair[1], player, "{player}")
		*t.notes = append(*t.notes, Note{Coerced, field, NoteMacro, []string{clip(pair[0]), to, strconv.Itoa(n)}})
	}
	return s
}

// clean makes a text one that a file of fabula can hold: LF line ends, no
// control characters, no blanks at its end.
func (t translator) clean(field, s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	bad := 0
	s = strings.Map(func(r rune) rune {
		switch {
		case r == 0x2028 || r == 0x2029 || r == 0x85:
			return '\n'
		case r < 0x20 && r != '\n' && r != '\t', r >= 0x7F && r < 0xA0, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF, r == 0xE000:
			bad++
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
	if bad > 0 {
		*t.notes = append(*t.notes, Note{Coerced, field, NoteControl, []string{strconv.Itoa(bad)}})
	}
	return strings.TrimSpace(s)
}

// braces takes the meaning from braces that fabula would fill in or refuse:
// {hp} becomes (hp). {{hp}} is text for it, unless hp is a name that it knows.
func (t translator) braces(field, s string) string {
	return anyBraces.ReplaceAllStringFunc(s, func(m string) string {
		part := anyBraces.FindStringSubmatch(m)
		left, inner, right := part[1], part[3], part[4]
		known := strings.EqualFold(inner, "player") || slices.ContainsFunc(t.vars, func(v string) bool { return strings.EqualFold(v, inner) })
		if !known && (len(left) == 2 || part[2] != "" || !idShape.MatchString(inner)) {
			return m
		}
		to := "(" + inner + ")" + right[min(len(left), len(right)):]
		*t.notes = append(*t.notes, Note{Coerced, field, NoteBrace, []string{clip(m), to}})
		return to
	})
}

// clip shortens what is quoted in a note.
func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
