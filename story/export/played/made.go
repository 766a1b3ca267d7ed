package played

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
	"fabula/worlds"
)

// Demo gives the demo's script, loaded anew.
func Demo(t *testing.T) *plot.Script {
	t.Helper()
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	return w.Script
}

// Made gives a tree of one branch in English that nobody played: each text is
// said by the player, then by the host, who had another reply, which a person
// starred, before.
func Made(script *plot.Script, texts ...string) export.Input {
	in := export.Input{Script: script, Numbers: export.Numbers{}, Beside: map[story.ID][]story.Alternative{}}
	b := export.Branch{Branch: story.Branch{ID: id("B", 0), Name: "main", Playthrough: id("P", 0), Made: moment}, Language: "en"}
	st := script.Initial()
	script.Enter(&st, script.Start, "en")
	b.Steps = append(b.Steps, story.Step{Turn: story.Turn{ID: id("T", 0), Before: st, Status: story.Finished, Made: moment},
		Alternative: story.Alternative{ID: id("A", 0), Turn: id("T", 0), State: st, Status: story.Finished, Made: moment}})
	for i, text := range texts {
		n := i + 1
		t := story.Turn{ID: id("T", n), Parent: id("A", n-1), Depth: n, Input: story.Input{Text: text}, Before: st, Speaker: "laozhou", Status: story.Finished, Made: moment}
		a := story.Alternative{ID: id("A", n), Turn: t.ID, Speaker: "laozhou", Text: text, State: st, Status: story.Finished, Made: moment,
			Findings: []lint.Finding{{Code: "slang", Level: lint.Warning, Args: []string{text}}}}
		o := a
		o.ID, o.Text, o.Mark = id("C", n), "And "+text, true
		b.Steps = append(b.Steps, story.Step{Turn: t, Alternative: a})
		in.Beside[t.ID] = []story.Alternative{a, o}
		in.Numbers[export.Utterance{Turn: t.ID}] = fmt.Sprintf("player.hall.l%04d", 100*n)
		in.Numbers[export.Utterance{Turn: t.ID, Alternative: a.ID}] = fmt.Sprintf("laozhou.hall.l%04d", 100*n)
	}
	b.Leaf = id("A", len(texts))
	in.Branches = []export.Branch{b}
	return in
}

var moment = time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)

// Strange draws texts that look like the syntax of some format, or that are
// hard to carry. Control characters are among them only if asked for.
func Strange(controls bool) *rapid.Generator[string] {
	set := "\"'`,;:=+-@#*_~|\\/<>[](){}&!$%^?. \t\n\rabZ09你好，。🦊é\u0301\u00a0\u2028\u3000"
	if controls {
		set += "\x01\x07\x1b\x7f\u0085\uFFFE\uFEFF"
	}
	more := []string{"{player}", "{{player}}", "{{char}}", "{{user}}: hi", "<START>", "</source>", "]]>", "<!--", "&#x0;", "<script>alert(1)</script>",
		"a\r\nb", "\r", "你：好", "Lao Zhou: no", "@@depth 4", `{"role":"system"}`, "<|im_end|>", "\u2029", strings.Repeat("长", 300)}
	return rapid.OneOf(rapid.SampledFrom(more), rapid.SampledFrom(printing(signs)), rapid.StringOfN(rapid.RuneFrom([]rune(set)), 1, 40, -1),
		rapid.StringMatching(`[a-z ]{1,20}\n{0,2}[一-龥]{0,9}`))
}

// printing leaves out what is blank: no turn is.
func printing(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return strings.TrimSpace(s) == "" })
}
