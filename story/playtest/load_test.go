package playtest_test

import (
	"fmt"
	"strings"
	"testing"

	"fabula/personas/source"
	"fabula/story/playtest"
)

const whole = `playtest: herbs_unlock_the_secret
was: [herbs]
start: {node: landing, state: {herbs: 1, sold: true, weather: rain}, memory: [he came before, {by: [adu], text: {zh: 他来过}}]}
seed: 7
script:
  - say: 柴胡给你
    to: adu
  - expect:
      beat: landing.gives_herbs
      exit: landing.to_shop
      ended: false
      state: trust_adu == 1
      prompt: {npc: adu, has: [地窖], lacks: [庙里只有灰]}
      reply: {matches: [好], not_matches: [手机], max_words: 60, no_taboo: true}
      first_token_ms: 300
  - choose: to_shop
  - expect: {node: shop, choices: [back]}
  - players: {kind: contrarian, turns: 6}
`

func load(text string) (*playtest.Playtest, string) {
	p, found := playtest.Load(source.File{Name: "p.yaml", Data: []byte(text)})
	var lines []string
	for _, f := range found {
		lines = append(lines, fmt.Sprintf("%d:%d %s %s", f.Pos.Line, f.Pos.Col, f.Code, strings.Join(f.Args, "|")))
	}
	return p, strings.Join(lines, "\n")
}

// Ensure that every key of a playtest arrives.
func TestLoad(t *testing.T) {
	p, faults := load(whole)
	if faults != "" {
		t.Fatal(faults)
	}
	e := p.Script[1].Expect
	got := fmt.Sprintln(p.ID, p.Was, *p.Seed, p.Pos, p.Start.Node, p.Start.State, p.Start.Memory[1].By,
		p.Script[0].Say.Plain, p.Script[0].To, e.Beat, e.Exit, *e.Ended, e.State.Src, e.Prompt.NPC, e.Prompt.Has[0].Plain, e.Prompt.Lacks[0].Plain,
		e.Reply.Matches[0].Plain, e.Reply.NotMatches[0].Plain, e.Reply.MaxWords, e.Reply.NoTaboo, e.FirstTokenMS,
		p.Script[2].Choose, p.Script[3].Expect.Node, p.Script[3].Expect.Choices, *p.Script[4].Players)
	want := "herbs_unlock_the_secret [herbs] 7 p.yaml:1:1 landing [{herbs 1 p.yaml:3:32} {sold true p.yaml:3:42} {weather rain p.yaml:3:54}] [adu] " +
		"柴胡给你 adu landing.gives_herbs landing.to_shop false trust_adu == 1 adu 地窖 庙里只有灰 好 手机 60 true 300 to_shop shop [back] {contrarian 6}\n"
	if got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestLoadFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"two things in one step", "playtest: a\nscript:\n  - {say: x, expect: {ended: true}}\n", "3:5 playtest_step "},
		{"nothing in a step", "playtest: a\nscript:\n  - to: adu\n", "3:5 playtest_step "},
		{"said and chosen", "playtest: a\nscript:\n  - {say: x, choose: y}\n", ""},
		{"step that is a text", "playtest: a\nscript: [hello]\n", "2:10 wrong_type script[1]|fields|text|hello"},
		{"no script", "playtest: a\n", "1:1 missing_key script|playtest"},
		{"mistyped expectation", "playtest: a\nscript:\n  - expect: {stat: x == 1}\n", "3:14 unknown_key stat|state|expect"},
		{"negative seed", "playtest: a\nseed: -1\nscript: []\n", "2:7 out_of_range seed|-1|0|9223372036854775807"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, got := load(c.text); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// FuzzLoad: no bytes break the loader, and a step is one thing.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("playtest: a\nscript: [{say: x, expect: {}}, {players: {kind: b}}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, found := playtest.Load(source.File{Name: "p.yaml", Data: data[:min(len(data), 4096)]})
		for _, s := range p.Script {
			if len(found) == 0 && s.Expect != nil && (s.Players != nil || s.Choose != "" || !s.Say.Empty()) {
				t.Fatalf("a step of several things: %+v", s)
			}
		}
	})
}
