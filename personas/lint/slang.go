package lint

import (
	"slices"
	"strings"
	"unicode"
)

// modern is the year from which on today's register is no slip.
const modern = 1990

// slang finds words of the internet and of today's register, laughter in
// letters, emoji, kaomoji and storms of punctuation. In a world that plays
// since 1990 it is silent.
func slang(in *reading) []Finding {
	if in.Year != nil && *in.Year >= modern {
		return nil
	}
	var out []Finding
	for _, h := range of(in.hits, CodeSlang) {
		out = append(out, warn(CodeSlang, h.span, in.Text[h.span[0]:h.span[1]]))
	}
	for _, find := range []func(string) [][2]int{emoji, kaomoji, storms, laughter} {
		for _, s := range find(in.Text) {
			out = append(out, warn(CodeSlang, s, in.Text[s[0]:s[1]]))
		}
	}
	return once(out)
}

// SlangWords lists the words of today's register that the rule knows, of all
// languages.
func SlangWords() []string {
	var out []string
	for _, e := range words().entries {
		if e.code == CodeSlang {
			out = append(out, e.word)
		}
	}
	return out
}

func warn(code string, span [2]int, args ...string) Finding {
	return Finding{Code: code, Level: Warning, Args: args, Span: span}
}

// emoji finds runs of pictographs.
func emoji(text string) [][2]int {
	return runs(text, 1, func(r rune) bool {
		return r >= 0x1f300 && r <= 0x1faff || r >= 0x2600 && r <= 0x27bf && !strings.ContainsRune("★☆♪♫✿❀", r) || r >= 0x1f1e6 && r <= 0x1f1ff
	})
}

// storms finds three and more exclamation or question marks, or waves, in a row.
func storms(text string) [][2]int {
	return append(runs(text, 3, func(r rune) bool { return strings.ContainsRune("!！?？", r) }),
		runs(text, 2, func(r rune) bool { return r == '~' || r == '～' })...)
}

// laughter finds laughter in letters: hhhh, ahahaha, kkkk.
func laughter(text string) [][2]int {
	var out [][2]int
	for _, s := range runs(text, 4, func(r rune) bool { return strings.ContainsRune("haHAkK", r) }) {
		word := strings.ToLower(text[s[0]:s[1]])
		whole := (s[0] == 0 || !letterBefore(text, s[0])) && !letterAt(text, s[1])
		if whole && (strings.Trim(word, "h") == "" || strings.Trim(word, "k") == "" || strings.Contains(word, "haha") && len(word) > 5) {
			out = append(out, s)
		}
	}
	return out
}

func letterBefore(text string, at int) bool {
	r := []rune(text[max(0, at-4):at])
	return len(r) > 0 && r[len(r)-1] < 0x250 && unicode.IsLetter(r[len(r)-1])
}

func letterAt(text string, at int) bool {
	for _, r := range text[at:] {
		return r < 0x250 && unicode.IsLetter(r)
	}
	return false
}

// faces are kaomoji and smileys that are no words.
var faces = []string{":)", ":-)", ":(", ":-(", ":D", ":P", ";)", ";-)", "XD", "xD", "T_T", "^_^", "^^", "-_-", "o_O", "orz", "QAQ", "TAT", "=_=",
	"(╯°□°", "(≧▽≦)", "(・ω・", "╮(", "(｡", "（｡", "(>_<)", "<3", "ヽ(", "＞＜", ">_<", "(*^", "(´", "¯\\_"}

// kaomoji finds smileys that no letter touches.
func kaomoji(text string) [][2]int {
	var out [][2]int
	for _, face := range faces {
		for at := 0; ; {
			i := strings.Index(text[at:], face)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(face)
			if !letterBefore(text, from) && !letterAt(text, to) && !digitAt(text, to) {
				out = append(out, [2]int{from, to})
			}
			at = to
		}
	}
	slices.SortFunc(out, func(x, y [2]int) int { return x[0] - y[0] })
	return out
}

func digitAt(text string, at int) bool { return at < len(text) && text[at] >= '0' && text[at] <= '9' }

// runs finds stretches of at least n runes that belong to a set.
func runs(text string, n int, set func(rune) bool) [][2]int {
	var out [][2]int
	from, count := 0, 0
	flush := func(to int) {
		if count >= n {
			out = append(out, [2]int{from, to})
		}
		count = 0
	}
	for i, r := range text {
		switch {
		case set(r):
			if count == 0 {
				from = i
			}
			count++
		case r == 0xfe0f || r == 0x200d: // belongs to the emoji before it
		default:
			flush(i)
		}
	}
	flush(len(text))
	return out
}
