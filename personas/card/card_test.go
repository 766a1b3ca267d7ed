package card_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/personas"
	"fabula/personas/card"
	"fabula/personas/source"
)

func v2(data map[string]any) []byte { return wrapped("chara_card_v2", "2.0", data) }

func wrapped(spec, version string, data map[string]any) []byte {
	out, err := json.Marshal(map[string]any{"spec": spec, "spec_version": version, "data": data})
	if err != nil {
		panic(err)
	}
	return out
}

func pixels() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func part(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

func text(word string, data []byte) []byte {
	return part("tEXt", []byte(word+"\x00"+base64.StdEncoding.EncodeToString(data)))
}

// with puts parts behind the header, or before the end, of a picture.
func with(behind bool, parts ...[]byte) []byte {
	p := pixels()
	at := len(p) - 12
	if behind {
		at = 8 + 25
	}
	return slices.Concat(p[:at], slices.Concat(parts...), p[at:])
}

func archive(files map[string]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func TestWhereACardIsFound(t *testing.T) {
	old, now := v2(map[string]any{"name": "Old"}), wrapped("chara_card_v3", "3.0", map[string]any{"name": "New"})
	software := part("tEXt", []byte("Software\x00an editor"))
	for what, c := range map[string]struct {
		data []byte
		name string
	}{
		"behind the header":          {with(true, software, text("chara", old)), "Old"},
		"behind the picture":         {with(false, text("chara", old)), "Old"},
		"capital keyword":            {with(true, text("Chara", old)), "Old"},
		"both":                       {with(true, text("chara", old), text("ccv3", now)), "New"},
		"no padding, url alphabet":   {with(true, part("tEXt", []byte("chara\x00"+base64.RawURLEncoding.EncodeToString(old)))), "Old"},
		"an unknown chunk of 1 MB":   {with(true, part("tEXt", append([]byte("risuai\x00"), bytes.Repeat([]byte("x"), 1<<20)...)), text("chara", old)), "Old"},
		"JSON":                       {old, "Old"},
		"JSON with a BOM":            {append([]byte("\xEF\xBB\xBF"), now...), "New"},
		"CHARX":                      {archive(map[string]string{"card.json": string(now), "assets/icon/images/a.png": "x"}), "New"},
		"flat V1":                    {[]byte(`{"name":"Flat","description":"d","personality":"","scenario":"","first_mes":"","mes_example":""}`), "Flat"},
		"the first names":            {[]byte(`{"char_name":"First","char_persona":"d","name":"","char_greeting":"Hi"}`), "First"},
		"V1 beside data":             {[]byte(`{"name":"Stale","data":{"name":"Fresh"},"spec":"chara_card_v2"}`), "Fresh"},
		"a newer V4":                 {wrapped("chara_card_v4", "4.0", map[string]any{"name": "Next"}), "Next"},
		"cut short behind the card":  {with(true, text("chara", old))[:170], "Old"},
		"numbers and null for texts": {[]byte(`{"spec":"chara_card_v2","data":{"name":7,"description":null,"tags":"one"}}`), "7"},
	} {
		got, notes, err := card.Read(c.data)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if got.Name != c.name {
			t.Errorf("%s: the name is %q, want %q", what, got.Name, c.name)
		}
		told := slices.ContainsFunc(notes, func(n card.Note) bool { return n.Code == card.NoteNewer })
		if told != (what == "both") {
			t.Errorf("%s: notes %v", what, notes)
		}
	}
}

// What is no card is refused by what it is; nothing is allocated by a declared
// length.
func TestRefused(t *testing.T) {
	huge := with(true, text("chara", v2(map[string]any{"name": "x"})))
	binary.BigEndian.PutUint32(huge[8+25:], 2<<30)
	bomb := archive(map[string]string{"card.json": `{"name":"` + strings.Repeat("x", card.MaxJSON) + `"}`})
	for what, c := range map[string]struct {
		data []byte
		says string
	}{
		"web page":        {[]byte("<!DOCTYPE html><html>"), "web page"},
		"JPEG":            {[]byte("\xff\xd8\xff\xe0x"), "JPEG"},
		"WEBP":            {[]byte("RIFF\x00\x00\x00\x00WEBPVP8 "), "WEBP"},
		"empty":           {nil, "empty"},
		"cut short":       {pixels()[:30], "cut short"},
		"2 GB chunk":      {huge, "cut short or broken"},
		"picture":         {pixels(), "without a card"},
		"zTXt":            {with(true, part("zTXt", []byte("chara\x00\x00x"))), "zTXt"},
		"broken base64":   {with(true, part("tEXt", []byte("chara\x00e30*"))), "base64"},
		"broken JSON":     {[]byte(`{"name": "x`), "broken JSON at byte"},
		"no name":         {[]byte(`{"data":{}}`), "name"},
		"list":            {[]byte(`[1]`), "list"},
		"zip slip":        {archive(map[string]string{"card.json": `{"name":"x"}`, "../../evil": "x"}), "outside"},
		"zip slip, DOS":   {archive(map[string]string{"card.json": `{"name":"x"}`, `..\evil`: "x"}), "outside"},
		"no card.json":    {archive(map[string]string{"other.json": "{}"}), "card.json"},
		"zip bomb":        {bomb, "unpacks to more"},
		"broken archive":  {[]byte("PK\x03\x04rubbish"), "archive"},
		"deep JSON":       {[]byte(`{"name":` + strings.Repeat("[", 100_000)), "JSON"},
		"too many in zip": {archive(many(card.MaxFiles + 1)), "files"},
	} {
		_, _, err := card.Read(c.data)
		if !errors.Is(err, card.ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s gives %v, want something of %q", what, err, c.says)
		}
	}
}

func many(n int) map[string]string {
	out := map[string]string{"card.json": `{"name":"x"}`}
	for i := range n {
		out[fmt.Sprint(i)] = ""
	}
	return out
}

// loaded converts a card and loads what it gives.
func loaded(t interface{ Fatalf(string, ...any) }, data []byte, o card.Options) (*personas.Persona, []*personas.Lore, card.Draft) {
	c, _, err := card.Read(data)
	if err != nil {
		t.Fatalf("%v", err)
	}
	d := card.Convert(c, o)
	var p *personas.Persona
	var lore []*personas.Lore
	for _, f := range d.Files {
		var faults []source.Fault
		switch {
		case strings.HasSuffix(f.Name, ".yaml") && strings.HasPrefix(f.Name, "personas/"):
			p, faults = personas.Load(source.File{Name: f.Name, Data: f.Data})
		case strings.HasPrefix(f.Name, "lore/"):
			lore, faults = personas.LoadLore(source.File{Name: f.Name, Data: f.Data})
		}
		if len(faults) > 0 {
			t.Fatalf("%s does not load: %v\n%s", f.Name, faults, f.Data)
		}
	}
	return p, lore, d
}

// Ensure that a name which refers to itself is neither doubled nor left with marks.
func TestNameOfItself(t *testing.T) {
	p, _, d := loaded(t, v2(map[string]any{"name": "Vesna {{char}}", "description": "{{char}} sews; <BOT> hums.", "first_mes": "Hello."}), card.Options{})
	if p.Name.Plain != "Vesna" || d.ID != "vesna" || p.Backstory.Plain != "Vesna sews; Vesna hums." {
		t.Errorf("%q, %q, %q", d.ID, p.Name.Plain, p.Backstory.Plain)
	}
	if !slices.ContainsFunc(d.Notes, func(n card.Note) bool { return n.Field == "name" && n.Code == card.NoteMacro }) {
		t.Errorf("it is not said: %+v", d.Notes)
	}
}

func TestConvert(t *testing.T) {
	data := v2(map[string]any{
		"name": "Mira Vale", "description": "{{char}} keeps bees. {{ USER }} owes her {hp} coins.<br><style>p{x}</style>\r\n<b class='x'>Tall.</b>\x07", "personality": "dry", "scenario": "A yard.",
		"first_mes": "Hello, <USER>. {{random:a,b}}{{// hidden}}", "alternate_greetings": []string{"Oh."}, "system_prompt": "You are {{char}}.",
		"mes_example": "<START>\n{{user}}: Honey?\n{{char}}: Later.\nMuch later.\n{{user}}: Now?\nMira Vale: No.\n<start>\n*She hums.*\n<START>\nnobody\n{{char}}: Who?",
		"character_book": map[string]any{"scan_depth": 4, "entries": []any{
			map[string]any{"keys": []string{"bees", "/b(ee)+/i", "蜂"}, "content": "@@depth 4\n@@constant\nBees sting.", "insertion_order": 2, "enabled": true, "priority": 5000},
			map[string]any{"keys": []string{"yard"}, "content": "{{char}}'s yard.", "insertion_order": 1, "enabled": true, "secondary_keys": []string{"gate"}, "selective": true},
			map[string]any{"keys": []string{"off"}, "content": "x", "enabled": false},
			map[string]any{"keys": []string{}, "content": "x", "enabled": true},
			map[string]any{"keys": []string{"e"}, "content": " ", "enabled": true},
			7,
		}},
	})
	p, lore, d := loaded(t, data, card.Options{Has: []string{"mira_vale"}, Vars: []string{"trust"}})
	for what, c := range map[string][2]string{
		"id": {d.ID, "mira_vale_2"}, "name": {p.Name.Plain, "Mira Vale"}, "voice": {p.Voice.Plain, "dry"},
		"backstory": {p.Backstory.Plain, "Mira Vale keeps bees. {player} owes her (hp) coins.\nTall."},
		"greeting":  {p.Greeting.Plain, "Hello, {player}. {{random:a,b}}"},
		"samples":   {fmt.Sprint(len(p.Samples), p.Samples[0].Player.Plain, "|", p.Samples[0].Reply.Plain, "|", p.Samples[1].Reply.Plain, "|", p.Samples[2].Reply.Plain), "4Honey?|Later.\nMuch later.|No.|*She hums.*"},
		"lore":      {fmt.Sprint(len(lore), lore[0].ID, lore[0].Text.Plain, lore[0].Depth, lore[0].KnownTo, len(lore[0].Secondary)), "2mira_vale_2_yardMira Vale's yard.1 [mira_vale_2] 1"},
		"constant":  {fmt.Sprint(lore[1].Constant, lore[1].Text.Plain, lore[1].Priority, len(lore[1].Keys)), "trueBees sting.1000 2"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s is %q, want %q", what, c[0], c[1])
		}
	}
	var codes []string
	for _, n := range d.Notes {
		codes = append(codes, n.Code)
	}
	for _, want := range []string{card.NoteRead, card.NoteMacro, card.NoteUnknown, card.NoteBrace, card.NoteHTML, card.NoteControl, card.NoteSpeaker,
		card.NoteKeepsApart, card.NoteNoPlace, card.NoteRegex, card.NoteDecorator, card.NoteDisabled, card.NoteNoKeys, card.NoteNoText} {
		if !slices.Contains(codes, want) {
			t.Errorf("no note %s in %v", want, codes)
		}
	}
}

// The three shapes of one book give the same lore.
func TestShapesOfABook(t *testing.T) {
	var want string
	for _, text := range []string{
		`{"name":"w","entries":[{"keys":["a"],"secondary_keys":["s"],"selective":true,"content":"A","enabled":true,"insertion_order":2},{"keys":["b"],"content":"B","enabled":true,"insertion_order":1,"constant":true}]}`,
		`{"spec":"lorebook_v3","data":{"name":"w","extensions":{},"entries":[{"keys":["a"],"secondary_keys":["s"],"selective":true,"content":"A","enabled":true,"insertion_order":2,"use_regex":false},{"keys":["b"],"content":"B","enabled":true,"insertion_order":1,"constant":true,"use_regex":false}]}}`,
		`{"name":"w","entries":{"10":{"uid":10,"key":["a"],"keysecondary":["s"],"selective":true,"selectiveLogic":0,"content":"A","disable":false,"order":2},"9":{"uid":9,"key":["b"],"content":"B","order":1,"constant":true,"scanDepth":null}}}`,
	} {
		b, _, err := card.ReadBook([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		d := card.ConvertBook(b, card.Options{})
		if len(d.Files) != 1 {
			t.Fatalf("%d files", len(d.Files))
		}
		if want == "" {
			want = string(d.Files[0].Data)
		}
		if got := string(d.Files[0].Data); got != want || !strings.Contains(got, "id: w_b\n") {
			t.Errorf("%s gives\n%s\nwant\n%s", text, got, want)
		}
	}
	if _, _, err := card.ReadBook([]byte(`{"name":"x"}`)); !errors.Is(err, card.ErrFormat) {
		t.Errorf("no entries: %v", err)
	}
}

// Ensure that whatever stands in a card, what is made of it loads, and that a
// text without braces, controls and blanks at its ends is kept as it was.
func TestWhateverIsInItLoads(t *testing.T) {
	odd := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("{}<>:#-|\"'&*!%@`~ \t\n\r,[]?abUSERcharuser你\u2028\u0085\x07\uE000"))),
		rapid.SampledFrom([]string{"{{user}}", "{{{user}}}", "{{char}}", "{player}", "{ player }", "{{player}}", "{hp}", "{{hp}}", "{{{hp}}}", "{{a{hp}}}", "{trust}", "{Trust}", "{ {trust} }", "null", "~", "no", "0123", "- x", "# x", "a: b", "|", "<START>", "{{user}}: x"}))
	texts := rapid.Map(rapid.SliceOfN(odd, 1, 4), func(s []string) string { return strings.Join(s, "") })
	rapid.Check(t, func(t *rapid.T) {
		fields := map[string]any{"name": "x" + texts.Draw(t, "name")}
		for _, f := range []string{"description", "personality", "scenario", "first_mes", "mes_example", "nickname"} {
			fields[f] = texts.Draw(t, f)
		}
		keys := rapid.SliceOfN(texts, 0, 3)
		fields["character_book"] = map[string]any{"entries": []any{map[string]any{"keys": keys.Draw(t, "keys"), "secondary_keys": keys.Draw(t, "more"), "content": texts.Draw(t, "content"), "name": texts.Draw(t, "entry")}}}
		vars := []string{"trust"}
		p, _, d := loaded(t, v2(fields), card.Options{Vars: vars})
		if p == nil || p.ID != d.ID {
			t.Fatalf("no persona in %v", d.Files)
		}
		for _, text := range []string{p.Backstory.Plain, p.Voice.Plain, p.Greeting.Plain} {
			if strings.Contains(strings.ReplaceAll(text, "{player}", ""), "{trust}") {
				t.Fatalf("%q would be filled in", text)
			}
		}
		if s := fields["description"].(string); s == strings.TrimSpace(s) && !strings.ContainsAny(s, "{}<>\r\x07\uE000\u2028\u0085\uFEFF") && !strings.ContainsFunc(s, func(r rune) bool {
			return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7F && r < 0xA0 || r == 0x2029 || r >= 0xFFFE && r <= 0xFFFF
		}) {
			if p.Backstory.Plain != s {
				t.Fatalf("%q became %q", s, p.Backstory.Plain)
			}
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add(v2(map[string]any{"name": "x", "mes_example": "<START>\n{{user}}: a\n{{char}}: b"}))
	f.Add([]byte(`{"name":"x","description":null,"tags":7}`))
	f.Fuzz(func(t *testing.T, data []byte) { reads(t, data) })
}

func FuzzPNG(f *testing.F) {
	f.Add(with(true, text("chara", v2(map[string]any{"name": "x"}))))
	f.Add(with(false, text("ccv3", []byte(`{"name":"y"}`)), text("chara", nil)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) {
			data = append([]byte("\x89PNG\r\n\x1a\n"), data...)
		}
		reads(t, data)
	})
}

func FuzzCHARX(f *testing.F) {
	f.Add(archive(map[string]string{"card.json": `{"name":"x"}`}))
	f.Add(archive(map[string]string{"../card.json": `{"name":"x"}`}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !bytes.HasPrefix(data, []byte("PK\x03\x04")) {
			data = append([]byte("PK\x03\x04"), data...)
		}
		reads(t, data)
	})
}

// reads wants a refusal by ErrFormat, or a card of which everything loads.
func reads(t *testing.T, data []byte) {
	c, _, err := card.Read(data)
	if err != nil {
		if !errors.Is(err, card.ErrFormat) {
			t.Errorf("%v is no ErrFormat", err)
		}
		return
	}
	loaded(t, data, card.Options{Vars: []string{"x"}})
	if c.Picture != nil {
		if _, err := card.Embed(c.Picture, []byte("{}"), []byte("{}")); err != nil {
			t.Errorf("the picture takes no card: %v", err)
		}
	}
}

func FuzzLorebook(f *testing.F) {
	f.Add([]byte(`{"entries":{"0":{"key":["a"],"content":"x"}}}`))
	f.Add([]byte(`{"spec":"lorebook_v3","data":{"entries":[{"keys":["a"],"content":"@@depth 1\nx"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, _, err := card.ReadBook(data)
		if err != nil {
			return
		}
		for _, file := range card.ConvertBook(b, card.Options{}).Files {
			if _, faults := personas.LoadLore(source.File{Name: file.Name, Data: file.Data}); len(faults) > 0 {
				t.Errorf("%v in\n%s", faults, file.Data)
			}
		}
	})
}
