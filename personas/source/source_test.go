package source_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fabula/personas/source"
)

// hero is an object with a key of every type.
type hero struct {
	ID     string
	Name   source.RawText
	Brief  source.RawText
	Age    int
	Traits []source.RawText
	When   source.Cond
	Taboo  []source.RawText
	Weight float64
	Loud   bool
	Mood   string
	Any    [][]source.RawText
	Gear   []gear
	Goals  []goal
	Extra  []source.Entry[string, source.RawText]
	Pos    source.Pos
}

type gear struct {
	Item string
	When source.Cond
}

type goal struct {
	Text source.RawText
	When source.Cond
}

func heroType() source.Type[hero] {
	item := source.Object("gear", "what a hero carries",
		source.Key("item", source.ID(), func(g *gear) *string { return &g.Item }, "its id").Required(),
		source.Key("when", source.Condition(), func(g *gear) *source.Cond { return &g.When }, "only while this holds"),
	)
	plain := source.As(source.Text(), func(t source.RawText) goal { return goal{Text: t} })
	full := source.Object("goal", "what a hero wants",
		source.Key("text", source.Text(), func(g *goal) *source.RawText { return &g.Text }, "the goal").Required(),
		source.Key("when", source.Condition(), func(g *goal) *source.Cond { return &g.When }, "only while this holds"),
	)
	return source.Object("hero", "a hero",
		source.Key("hero", source.ID(), func(h *hero) *string { return &h.ID }, "its id").Required(),
		source.Key("name", source.Text(), func(h *hero) *source.RawText { return &h.Name }, "shown name"),
		source.Key("brief", source.Text(), func(h *hero) *source.RawText { return &h.Brief }, "one line"),
		source.Key("age", source.Whole(0, 200), func(h *hero) *int { return &h.Age }, "years").Default(30),
		source.Key("traits", source.List(source.Text()), func(h *hero) *[]source.RawText { return &h.Traits }, "traits"),
		source.Key("when", source.Condition(), func(h *hero) *source.Cond { return &h.When }, "only while this holds"),
		source.Key("taboo_words", source.Texts(), func(h *hero) *[]source.RawText { return &h.Taboo }, "never said"),
		source.Key("weight", source.Number(0, 500), func(h *hero) *float64 { return &h.Weight }, "kilograms"),
		source.Key("loud", source.Bool(), func(h *hero) *bool { return &h.Loud }, "speaks up"),
		source.Key("mood", source.OneOf("calm", "wary"), func(h *hero) *string { return &h.Mood }, "mood"),
		source.Key("any", source.Groups(), func(h *hero) *[][]source.RawText { return &h.Any }, "keywords"),
		source.Key("gear", source.List(item), func(h *hero) *[]gear { return &h.Gear }, "gear"),
		source.Key("goals", source.List(source.Either(plain, full)), func(h *hero) *[]goal { return &h.Goals }, "goals"),
		source.Key("extra", source.Map(source.Words("word"), source.Text()), func(h *hero) *[]source.Entry[string, source.RawText] { return &h.Extra }, "own keys"),
	).Placed(func(h *hero) *source.Pos { return &h.Pos })
}

// faults gives one line a fault: line:col code args.
func faults(text string) string {
	_, found := source.Read(source.File{Name: "hero.yaml", Data: []byte(text)}, heroType())
	var lines []string
	for _, f := range found {
		lines = append(lines, fmt.Sprintf("%d:%d %s %s", f.Pos.Line, f.Pos.Col, f.Code, strings.Join(f.Args, "|")))
	}
	return strings.Join(lines, "\n")
}

// Ensure that every refusal names its true place, with what wording needs.
func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing wrong", "hero: a\nname: {zh: 阿, en: A}\nage: 3\n", ""},
		{"comment after condition and number", "hero: a # id\nage: 3 # years\nwhen: x # fine\nmood: calm # word\n", ""},
		{"quoted text with hash", "hero: a\nbrief: \"x # y\" # note\nname: 'a # b'\n", ""},
		{"hash inside a word", "hero: a\nbrief: room#4\n", ""},
		{"list item with a comment after a comma", "hero: a\ntraits: [a, # first\n  b]\n", ""},
		{"anchored text", "hero: a\nname: &x hello\nbrief: *x\n", ""},
		{"explicit text tag", "hero: a\nname: !!str 12\n", ""},

		{"comment ends a text", "hero: a\nbrief: hello # there\n", "2:8 comment_after_text brief|hello"},
		{"comment ends a text of two lines", "hero: a\nbrief: hello\n  world # there\n", "2:8 comment_after_text brief|hello world"},
		{"comment ends an item", "hero: a\ngoals:\n  - one # two\n  - text: t\n    when: x # fine\n", "3:5 comment_after_text goals[1]|one"},
		{"comment ends an anchored text", "hero: a\nname: &x hello # c\nbrief: *x\n", "2:7 comment_after_text brief|hello\n2:7 comment_after_text name|hello"},
		{"tag for not", "hero: a\nwhen: !x\n", "2:7 tag !x"},
		{"tag with more words", "hero: a\nwhen: !done and x\nage: 5\n", "2:7 tag !done"},
		{"lone tag", "hero: a\nwhen: ! x\nage: 5\n", "2:7 tag !"},
		{"lone tag and a tab", "hero: a\nbrief: !\tx\n", "2:8 tag !"},
		{"tag that breaks the line", "hero: a\nwhen: !done && x\nage: x\n", "2:1 syntax tag|!done"},
		{"binary tag", "hero: a\nname: !!binary aGk=\n", "2:7 tag !!binary"},
		{"empty condition", "hero: a\nwhen:\n", "2:1 empty_condition when"},
		{"quoted empty condition", "hero: a\nwhen: ''\n", "2:7 empty_condition when"},
		{"no values", "hero: a\nbrief: ~\nname: null\ntraits:\nage: 3\n", "2:1 null_value brief|~\n3:1 null_value name|null\n4:1 null_value traits|"},
		{"text that begins with #", "hero: a\nname: #hi\ngear: # none\n", "2:1 null_value name|#hi\n3:1 null_value gear|# none"},
		{"empty text", "hero: a\nbrief: ' '\n", "2:8 empty_text brief"},
		{"wrong types", "hero: a\nage: seventy\ntaboo_words: \"damn\"\ntraits: {x: 1}\nweight: [1]\nloud: yes\nmood: calms\ngear: null\n",
			"2:6 wrong_type age|whole number|text|seventy\n3:14 wrong_type taboo_words|list|text|damn|damn\n4:9 wrong_type traits|list|fields|\n" +
				"5:9 wrong_type weight|number|list|\n6:7 wrong_type loud|true or false|text|yes\n7:7 unknown_word mood|calms|calm, wary|calm\n8:1 null_value gear|null"},
		{"out of range", "hero: a\nage: 9999999999999999999\nweight: 1e999\n", "2:6 out_of_range age|9999999999999999999|0|200\n3:9 out_of_range weight|1e999|0|500"},
		{"broken number", "hero: a\nage: 1.5\n", "2:6 wrong_type age|whole number|number|1.5"},
		{"octal", "hero: a\nage: 0123\n", "2:6 wrong_type age|whole number|whole number|0123"},
		{"quoted number", "hero: a\nage: '3'\n", "2:6 wrong_type age|whole number|text|3"},
		{"near keys", "hero: a\ntabo_words: [x]\nTaboo_words: [x]\nbrief\": x\nname\u00a0: x\n",
			"2:1 unknown_key tabo_words|taboo_words|hero\n3:1 unknown_key Taboo_words|taboo_words|hero\n4:1 unknown_key brief\"|brief|hero\n5:1 unknown_key name\u00a0|name|hero"},
		{"far key", "hero: a\nzodiac: x\n", "2:1 unknown_key zodiac||hero"},
		{"near key counts as written", "Hero: a\n", "1:1 unknown_key Hero|hero|hero"},
		{"missing key", "name: a\n", "1:1 missing_key hero|hero"},
		{"duplicate key", "hero: a\nbrief: long one\nbrief: two\n", "3:1 duplicate_key brief|2"},
		{"duplicate language and own key", "hero: a\nname: {en: a, en: b}\nextra: {x: 1, x: 2}\n", "2:15 duplicate_key en|2\n3:15 duplicate_key x|3"},
		{"key one level too deep", "hero: a\ngear:\n  - item: x\n    mood: calm\n", "4:5 misplaced_key mood|gear|hero"},
		{"merge, odd key", "hero: a\nname: &b {en: 1}\n<<: *b\n? [a]\n: b\n", "3:1 merge_key \n4:3 odd_key "},
		{"bad id", "hero: Ab\n", "1:7 bad_id hero|Ab"},
		{"languages", "hero: a\nname: {english: a}\nbrief:\n  zz: a\n", "2:8 language_code name.english|english\n4:3 language_code brief.zz|zz"},

		{"text cut inside braces", "hero: a\nname: {zh: 要三钱, 柴胡, en: x}\n", "2:17 flow_text 柴胡"},
		{"braces in braces", "hero: a\nname: {zh: {player}, en: x}\n", "2:12 flow_text {"},
		{"bare placeholder", "hero: a\nname: {player}\n", "2:8 flow_text player"},
		{"colon inside braces", "hero: a\nname: {zh: 真, en: You: would}\n", "2:7 syntax flow|name: {zh: 真, en: You: would}"},

		{"merge conflict", "hero: a\n<<<<<<< HEAD\nname: b\n=======\nname: c\n>>>>>>> x\n", "2:1 syntax conflict|<<<<<<< HEAD"},
		{"end of a conflict", "hero: a\nname: b\n>>>>>>> x\nage: 3\n", "3:1 syntax conflict|>>>>>>> x"},
		{"full-width colon", "hero: a\nname：b\nbrief: x\nage: x\n", "2:5 syntax wide_colon|name：b"},
		{"full-width colon in an item", "hero: a\ngear:\n  - item：x\n    when: y\n", "3:9 syntax wide_colon|- item：x"},
		{"full-width colon inside braces", "hero: a\nname: {en：Hello, zh: 你}\n", "2:10 syntax wide_colon|en：Hello"},
		{"full-width comma inside braces", "hero: a\nname: {en: Hello，zh: 你}\n", "2:17 syntax wide_comma|name: {en: Hello，zh: 你}"},
		{"no blank after a colon", "hero: a\nname:b\nbrief: x\n", "2:5 syntax no_space|name:b"},
		{"no blank after a colon in an item", "hero: a\ngear:\n  - item:x\n    when: y\n", "3:9 syntax no_space|- item:x"},
		{"no blank after a dash", "hero: a\ntraits:\n  - a\n  -b\nbrief: y\n", "4:3 syntax dash_space|-b"},
		{"no blank after all dashes", "hero: a\ntraits:\n  -a\n  -b\n", "3:3 syntax dash_space|-a -b"},
		{"full-width dash", "hero: a\ngear:\n  － item: x\n    when: y\n", "3:3 syntax dash_space|－ item: x"},
		{"full-width blanks", "hero: a\ngear:\n  - item: x\n　　when: x\n", "4:1 syntax wide_indent|when"},
		{"no-break blanks", "hero: a\ngear:\n\u00a0\u00a0- item: x\n", "3:1 syntax wide_indent|- item"},
		{"no-break blanks that break the file", "hero: a\ngear:\n  - item: x\n  \u00a0 when: y\nage: 3\n", "4:3 syntax wide_indent|when: y"},
		{"open quote inside braces", "hero: a\nname: {en: \"Hello, zh: 你好}\nbrief: \"x\"\nage: 3\n", "2:12 syntax quote|name: {en: \"Hello, zh: 你好}"},
		{"open quote inside brackets", "hero: a\ntraits: [a, \"b, c]\nage: 3\n", "2:13 syntax quote|traits: [a, \"b, c]"},
		{"slips in a text below a bar are text", "hero: a\nbrief: |\n  note：x\n  a:b\n  -c\n  　　indented: x\nname: x: y\n", "7:1 syntax colon|name: x: y"},
		{"a text that looks like a slip is not to blame", "hero: a\nbrief: one\n  note:this\n  -that\nname: x: y\n", "5:1 syntax colon|name: x: y"},
		{"several slips", "hero: a\ngear:\n  - item：x\n    when：y\nage: x\n", "3:9 syntax wide_colon|item：x when：y"},
		{"list in wide brackets", "hero: a\ntraits: 【mei】\n", "2:9 wrong_type traits|list|text|【mei】|mei"},

		{"tab", "hero: a\ntraits:\n\tcalm: 3\n", "3:1 tab_indent "},
		{"tab after spaces", "hero: a\ntraits:\n  \t- b\n", "3:3 tab_indent "},
		{"tab after a dash", "hero: a\ntraits:\n  -\ta\n", "3:4 tab_indent "},
		{"tab below text", "hero: a\nbrief: one\n\tage: 3\n", "3:1 tab_indent "},
		{"tab after a colon", "hero: a\nname:\tTabbed\n", ""},
		{"two colons", "hero: a\nname: x: y\n", "2:1 syntax colon|name: x: y"},
		{"open quote", "hero: a\nbrief: 'open\nage: 3\nmood: calm\n", "2:1 syntax quote|brief: 'open"},
		{"open bracket", "hero: a\ntraits: [a, b\nage: 3\n", "2:1 syntax bracket|traits: [a, b"},
		{"open bracket at the end", "hero: a\ntraits: [a,\n", "2:1 syntax bracket|traits: [a,"},
		{"inside a long list", "hero: a\ntraits: [\n  a,\n  b c: d: e,\n  f]\nage: 3\n", "4:3 syntax bracket|b c: d: e,"},
		{"star", "hero: a\nname: *sigh* hello\nage: 3\nmood: x\n", "2:1 syntax anchor|name: *sigh* hello"},
		{"ampersand", "hero: a\nname: &home again\nage: x\n", "2:7 syntax anchor|&home again\n3:6 wrong_type age|whole number|text|x"},
		{"at sign", "hero: a\nbrief: @home\n", "2:1 syntax character|brief: @home"},
		{"percent", "hero: a\nbrief: %x\n", "2:1 syntax character|brief: %x"},
		{"escape", "hero: a\nbrief: \"a\\qb\"\nage: 3\n", "2:1 syntax escape|brief: \"a\\qb\""},
		{"indented too far", "hero: a\n  age: 3\nmood: calm\n", "2:3 syntax colon|age: 3"},
		{"no colon", "hero: a\nmood: calm\nbrief\nage: 3\n", "3:1 syntax no_colon|brief"},
		{"crooked list", "hero: a\ngear:\n  - item: a\n  - itme: b\n   - item: c\n", "4:5 unknown_key itme|item|gear\n5:4 syntax dash|- item: c"},
		{"crooked text", "hero: a\nbrief: |\n  one\n two\nage: 3\n", "4:2 syntax indent|two"},
		{"text after quotes", "hero: a\nbrief: \"x\" y\nage: 3\n", "2:1 syntax indent|brief: \"x\" y"},
		{"faults above a syntax error", "hero: a\nage: old\nbrief: x\nloud: maybe\nname: x: y\n", "2:6 wrong_type age|whole number|text|old\n5:1 syntax colon|name: x: y"},

		{"empty", "", "1:1 empty_file "},
		{"only a comment", "# only\n", "1:1 empty_file "},
		{"list at the top", "- a\n", "1:1 wrong_type |fields|list|"},
		{"text at the top", "just text\n", "1:1 wrong_type |fields|text|just text"},
		{"two documents", "---\nhero: a\n---\nhero: b\n", "3:1 many_documents "},
		{"UTF-16", "\xff\xfeh\x00e\x00", "0:0 utf16 "},
		{"UTF-16 without a mark", "h\x00e\x00r\x00o\x00", "0:0 utf16 "},
		{"not UTF-8", "hero: a\nbrief: \xff\n", "2:8 not_utf8 "},
		{"hidden line break", "hero: a\nbrief: 甲\u2028b\n", "2:9 bad_character U+2028"},
		{"bell", "hero: a\nbrief: a\x07b\x07\n", "2:9 bad_character U+0007\n2:11 bad_character U+0007"},
		{"alias of itself", "hero: a\ntraits: &a [*a]\n", "1:1 alias_expansion 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := faults(c.text); got != c.want {
				t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

// Ensure that limits hold, and just below them a file is read.
func TestLimits(t *testing.T) {
	deep := func(n int) string { return "hero: a\nextra: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n" }
	bomb := "hero: a\nextra:\n  a: &a [x, x, x, x, x, x]\n  b: &b [*a, *a, *a, *a, *a, *a]\n  c: &c [*b, *b, *b, *b, *b, *b]\n  d: [*c, *c, *c, *c, *c, *c]\n"
	for _, c := range []struct{ name, text, code string }{
		{"64 levels", deep(source.MaxNesting - 1), source.CodeWrongType},
		{"65 levels", deep(source.MaxNesting), source.CodeTooDeep},
		{"aliases of aliases", bomb, source.CodeAliases},
		{"largest file", "hero: a\n#" + strings.Repeat("x", source.MaxBytes-9), ""},
		{"too large a file", "hero: a\n#" + strings.Repeat("x", source.MaxBytes-8), source.CodeTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := source.Read(source.File{Name: "hero.yaml", Data: []byte(c.text)}, heroType())
			got := ""
			if len(found) > 0 {
				got = found[0].Code
			}
			if got != c.code {
				t.Errorf("got %v, want %q", found, c.code)
			}
		})
	}
}

// Ensure that what can be read is read, in spite of faults elsewhere.
func TestReadValues(t *testing.T) {
	h, found := source.Read(source.File{Name: "hero.yaml", Data: []byte(`hero: adu
name: NO
brief:
  zh: 阿渡
  en: |
    Two
    lines
traits: [0123, 1e3, 2001-01-01, On, y]
when:  day > 3
taboo_words: {zh: [手机, 电话], en: [phone]}
weight: 61.5
any: [salt, [cellar, {zh: 地窖, en: vault}]]
gear:
  - item: oar
    when: not lost
goals:
  - plain
  - {zh: 中, en: en}
  - text: {zh: 甲}
    when: sold
extra:
  n: 1
  y: 2
`)}, heroType())
	if len(found) > 0 {
		t.Fatal(found)
	}
	texts := func(list []source.RawText) (out []string) {
		for _, x := range list {
			out = append(out, x.Plain+x.By["zh"]+x.By["en"])
		}
		return out
	}
	for _, c := range []struct{ what, got, want string }{
		{"name", h.Name.Plain, "NO"},
		{"brief", h.Brief.By["zh"] + "/" + h.Brief.By["en"], "阿渡/Two\nlines"},
		{"traits", fmt.Sprint(texts(h.Traits)), "[0123 1e3 2001-01-01 On y]"},
		{"taboo", fmt.Sprint(texts(h.Taboo)), "[手机 电话 phone]"},
		{"when", fmt.Sprint(h.When), "{day > 3 hero.yaml:9:8}"},
		{"numbers", fmt.Sprint(h.Age, h.Weight), "30 61.5"},
		{"groups", fmt.Sprint(texts(h.Any[0]), texts(h.Any[1])), "[salt] [cellar 地窖vault]"},
		{"gear", fmt.Sprint(h.Gear), "[{oar {not lost hero.yaml:15:11}}]"},
		{"goals", fmt.Sprint(texts([]source.RawText{h.Goals[0].Text, h.Goals[1].Text, h.Goals[2].Text}), h.Goals[2].When.Src), "[plain 中en 甲]sold"},
		{"extra", h.Extra[0].Key + h.Extra[1].Key, "ny"},
		{"pos", h.Pos.String(), "hero.yaml:1:1"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, c.got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"taboo", "style_samples", "name", "id"}
	for word, want := range map[string]string{
		"Taboo": "taboo", "tabo": "taboo", "taobo": "taboo", "style samples": "style_samples", "style-sample": "style_samples",
		"name\"": "name", "nmae": "name", "\u00a0name": "name", "zodiac": "", "": "", "ix": "id",
	} {
		if got := source.Nearest(word, known); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

// Ensure that every value in { } or [ ] which YAML cannot read is told in one run,
// that one which it can is not, and that a text over several lines is none.
func TestEveryFlowFault(t *testing.T) {
	_, faults := source.Read(source.File{Name: "x.yaml", Data: []byte(`a: {en: One: two, zh: 一}
b: {en: fine, zh: 好}
c: |
  {en: One: two}
d: [a, "b]
e:
  - {en: Say "hi": now}
  - {en: "ok: yes"}
`)}, source.Object("thing", "x", source.Key("a", source.ID(), func(s *string) *string { return s }, "a")))
	var got []string
	for _, f := range faults {
		got = append(got, fmt.Sprintf("%d:%d %s", f.Pos.Line, f.Pos.Col, f.Code))
	}
	if want := []string{"1:4 syntax", "5:4 syntax", "7:5 syntax"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
