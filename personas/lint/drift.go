package lint

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"fabula/personas/fold"
)

// drift finds where a reply leaves its language for a stretch: a sentence in
// another script, a Latin word in Chinese that no name explains, traditional
// characters in simplified text, the punctuation of the other script. What is
// quoted may be foreign.
func drift(in *reading) []Finding {
	tag, err := language.Parse(in.Language)
	if err != nil {
		return nil
	}
	base, _ := tag.Base()
	script, _ := tag.Script()
	tables := tablesOf(script.String())
	if len(tables) == 0 || len(foreignScript(in)) > 0 {
		return nil // the whole is reported
	}
	var out []Finding
	for _, s := range in.foreignSentences(tables) {
		out = append(out, warn(CodeDrift, s, quote(in.Text, s), "script"))
	}
	if !unicode.In('字', tables...) {
		out = append(out, strayHan(in)...)
	}
	if base.String() == "zh" {
		out = append(out, strayWords(in)...)
		if script.String() == "Hans" {
			out = append(out, traditional(in.Text)...)
		}
	}
	return once(append(out, punctuation(in.Text, base.String())...))
}

// quote shortens what a span holds to what a line can show.
func quote(text string, s [2]int) string {
	const most = 40
	r := []rune(strings.TrimSpace(text[s[0]:s[1]]))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

// fewestInSentence is how many letters, of Han three a character, a foreign
// sentence has at least.
const fewestInSentence = 15

func (in *reading) foreignSentences(tables []*unicode.RangeTable) [][2]int {
	var out [][2]int
	text := in.unquoted()
	for _, s := range sentences(in.Text) {
		own, foreign := 0, 0
		for _, r := range text[s[0]:s[1]] {
			if !unicode.IsLetter(r) {
				continue
			}
			weight := 1
			if fold.Unspaced(r) {
				weight = 3
			}
			if unicode.In(r, tables...) {
				own += weight
			} else {
				foreign += weight
			}
		}
		if foreign >= fewestInSentence && foreign > 2*own {
			out = append(out, s)
		}
	}
	return out
}

// sentences gives the spans between marks that end one.
func sentences(text string) [][2]int {
	var out [][2]int
	from := 0
	for i, r := range text {
		if strings.ContainsRune(".!?。！？\n", r) {
			if end := i + len(string(r)); strings.TrimSpace(text[from:i]) != "" {
				out = append(out, [2]int{from, end})
				from = end
			}
		}
	}
	if strings.TrimSpace(text[from:]) != "" {
		out = append(out, [2]int{from, len(text)})
	}
	return out
}

// unquoted is the text with what stands in quotation marks or titles blanked
// out, byte for byte.
func (in *reading) unquoted() string {
	if in.bareWords == nil {
		s := unquoted(in.Text)
		in.bareWords = &s
	}
	return *in.bareWords
}

// closingOf gives the mark that closes what r opens, 0 where it opens nothing.
func closingOf(r rune) rune {
	switch r {
	case '“':
		return '”'
	case '「':
		return '」'
	case '『':
		return '』'
	case '《':
		return '》'
	case '‘':
		return '’'
	case '"':
		return '"'
	}
	return 0
}

func unquoted(text string) string {
	if !strings.ContainsAny(text, "“「『《‘\"") {
		return text
	}
	var b strings.Builder
	until := rune(0)
	for i, r := range text {
		switch closing := closingOf(r); {
		case until == r && until != 0:
			until = 0
		case until != 0:
			b.WriteString(strings.Repeat(" ", len(string(r))))
			continue
		case closing != 0 && strings.ContainsRune(text[i+len(string(r)):], closing):
			until = closing
		}
		b.WriteRune(r)
	}
	return b.String()
}

// strayWords finds Latin words of three letters and more in Chinese text.
func strayWords(in *reading) []Finding {
	known := strings.ToLower(strings.Join(slices.Concat(in.Persona.Name.All(), in.Player, in.Others, in.ownWords()), " "))
	var out []Finding
	text := in.unquoted()
	for _, s := range runs(text, 3, func(r rune) bool { return r < 0x80 && unicode.IsLetter(r) }) {
		word := text[s[0]:s[1]]
		if strings.Contains(known, strings.ToLower(word)) {
			continue // somebody's name
		}
		if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) && !insideCue(text, s[0]) {
			out = append(out, warn(CodeDrift, s, word, "word"))
		}
	}
	return out
}

// fewestStray is how many Chinese characters in a row are a word of another
// language, outside quotation marks and titles.
const fewestStray = 2

// strayHan finds Chinese words in the text of a language that has none.
func strayHan(in *reading) []Finding {
	known := strings.Join(slices.Concat(in.Persona.Name.All(), in.Player, in.Others, in.ownWords()), " ")
	text := in.unquoted()
	var out []Finding
	for _, s := range runs(text, fewestStray, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		if word := text[s[0]:s[1]]; !strings.Contains(known, word) && !insideCue(text, s[0]) && !cited().MatchString(text[:s[0]]) {
			out = append(out, warn(CodeDrift, s, word, "word"))
		}
	}
	return out
}

// cited is what stands before a foreign word that is only named.
var cited = pattern(`(?i)\b(?:reads?|says?|said|called|named|means?|spells?|writes?|wrote|written|words?|characters?|signs?)[ :,]*$`)

// insideCue reports whether a stage direction is open at byte at.
func insideCue(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return strings.Count(line, "*")%2 == 1 || strings.LastIndexAny(line, "([（【<") > strings.LastIndexAny(line, ")]）】>")
}

// ambiguous are characters that simplified text has as well.
const ambiguous = "著乾後裏於麼瞭藉摺徵覆鬱薑餘昇係僕"

// fewestTraditional is how many traditional characters are no chance.
const fewestTraditional = 2

func traditional(text string) []Finding {
	n, first, last := 0, -1, 0
	for i, r := range text {
		if r >= firstHan && r <= lastHan && simplified(r) != r && !strings.ContainsRune(ambiguous, r) {
			if n++; first < 0 {
				first = i
			}
			last = i + len(string(r))
		}
	}
	if n < fewestTraditional {
		return nil
	}
	s := [2]int{first, last}
	return []Finding{warn(CodeDrift, s, quote(text, s), "traditional")}
}

// punctuation finds two and more marks of the other script's set.
func punctuation(text, base string) []Finding {
	signs := "，。；？！、"
	if base == "zh" {
		signs = ",;?!"
	}
	if !strings.ContainsAny(text, signs) || base == "ja" {
		return nil
	}
	rs, marks, first := []rune(text), 0, -1
	at := 0
	for i, r := range rs {
		prev, next := around(rs, i)
		odd := false
		switch {
		case !strings.ContainsRune(signs, r):
		case base == "zh":
			odd = unicode.Is(unicode.Han, prev) && (next == 0 || unicode.Is(unicode.Han, next))
		default:
			odd = prev != 0 && !unicode.Is(unicode.Han, prev) && !unicode.Is(unicode.Han, next)
		}
		if odd {
			if marks++; first < 0 {
				first = at
			}
		}
		at += len(string(r))
	}
	if marks < 2 {
		return nil
	}
	s := [2]int{first, first + len(string([]rune(text[first:])[0]))}
	return []Finding{warn(CodeDrift, s, text[s[0]:s[1]], "punctuation")}
}

func around(rs []rune, i int) (prev, next rune) {
	if i > 0 {
		prev = rs[i-1]
	}
	for _, r := range rs[i+1:] {
		if r != ' ' {
			return prev, r
		}
	}
	return prev, 0
}

// ownWords are the persona's authored words in which Latin ones may stand.
func (in *reading) ownWords() []string {
	var all []string
	for _, t := range in.Persona.Self {
		all = append(all, t.All()...)
	}
	for _, t := range in.Persona.Address {
		all = append(all, t.All()...)
	}
	return all
}
