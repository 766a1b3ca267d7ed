package space_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/plot"
)

// generator makes small worlds in which everything that a turn can do occurs.
// Each beat and spoken exit has a word of its own, so that anything can be said
// in any combination.
type generator struct {
	t     *rapid.T
	nodes int
	beats []string
	exits []string
}

func (g *generator) chance(percent int, label string) bool {
	return rapid.IntRange(0, 99).Draw(g.t, label) < percent
}

func (g *generator) one(label string, list ...string) string {
	return rapid.SampledFrom(list).Draw(g.t, label)
}

func plain(s string) personas.Text { return personas.Text{Plain: s} }

func cond(s string) source.Cond { return source.Cond{Src: s} }

// atom is one comparison or mark.
func (g *generator) atom() string {
	node := fmt.Sprintf("n%d", rapid.IntRange(0, g.nodes-1).Draw(g.t, "of node"))
	list := []string{"flag", "not flag", "open", "gold >= 1", "gold < 2", "gold == 3", "day > 2", "day != 1", "sky == \"rain\"", "sky in [\"snow\", \"clear\"]",
		"visits > 1", "visits == 1", `visits("` + node + `") >= 1`, "turns >= 1", "turns == 2", "turns_total > 2", "gold + 1 > day",
		"luck < 2", `told("adu.salt")`, `told("qin.gold")`}
	if len(g.beats) > 0 {
		list = append(list, `beat("`+g.one("beat", g.beats...)+`")`)
	}
	if len(g.exits) > 0 {
		list = append(list, `exit("`+g.one("exit", g.exits...)+`")`, `not exit("`+g.one("exit", g.exits...)+`")`)
	}
	return g.one("atom", list...)
}

func (g *generator) when(percent int) source.Cond {
	if !g.chance(percent, "condition?") {
		return source.Cond{}
	}
	src := g.atom()
	if g.chance(30, "two?") {
		src += g.one("join", " and ", " or ") + g.atom()
	}
	return cond(src)
}

func (g *generator) effects(most int) []plot.Effect {
	var out []plot.Effect
	for range rapid.IntRange(0, most).Draw(g.t, "effects") {
		do := g.one("effect", "flag = true", "flag = false", "open = not flag", "gold += 1", "gold -= 1", "gold = 2", "day += 1", "sky = \"snow\"",
			"sky = \"rain\"", "luck -= 1", "gold = turns", "gold += day")
		out = append(out, plot.Effect{Do: cond(do), When: g.when(20)})
	}
	return out
}

func (g *generator) detect(word string) plot.Detect {
	return plot.Detect{Any: [][]personas.Text{{plain(word)}}}
}

func (g *generator) node(i int) *plot.Node {
	id := fmt.Sprintf("n%d", i)
	n := &plot.Node{ID: id, Turns: g.one("turns", "addressed", "addressed", "all"), OnEnter: g.effects(1)}
	if i > 0 {
		n.When = g.when(15)
	}
	for _, npc := range []string{"adu", "qin"} {
		if g.chance(60, npc) {
			n.Cast = append(n.Cast, plot.Member{NPC: npc, When: g.when(25)})
		}
	}
	for b := range rapid.IntRange(0, 2).Draw(g.t, "beats") {
		x := &plot.Beat{ID: fmt.Sprintf("b%d", b), When: g.when(40), Once: g.chance(40, "once"), Effects: g.effects(2),
			Speaker: g.one("speaker", "player", "player", "npc", "adu", "any")}
		if g.chance(90, "words?") {
			x.Detect = g.detect(fmt.Sprintf("kb%d%d", i, b))
		}
		n.Beats = append(n.Beats, x)
	}
	for e := range rapid.IntRange(0, 3).Draw(g.t, "exits") {
		x := g.exit(i, e)
		x.Otherwise = x.Otherwise && !slices.ContainsFunc(n.Exits, func(o *plot.Exit) bool { return o.Otherwise })
		n.Exits = append(n.Exits, x)
	}
	if g.chance(30, "line") {
		at := "enter"
		if len(n.Beats) > 0 {
			at = g.one("at", at, "beat:b0")
		}
		n.Lines = append(n.Lines, &plot.Line{ID: "l", At: at, By: "adu", When: g.when(30), Text: plain(g.one("text", "The salt is here.", "Well."))})
	}
	if g.chance(20, "ending") {
		n.Ending = &plot.Ending{}
	}
	return n
}

func (g *generator) exit(i, e int) *plot.Exit {
	x := &plot.Exit{ID: fmt.Sprintf("e%d", e), To: fmt.Sprintf("n%d", rapid.IntRange(0, g.nodes-1).Draw(g.t, "to")), Effects: g.effects(1),
		When: g.when(50), Choice: plain("go")}
	if g.chance(15, "stay") {
		x.Stay, x.To = true, ""
	}
	switch rapid.IntRange(0, 9).Draw(g.t, "kind of exit") {
	case 0, 1:
		d := g.detect(fmt.Sprintf("ke%d%d", i, e))
		x.Said = &d
		if g.chance(50, "no choice") {
			x.Choice = personas.Text{}
		}
		if g.chance(50, "confirm") {
			x.Confirm = &plot.Confirm{By: g.one("asker", "adu", "qin"), Text: plain("Sure?")}
		}
	case 2, 3:
		x.Auto = true
	case 4:
		x.Otherwise, x.When = true, source.Cond{}
	}
	return x
}

func (g *generator) persona(id, secret, text string) *personas.Persona {
	p := &personas.Persona{ID: id, Name: plain(id), Secrets: []personas.Secret{{ID: secret, Text: plain(text), Unlock: g.when(80)}}}
	if g.chance(30, "greets") {
		p.Greeting = plain(g.one("greeting", "Hello.", text))
	}
	return p
}

// script is a compiled random world.
func script(t *rapid.T) *plot.Script {
	g := &generator{t: t, nodes: rapid.IntRange(2, 4).Draw(t, "nodes")}
	number := func(id string, least, most, start int) *plot.Variable {
		return &plot.Variable{ID: id, Kind: plot.Int, Min: least, Max: most, Default: plot.IntValue(start)}
	}
	s := &plot.Script{Languages: []string{"en"}, Start: "n0", Vars: []*plot.Variable{
		{ID: "flag", Kind: plot.Bool, Default: plot.BoolValue(false)}, {ID: "open", Kind: plot.Bool, Default: plot.BoolValue(true)},
		number("gold", 0, 3, 0), number("day", 0, 90, 0), number("luck", -50, 3, 3),
		{ID: "sky", Kind: plot.Enum, Values: []string{"clear", "rain", "snow"}, Default: plot.EnumValue("clear")},
	}}
	for n := range g.nodes { // marks of beats and exits that may turn out not to be there are left out below
		g.beats = append(g.beats, fmt.Sprintf("n%d.b0", n))
		g.exits = append(g.exits, fmt.Sprintf("n%d.e0", n))
	}
	s.Personas = []*personas.Persona{g.persona("adu", "salt", "The salt is here"), g.persona("qin", "gold", "The gold is gone")}
	for i := range g.nodes {
		s.Nodes = append(s.Nodes, g.node(i))
	}
	for _, n := range s.Nodes { // every n.b0 and n.e0 is there
		if len(n.Beats) == 0 {
			n.Beats = append(n.Beats, &plot.Beat{ID: "b0", Detect: g.detect("kb" + n.ID)})
		}
		if len(n.Exits) == 0 {
			n.Exits = append(n.Exits, &plot.Exit{ID: "e0", To: "n0", Choice: plain("back")})
		}
	}
	if faults := plot.Compile(s); len(faults) > 0 {
		t.Fatal(faults)
	}
	return s
}

// words are all that can be said in a world, each beat's and exit's once.
func words(s *plot.Script) []string {
	var out []string
	add := func(d *plot.Detect) {
		for _, g := range d.Any {
			for _, t := range g {
				out = append(out, t.All()...)
			}
		}
	}
	for _, n := range s.Nodes {
		for _, b := range n.Beats {
			add(&b.Detect)
		}
		for _, e := range n.Exits {
			if e.Said != nil {
				add(e.Said)
			}
		}
	}
	return append(out, "yes")
}

func speech(t *rapid.T, all []string) string {
	said := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, min(3, len(all)), func(s string) string { return s }).Draw(t, "said")
	if slices.Contains(said, "yes") && rapid.Bool().Draw(t, "only yes") {
		return "yes"
	}
	return strings.Join(append(said, "hm"), " ")
}

// written shows a world as far as a search looks at it.
func written(s *plot.Script) string {
	var b strings.Builder
	effects := func(list []plot.Effect) string {
		var out []string
		for _, e := range list {
			out = append(out, e.Do.Src+" if "+e.When.Src)
		}
		return strings.Join(out, "; ")
	}
	for _, p := range s.Personas {
		fmt.Fprintf(&b, "%s greets %q, secret if %s\n", p.ID, p.Greeting.Plain, p.Secrets[0].Unlock.Src)
	}
	for _, n := range s.Nodes {
		fmt.Fprintf(&b, "%s when %q turns %s ending %v enter %s\n", n.ID, n.When.Src, n.Turns, n.Ending != nil, effects(n.OnEnter))
		for _, c := range n.Cast {
			fmt.Fprintf(&b, "  cast %s when %q\n", c.NPC, c.When.Src)
		}
		for _, l := range n.Lines {
			fmt.Fprintf(&b, "  line %s %q when %q\n", l.At, l.Text.Plain, l.When.Src)
		}
		for _, x := range n.Beats {
			fmt.Fprintf(&b, "  beat %s when %q by %s once %v says %v: %s\n", x.ID, x.When.Src, x.Speaker, x.Once, x.Detect.Any, effects(x.Effects))
		}
		for _, e := range n.Exits {
			fmt.Fprintf(&b, "  exit %s to %q when %q auto %v otherwise %v said %v choice %q confirm %v: %s\n", e.ID, e.To, e.When.Src, e.Auto, e.Otherwise,
				e.Said != nil, e.Choice.Plain, e.Confirm != nil, effects(e.Effects))
		}
	}
	return b.String()
}
