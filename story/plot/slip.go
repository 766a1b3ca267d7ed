package plot

import (
	"strings"
	"unicode"
)

// instead says what to write for a sign or a word that people, other languages
// and input methods use in conditions; "" for what is ours, or nobody's.
func instead(sign string) string {
	switch sign {
	case "≥", "＞＝", "=>", "＞=", ">＝", ">==", "==>", "=>=":
		return ">="
	case "≤", "＜＝", "=<", "＜=", "<＝", "<==", "==<", "=<=":
		return "<="
	case "≠", "<>", "=!", "！＝", "！=", "!＝", "~=", "!==", "==!", "=!=":
		return "!="
	case "=", "＝", "＝＝", "=＝", "＝=", "===", "====":
		return "=="
	case "＞":
		return ">"
	case "＜":
		return "<"
	case "＋":
		return "+"
	case "－", "−":
		return "-"
	case "（":
		return "("
	case "）":
		return ")"
	case "，":
		return ","
	case "“", "”", "＂", "‘", "’":
		return `"`
	case "AND", "And", "&", "＆", "＆＆", "且", "并且", "而且":
		return "and"
	case "OR", "Or", "|", "｜", "｜｜", "或", "或者":
		return "or"
	case "NOT", "Not", "！", "非", "不":
		return "not"
	case "IN", "In":
		return "in"
	case "TRUE", "True", "YES", "Yes", "是":
		return "true"
	case "FALSE", "False", "NO", "No", "否":
		return "false"
	}
	return ""
}

// noOperator refuses a sign, with what to write where that is known.
func noOperator(at int, sign string) *refusal {
	if ours := instead(sign); ours != "" {
		return refuse(at, CodeExprOperator, sign, ours)
	}
	return refuse(at, CodeExprOperator, sign)
}

// foreign finds the first such sign or word outside quotes.
func foreign(src string) *refusal {
	runes := []rune(src)
	var quote rune
	for i := 0; i < len(runes); {
		r := runes[i]
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
			i++
		case r == '"' || r == '\'':
			quote = r
			i++
		default:
			n := together(runes[i:])
			// The parser knows these two: what stands before them may be worse.
			if word := string(runes[i : i+n]); word != "=" && word != "|" && instead(word) != "" {
				return noOperator(i, word)
			}
			i += n
		}
	}
	return nil
}

// together is how many characters from the first on are one word or one sign.
func together(runes []rune) int {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	sign := func(r rune) bool { return strings.ContainsRune("=<>!~≥≤≠＝＞＜！&|＆｜", r) }
	like := func(r rune) bool { return false }
	switch {
	case word(runes[0]):
		like = word
	case sign(runes[0]):
		like = sign
	}
	n := 1
	for n < len(runes) && like(runes[n]) {
		n++
	}
	return n
}
