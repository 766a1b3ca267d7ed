package source

import (
	"slices"
	"strings"
)

// Field is one key of an object of type T, made by Key.
type Field[T any] interface {
	name() string
	required() bool
	prepare(into *T)
	load(v Value, into *T)
	schema(*schemas) object
}

// KeyOf is a key whose value is a V.
type KeyOf[T, V any] struct {
	key, doc string
	typ      Type[V]
	at       func(*T) *V
	must     bool
	standard *V
	examples []any
}

// Key declares a key of an object: its name, what may be written there, where
// the value goes, and one line that tells an author what it is for.
func Key[T, V any](name string, t Type[V], at func(*T) *V, doc string) KeyOf[T, V] {
	return KeyOf[T, V]{key: name, doc: doc, typ: t, at: at}
}

// Required makes an object without the key a fault.
func (k KeyOf[T, V]) Required() KeyOf[T, V] { k.must = true; return k }

// Default is the value where the key is not written.
func (k KeyOf[T, V]) Default(v V) KeyOf[T, V] { k.standard = &v; return k }

// Example shows authors a value, as it would be in JSON.
func (k KeyOf[T, V]) Example(v ...any) KeyOf[T, V] { k.examples = append(k.examples, v...); return k }

func (k KeyOf[T, V]) name() string   { return k.key }
func (k KeyOf[T, V]) required() bool { return k.must }

func (k KeyOf[T, V]) prepare(into *T) {
	if k.standard != nil {
		*k.at(into) = *k.standard
	}
}

func (k KeyOf[T, V]) load(v Value, into *T) { k.typ.load(v, k.at(into)) }

func (k KeyOf[T, V]) schema(s *schemas) object {
	out := object{"description": k.doc}
	for name, part := range k.typ.schema(s) {
		if _, taken := out[name]; !taken {
			out[name] = part
		}
	}
	if k.standard != nil {
		out["default"] = *k.standard
	}
	if len(k.examples) > 0 {
		out["examples"] = k.examples
	}
	return out
}

// Object declares an object by its keys. name is what an author calls it
// ("persona", "exit"); it is also its name in the schema.
func Object[T any](name, doc string, fields ...Field[T]) Type[T] {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.name()
	}
	o := objectOf[T]{name: name, doc: doc, fields: fields, keys: keys}
	return Type[T]{expects: expectsFields, keys: keys, read: o.read,
		schema: func(s *schemas) object {
			return s.define(strings.ReplaceAll(name, " ", "_"), func() object { return o.schema(s) })
		}}
}

// Keys lists the keys that an object type knows.
func (t Type[V]) Keys() []string { return slices.Clone(t.keys) }

type objectOf[T any] struct {
	name, doc string
	fields    []Field[T]
	keys      []string
}

func (o objectOf[T]) read(v Value, into *T) {
	for _, f := range o.fields {
		f.prepare(into)
	}
	if !v.isObject() {
		v.wrong(expectsFields)
		return
	}
	inner := &scope{name: o.name, keys: o.keys, next: v.outer}
	seen := map[string]bool{}
	for _, p := range v.pairs() {
		p.outer = inner
		i := slices.Index(o.keys, p.key.Value)
		if i < 0 {
			o.unknown(v, p, seen)
			continue
		}
		seen[p.key.Value] = true
		o.fields[i].load(p, into)
	}
	for _, f := range o.fields {
		if f.required() && !seen[f.name()] && !v.Has(f.name()) {
			v.Fault(CodeMissing, f.name(), o.name)
		}
	}
}

// unknown reports a key that the object does not know. A near miss counts as
// written, so that it is not reported as missing as well.
func (o objectOf[T]) unknown(v, p Value, seen map[string]bool) {
	key := p.key.Value
	at := Pos{v.doc.file, p.key.Line, p.key.Column}
	if v.doc.misread(at, key) {
		return
	}
	near := Nearest(key, o.keys)
	seen[near] = true
	if near == "" {
		for s := v.outer; s != nil; s = s.next {
			if slices.Contains(s.keys, key) {
				v.doc.fault(at, CodeMisplacedKey, key, o.name, s.name)
				return
			}
		}
	}
	v.doc.fault(at, CodeUnknownKey, key, near, o.name)
}

func (o objectOf[T]) schema(s *schemas) object {
	properties, required := object{}, []any{}
	for _, f := range o.fields {
		properties[f.name()] = f.schema(s)
		if f.required() {
			required = append(required, f.name())
		}
	}
	out := object{"type": "object", "description": o.doc, "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}
