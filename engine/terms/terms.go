// Package terms cuts texts into what search compares, in scripts with blanks
// between words and without. It is shared by everything that ranks texts, so
// that what is recalled and what is remembered agree on what a word is.
package terms

import (
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// Of cuts a text into the terms that are compared: folded words, stemmed
// where they are plain Latin; of scripts without blanks every character and
// every pair of neighbours.
func Of(text string) []string {
	var out []string
	var word []rune
	var before rune // the character before, if of a script without blanks
	flush := func() {
		if len(word) > 0 {
			out = append(out, stem(string(word)))
			word = word[:0]
		}
	}
	for _, r := range strings.ToLower(norm.NFKC.String(text)) {
		if Unspaced(r) && unicode.IsLetter(r) {
			flush()
			out = append(out, string(r))
			if before != 0 {
				out = append(out, string([]rune{before, r}))
			}
			before = r
			continue
		}
		before = 0
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word = append(word, r)
		case r == '\'' || r == '’': // "jin's" and "don't" are one word
		default:
			flush()
		}
	}
	flush()
	return out
}

func stem(word string) string {
	for _, r := range word {
		if r > unicode.MaxASCII {
			return word
		}
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// Unspaced reports whether r is written without blanks between words.
func Unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

// weakness scales a term that says little of what a line is about. Such terms
// count for little beside others; a query of nothing else still has an answer.
const weakness = 0.15

// Strength is 1 for a term that tells something; a pair of characters is as
// strong as its halves together.
func Strength(term string) float64 {
	if weak(term) {
		return weakness
	}
	if rs := []rune(term); len(rs) == 2 && Unspaced(rs[0]) {
		return (Strength(string(rs[0])) + Strength(string(rs[1]))) / 2
	}
	return 1
}

func weak(term string) bool {
	const list = " a an the and or but of to in on at for with from by as is am are was were be been do doe did" +
		" i you he she it we they me him her us them my your his our their this that these those" +
		" what who whom which where when whi how there here not no yes so if then than too can could will would shall" +
		" should may might must have has had ani some just onli" +
		" 的 了 吗 呢 吧 啊 呀 么 嘛 是 在 有 和 也 都 就 不 我 你 您 他 她 它 们 这 那 哪 个 什 怎 里 谁 几 多 少 很 还 要 会 能" +
		" 去 来 说 到 上 下 一 儿 着 过 得 地 把 被 给 为 只 回 事 样 "
	return strings.Contains(list, " "+term+" ")
}
