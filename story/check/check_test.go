package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"fabula/story/check"
	"fabula/story/plot"
	"fabula/worlds"
)

const manifest = `world: ferry
languages: [en, zh]
state:
  trust: {type: int, min: 0, max: 3}
  sold: {type: bool}
  sky: {type: enum, values: [rain, snow]}
start: landing
taboo: [phone]
`

const adu = `persona: adu
name: Adu
limits: {words: 9}
secrets:
  - id: salt
    text: The salt is in the cellar.
    unlock: beat("landing.pays")
    aliases: [under the shrine]
    cover: Only ash there.
style_samples:
  - player: Where is it?
    reply: In the cellar, under the shrine.
    when: trust >= 1 and (beat("landing.pays") or sold and beat("landing.pays"))
  - player: Hello.
    reply: Mind the rope.
`

const act = `nodes:
  - node: landing
    title: {en: Landing, zh: 渡口}
    scene: {weather: "{sky}"}
    cast: [adu]
    beats:
      - beat: pays
        detect: {any: [silver, 银子], none: [no silver]}
        effects: [trust += 1, sold = true]
        examples:
          fires: [Here is silver.]
          not: [I have no silver.]
    lines:
      - line: tells
        at: beat:pays
        by: adu
        text: Under the shrine.
    exits:
      - exit: goes
        to: shop
        when: sold
        choice: Go in
      - exit: digs
        to: cellar
        when: beat("landing.pays") and trust >= 1
        choice: Dig
  - node: shop
    ending: true
    on_enter: [sky = "snow"]
  - node: cellar
    lines:
      - line: found
        text: Salt, under the shrine.
    exits:
      - exit: back
        to: landing
        choice: Back
`

// ferry opens the world above after changes old → new, of which each old must
// be there.
func ferry(t testing.TB, changes ...string) *plot.Script {
	t.Helper()
	files := map[string]string{"world.yaml": manifest, "personas/adu.yaml": adu, "plot/act.yaml": act}
	for i := 0; i < len(changes); i += 2 {
		done := false
		for name, text := range files {
			if strings.Contains(text, changes[i]) {
				files[name], done = strings.Replace(text, changes[i], changes[i+1], 1), true
				break
			}
		}
		if !done {
			t.Fatalf("%q is nowhere", changes[i])
		}
	}
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	w, err := worlds.OpenFS(folder, "ferry")
	if err != nil {
		t.Fatal(err)
	}
	return w.Script
}

// shown gives one line a finding: line, level, code, arguments.
func shown(list []check.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%d %s %s %s", f.Pos.Line, f.Level, f.Code, strings.Join(f.Args, "|")))
	}
	return out
}

// Ensure that each rule hits what it is for, at its place, and nothing beside.
func TestScript(t *testing.T) {
	for _, c := range []struct {
		name   string
		change []string
		want   []string
	}{
		{"a sound world", nil, nil},
		{"example that does not fire", []string{"[Here is silver.]", "[Here is gold.]"}, []string{"11 warning example_silent landing.pays|Here is gold."}},
		{"example that must not fire", []string{"[I have no silver.]", "[Who has silver.]"}, []string{"12 warning example_fires landing.pays|Who has silver.|silver"}},

		{"leak in a line", []string{"at: beat:pays", "at: enter"}, []string{"17 error leak adu.salt|Under the shrine"}},
		{"leak in a line with another condition", []string{"at: beat:pays", "when: trust >= 1"}, []string{"17 error leak adu.salt|Under the shrine"}},
		{"line with the condition of the secret", []string{"at: beat:pays", "when: (beat(\"landing.pays\")) and not sold"},
			[]string{"15 error never_true (beat(\"landing.pays\")) and not sold|together"}},
		{"leak in a choice: a closed exit shows its words", []string{"choice: Dig", "choice: Dig under the shrine"}, []string{"26 error leak adu.salt|under the shrine"}},
		{"leak in a title", []string{"en: Landing", "en: Under the shrine"}, []string{"3 error leak adu.salt|Under the shrine"}},
		{"leak in a cover", []string{"Only ash there.", "Not under the shrine."}, []string{"9 error leak adu.salt|under the shrine"}},
		{"leak in a greeting", []string{"limits:", "greeting: Under the shrine.\nlimits:"}, []string{"3 error leak adu.salt|Under the shrine"}},
		{"leak in a sample", []string{"Mind the rope.", "Under the shrine."}, []string{"15 error leak adu.salt|Under the shrine"}},
		{"leak in a backstory", []string{"limits:", "backstory: He keeps it under the shrine.\nlimits:"}, []string{"3 error leak adu.salt|under the shrine"}},
		{"leak in a node that other ways lead to", []string{"when: beat(\"landing.pays\") and trust >= 1", "when: trust >= 1"}, []string{"33 error leak adu.salt|under the shrine"}},
		{"secret that locks again", []string{"unlock: beat(\"landing.pays\")", "unlock: sold", "[sky = \"snow\"]", "[sky = \"snow\", sold = false]"},
			[]string{"12 error leak adu.salt|under the shrine", "17 error leak adu.salt|Under the shrine", "33 error leak adu.salt|under the shrine"}},

		{"missing translation", []string{"{en: Landing, zh: 渡口}", "{zh: 渡口}"}, []string{"3 warning missing_translation title|en"}},
		{"language that the world does not list", []string{"zh: 渡口}", "zh: 渡口, ja: 渡し場}"}, []string{"3 warning language_outside title|ja|en, zh"}},
		{"title with controls", []string{"en: Landing", `en: "\e[31mLand\u202eing\u0007"`}, []string{"3 warning unseen_character title|U+001B, U+202E, U+0007"}},
		{"title that turns", []string{"en: Landing", "en: \"Land\u202Eing\u200B\""}, []string{"3 warning unseen_character title|U+202E, U+200B"}},
		{"title with joiners", []string{"en: Landing", "en: \"Land\u200Ding\""}, nil},
		{"keyword in one language", []string{"[silver, 银子]", "[{en: silver}]"}, nil},
		{"persona that speaks another language", []string{"limits:", "speaks: ja\nlimits:"}, []string{"1 warning language_outside speaks|ja|en, zh"}},
		{"swallowed language key", []string{"choice: Go in", "choice: {en: Go in，zh：进去, zh: 进}"}, []string{"22 warning swallowed_language choice|zh："}},
		{"full-width comma in keywords", []string{"[silver, 银子]", "[silver，银子]"},
			[]string{"8 warning keyword_comma silver，银子", "11 warning example_silent landing.pays|Here is silver."}},

		{"comparison that never holds", []string{"when: trust >= 1 and (", "when: trust > 3 or ("}, []string{"13 warning never_holds trust > 3|trust|0..3"}},
		{"comparison that always holds", []string{"and trust >= 1\n        choice", "and trust >= 0 and visits < 0\n        choice"},
			[]string{"25 warning always_holds trust >= 0|trust|0..3", "25 warning never_holds visits < 0|visits|0…",
				"25 error never_true beat(\"landing.pays\") and trust >= 0 and visits < 0|visits < 0", "30 error unreached cellar|landing.digs|visits < 0"}},
		{"all values of an enum", []string{"when: sold\n", "when: sold and sky in [\"rain\", \"snow\"]\n"}, []string{"21 warning always_holds sky in [\"rain\", \"snow\"]|sky|rain, snow"}},
		{"sum beyond the domains", []string{"when: sold\n", "when: sold and trust + trust > 6\n"}, []string{"2 error trap landing|cellar, landing", "21 warning never_holds trust + trust > 6|trust|0..3",
			"21 error never_true sold and trust + trust > 6|trust + trust > 6", "27 error unreached shop|landing.goes|trust + trust > 6"}},
		{"effect that always saturates", []string{"trust += 1", "trust += 4"}, []string{"9 warning always_saturates trust += 4|trust|0..3"}},
		{"assignment outside the domain", []string{"trust += 1", "trust = -1"}, []string{"13 error never_true trust >= 1 and (beat(\"landing.pays\") or sold and beat(\"landing.pays\"))|trust >= 1", "9 warning always_saturates trust = -1|trust|0..3",
			"25 error never_true beat(\"landing.pays\") and trust >= 1|trust >= 1", "30 error unreached cellar|landing.digs|trust >= 1"}},

		{"exit without words", []string{"        choice: Dig\n", ""}, []string{"23 warning exit_without_words landing.digs"}},
		{"exit that can only be said", []string{"choice: Dig", "said: {any: [dig]}"}, []string{"23 warning said_without_choice landing.digs"}},
		{"otherwise needs no words", []string{"choice: Back", "otherwise: true"}, nil},
		{"dead end", []string{"    ending: true\n", ""}, []string{"27 error dead_end shop"}},
		{"unreachable island", []string{"  - node: cellar", "  - node: isle\n    exits: [{exit: round, to: isle, choice: Round}]\n  - node: cellar"}, []string{"30 error unreachable isle"}},

		{"read, never written", []string{"trust += 1, ", ""}, []string{"13 error never_true trust >= 1 and (beat(\"landing.pays\") or sold and beat(\"landing.pays\"))|trust >= 1",
			"25 error never_true beat(\"landing.pays\") and trust >= 1|trust >= 1", "30 error unreached cellar|landing.digs|trust >= 1", "4 error never_written trust"}},
		{"written, never read", []string{"scene: {weather: \"{sky}\"}", "scene: {weather: rain}"}, []string{"6 warning never_read sky"}},
		{"secret that never unlocks", []string{"unlock: beat(\"landing.pays\")", "unlock: \"false\"", "[under the shrine]", "[beneath]"}, []string{"5 error never_unlocks adu.salt|false"}},
		{"secret behind a contradiction", []string{"unlock: beat(\"landing.pays\")", "unlock: beat(\"landing.pays\") and trust > 2 and trust < 2", "[under the shrine]", "[beneath]"},
			[]string{"5 error never_unlocks adu.salt|beat(\"landing.pays\") and trust > 2 and trust < 2"}},
		{"taboo in a line", []string{"Mind the rope.", "Mind the phones."}, []string{"15 error taboo phone|phones"}},
		{"too many words", []string{"Mind the rope.", "a b c d e f g h i j"}, []string{"15 warning over_length 10|9"}},

		{"allowed by the persona", []string{"Mind the rope.", "Mind the phones.", "limits:", "allow: [{finding: taboo, reason: a jest}]\nlimits:"}, nil},
		{"allowed by the world", []string{"trust += 1", "trust += 4", "start:", "allow: [{finding: always_saturates, reason: meant}]\nstart:"}, nil},
		{"allowed by the node", []string{"    ending: true\n", "    allow: [{finding: dead_end, reason: not written yet}]\n"}, nil},
		{"allowed by the beat", []string{"examples:", "allow: [{finding: always_saturates, reason: meant}]\n        examples:", "trust += 1", "trust += 4"}, nil},
		{"allowed by the exit", []string{"choice: Dig", "allow: [{finding: exit_without_words, reason: meant}]"}, nil},
		{"allowance of nothing", []string{"limits:", "allow: [{finding: tabo, reason: a jest}]\nlimits:"}, []string{"3 warning unknown_finding tabo|taboo"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, shown(check.Script(ferry(t, c.change...)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Ensure that findings come in one order, whatever the order of maps.
func TestSameFindingsEachTime(t *testing.T) {
	s := ferry(t, "at: beat:pays", "at: enter", "trust += 1", "trust += 4", "    ending: true\n", "", "Mind the rope.", "Mind the phones.")
	first := shown(check.Script(s))
	if len(first) < 4 {
		t.Fatalf("got %v", first)
	}
	for range 5 {
		if again := shown(check.Script(s)); !slices.Equal(first, again) {
			t.Errorf("got %v, then %v", first, again)
		}
	}
}

// Ensure that the demo and every template have nothing to be warned of.
func TestOurWorldsAreSound(t *testing.T) {
	demo, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() + "/blank"
	if err := worlds.New(dir, "blank"); err != nil {
		t.Fatal(err)
	}
	blank, err := worlds.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*worlds.World{demo, blank} {
		if got := shown(check.Script(w.Script)); len(got) > 0 {
			t.Errorf("%s: %v", w.Name, got)
		}
	}
}

func BenchmarkScript(b *testing.B) {
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		check.Script(w.Script)
	}
}
