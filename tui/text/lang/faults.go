package lang

import (
	"cmp"
	"strconv"
	"strings"
)

// wording is how a fault is told: what is wrong, and what to do about it.
// {1} is the first argument, {1t} the same as a term of this language. Where
// the argument with number at is not empty, some stands in for what and near
// for todo, if there are such.
type wording struct {
	what, todo string
	some, near string
	at         int
}

// Fault words a load fault in a language ("zh"; anything else is English):
// what is wrong, in the author's words, and what to do, which may be empty.
// A code that has no wording is given as it stands.
func Fault(code string, args []string, language string) (what, todo string) {
	table, terms := faultsEN(), termsEN()
	if language == "zh" || strings.HasPrefix(language, "zh-") {
		table, terms = faultsZH(), termsZH()
	}
	return worded(table, terms, code, args)
}

// worded fills the wording of a code in.
func worded(table map[string]wording, terms map[string]string, code string, args []string) (what, todo string) {
	w, ok := pick(table, code, args)
	if !ok {
		return strings.TrimSpace(code + " " + strings.Join(args, " ")), ""
	}
	if w.at > 0 && w.at <= len(args) && args[w.at-1] != "" {
		w.what, w.todo = cmp.Or(w.some, w.what), cmp.Or(w.near, w.todo)
	}
	return fill(w.what, args, terms), fill(w.todo, args, terms)
}

// pick prefers a wording for the code with one of its first two arguments,
// such as "syntax.quote".
func pick(table map[string]wording, code string, args []string) (wording, bool) {
	for _, arg := range args[:min(2, len(args))] {
		if w, ok := table[code+"."+arg]; ok {
			return w, true
		}
	}
	w, ok := table[code]
	return w, ok
}

func fill(text string, args []string, terms map[string]string) string {
	for i := 1; i <= 5; i++ {
		arg := ""
		if i <= len(args) {
			arg = args[i-1]
		}
		n := strconv.Itoa(i)
		text = strings.ReplaceAll(text, "{"+n+"}", visible(arg))
		text = strings.ReplaceAll(text, "{"+n+"t}", term(arg, terms))
	}
	return text
}

// visible shows what an author cannot see in a word.
func visible(s string) string {
	return strings.NewReplacer("\u00a0", "␣", "\u3000", "␣", "\u200b", "␣", "\t", "→", "\n", "⏎").Replace(s)
}

func term(s string, terms map[string]string) string {
	if t, ok := terms[s]; ok {
		return t
	}
	if words, ok := strings.CutPrefix(s, "one of "); ok {
		return terms["one of"] + words
	}
	return s
}
