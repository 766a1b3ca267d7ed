package source

import (
	"regexp"
	"strings"

	"golang.org/x/text/language"
	"gopkg.in/yaml.v3"
)

// What a type expects, where other code depends on the word.
const (
	expectsText   = "text"
	expectsFields = "fields"
)

// languageShape is what may be meant as a language code.
var languageShape = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// RawText is a text as authored: plain, or by language.
type RawText struct {
	Plain string
	By    map[string]string
	Pos   Pos
}

// Text reads a text that a person or an NPC reads: a string, whose characters
// are kept as typed, or a map from language code to string. Where a comment
// would cut it, it is refused.
func Text() Type[RawText] { return textOf(Value.text) }

// Keyword reads a text that is only looked for: a comment may follow it.
func Keyword() Type[RawText] { return textOf(Value.keyword) }

func textOf(scalar func(Value) string) Type[RawText] {
	return Type[RawText]{
		expects: expectsText,
		schema:  func(s *schemas) object { return s.define("text", textSchema) },
		read: func(v Value, into *RawText) {
			into.Pos = v.Pos()
			switch {
			case v.isScalar():
				into.Plain = scalar(v)
			case v.isObject():
				into.By = v.byLanguage(scalar)
			default:
				v.wrong(expectsText)
			}
		},
	}
}

func textSchema() object {
	return object{"description": "text, or text by language code", "anyOf": []any{scalarSchema(), languageSchema(scalarSchema())}}
}

func languageSchema(value object) object {
	return object{"type": "object", "minProperties": 1,
		"propertyNames": object{"pattern": languageShape.String()}, "additionalProperties": value}
}

// text gives a scalar as typed, and reports what YAML would drop of it.
func (v Value) text() string {
	v.commentAfter()
	return v.keyword()
}

// keyword gives a scalar as typed.
func (v Value) keyword() string {
	text := strings.TrimRight(v.node.Value, "\n")
	if strings.TrimSpace(text) == "" {
		v.Fault(CodeEmptyText, v.field)
		return ""
	}
	return text
}

func (v Value) byLanguage(scalar func(Value) string) map[string]string {
	by := map[string]string{}
	if v.Empty() {
		v.Fault(CodeEmptyText, v.field)
	}
	for _, p := range v.pairs() {
		p = p.resolved()
		switch {
		case !p.knownLanguage() || p.tagged():
		case p.isObject() && p.node.Style&yaml.FlowStyle != 0:
			p.Fault(CodeFlowText, "{")
		case !p.isScalar():
			p.wrong(expectsText)
		case p.isNull():
			p.Fault(CodeNull, p.field, p.nothing())
		default:
			if text := scalar(p); text != "" {
				by[p.key.Value] = text
			}
		}
	}
	return by
}

// knownLanguage checks the key that a value stands under.
func (v Value) knownLanguage() bool {
	code := v.key.Value
	if languageShape.MatchString(code) {
		if _, err := language.Parse(code); err == nil {
			return true
		}
	}
	v.doc.fault(Pos{v.doc.file, v.key.Line, v.key.Column}, CodeLanguage, v.field, clip(code))
	return false
}

// Texts reads a list of texts, or a map from language code to such a list:
// {zh: [手机], en: [phone]} gives one text for each word.
func Texts() Type[[]RawText] { return textsOf(Value.text) }

// Keywords reads what Texts does, as keywords.
func Keywords() Type[[]RawText] { return textsOf(Value.keyword) }

func textsOf(scalar func(Value) string) Type[[]RawText] {
	list := List(textOf(scalar))
	return Type[[]RawText]{
		expects: "list",
		schema: func(s *schemas) object {
			words := object{"type": "array", "items": scalarSchema()}
			return object{"anyOf": []any{list.schema(s), languageSchema(words)}}
		},
		read: func(v Value, into *[]RawText) {
			if !v.isObject() {
				list.read(v, into)
				return
			}
			for _, p := range v.pairs() {
				if !p.knownLanguage() {
					continue
				}
				var plain []string
				List(oneText(scalar)).load(p, &plain)
				for i, text := range plain {
					at := p.resolved().item(i).Pos()
					*into = append(*into, RawText{By: map[string]string{p.key.Value: text}, Pos: at})
				}
			}
		},
	}
}

// oneText reads a text of one language.
func oneText(scalar func(Value) string) Type[string] {
	return Type[string]{
		expects: expectsText,
		schema:  func(*schemas) object { return scalarSchema() },
		read: func(v Value, into *string) {
			if !v.isScalar() {
				v.wrong(expectsText)
				return
			}
			*into = scalar(v)
		},
	}
}

// Groups reads keywords for `any`, `all` and `none`: each item is a keyword,
// or a list of keywords of which one is enough.
func Groups() Type[[][]RawText] {
	one := As(Keyword(), func(t RawText) []RawText { return []RawText{t} })
	many := List(Keyword())
	group := Type[[]RawText]{
		expects: expectsText,
		schema:  func(s *schemas) object { return object{"anyOf": []any{one.schema(s), many.schema(s)}} },
		read: func(v Value, into *[]RawText) {
			if v.isList() {
				many.read(v, into)
				return
			}
			one.read(v, into)
		},
	}
	return List(group)
}

// Language reads a language code.
func Language() Type[string] {
	return Type[string]{
		expects: "language code",
		schema:  func(*schemas) object { return object{"type": "string", "pattern": languageShape.String()} },
		read: func(v Value, into *string) {
			if !v.isScalar() {
				v.wrong("language code")
				return
			}
			if _, err := language.Parse(v.node.Value); err != nil || !languageShape.MatchString(v.node.Value) {
				v.Fault(CodeLanguage, v.field, clip(v.node.Value))
				return
			}
			*into = v.node.Value
		},
	}
}
