package played

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
	"fabula/worlds"
)

// signs are what scripts, tables and markup languages read as their own.
var signs = []string{
	"*sighs* Fine.", "# 3 wolves", "-> run!", "{hp} left", "[bows]", "~ later ~", "// no", "/* no */", "<<jump X>>", "a | b", `\`, "#line:", "===", "---",
	"=>", "->", "<-", "- ", "+ ", "* ", "= x", "=== knot ===", "~ x = 1", "VAR x = 1", "INCLUDE x", "TODO: x", "LIST a = b", "EXTERNAL f()", "<>", "<b>", "</b>",
	"{", "}", "{{", "}}", "[[", "]]", "[[a->b]]", "[[a|b]]", "$x", "${x}", ":: x", "::", "\n:: x", "''", `"""`, "`", "``", "&amp;", "&#58;", "&", "<", ">", "<<if true>>", "<</if>>",
	"http://example.org/a//b", "Name: text", ":", "；", "：", "%", "%%", "@", "!", "!!", "\t", "  ", " ", "\n", "\n\n", "\r\n", ",", ";", "\"", "'", "=1+1", "+1", "-1", "@x",
	"你好", "“好”", "……", "e\u0301", "é", "👩‍👩‍👧", "مرحبا", "\u00a0", "\u3000", "\u200b", "\u2028", "ﬁ", "Ａ", "か\u3099", "END", "DONE", "true", "not", "1", "0x", "title: x", "\\n", "\\\\", "\\{",
}

// Hostile gives n texts made of what other formats read as syntax, of words and
// of any characters but controls: the same ones for the same n.
func Hostile(n int) []string {
	piece := rapid.OneOf(
		rapid.SampledFrom(signs), rapid.SampledFrom(signs), rapid.SampledFrom([]string{"word", "two words", " and ", "中文"}),
		rapid.Map(rapid.Rune(), func(r rune) string {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\uFEFF' {
				return "."
			}
			return string(r)
		}),
	)
	text := rapid.Map(rapid.SliceOfN(piece, 1, 7), func(parts []string) string {
		all := ""
		for _, p := range parts {
			all += p
		}
		return all
	})
	out := make([]string, n)
	for i := range out {
		if out[i] = text.Example(i); i < len(signs) {
			out[i] = signs[i] // each alone, too
		}
	}
	return out
}

// Talk is the demo world with one branch in which a player and Lao Zhou say the
// texts in turns.
func Talk(t testing.TB, lang string, texts []string) export.Input {
	t.Helper()
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	in := export.Input{Script: w.Script, Numbers: export.Numbers{}}
	st := w.Script.Initial()
	lines, _ := w.Script.Enter(&st, w.Script.Start, lang)
	made := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	step := story.Step{
		Turn:        story.Turn{ID: id("T", 0), Playthrough: "P", Branch: "B", Before: st, Status: story.Finished, Made: made},
		Alternative: story.Alternative{ID: id("A", 0), Turn: id("T", 0), Lines: lines, State: st, Status: story.Finished, Made: made},
	}
	steps := []story.Step{step}
	for i := 0; i+1 < len(texts); i += 2 {
		n := i/2 + 1
		turn := story.Turn{ID: id("T", n), Playthrough: "P", Parent: id("A", n-1), Branch: "B", Depth: n, Input: story.Input{Text: texts[i]},
			Before: st, Speaker: "laozhou", Status: story.Finished, Made: made}
		reply := story.Alternative{ID: id("A", n), Turn: turn.ID, Speaker: "laozhou", Text: texts[i+1], State: st, Status: story.Finished, Made: made}
		steps = append(steps, story.Step{Turn: turn, Alternative: reply})
		in.Numbers[export.Utterance{Turn: turn.ID}] = fmt.Sprintf("player.hall.l%04d", n*100)
		in.Numbers[export.Utterance{Turn: turn.ID, Alternative: reply.ID}] = fmt.Sprintf("laozhou.hall.l%04d", n*100)
	}
	leaf := steps[len(steps)-1].Alternative.ID
	in.Branches = []export.Branch{{Language: lang, Steps: steps, Branch: story.Branch{ID: "B", Name: "talk-1", Playthrough: "P", Leaf: leaf, Made: made, Touched: made}}}
	return in
}

func id(kind string, n int) story.ID { return story.ID(fmt.Sprintf("%s%025d", kind, n)) }

// Walk plays exits alone, as choose picks among those that are open, and gives
// the ids of the exits taken, what is then read, and the states on the way.
func Walk(script *plot.Script, lang string, steps int, choose func(open []plot.Offer) int) (exits []string, lines []plot.Played, states []plot.State) {
	st := script.Initial()
	lines, _ = script.Enter(&st, script.Start, lang)
	states = append(states, st.Clone())
	for range steps {
		var open []plot.Offer
		for _, o := range script.Offers(st, lang) {
			if o.Open {
				open = append(open, o)
			}
		}
		if len(open) == 0 {
			break
		}
		o := open[choose(open)]
		taken := script.Take(&st, o.Exit, "choice", lang)
		exits, lines, states = append(exits, taken.Exit), append(lines, taken.Lines...), append(states, st.Clone())
	}
	return exits, lines, states
}
