package personas_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fabula/personas"
	"fabula/personas/source"
)

// load reads a persona and gives its faults, one a line.
func load(text string) (*personas.Persona, string) {
	p, found := personas.Load(source.File{Name: "adu.yaml", Data: []byte(text)})
	return p, told(found)
}

func told(found []source.Fault) string {
	var lines []string
	for _, f := range found {
		lines = append(lines, fmt.Sprintf("%d:%d %s %s", f.Pos.Line, f.Pos.Col, f.Code, strings.Join(f.Args, "|")))
	}
	return strings.Join(lines, "\n")
}

// said joins values with spaces.
func said(values ...any) string { return strings.TrimSuffix(fmt.Sprintln(values...), "\n") }

const whole = `persona: adu
was: [ah_du]
name: {zh: 阿渡, en: Adu}
brief: the ferryman who owes no one
voice: |
  Short sentences. Looks at the water when he lies.
traits: [taciturn, proud]
backstory: |
  Born on the boat.
goals:
  - keep his brother alive
  - text: find out who sold him
    when: sold_adu
knows:
  - the ferry stops at dusk
secrets:
  - id: salt_cellar
    was: [cellar]
    text: The salt is in the cellar under the shrine.
    unlock: beat("landing.gives_herbs")
    aliases: [盐在地窖]
    cover:                     # in the prompt only while locked
      zh: 庙里？庙里只有灰。
      en: The shrine? Nothing but ash.
taboo: [手机]
self: [俺]
address:
  player: 客官
style_samples:
  - player: 过河吗？
    reply: 看水。
  - player: 盐在哪？
    reply: 不知道。
    when: not beat("landing.gives_herbs")
limits: {words: 40}
greeting: 上船？
sampling: {temperature: 0.6, top_k: 40, top_p: 0.9, min_p: 0.05, repeat_penalty: 1.1, max_tokens: 90}
speaks: zh
allow:
  - finding: over_budget
    reason: he may
`

// Ensure that every key of a persona arrives.
func TestLoad(t *testing.T) {
	p, faults := load(whole)
	if faults != "" {
		t.Fatal(faults)
	}
	for _, c := range []struct{ what, got, want string }{
		{"ids", said(p.ID, p.Was, p.Pos), "adu [ah_du] adu.yaml:1:1"},
		{"texts", p.Name.In("en") + "/" + p.Brief.In("zh") + "/" + p.Voice.Plain + "/" + p.Backstory.Plain + "/" + p.Greeting.Plain,
			"Adu/the ferryman who owes no one/Short sentences. Looks at the water when he lies./Born on the boat./上船？"},
		{"traits", said(p.Traits[0].Plain, p.Traits[1].Plain), "taciturn proud"},
		{"goals", said(p.Goals[0].When.Empty(), p.Goals[1].Text.Plain, p.Goals[1].When.Src), "true find out who sold him sold_adu"},
		{"knows", p.Knows[0].Text.Plain, "the ferry stops at dusk"},
		{"secret", said(p.Secrets[0].ID, p.Secrets[0].Was, p.Secrets[0].Unlock, p.Secrets[0].Aliases[0].Plain, p.Secrets[0].Cover.In("en")),
			"salt_cellar [cellar] {beat(\"landing.gives_herbs\") adu.yaml:20:13} 盐在地窖 The shrine? Nothing but ash."},
		{"words", said(p.Taboo[0].Plain, p.Self[0].Plain, p.Address["player"].Plain), "手机 俺 客官"},
		{"samples", said(p.Samples[0].Reply.Plain, p.Samples[1].When.Src), `看水。 not beat("landing.gives_herbs")`},
		{"limits", said(p.Words), "40"},
		{"sampling", said(*p.Sampling.Temperature, *p.Sampling.TopK, *p.Sampling.TopP, *p.Sampling.MinP, *p.Sampling.RepeatPenalty, *p.Sampling.MaxTokens), "0.6 40 0.9 0.05 1.1 90"},
		{"speaks", p.Speaks, "zh"},
		{"allow", said(p.Allow[0].Finding, p.Allow[0].Reason), "over_budget he may"},
		{"hash", said(len(p.Hash), p.Hash == personas.Version([]byte(whole))), "64 true"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, c.got, c.want)
		}
	}
}

// Ensure that a version changes with any byte.
func TestVersion(t *testing.T) {
	a, _ := load(whole)
	b, _ := load(whole + "# a remark\n")
	if a.Hash == b.Hash {
		t.Error("two wordings, one version")
	}
}

// CASES R01: words that YAML turns into booleans, octals and dates stay as typed.
func TestR01TextStaysAsTyped(t *testing.T) {
	p, faults := load("persona: adu\nname: NO\nbrief: On\nvoice: yes\ngreeting: 0123\nbackstory: 2001-01-01\ntraits: [1e3, y, n, 12:30, 0x10, .5, '~']\naddress:\n  y: no\n  n: off\n")
	if faults != "" {
		t.Fatal(faults)
	}
	got := []string{p.Name.Plain, p.Brief.Plain, p.Voice.Plain, p.Greeting.Plain, p.Backstory.Plain, p.Address["y"].Plain, p.Address["n"].Plain}
	for _, trait := range p.Traits {
		got = append(got, trait.Plain)
	}
	want := "NO On yes 0123 2001-01-01 no off 1e3 y n 12:30 0x10 .5 ~"
	if strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
	if _, faults = load("persona: adu\nname: ~\n"); faults != "2:1 null_value name|~" {
		t.Errorf("a bare ~ may be text or nothing: got %s", faults)
	}
}

// CASES R02: a tab in the indentation is named with its place.
func TestR02Tab(t *testing.T) {
	long := "persona: adu\nname: Adu\ntraits:\n" + strings.Repeat("  - calm\n", 396) + "\t- late\n"
	for _, c := range []struct{ text, want string }{
		{"persona: adu\nname: Adu\nlimits:\n\twords: 3\n", "4:1 tab_indent "},
		{"persona: adu\nname:\tAdu\n", ""},
		{long, "400:1 tab_indent "},
	} {
		if _, got := load(c.text); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// CASES R04: line ends, byte order marks and encodings do not move a fault.
func TestR04Windows(t *testing.T) {
	faulty := "persona: adu\nname: Adu\nbrief: x\nvoice: |\n  one\n  two\nlimits: {words: many}\n"
	crlf := strings.ReplaceAll(faulty, "\n", "\r\n")
	for name, text := range map[string]string{
		"LF": faulty, "CRLF": crlf, "CR": strings.ReplaceAll(faulty, "\n", "\r"), "BOM": "\uFEFF" + crlf,
	} {
		if _, got := load(text); got != "7:17 wrong_type limits.words|whole number|text|many" {
			t.Errorf("%s: got %s", name, got)
		}
	}
	for name, lead := range map[string]string{"UTF-16LE": "\xff\xfe", "UTF-16BE": "\xfe\xff"} {
		if _, got := load(lead + strings.Join(strings.Split(faulty, ""), "\x00")); got != "0:0 utf16 " {
			t.Errorf("%s: got %s", name, got)
		}
	}
	p, faults := load("\uFEFFpersona: adu\r\nname: Adu\r\nvoice: |\r\n  one\r\n  two\r\n")
	if faults != "" || p.ID != "adu" || p.Voice.Plain != "one\ntwo" {
		t.Errorf("BOM: %s %q %q", faults, p.ID, p.Voice.Plain)
	}
}

// CASES R05: every wrong type of a file in one run, in the author's words.
func TestR05WrongTypes(t *testing.T) {
	_, got := load("persona: adu\nname: Adu\nlimits: {words: seventy}\ntaboo: \"damn\"\naddress: [brave]\nsampling:\n  top_k: 1.5\n  max_tokens: 9999999999999999999\nstyle_samples: null\n")
	want := `3:17 wrong_type limits.words|whole number|text|seventy
4:8 wrong_type taboo|list|text|damn|damn
5:10 wrong_type address|fields|list|
7:10 wrong_type sampling.top_k|whole number|number|1.5
8:15 out_of_range sampling.max_tokens|9999999999999999999|1|100000
9:1 null_value style_samples|null`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// CASES R06: no key is dropped without a word, least of all a guard.
func TestR06UnknownKeys(t *testing.T) {
	head := "persona: adu\nname: Adu\n"
	for _, c := range []struct{ name, text, want string }{
		{"mistyped", "tabo: [x]\n", "3:1 unknown_key tabo|taboo|persona"},
		{"miscased", "Taboo: [x]\n", "3:1 unknown_key Taboo|taboo|persona"},
		{"stray quote", "backstory\": x\n", "3:1 unknown_key backstory\"|backstory|persona"},
		{"too deep", "secrets:\n  - id: a\n    text: b\n    unlock: \"false\"\n    taboo: [x]\n", "7:5 misplaced_key taboo|secret|persona"},
		{"twice", "backstory: a long one\nbackstory: short\n", "4:1 duplicate_key backstory|3"},
		{"non-breaking space", "taboo\u00a0: [x]\n", "3:1 unknown_key taboo\u00a0|taboo|persona"},
		{"guard that binds nothing", "taboo: ['--', 手机]\n", "3:9 unbound_taboo --"},
		{"empty guard", "taboo: ['']\n", "3:9 empty_text taboo[1]"},
		{"guard with a comment", "taboo:\n  - phone # and the like\n", "4:5 comment_after_text taboo[1]|phone"},
		{"secret without a lock", "secrets:\n  - id: a\n    text: b\n", "4:5 missing_key unlock|secret"},
		{"secret with a tag for a lock", "secrets:\n  - id: a\n    text: b\n    unlock: !told\n", "6:13 tag !told"},
		{"secret twice", "secrets:\n  - {id: a, text: b, unlock: x}\n  - {id: a, text: c, unlock: x}\n", "5:5 duplicate_id secret|a|adu.yaml:4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, got := load(head + c.text); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestLoadLore(t *testing.T) {
	lore, found := personas.LoadLore(source.File{Name: "lore.yaml", Data: []byte(`entries:
  - id: ferry
    keys: {zh: [渡船], en: [ferry]}
    text: {zh: 日落停渡, en: The ferry stops at dusk.}
    when: day < 3
    priority: 5
    known_to: [adu]
    secondary:
      - dusk                 # keywords may carry comments
    match: all
    depth: 2
  - id: river
    text: The river is wide.
    constant: true
  - id: nothing
    text: Never read.
  - id: ferry
    keys: [x]
    text: Again.
`)})
	want := "15:5 lore_without_keys nothing\n17:5 duplicate_id lore entry|ferry|lore.yaml:2"
	if got := told(found); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	first := lore[0]
	got := said(first.ID, len(first.Keys), first.When.Src, first.Priority, first.KnownTo, first.Secondary[0].Plain, first.Match, first.Depth, lore[1].Constant, lore[1].Match)
	if got != "ferry 2 day < 3 5 [adu] dusk all 2 true any" {
		t.Errorf("got %s", got)
	}
}

// FuzzLoad and FuzzLoadLore: no bytes break a loader, and what loads without a
// fault has kept its guards.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("persona: a\nname: b\ntaboo: [x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, found := personas.Load(source.File{Name: "p.yaml", Data: data[:min(len(data), 4096)]})
		if len(found) > 0 {
			return
		}
		if p.ID == "" || p.Name.Empty() || !bytes.Contains(data, []byte(p.ID)) {
			t.Fatalf("loaded without a fault: %+v", p)
		}
		if slices.ContainsFunc(p.Secrets, func(s personas.Secret) bool { return s.Unlock.Empty() || s.Text.Empty() }) {
			t.Fatalf("a secret without its lock: %+v", p.Secrets)
		}
		if slices.ContainsFunc(p.Taboo, personas.Text.Empty) {
			t.Fatalf("a taboo that binds nothing: %+v", p.Taboo)
		}
	})
}

func FuzzLoadLore(f *testing.F) {
	f.Add([]byte("entries:\n  - id: a\n    keys: [x, {zh: y}]\n    text: z\n    when: day > 3\n"))
	f.Add([]byte("entries: [{id: a, keys: {zh: [b]}, text: c # d}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lore, found := personas.LoadLore(source.File{Name: "l.yaml", Data: data[:min(len(data), 4096)]})
		for _, l := range lore {
			if len(found) == 0 && (l.ID == "" || l.Text.Empty()) {
				t.Fatalf("loaded without a fault: %+v", l)
			}
		}
	})
}
