package plottree_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"fabula/story"
	"fabula/story/export/played"
	"fabula/story/export/plottree"
)

func document(t *testing.T) ([]byte, plottree.Document) {
	t.Helper()
	in := played.Turns(t, "en", story.Input{Text: "Who lit the lamp? <b>& \"quotes\""}, story.Input{Choose: "to_kitchen"})
	files, err := plottree.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	var doc plottree.Document
	if err := json.Unmarshal(files[0].Data, &doc); err != nil {
		t.Fatal(err)
	}
	return files[0].Data, doc
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := plottree.Schema()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("plottree.json", schema); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("plottree.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDocumentFollowsItsSchema(t *testing.T) {
	data, _ := document(t)
	schema := compiled(t)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string]func(map[string]any){
		"other format":  func(m map[string]any) { m["format"] = "fabula-plot/2" },
		"no nodes":      func(m map[string]any) { delete(m, "nodes") },
		"unknown key":   func(m map[string]any) { m["extra"] = 1 },
		"status":        func(m map[string]any) { m["lines"].([]any)[0].(map[string]any)["status"] = "final" },
		"tree no list":  func(m map[string]any) { m["edges"].([]any)[0].(map[string]any)["when"] = "day < 4" },
		"state as list": func(m map[string]any) { m["state"].([]any)[0].(map[string]any)["default"] = []any{} },
	} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		bad(value.(map[string]any))
		if schema.Validate(value) == nil {
			t.Errorf("%s: the schema accepts it", name)
		}
	}
}

// Every id that is named exists.
func TestEveryReferenceResolves(t *testing.T) {
	_, doc := document(t)
	nodes, lines, npcs := map[string]bool{}, map[string]bool{}, map[string]bool{"": true, "player": true}
	for _, p := range doc.Personas {
		npcs[p.ID] = true
	}
	for _, n := range doc.Nodes {
		nodes[n.ID] = true
	}
	for _, l := range doc.Lines {
		if lines[l.ID] {
			t.Errorf("line %s occurs twice", l.ID)
		}
		lines[l.ID] = true
		if !npcs[l.Speaker] || !nodes[l.Node] {
			t.Errorf("line %s: speaker %q or node %q is unknown", l.ID, l.Speaker, l.Node)
		}
	}
	for _, n := range doc.Nodes {
		for _, id := range n.Lines {
			if !lines[id] {
				t.Errorf("node %s names line %s, which is not there", n.ID, id)
			}
		}
		for _, m := range n.Cast {
			if !npcs[m.NPC] {
				t.Errorf("node %s casts %s", n.ID, m.NPC)
			}
		}
	}
	for _, e := range doc.Edges {
		if !nodes[e.From] || e.Stay == nodes[e.To] {
			t.Errorf("edge %s.%s leads from %q to %q, stay %v", e.From, e.Exit, e.From, e.To, e.Stay)
		}
	}
	if !nodes[doc.Start] {
		t.Errorf("start %q is no node", doc.Start)
	}
}

// What was just played is in it, word for word, with where it came from.
func TestPlayedLinesAreInIt(t *testing.T) {
	_, doc := document(t)
	find := func(prefix string) plottree.Line {
		i := slices.IndexFunc(doc.Lines, func(l plottree.Line) bool { return strings.HasPrefix(l.ID, prefix) && l.Status == "recorded" })
		if i < 0 {
			t.Fatalf("no recorded line %s…", prefix)
		}
		return doc.Lines[i]
	}
	asked := find("player.hall.l0100")
	if got := asked.Text["en"]; got != "Who lit the lamp? <b>& \"quotes\"" {
		t.Errorf("the player's line is %q", got)
	}
	if answer := find("laozhou.hall.l0100"); answer.Text["en"] == "" || answer.From == nil || answer.From.Turn != asked.From.Turn {
		t.Errorf("the answer is %+v", answer)
	}
	i := slices.IndexFunc(doc.Edges, func(e plottree.Edge) bool { return e.Exit == "to_kitchen" && len(e.Evidence) == 1 })
	if i < 0 {
		t.Error("the exit that was taken has no evidence")
	}
}

func TestSameInputSameBytes(t *testing.T) {
	in := played.Turns(t, "zh", story.Input{Text: "灯是谁点的？"})
	first, err := plottree.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	again, err := plottree.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first[0].Data, again[0].Data) {
		t.Error("two exports of one input differ")
	}
}

// Ensure that a recorded reply is filed under the language that its speaker
// has of its own.
func TestRecordedInThePersonasLanguage(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Good evening."})
	in.Script.Persona("laozhou").Speaks = "zh"
	doc, err := plottree.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range doc.Lines {
		if want := map[string]string{"player": "en", "laozhou": "zh"}[l.Speaker]; l.Status == "recorded" && l.Text[want] == "" {
			t.Errorf("%s is filed under %v, want %s", l.ID, l.Text, want)
		}
	}
}
