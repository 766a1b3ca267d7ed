package lint_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/personas"
	"fabula/personas/lint"
)

func plain(words ...string) []personas.Text {
	var out []personas.Text
	for _, w := range words {
		out = append(out, personas.Text{Plain: w})
	}
	return out
}

// adu is checked in every case: a ferryman with all guards set.
func adu(text, lang string) lint.Input {
	return lint.Input{
		Persona: &personas.Persona{
			ID:    "adu",
			Name:  personas.Text{By: map[string]string{"zh": "阿渡", "en": "Adu"}},
			Taboo: plain("手机", "phone", "language model", "try"),
			Self:  plain("俺", "I"),
			Words: 12,
		},
		WorldTaboo: plain("OK", "stop"),
		Locked: []personas.Secret{{
			ID:      "salt_cellar",
			Text:    personas.Text{Plain: "The salt is in the cellar under the shrine."},
			Aliases: []personas.Text{{Plain: "盐在地窖"}, {Plain: "beneath the altar"}},
		}},
		Language: lang, Text: text,
		Player: []string{"客官", "Guest"}, Others: []string{"Qin", "秦"},
	}
}

// shown writes a finding as one line, so that a table stays readable.
func shown(fs []lint.Finding, text string) []string {
	var out []string
	for _, f := range fs {
		out = append(out, f.Code+" "+string(f.Level)+" "+strings.Join(f.Args, "|")+" <"+text[f.Span[0]:f.Span[1]]+">")
	}
	return out
}

// Ensure that every rule hits what it is for and nothing beside it: each case
// of testdata/cases.json is a reply with all of its findings.
func TestReply(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Lang, Text string
		Want       []string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, tc := range cases {
		t.Run(tc.Text, func(t *testing.T) {
			if diff := cmp.Diff(tc.Want, shown(lint.Reply(adu(tc.Text, tc.Lang)), tc.Text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Ensure that an author's allowance silences exactly its rule.
func TestAllow(t *testing.T) {
	in := adu("OK. Nice phone.", "en")
	in.Persona.Allow = []personas.Allow{{Finding: lint.CodeTaboo, Reason: "he comes from elsewhere"}}
	in.Text = "OK.\nGuest: hm."
	if got := shown(lint.Reply(in), in.Text); len(got) != 1 || !strings.HasPrefix(got[0], lint.CodeSpeaksForPlayer) {
		t.Errorf("got %v", got)
	}
	in.Allow = []personas.Allow{{Finding: lint.CodeSpeaksForPlayer}}
	if got := lint.Reply(in); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

// Ensure that a reply without a persona is checked against the world's rules.
func TestWithoutPersona(t *testing.T) {
	got := lint.Reply(lint.Input{WorldTaboo: plain("OK"), Text: "ok"})
	if diff := cmp.Diff([]lint.Finding{{Code: lint.CodeTaboo, Level: lint.Error, Args: []string{"OK", "ok"}, Span: [2]int{0, 2}}}, got); diff != "" {
		t.Error(diff)
	}
}

// Ensure that a reply of one letter a thousand times over is no loop, and
// takes no longer than others.
func TestLaughter(t *testing.T) {
	for _, text := range []string{strings.Repeat("哈", 20_000), strings.Repeat("1 ", 20_000)} {
		in := adu(text, "")
		in.Persona.Words = 0
		if got := lint.Reply(in); len(got) != 0 {
			t.Errorf("%.20s…: got %d findings", text, len(got))
		}
	}
}

// FuzzReply looks for replies that break a rule, and for spans outside of them.
func FuzzReply(f *testing.F) {
	f.Add("ＯＫ 手\u200b机 Guest: ha ha ha ha ha ha ha ha")
	f.Add("\xff\xfe盐 在 地 窖")
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []string{"zh", "en"} {
			for _, f := range lint.Reply(adu(text, lang)) {
				if f.Span[0] < 0 || f.Span[1] < f.Span[0] || f.Span[1] > len(text) {
					t.Errorf("%+v in %d bytes", f, len(text))
				}
			}
		}
	})
}
