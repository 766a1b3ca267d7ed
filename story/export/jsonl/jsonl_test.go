package jsonl_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/jsonl"
	"fabula/story/export/played"
)

// schemas are those of the three forms, from their makers' documentation.
var schemas = map[string]string{
	"jsonl/openai.jsonl": `{"type":"object","required":["messages"],"additionalProperties":false,"properties":{"messages":{"type":"array","minItems":2,"items":{"$ref":"#/$defs/m"}}},
		"$defs":{"m":{"type":"object","required":["role","content"],"additionalProperties":false,"properties":{"role":{"enum":["system","user","assistant"]},"content":{"type":"string","minLength":1},"weight":{"enum":[0,1]}}}}}`,
	"jsonl/sharegpt.jsonl": `{"type":"object","required":["conversations"],"additionalProperties":false,"properties":{"conversations":{"type":"array","minItems":2,"items":
		{"type":"object","required":["from","value"],"additionalProperties":false,"properties":{"from":{"enum":["system","human","gpt"]},"value":{"type":"string","minLength":1}}}}}}`,
	"jsonl/preference.jsonl": `{"type":"object","required":["input","preferred_output","non_preferred_output"],"additionalProperties":false,"properties":{
		"input":{"type":"object","required":["messages"],"properties":{"messages":{"type":"array","minItems":1}}},"preferred_output":{"$ref":"#/$defs/out"},"non_preferred_output":{"$ref":"#/$defs/out"}},
		"$defs":{"out":{"type":"array","minItems":1,"maxItems":1,"items":{"type":"object","required":["role","content"],"properties":{"role":{"const":"assistant"},"content":{"type":"string","minLength":1}}}}}}`,
}

func compiled(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	out := map[string]*jsonschema.Schema{}
	for name, text := range schemas {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(name, v); err != nil {
			t.Fatal(err)
		}
		if out[name], err = c.Compile(name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface{ Fatalf(string, ...any) }

// check validates every line and gives the roles of each conversation.
func check(t fataler, by map[string]*jsonschema.Schema, files []export.File) map[string][]map[string]any {
	out := map[string][]map[string]any{}
	for _, f := range files {
		if bytes.ContainsAny(f.Data, "\r\u2028\u2029") {
			t.Fatalf("%s holds a line end that some readers split at", f.Name)
		}
		for line := range bytes.Lines(f.Data) {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
			if err != nil {
				t.Fatalf("%s: %v in %s", f.Name, err, line)
			}
			if err := by[f.Name].Validate(v); err != nil {
				t.Fatalf("%s: %v in %s", f.Name, err, line)
			}
			out[f.Name] = append(out[f.Name], v.(map[string]any))
		}
	}
	for _, c := range out["jsonl/openai.jsonl"] {
		alternates(t, c["messages"].([]any))
	}
	return out
}

// alternates wants system, user, assistant, …, assistant.
func alternates(t fataler, messages []any) {
	for i, m := range messages {
		want := []string{"system", "user", "assistant"}[0]
		if i > 0 {
			want = []string{"assistant", "user"}[i%2]
		}
		if got := m.(map[string]any)["role"]; got != want {
			t.Fatalf("message %d is of %v, want %s", i, got, want)
		}
	}
	if len(messages)%2 == 0 {
		t.Fatalf("the last of %d messages is not the assistant's", len(messages))
	}
}

// Ensure that 2,000 generated hostile texts give lines that follow the schemas,
// word for word, and pairs of what was starred against what was not.
func TestHostileTexts(t *testing.T) {
	by, script, hostile, cases := compiled(t), played.Demo(t), played.Strange(true), 0
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(hostile, 20, 20).Draw(t, "texts")
		cases += len(texts)
		in := played.Made(script, texts...)
		files, err := jsonl.Files(in)
		if err != nil {
			t.Fatal(err)
		}
		got := check(t, by, files)
		messages := got["jsonl/openai.jsonl"][0]["messages"].([]any)
		if last := messages[len(messages)-1].(map[string]any)["content"]; last != texts[len(texts)-1] {
			t.Fatalf("the last reply is %q, want %q", last, texts[len(texts)-1])
		}
		pairs := got["jsonl/preference.jsonl"]
		if len(pairs) != len(texts) {
			t.Fatalf("%d pairs of %d turns", len(pairs), len(texts))
		}
		for i, p := range pairs {
			good, bad := content(p["preferred_output"]), content(p["non_preferred_output"])
			if bad != texts[i] || good != "And "+texts[i] {
				t.Fatalf("pair %d prefers %q to %q", i, good, bad)
			}
		}
	})
	t.Logf("%d texts", cases)
	if cases < 2000 {
		t.Errorf("only %d texts", cases)
	}
}

func content(v any) any { return v.([]any)[0].(map[string]any)["content"] }

func TestWhatTeachesNobody(t *testing.T) {
	by := compiled(t)
	in := played.Made(played.Demo(t), "Hello", "A secret")
	in.Branches[0].Steps[2].Alternative.Findings = []lint.Finding{{Code: "leak", Level: lint.Error}}
	files, err := jsonl.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	messages := check(t, by, files)["jsonl/openai.jsonl"][0]["messages"].([]any)
	if w := messages[len(messages)-1].(map[string]any)["weight"]; w != json.Number("0") {
		t.Errorf("a leak has weight %v", w)
	}
	for _, secret := range in.Script.Persona("laozhou").Secrets {
		for _, text := range secret.Text.All() {
			if bytes.Contains(files[0].Data, []byte(text)) {
				t.Errorf("the secret %s is in it", secret.ID)
			}
		}
	}
	in.Branches[0].Tags = []string{story.SimulatedTag}
	files, err = jsonl.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if len(f.Data) > 0 {
			t.Errorf("%s holds what a simulated player did", f.Name)
		}
	}
}

func TestPlayedDemo(t *testing.T) {
	by := compiled(t)
	in := played.Turns(t, "en", story.Input{Text: "Who lit the lamp?"}, story.Input{Choose: "to_kitchen"}, story.Input{Text: "Hello."})
	files, err := jsonl.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(check(t, by, files)["jsonl/sharegpt.jsonl"]); n != 2 {
		t.Errorf("%d conversations, want one for each NPC that answered", n)
	}
}
