package lint

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"fabula/personas/fold"
)

// self finds words for "I" that are not the persona's. It looks only in
// languages whose words for "I" are a closed list, and only where the persona
// names one of that language.
func self(in *reading) []Finding {
	known := selfWords(in.Language)
	var own []string
	for _, t := range in.Persona.Self {
		own = append(own, t.All()...)
	}
	if len(known) == 0 || !slices.ContainsFunc(own, func(w string) bool { return sameScript(w, known[0]) }) {
		return nil
	}
	f := in.strict
	var out []Finding
	bare := in.spoken()
	for _, w := range known {
		if slices.ContainsFunc(own, func(o string) bool { return strings.EqualFold(o, w) }) {
			continue
		}
		for _, s := range f.words(w) {
			if bare[s[0]] == in.Text[s[0]] && !insideOwn(in.Text, s, append(own, notSelf(w)...)) {
				out = append(out, Finding{Code: CodeSelf, Level: Warning, Span: s, Args: []string{in.Text[s[0]:s[1]], strings.Join(own, " ")}})
			}
		}
	}
	return once(append(out, in.thirdPerson(bare, own)...))
}

// spoken is the text without what it quotes, unless all of it stands in quotes.
func (in *reading) spoken() string {
	bare := in.unquoted()
	if !strings.ContainsFunc(bare, unicode.IsLetter) {
		return in.Text
	}
	return bare
}

// thirdPerson finds how speakers name themselves beside a word for "I": humbly,
// or by their own name.
func (in *reading) thirdPerson(text string, own []string) []Finding {
	base, _ := language.Make(in.Language).Base()
	var all []*regexp.Regexp
	switch base.String() {
	case "zh":
		all = append(all, humbleZH())
	case "en":
		if hinted(text, "this ", "This ", "servant", "truly") {
			all = append(all, humbleEN())
		}
		for _, name := range in.Persona.Name.All() {
			if words := strings.Fields(name); len(words) > 0 && words[0][0] < 0x80 && strings.Contains(text, words[len(words)-1]) {
				all = append(all, about(`(?:^|[.!?;] )((?:Old |Poor )?(?:`+regexp.QuoteMeta(name)+`|Old `+regexp.QuoteMeta(words[len(words)-1])+`)) (?:only |never |always )?(?:knows|does|has|is|cannot|can|says|thinks|wants|forgets|keeps|sees|likes)\b`))
			}
		}
	}
	var out []Finding
	for _, re := range all {
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			word := in.Text[m[2]:m[3]]
			if !slices.ContainsFunc(own, func(o string) bool { return strings.EqualFold(o, word) }) {
				out = append(out, warn(CodeSelf, [2]int{m[2], m[3]}, word, strings.Join(own, " ")))
			}
		}
	}
	return out
}

// hinted reports whether a text holds one of some words: most hold none, and
// looking is cheaper than matching.
func hinted(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

var (
	humbleZH = pattern(`(?:^|[，。！？、；\s])(小的|小人|小可|小生|小女子|奴婢|老奴|属下|末将|草民|民女|下官|卑职|本(?:店主|掌柜|人|姑娘|小姐|少爷|公子|大爷|王爷|将军|帅))(?:这就|不敢|不知|不曾|从不|从来|知道|愿|见过|遵命|明白|该死|也|就|可|只|没|不|会|能|想|岂|绝|向来)`)
	humbleEN = pattern(`(?i)\b(this (?:humble|lowly|unworthy|poor|miserable) (?:one|man|woman|servant|fellow|innkeeper|monk|sinner)|this one(?: (?:only|merely|humbly|begs|thanks|serves|dares|asks)\b)|yours truly|your (?:humble |faithful |obedient |loyal )?servant(?: (?:has|is|will|would|knows|begs|thanks|saw|heard|dares)\b))`)
)

// words finds a word as it stands, without inflections.
func (f folded) words(w string) [][2]int {
	form := folds(w, false).Runes
	var spans [][2]int
	for i := range f.Runes {
		if f.Has(i, form) && f.bounded(i, form) {
			spans = append(spans, f.bytes(i, i+len(form)))
		}
	}
	return spans
}

// selfWords lists the common words for "I" of a language. Those that mostly
// mean something else are left out.
func selfWords(lang string) []string {
	base, _ := language.Make(lang).Base()
	switch base.String() {
	case "zh":
		return []string{"我", "俺", "咱", "朕", "寡人", "本王", "本官", "在下", "老夫", "老朽", "老身", "贫僧", "贫道",
			"奴家", "妾身", "洒家", "鄙人", "本座"}
	case "ja":
		return []string{"私", "僕", "俺", "わし", "拙者", "吾輩"}
	case "en":
		return []string{"I", "myself"}
	}
	return nil
}

// notSelf lists longer words in which w does not mean the speaker alone.
func notSelf(w string) []string {
	switch w {
	case "我":
		return []string{"我们", "自我", "忘我", "你我"}
	case "老夫":
		return []string{"老夫子", "老夫人", "老夫妻", "老夫老妻"}
	case "咱":
		return []string{"咱们"}
	case "俺":
		return []string{"俺们"}
	}
	return nil
}

// insideOwn reports whether a span is part of one of the longer words.
func insideOwn(text string, span [2]int, longer []string) bool {
	for _, w := range longer {
		for at := 0; ; {
			i := strings.Index(text[at:], w)
			if i < 0 {
				break
			}
			if from := at + i; from <= span[0] && span[1] <= from+len(w) && len(w) > span[1]-span[0] {
				return true
			}
			at += i + len(w)
		}
	}
	return false
}

func sameScript(x, y string) bool {
	return strings.ContainsFunc(x, fold.Unspaced) == strings.ContainsFunc(y, fold.Unspaced)
}
