package source

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Value is a place in a file while it is read; a check gets the object's.
type Value struct {
	doc   *document
	node  *yaml.Node
	key   *yaml.Node // what it stands under; nil in a list and at the top
	field string     // path from the top of the file
	flow  bool       // inside { }
	outer *scope
}

// scope is an object around a value: its keys may have slipped inwards.
type scope struct {
	name string
	keys []string
	next *scope
}

// Pos is where the value stands; for a value that is not there, its key.
func (v Value) Pos() Pos {
	switch {
	case v.node == nil && v.key == nil:
		return Pos{}
	case v.node == nil || v.isNull() && v.key != nil:
		return Pos{v.doc.file, v.key.Line, v.key.Column}
	}
	return Pos{v.doc.file, v.node.Line, v.node.Column}
}

// Name is the path of the value from the top of its file, e.g. "goals[2].when".
func (v Value) Name() string { return v.field }

// Fault reports a fault at the value.
func (v Value) Fault(code string, args ...string) { v.doc.fault(v.Pos(), code, args...) }

// FaultAt reports a fault at another place of the file.
func (v Value) FaultAt(at Pos, code string, args ...string) { v.doc.fault(at, code, args...) }

// Has reports whether an object was written with the key.
func (v Value) Has(key string) bool { return v.Field(key).node != nil }

// Empty reports a list or an object with nothing in it.
func (v Value) Empty() bool { return !v.isScalar() && len(v.node.Content) == 0 }

// Field is the value under a key of an object; where the key was not written,
// it has the object's place.
func (v Value) Field(key string) Value {
	v = v.resolved()
	if v.node != nil && v.node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(v.node.Content); i += 2 {
			if v.node.Content[i].Value == key {
				return v.under(v.node.Content[i], v.node.Content[i+1])
			}
		}
	}
	return Value{doc: v.doc, key: v.node, field: v.path(key)}
}

func (v Value) path(key string) string {
	if v.field == "" {
		return key
	}
	return v.field + "." + key
}

func (v Value) under(key, node *yaml.Node) Value {
	return Value{doc: v.doc, node: node, key: key, field: v.path(key.Value),
		flow: v.node.Style&yaml.FlowStyle != 0, outer: v.outer}
}

func (v Value) resolved() Value {
	for v.node != nil && v.node.Kind == yaml.AliasNode {
		v.node = v.node.Alias
	}
	return v
}

// isNull tells a missing value and a bare ~ or null from text.
func (v Value) isNull() bool {
	return v.node.Kind == yaml.ScalarNode && v.node.Tag == "!!null" && v.plain()
}

// nothing is what was typed where a value is missing: nothing, ~ or null, or a
// text that begins with # and so became a comment.
func (v Value) nothing() string {
	if v.node.Value != "" || v.key == nil {
		return v.node.Value
	}
	rest, _ := strings.CutPrefix(v.doc.at(v.key), v.key.Value)
	rest, _ = strings.CutPrefix(strings.TrimSpace(rest), ":")
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "#") {
		return clip(rest)
	}
	return ""
}

// plain reports a scalar without quotes and without block style.
func (v Value) plain() bool {
	return v.node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
}

func (v Value) isObject() bool { return v.node.Kind == yaml.MappingNode }
func (v Value) isList() bool   { return v.node.Kind == yaml.SequenceNode }
func (v Value) isScalar() bool { return v.node.Kind == yaml.ScalarNode }

// tagged reports a tag that YAML would act upon without a word.
func (v Value) tagged() bool {
	switch tag := v.node.Tag; {
	case v.node.Style&yaml.TaggedStyle != 0 || strings.HasPrefix(tag, "!") && !strings.HasPrefix(tag, "!!"):
		switch tag {
		case "!!str", "!!int", "!!float", "!!bool", "!!map", "!!seq":
			return false
		}
		v.Fault(CodeTag, tag)
		return true
	case strings.HasPrefix(v.doc.at(v.node), "!"): // YAML drops a lone !
		v.Fault(CodeTag, "!")
		return true
	}
	return false
}

// wrong reports a wrong type in the author's words.
func (v Value) wrong(expected string) {
	kind, text := v.kind()
	switch holds := expected == "list" || expected == expectsFields; {
	case holds && v.isScalar() && v.plain() && v.doc.misread(v.Pos(), v.node.Value):
	case expected == "list" && v.isScalar():
		v.Fault(CodeWrongType, v.field, expected, kind, text, strings.Trim(text, "【】［］〔〕（）「」[] "))
	default:
		v.Fault(CodeWrongType, v.field, expected, kind, text)
	}
}

// kind says what an author would call the value, with the text of a scalar.
func (v Value) kind() (kind, text string) {
	switch {
	case v.isObject():
		return expectsFields, ""
	case v.isList():
		return "list", ""
	case !v.plain():
		return "text", clip(v.node.Value)
	}
	switch v.node.Tag {
	case "!!int":
		return "whole number", clip(v.node.Value)
	case "!!float":
		return "number", clip(v.node.Value)
	case "!!bool":
		return "true or false", clip(v.node.Value)
	}
	return "text", clip(v.node.Value)
}

func clip(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// pairs gives the keys of an object in order. Keys that are no words, merged,
// given twice or cut out of a text by { } are reported and left out.
func (v Value) pairs() []Value {
	var out []Value
	first := map[string]int{}
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		key := v.node.Content[i]
		value := v.under(key, v.node.Content[i+1])
		at := Pos{v.doc.file, key.Line, key.Column}
		line, twice := first[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			v.doc.fault(at, CodeOddKey, v.field)
		case key.Tag == "!!merge":
			v.doc.fault(at, CodeMergeKey)
		case value.flow && value.node.Kind == yaml.ScalarNode && value.isNull() && value.node.Value == "":
			if !wideColon().MatchString(key.Value) || !v.doc.misread(at, key.Value) {
				v.doc.fault(at, CodeFlowText, clip(key.Value))
			}
		case twice:
			v.doc.fault(at, CodeDuplicateKey, key.Value, strconv.Itoa(line))
		default:
			first[key.Value] = key.Line
			out = append(out, value)
		}
	}
	return out
}

// commentAfter reports an unquoted text that YAML ends at " #".
func (v Value) commentAfter() bool {
	if !v.plain() || !v.isScalar() {
		return false
	}
	rest := v.doc.after(v.node)
	trimmed := strings.TrimLeft(rest, " \t")
	if trimmed == rest || !strings.HasPrefix(trimmed, "#") {
		return false
	}
	v.Fault(CodeCommentAfterText, v.field, clip(v.node.Value))
	return true
}

// after gives what follows an unquoted scalar on the line where it ends.
func (d *document) after(n *yaml.Node) string {
	line, rest := n.Line-1, d.at(n)
	for _, word := range strings.FieldsFunc(n.Value, folded) {
		rest = strings.TrimLeft(rest, " \t")
		for rest == "" && line+1 < len(d.lines) {
			line++
			rest = strings.TrimLeft(d.lines[line], " \t")
		}
		next, found := strings.CutPrefix(rest, word)
		if !found {
			return ""
		}
		rest = next
	}
	return rest
}

// folded are the characters at which YAML may break an unquoted text.
func folded(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

// at gives the line of a node from where its value begins, past an anchor.
func (d *document) at(n *yaml.Node) string {
	if n.Line < 1 || n.Line > len(d.lines) {
		return ""
	}
	runes := []rune(d.lines[n.Line-1])
	rest := string(runes[min(n.Column-1, len(runes)):])
	for strings.HasPrefix(rest, "&") || strings.HasPrefix(rest, "!!") {
		_, after, _ := strings.Cut(rest, " ")
		rest = strings.TrimLeft(after, " \t")
	}
	return rest
}
