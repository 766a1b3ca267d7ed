package plot

import (
	"strings"

	"fabula/personas/fold"
)

// How far before a hit a negation counts, within the clause.
const (
	negationWords      = 4 // words of scripts with blanks
	negationCharacters = 5 // characters of scripts without
)

// negated reports whether what stands at rune `from` is denied: a word of
// negation stands shortly before it in the same clause. Words that only hold
// one ("不过", "not only", "why not", "要不要") deny nothing.
func (f folded) negated(from int) bool {
	start := f.clause(from)
	if from > start && fold.Unspaced(f.Runes[from-1]) || from < len(f.Runes) && fold.Unspaced(f.Runes[from]) {
		if deniedZH(string(f.Runes[max(start, from-negationCharacters):from])) {
			return true
		}
	}
	return deniedEN(string(f.Runes[start:from]))
}

// clause is where the clause begins that holds rune at.
func (f folded) clause(at int) int {
	for i := at - 1; i >= 0; i-- {
		if strings.ContainsRune(".,;:!?\n，。；：！？、…", f.Runes[i]) {
			return i + 1
		}
	}
	return 0
}

// harmlessZH are words that hold a character of negation and deny nothing.
var harmlessZH = strings.NewReplacer("不过", "", "不如", "", "再不", "", "信不信", "", "要不然", "", "不然", "", "不信", "", "管不管", "", "不但", "", "不仅", "", "不只", "", "不妨", "", "不禁", "", "不得不", "", "没错", "",
	"不错", "", "差不多", "", "对不起", "", "不好意思", "", "是不是", "", "要不要", "", "好不好", "", "能不能", "", "可不可以", "", "会不会", "",
	"有没有", "", "不能不", "", "非要", "", "别人", "", "特别", "", "别处", "", "没关系", "", "要不", "", "不久", "", "无论", "", "不管", "")

func deniedZH(before string) bool {
	return strings.ContainsAny(harmlessZH.Replace(before), "不没别未勿莫甭") || strings.Contains(before, "拒绝") || strings.Contains(before, "从未")
}

var harmlessEN = strings.NewReplacer("not only", "", "not just", "", "why not", "", "why don't", "", "no doubt", "", "no problem", "", "no matter", "", "not to mention", "", "don't worry", "", "can't wait to", "")

func deniedEN(before string) bool {
	words := strings.FieldsFunc(harmlessEN.Replace(before), func(r rune) bool { return r == ' ' || fold.Unspaced(r) })
	for i := max(0, len(words)-negationWords); i < len(words); i++ {
		switch w := words[i]; {
		case w == "not", w == "never", w == "no", w == "without", w == "nor", w == "neither", w == "cannot", w == "refuse", w == "refused":
			return true
		case strings.HasSuffix(w, "n't"):
			return true
		}
	}
	return false
}
