package source

import "slices"

// Type says what an author may write in a place: it decodes a value and
// describes it in a JSON Schema.
type Type[V any] struct {
	expects string // in the author's words
	null    string // code of a fault for a value that is missing
	keys    []string
	read    func(v Value, into *V)
	schema  func(*schemas) object
}

// object is a JSON object of a schema.
type object = map[string]any

// load decodes v. It reports what is missing or tagged; the type does the rest.
func (t Type[V]) load(v Value, into *V) {
	v = v.resolved()
	if v.tagged() {
		return
	}
	if v.isScalar() && v.isNull() {
		if t.null == CodeEmptyCondition {
			v.Fault(CodeEmptyCondition, v.field)
			return
		}
		v.Fault(CodeNull, v.field, v.nothing())
		return
	}
	t.read(v, into)
}

// Checked adds a check of a decoded value; it runs also where keys were
// faulty, but not on what is no object where an object is expected.
func (t Type[V]) Checked(check func(into *V, v Value)) Type[V] {
	read, object := t.read, t.expects == expectsFields
	t.read = func(v Value, into *V) {
		read(v, into)
		if v.isObject() || !object {
			check(into, v)
		}
	}
	return t
}

// Placed stores where the value stands.
func (t Type[V]) Placed(at func(*V) *Pos) Type[V] {
	return t.Checked(func(into *V, v Value) { *at(into) = v.Pos() })
}

// As turns what a type reads into something else.
func As[A, B any](t Type[A], to func(A) B) Type[B] {
	return Type[B]{expects: t.expects, null: t.null, keys: t.keys, schema: t.schema,
		read: func(v Value, into *B) {
			var a A
			t.read(v, &a)
			*into = to(a)
		}}
}

// Optional tells "not written" (nil) from a zero value.
func Optional[V any](t Type[V]) Type[*V] {
	return Type[*V]{expects: t.expects, null: t.null, keys: t.keys, schema: t.schema,
		read: func(v Value, into **V) {
			value := new(V)
			t.read(v, value)
			*into = value
		}}
}

// Either reads an object as fields and everything else as plain. Where plain is
// a text, an object of language codes is that text; so a goal is a text, a
// text by language, or an object.
func Either[V any](plain, fields Type[V]) Type[V] {
	return Type[V]{
		expects: plain.expects, null: plain.null, keys: fields.keys,
		schema: func(s *schemas) object { return object{"anyOf": []any{plain.schema(s), fields.schema(s)}} },
		read: func(v Value, into *V) {
			if v.isObject() && !(plain.expects == expectsText && byLanguage(v, fields.keys)) {
				fields.read(v, into)
				return
			}
			plain.read(v, into)
		},
	}
}

// byLanguage reports an object whose keys look like languages and none of
// which is a key of the other reading.
func byLanguage(v Value, keys []string) bool {
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		if key := v.node.Content[i].Value; slices.Contains(keys, key) || !languageShape.MatchString(key) {
			return false
		}
	}
	return true
}

// List reads a list of t.
func List[V any](t Type[V]) Type[[]V] {
	return Type[[]V]{
		expects: "list",
		schema:  func(s *schemas) object { return object{"type": "array", "items": t.schema(s)} },
		read: func(v Value, into *[]V) {
			if !v.isList() {
				v.wrong("list")
				return
			}
			for i := range v.node.Content {
				var item V
				t.load(v.item(i), &item)
				*into = append(*into, item)
			}
		},
	}
}

// item is a list's value i; people count from 1.
func (v Value) item(i int) Value {
	return Value{doc: v.doc, node: v.node.Content[i], field: v.field + "[" + itoa(i+1) + "]", outer: v.outer}
}

// Entry is one entry of a map.
type Entry[K, V any] struct {
	Key   K
	Value V
	Pos   Pos // of the key
}

// Map reads an object whose keys are the author's own, in the order written.
func Map[K, V any](key Type[K], value Type[V]) Type[[]Entry[K, V]] {
	return Type[[]Entry[K, V]]{
		expects: expectsFields,
		schema: func(s *schemas) object {
			return object{"type": "object", "propertyNames": textual(key.schema(s)), "additionalProperties": value.schema(s)}
		},
		read: func(v Value, into *[]Entry[K, V]) {
			if !v.isObject() {
				v.wrong(expectsFields)
				return
			}
			for _, p := range v.pairs() {
				e := Entry[K, V]{Pos: Pos{v.doc.file, p.key.Line, p.key.Column}}
				key.read(Value{doc: v.doc, node: p.key, field: p.field, outer: v.outer}, &e.Key)
				value.load(p, &e.Value)
				*into = append(*into, e)
			}
		},
	}
}

// textual is a schema of a key: JSON keys are always strings.
func textual(s object) object {
	if s["type"] != "string" {
		return object{"minLength": 1}
	}
	return s
}
