package lint

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// address finds words by which the player is called that the persona does not
// use. It looks where a persona has a word for the player in the language
// spoken, at words that are set apart as a call is.
func address(in *reading) []Finding {
	word, ok := in.Persona.Address["player"]
	pattern, known := vocatives(in.Language)
	if !ok || pattern == nil || !slices.ContainsFunc(word.All(), func(w string) bool { return sameScript(w, known) }) {
		return nil
	}
	allowed := strings.ToLower(strings.Join(slices.Concat(word.All(), in.Player, in.Others), "\n"))
	for _, t := range in.Persona.Address {
		allowed += "\n" + strings.ToLower(strings.Join(t.All(), "\n"))
	}
	var out []Finding
	for _, m := range pattern.FindAllStringSubmatchIndex(in.Text, -1) {
		called := in.Text[m[2]:m[3]]
		if !strings.Contains(allowed, strings.ToLower(called)) {
			out = append(out, warn(CodeAddress, [2]int{m[2], m[3]}, called, strings.Join(word.All(), " ")))
		}
	}
	return out
}

// vocatives gives the pattern of calls of a language, and one of its words.
func vocatives(lang string) (*regexp.Regexp, string) {
	base, _ := language.Make(lang).Base()
	switch base.String() {
	case "zh":
		return callsZH(), "客官"
	case "en":
		return callsEN(), "sir"
	}
	return nil, ""
}

var callsZH = pattern(`(?:^|[。！？，、\n“「…])(?:这位)?(客官|公子|姑娘|小姐|夫人|大人|老爷|先生|少侠|大侠|兄弟|兄台|朋友|老兄|小兄弟|小伙子|孩子|阁下|官人|老板|亲|陛下|殿下|将军|相公|娘子|大哥|大姐|施主|老弟|主人|壮士|好汉|英雄|义士|大爷|大叔|大娘|大嫂|贵客|恩公|道长|师父|大师|女侠|郎君)(?:[，。！？、…”」]|$|里面请|请[坐进用慢稍放随]|留步|饶命|好身手|好眼力|好胆量|慢走|且慢|息怒|这边|稍等|稍候|恕罪|放心|贵姓)`)

var callsEN = pattern(`(?i)(?:, ?|^|[.!?] )((?:my |good |dear |young )?(?:sir|madam|ma'am|lord|lady|m'lord|milord|m'lady|miss|mister|friend|stranger|travell?er|lad|lass|boy|girl|kid|dear|sweetheart|darling|honey|buddy|pal|mate|bro|dude|guest|master|your grace|your highness|your majesty|boss|chief|captain|brother|sister|child|fellow|player))(?:[.!?]|,|$)`)
