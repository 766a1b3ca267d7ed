package judge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fabula/personas"
	"fabula/story/plot"
)

// Rubric renders a persona as its author wrote it for a judge: who it is, how it
// speaks, its past, what it never says. Secrets and sample lines stay out: what is
// judged must not be found in it.
func Rubric(script *plot.Script, p *personas.Persona, lang string) string {
	w, in := wordsIn(lang), func(t personas.Text) string { return line(t.In(lang, script.Languages...)) }
	all := func(list []personas.Text) string {
		var out []string
		for _, t := range list {
			out = append(out, in(t))
		}
		return strings.Join(out, "; ")
	}
	var b strings.Builder
	fmt.Fprintf(&b, w.head, in(p.Name), in(p.Brief))
	part := func(format, text string) {
		if text != "" {
			fmt.Fprintf(&b, format, text)
		}
	}
	part(w.voice, in(p.Voice))
	part(w.traits, all(p.Traits))
	part(w.past, in(p.Backstory))
	var goals []personas.Text
	for _, g := range p.Goals {
		if g.When.Empty() {
			goals = append(goals, g.Text)
		}
	}
	part(w.goals, all(goals))
	part(w.never, all(slices.Concat(p.Taboo, script.Taboo)))
	part(w.address, in(p.Address["player"]))
	return b.String()
}

// line writes a text on one line.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// longest bounds a judged text, in characters: longer ones collect more flaws.
const longest = 600

// directions are stage directions, which are no words of an NPC.
var directions = regexp.MustCompile(`\*[^*\n]{1,60}\*|[（(\[【][^）)\]】\n]{1,40}[）)\]】]`)

// quoted prepares a judged text: no stage directions, no quotation marks that
// would end ours, on one line, not longer than longest.
func quoted(s string) string {
	s = line(strings.NewReplacer("“", "‘", "”", "’", `"`, "’").Replace(directions.ReplaceAllString(s, "")))
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	if s == "" {
		return "…"
	}
	return s
}

// masked takes the names of all who play in a world out of a text.
func masked(script *plot.Script, s string) string {
	names := script.Player.Name.All()
	for _, p := range script.Personas {
		names = append(names, p.Name.All()...)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, n := range names {
		if n != "" {
			s = regexp.MustCompile("(?i)"+regexp.QuoteMeta(n)).ReplaceAllString(s, "___")
		}
	}
	return s
}
