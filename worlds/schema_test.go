package worlds_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"fabula/personas/source"
	"fabula/worlds"
)

// compile compiles the schema of a kind as published.
func compile(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	text, err := worlds.Schema(kind)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(kind+".json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(kind + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// kindOf is the kind of an authored file.
func kindOf(name string) string {
	return map[string]string{".": "world", "personas": "persona", "plot": "plot", "lore": "lore", "playtests": "playtest", "labels": "labels", "golden": "golden"}[path.Dir(name)]
}

// plain reads a file as plain values, as a schema checker of an editor would.
func plain(t *testing.T, name string, data []byte) any {
	t.Helper()
	v, err := source.Plain(source.File{Name: name, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Ensure that the schemas accept every file of the demo and the templates.
func TestSchemaAcceptsWhatLoads(t *testing.T) {
	files := os.DirFS(".")
	seen := map[string]int{}
	for _, dir := range []string{"fox_lantern", "templates/blank"} {
		err := fs.WalkDir(files, dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || path.Ext(name) != ".yaml" {
				return err
			}
			data, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			kind := kindOf(strings.TrimPrefix(name, dir+"/"))
			seen[kind]++
			if err := compile(t, kind).Validate(plain(t, name, data)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range worlds.Kinds() {
		if seen[kind] == 0 {
			t.Errorf("no file of kind %s was tried", kind)
		}
	}
}

// Ensure that the schemas refuse what loading refuses.
func TestSchemaRefuses(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"world.yaml", "world: a\nlanguages: [en]\nstart: b\ntabu: [x]\n"},
		{"world.yaml", "world: A\nlanguages: [en]\nstart: b\n"},
		{"world.yaml", "world: a\n"},
		{"world.yaml", "world: a\nlanguages: [en]\nstart: b\nstate: {x: {type: float}}\n"},
		{"personas/a.yaml", "persona: a\n"},
		{"personas/a.yaml", "persona: a\nname: b\nTaboo: [x]\n"},
		{"personas/a.yaml", "persona: a\nname: b\nsecrets: [{id: x, text: y}]\n"},
		{"personas/a.yaml", "persona: a\nname: b\nlimits: {words: many}\n"},
		{"personas/a.yaml", "persona: a\nname: ''\n"},
		{"personas/a.yaml", "persona: a\nname: {english: b}\n"},
		{"plot/a.yaml", "nodes: [{node: a, exit: []}]\n"},
		{"plot/a.yaml", "nodes: [{node: a, turns: some}]\n"},
		{"lore/a.yaml", "entries: [{id: a}]\n"},
		{"playtests/a.yaml", "playtest: a\nscript: [{expect: {first_token_ms: soon}}]\n"},
	} {
		if err := compile(t, kindOf(c.name)).Validate(plain(t, c.name, []byte(c.text))); err == nil {
			t.Errorf("%s accepts %q", kindOf(c.name), c.text)
		}
	}
}

// Ensure that a schema is the same bytes each time, and that others are told.
func TestSchema(t *testing.T) {
	for _, kind := range worlds.Kinds() {
		a, _ := worlds.Schema(kind)
		b, err := worlds.Schema(kind)
		if err != nil || !bytes.Equal(a, b) || !bytes.Contains(a, []byte("2020-12")) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := worlds.Schema("poem"); err == nil || !strings.Contains(err.Error(), "playtest") {
		t.Errorf("got %v", err)
	}
}
