package source_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"fabula/personas/source"
)

func heroSchema(t *testing.T) (*jsonschema.Schema, []byte) {
	t.Helper()
	text, err := source.Schema("hero", heroType())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("hero.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("hero.json")
	if err != nil {
		t.Fatal(err)
	}
	return s, text
}

// Ensure that the schema and the reader agree, type by type: they come from
// one declaration.
func TestSchemaAgreesWithRead(t *testing.T) {
	schema, _ := heroSchema(t)
	for _, text := range []string{
		"hero: a\n", "hero: A\n", "name: a\n", "hero: a\nzodiac: b\n",
		"hero: a\nname: b\n", "hero: a\nname: 12\n", "hero: a\nname: {zh: b}\n", "hero: a\nname: {}\n", "hero: a\nname: [b]\n", "hero: a\nname: ''\n",
		"hero: a\nage: 3\n", "hero: a\nage: 3.5\n", "hero: a\nage: 201\n", "hero: a\nage: -1\n", "hero: a\nage: '3'\n", "hero: a\nage: x\n",
		"hero: a\nweight: 3.5\n", "hero: a\nweight: 501\n", "hero: a\nweight: heavy\n",
		"hero: a\nloud: true\n", "hero: a\nloud: 'true'\n", "hero: a\nloud: 1\n",
		"hero: a\nmood: calm\n", "hero: a\nmood: cross\n", "hero: a\nmood: [calm]\n",
		"hero: a\nwhen: day > 3\n", "hero: a\nwhen: true\n", "hero: a\nwhen: ''\n", "hero: a\nwhen: [a]\n",
		"hero: a\ntraits: []\n", "hero: a\ntraits: [a, 1]\n", "hero: a\ntraits: a\n", "hero: a\ntraits: [[a]]\n",
		"hero: a\ntaboo_words: [a]\n", "hero: a\ntaboo_words: {zh: [a]}\n", "hero: a\ntaboo_words: {zh: a}\n",
		"hero: a\nany: [a, [b, c]]\n", "hero: a\nany: [[[a]]]\n", "hero: a\nany: {zh: [a]}\n",
		"hero: a\ngear: [{item: a}]\n", "hero: a\ngear: [{when: x}]\n", "hero: a\ngear: [a]\n", "hero: a\ngear: [{item: a, mood: calm}]\n",
		"hero: a\ngoals: [a, {zh: b}, {text: c, when: d}]\n", "hero: a\ngoals: [{when: d}]\n", "hero: a\ngoals: [{text: c, whn: d}]\n",
		"hero: a\nextra: {x: a}\n", "hero: a\nextra: {x: [a]}\n", "hero: a\nextra: x\n",
		"[]\n", "a\n",
	} {
		file := source.File{Name: "hero.yaml", Data: []byte(text)}
		plain, err := source.Plain(file)
		if err != nil {
			t.Fatal(err)
		}
		_, found := source.Read(file, heroType())
		if err := schema.Validate(plain); (err == nil) != (len(found) == 0) {
			t.Errorf("%q: the schema says %v, the reader %v", text, err, found)
		}
	}
}

// Ensure that a schema tells an author what each key is for, and its default.
func TestSchemaTells(t *testing.T) {
	_, text := heroSchema(t)
	var schema struct {
		Schema string         `json:"$schema"`
		Ref    string         `json:"$ref"`
		Defs   map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	age := schema.Defs["hero"].(map[string]any)["properties"].(map[string]any)["age"].(map[string]any)
	if schema.Schema != "https://json-schema.org/draft/2020-12/schema" || age["default"] != 30.0 || age["description"] != "years" {
		t.Errorf("got %s, %v", schema.Schema, age)
	}
	if keys := heroType().Keys(); !slices.Contains(keys, "taboo_words") || len(keys) != 14 {
		t.Errorf("keys %v", keys)
	}
	again, _ := source.Schema("hero", heroType())
	if !bytes.Equal(text, again) {
		t.Error("the same type gave other bytes")
	}
}

// Ensure that Plain refuses what cannot be read.
func TestPlain(t *testing.T) {
	for _, text := range []string{"", "a: b: c", "\xff\xfe", "a: &a [*a]"} {
		if v, err := source.Plain(source.File{Name: "x", Data: []byte(text)}); err == nil {
			t.Errorf("%q: got %v", text, v)
		}
	}
	v, err := source.Plain(source.File{Name: "x", Data: []byte("a: &x [1, 0123, .5, true, ~, 'q']\nb: *x\n")})
	got, _ := json.Marshal(v)
	if want := `{"a":[1,"0123",".5",true,null,"q"],"b":[1,"0123",".5",true,null,"q"]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}
