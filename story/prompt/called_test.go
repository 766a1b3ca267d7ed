package prompt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fabula/personas"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// lore makes an entry: "id key,key -> text".
func lore(s string, change ...func(*personas.Lore)) *personas.Lore {
	head, text, _ := strings.Cut(s, " -> ")
	id, keys, _ := strings.Cut(head, " ")
	l := &personas.Lore{ID: id, Text: plain(text)}
	for _, k := range strings.FieldsFunc(keys, func(r rune) bool { return r == ',' }) {
		l.Keys = append(l.Keys, plain(k))
	}
	for _, c := range change {
		c(l)
	}
	return l
}

func recursive(l *personas.Lore) { l.Recursive = true }

// traced gives the verdicts on a world's lore in one line each.
func traced(t *testing.T, s *plot.Script, in prompt.Input) []string {
	t.Helper()
	in.Script, in.Speaker, in.Trace = s, s.Persona("adu"), true
	if in.Language == "" {
		in.Language = "en"
	}
	p, err := prompt.Assemble(in)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, x := range p.Lore {
		line := fmt.Sprintf("%s fired=%v in=%v %s", x.Entry, x.Fired, x.In, x.Why)
		if x.By != "" {
			line += fmt.Sprintf(" by %s in round %d", x.By, x.Round)
		}
		for _, h := range x.Hits {
			line += fmt.Sprintf(" [%s %q in %s at %d, rune %d]", h.Key, h.Quote, h.Where, h.Start, h.Rune)
		}
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

// Ensure that of every entry it is told what called it, where, and else why it
// is not there.
func TestLoreIsTraced(t *testing.T) {
	s := ferry(t)
	second := func(l *personas.Lore) { l.Secondary = []personas.Text{plain("rain")} }
	all := func(l *personas.Lore) { l.Match = "all" }
	s.Lore = append(s.Lore,
		lore("both shrine,incense -> They burn incense.", all), lore("wet shrine -> The shrine leaks.", second),
		lore("gossip shrine -> There is a salt cellar."), lore("night moon -> The moon is down.", func(l *personas.Lore) { l.When = cond("trust > 3") }))
	if faults := plot.Compile(s); len(faults) > 0 {
		t.Fatal(faults)
	}
	got := traced(t, s, prompt.Input{State: at(s), Line: "庙里 — the Shrine, and the moon?", History: []prompt.Exchange{turn("t1", "player>tax?")}})
	want := []string{
		"river fired=true in=true",
		"shrine fired=true in=true  [shrine \"Shrine\" in line at 15, rune 9]",
		"tax fired=false in=false no_key",
		"yamen fired=false in=false not_known",
		"both fired=false in=false not_all [shrine \"Shrine\" in line at 15, rune 9]",
		"wet fired=false in=false no_secondary [shrine \"Shrine\" in line at 15, rune 9]",
		"gossip fired=true in=false locked [shrine \"Shrine\" in line at 15, rune 9]",
		"night fired=false in=false condition",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s.Lore[2].Depth = 1
	got = traced(t, s, prompt.Input{State: at(s), Line: "And?", History: []prompt.Exchange{turn("t1", "player>the tax?")}, Without: []prompt.Part{{Kind: prompt.Lore, Source: "lore.river"}}})
	if got[0] != "river fired=true in=false asked" || got[2] != "tax fired=true in=true  [tax \"tax\" in t1 at 4, rune 4]" {
		t.Errorf("%q", got)
	}
}

// Ensure that lore calls lore only where its author says so, a bounded number of
// times, and that entries which name each other come to an end.
func TestLoreCallsLore(t *testing.T) {
	s := ferry(t)
	s.Lore = []*personas.Lore{
		lore("a fox -> The fox lives by the well.", recursive), lore("b well -> The well has a bell.", recursive),
		lore("c bell -> The fox rang the bell.", recursive), lore("quiet bell -> It is cracked, says the smith."), lore("d smith -> The smith is old."),
	}
	got := traced(t, s, prompt.Input{State: at(s), Line: "A fox?"})
	want := []string{`a fired=true in=true  [fox "fox" in line at 2, rune 2]`, `b fired=true in=true  by a in round 1 [well "well" in lore.a at 21, rune 21]`,
		`c fired=true in=true  by b in round 2 [bell "bell" in lore.b at 15, rune 15]`, `quiet fired=true in=true  by b in round 2 [bell "bell" in lore.b at 15, rune 15]`,
		"d fired=false in=false no_key"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s.Lore = nil
	for i := range 9 {
		s.Lore = append(s.Lore, lore(fmt.Sprintf("l%d w%d -> then w%d", i, i, i+1), recursive))
	}
	if got := traced(t, s, prompt.Input{State: at(s), Line: "w0"}); !strings.HasPrefix(got[4], "l4 fired=true") || !strings.HasPrefix(got[5], "l5 fired=false") {
		t.Errorf("the chain does not end after four calls: %q", got)
	}
}

// Ensure that whatever entries call each other, each is called once at most and
// only by one that was, and that an entry without which the prompt is asked for
// calls nothing.
func TestAnyLoreEnds(t *testing.T) {
	word := rapid.SampledFrom([]string{"fox", "well", "bell", "smith", "salt cellar", "盐"})
	s := ferry(t)
	rapid.Check(t, func(rt *rapid.T) {
		s.Lore = nil
		for i := range rapid.IntRange(1, 8).Draw(rt, "entries") {
			l := lore(fmt.Sprintf("l%d %s -> %s and %s", i, word.Draw(rt, "key"), word.Draw(rt, "x"), word.Draw(rt, "y")))
			l.Recursive = rapid.Bool().Draw(rt, "recursive")
			s.Lore = append(s.Lore, l)
		}
		without := rapid.SampledFrom([]string{"", "l0"}).Draw(rt, "without")
		p, err := prompt.Assemble(prompt.Input{Script: s, State: at(s), Speaker: s.Persona("adu"), Language: "en", Line: word.Draw(rt, "line"),
			Trace: true, Without: []prompt.Part{{Kind: prompt.Lore, Source: "lore." + without}}})
		if err != nil {
			rt.Fatal(err)
		}
		for _, x := range p.Lore {
			n := 0
			for _, seg := range p.Segments {
				if seg.Source == "lore."+x.Entry {
					n++
				}
			}
			if n > 1 || (n == 1) != x.In || x.In && !x.Fired || x.Entry == without && x.In {
				rt.Fatalf("%+v stands in the prompt %d times", x, n)
			}
			if x.By == "" {
				continue
			}
			by := p.Lore[slices.IndexFunc(p.Lore, func(y prompt.Traced) bool { return y.Entry == x.By })]
			if !by.Fired || by.Round != x.Round-1 || by.Why == prompt.WhyLocked || by.Entry == without {
				rt.Fatalf("%+v was called by %+v", x, by)
			}
		}
	})
}
