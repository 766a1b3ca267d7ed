package card_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/personas"
	cards "fabula/personas/card"
	"fabula/personas/source"
	"fabula/story/export"
	"fabula/story/export/card"
	"fabula/story/export/played"
	"fabula/story/plot"
)

func in(script *plot.Script) export.Input { return export.Input{Script: script} }

func plain(s string) personas.Text { return personas.Text{Plain: s} }

// hostile is a world of one persona that says six texts.
func hostile(script *plot.Script, texts []string) export.Input {
	s := *script
	p := &personas.Persona{ID: "odd", Name: plain("Odd"), Brief: plain(texts[0]), Voice: plain(texts[1]), Backstory: plain(texts[2]), Greeting: plain(texts[3]),
		Samples: []personas.Sample{{Player: plain(texts[4]), Reply: plain(texts[5])}}, Secrets: []personas.Secret{{ID: "s", Text: plain("the salt is in the cellar")}}}
	s.Personas, s.Languages = []*personas.Persona{p}, []string{"en"}
	s.Lore = []*personas.Lore{{ID: "l", Keys: []personas.Text{plain(texts[1])}, Text: plain(texts[2])}}
	return in(&s)
}

// Ensure that 2,000 generated hostile texts come back from the cards, V2 and V3
// alike, from JSON as from PNG; and that what a card would read as its own is
// refused by name.
func TestHostileTexts(t *testing.T) {
	demo, odd, carried, refused := played.Demo(t), played.Strange(true), 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 6 {
			texts := rapid.SliceOfN(odd, 6, 6).Draw(t, "texts")
			files, err := card.Files(hostile(demo, texts))
			if err != nil {
				if !errors.Is(err, export.ErrCannotCarry) || !strings.Contains(err.Error(), "odd") {
					t.Fatalf("%v", err)
				}
				refused += len(texts)
				continue
			}
			carried += len(texts)
			for _, f := range files {
				c, _, err := cards.Read(f.Data)
				if err != nil {
					t.Fatalf("%s: %v", f.Name, err)
				}
				same(t, f.Name, c, texts)
				if bytes.Contains(c.JSON, []byte("salt is in the cellar")) {
					t.Fatalf("%s tells a secret", f.Name)
				}
			}
		}
	})
	t.Logf("%d texts carried, %d refused", carried, refused)
	if carried < 2000 {
		t.Errorf("only %d texts", carried)
	}
}

func same(t *rapid.T, name string, c *cards.Card, texts []string) {
	filled := func(s string) string { // {player} alone is a placeholder
		return strings.ReplaceAll(strings.TrimSpace(s), "{player}", "{{user}}")
	}
	want := map[string]string{c.Personality: texts[1], c.Greeting: texts[3]}
	for got, text := range want {
		if got != filled(text) && !strings.Contains(text, "{{player}}") {
			t.Fatalf("%s holds %q, want %q", name, got, text)
		}
	}
	list := cards.Exchanges(c.Examples, c.Name)
	if len(list) != 1 || !strings.Contains(texts[5], "{player}") && list[0][1] != strings.TrimSpace(texts[5]) {
		t.Fatalf("%s: the examples are %q, want %q", name, list, texts[4:])
	}
}

// An imported card goes out with every field that nobody touched to the letter,
// what is unknown included; a field that was edited goes out as it is now.
func TestRoundTrip(t *testing.T) {
	original := `{"spec":"chara_card_v3","spec_version":"3.0","data":{"name":"Mira","nickname":"Mi","description":"{{char}} owes {{user}} {hp} coins. ","personality":"dry",
		"scenario":"A yard.","first_mes":"Hi {{user}}\r\n","mes_example":"<START>\n{{user}}: a\n{{char}}: b\n","creator_notes":"n","system_prompt":"{{original}}","post_history_instructions":"p",
		"alternate_greetings":["x","y"],"tags":["t"],"creator":"me","character_version":"1","extensions":{"depth_prompt":{"depth":4,"prompt":"z"},"odd":[1,2.50,null]},
		"group_only_greetings":[],"assets":[{"type":"icon","uri":"ccdefault:","name":"main","ext":"png"}],"creation_date":1700000000,"unheard_of":{"a":1},
		"character_book":{"name":"b","extensions":{"q":1},"entries":[{"keys":["k","/r/i"],"content":"{{char}} @ {hp}","extensions":{"w":2},"enabled":true,"insertion_order":3,"use_regex":false,"id":9}]}}}`
	c, _, err := cards.Read([]byte(original))
	if err != nil {
		t.Fatal(err)
	}
	d := cards.Convert(c, cards.Options{})
	script := *played.Demo(t)
	script.Personas, script.Lore = nil, nil
	for _, f := range d.Files {
		file := source.File{Name: f.Name, Data: f.Data}
		switch {
		case f.Name == "personas/mira.yaml":
			p, _ := personas.Load(file)
			script.Personas = append(script.Personas, p)
		case f.Name == "lore/mira.yaml":
			script.Lore, _ = personas.LoadLore(file)
		}
	}
	input := export.Input{Script: &script, Cards: map[string]export.Card{"mira": {JSON: []byte(original)}}}
	got := dataOf(t, input, "card/mira.en.v3.json")
	want := c.Data()
	for key, v := range want {
		if key == "extensions" {
			continue
		}
		if a, b := asText(t, got[key]), asText(t, v); a != b {
			t.Errorf("%s is %s, want %s", key, a, b)
		}
	}
	extensions := got["extensions"].(map[string]any)
	for key, v := range want["extensions"].(map[string]any) {
		if a, b := asText(t, extensions[key]), asText(t, v); a != b {
			t.Errorf("extension %s is %s, want %s", key, a, b)
		}
	}
	script.Personas[0].Greeting = plain("Well, {player}?")
	if got := dataOf(t, input, "card/mira.en.v2.json"); got["first_mes"] != "Well, {{user}}?" || got["nickname"] != nil || got["system_prompt"] != "{{original}}" {
		t.Errorf("after an edit: %v", got)
	}
}

func dataOf(t *testing.T, in export.Input, name string) map[string]any {
	t.Helper()
	files, err := card.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == name {
			c, _, err := cards.Read(f.Data)
			if err != nil {
				t.Fatal(err)
			}
			return c.Data()
		}
	}
	t.Fatalf("no %s", name)
	return nil
}

func asText(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The pictures are pictures for others, and the same each time.
func TestPictures(t *testing.T) {
	demo := in(played.Demo(t))
	files, err := card.Files(demo)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := card.Files(demo)
	for i, f := range files {
		if !bytes.Equal(f.Data, again[i].Data) {
			t.Errorf("%s differs from itself", f.Name)
		}
		if strings.HasSuffix(f.Name, ".png") {
			if _, err := png.Decode(bytes.NewReader(f.Data)); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
	python := `import sys, zlib, struct
d = sys.stdin.buffer.read(); at, kinds = 8, []
while at < len(d):
    n, = struct.unpack(">I", d[at:at+4]); body = d[at+4:at+8+n]
    assert struct.unpack(">I", d[at+8+n:at+12+n])[0] == zlib.crc32(body); kinds.append(body[:4] + body[4:10] if body[:4] == b"tEXt" else body[:4]); at += 12 + n
assert kinds[-3:] == [b"tEXtchara\0", b"tEXtccv3\0" + b"e", b"IEND"], kinds`
	c := exec.Command("python3", "-c", python)
	c.Stdin = bytes.NewReader(files[2].Data)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// Ensure that a mask reaches the cards inside a picture, where no text of theirs
// can be found.
func TestMask(t *testing.T) {
	demo := played.Demo(t)
	given := hostile(demo, []string{"Brief.", "Voice.", "I know that the salt is in the cellar.", "Hello.", "Who?", "Me."})
	files, err := card.Files(export.NewRedactor(given.Script).Input(given))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		c, _, err := cards.Read(f.Data)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if strings.Contains(c.Description, "cellar") || !strings.Contains(c.Description, "I know that ***") {
			t.Errorf("%s: %q", f.Name, c.Description)
		}
	}
}
