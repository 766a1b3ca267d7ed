package flow

import (
	"fmt"
	"maps"
	"slices"

	"fabula/personas"
	"fabula/story/export"
	"fabula/story/plot"
)

// builder makes the scenes of one language. It runs twice: the first run finds
// out which counters any condition asks for.
type builder struct {
	in     export.Input
	script *plot.Script
	lang   string
	names  *names
	asked  map[string]plot.Kind // counters, by name
	read   map[string]plot.Kind // those of the run before
	lines  map[string]bool      // ids of lines that were given out
	scenes []Scene
	vars   []Var
	err    error // the first refusal
}

// Languages lists the languages to export, the world's first one first; a world
// without languages has one without a code.
func Languages(s *plot.Script) []string {
	if len(s.Languages) == 0 {
		return []string{""}
	}
	return s.Languages
}

// Build makes the scenes of a language: all of the plot, and the recorded
// branches in it. The error names the first line that no script can hold.
func Build(in export.Input, lang string) (*Flow, error) {
	first := newBuilder(in, lang, nil)
	first.build()
	b := newBuilder(in, lang, first.asked)
	f := b.build()
	return f, b.err
}

func newBuilder(in export.Input, lang string, read map[string]plot.Kind) *builder {
	return &builder{in: in, script: in.Script, lang: lang, names: newNames(), asked: map[string]plot.Kind{}, read: read, lines: map[string]bool{}}
}

func (b *builder) build() *Flow {
	s := b.script
	f := &Flow{World: s.ID, Title: s.Title.In(b.lang, s.Languages...), Lang: b.lang}
	for _, n := range s.Nodes { // nodes get their own ids before anything else
		b.enter(n.ID)
	}
	for _, v := range s.Vars {
		b.vars = append(b.vars, Var{ID: b.variable(v.ID), About: v.ID + ": " + v.DomainText(), Initial: v.Default})
	}
	for i, n := range s.Nodes {
		b.node(n, i)
	}
	f.Start = b.enter(s.Start)
	f.Paths = b.branches()
	b.counters()
	f.Vars, f.Scenes, f.Renamed = b.vars, b.scenes, b.names.renamed
	return f
}

// counters declares what the conditions ask for, in order of name.
func (b *builder) counters() {
	for _, name := range slices.Sorted(maps.Keys(b.asked)) {
		if id, ok := b.names.given["counter "+name]; ok {
			b.vars = append(b.vars, Var{ID: id, About: name, Initial: plot.Value{Kind: b.asked[name]}})
		}
	}
}

// say gives a line for each line of a text.
func (b *builder) say(s Say, parts []plot.Part) []Step {
	lines, err := paragraphs(parts, s.Where)
	b.fail(err)
	var out []Step
	for i, line := range lines {
		one := s
		one.Text = line
		if i > 0 && one.ID != "" {
			one.ID = fmt.Sprintf("%s_%d", s.ID, i+1)
		}
		if one.ID != "" && b.lines[one.ID] {
			one.ID, one.Of = "", one.ID
		}
		b.lines[one.ID] = true
		out = append(out, Step{Say: &one})
	}
	return out
}

func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// name is how a speaker is shown.
func (b *builder) name(by string) string {
	name := by
	switch p := b.script.Persona(by); {
	case by == "player":
		name = b.script.Player.Name.In(b.lang, b.script.Languages...)
	case p != nil:
		name = p.Name.In(b.lang, b.script.Languages...)
	}
	line, err := joined([]plot.Part{{Text: name}}, "the name of "+by)
	b.fail(err)
	if by == "" {
		return ""
	}
	return Shown("", line)
}

// spoken is an authored text in the language of its speaker.
func (b *builder) spoken(by string, t personas.Text) []plot.Part {
	lang := b.lang
	if p := b.script.Persona(by); p != nil {
		lang = p.Language(lang)
	}
	return b.parts(t, lang)
}

// parts cuts an authored text at its variables, named as they are here.
func (b *builder) parts(t personas.Text, lang string) []plot.Part {
	parts := b.script.Parts(t.In(lang, b.script.Languages...), b.lang)
	for i := range parts {
		if parts[i].Var != "" {
			parts[i].Var = b.variable(parts[i].Var)
		}
	}
	return parts
}

// bump counts one more.
func (b *builder) bump(name, wanted string) []Step {
	if !b.needed(name) {
		return nil
	}
	v := b.ask(counter{name, plot.Int}, wanted)
	return []Step{{Set: &Set{v.Name, binary(plot.OpAdd, v, literal(plot.IntValue(1)))}}}
}

// mark notes that something happened.
func (b *builder) mark(kind, id string) []Step {
	if !b.needed(kind + " " + id) {
		return nil
	}
	return []Step{{Set: &Set{b.flag(kind, id).Name, literal(plot.BoolValue(true))}}}
}

// Lines gives what was played as a reader of a script shows it.
func Lines(in export.Input, lang string, played []plot.Played) ([]string, error) {
	b := newBuilder(in, lang, nil)
	out := []string{}
	for _, s := range b.played(&recorded{where: "a walk"}, played) {
		out = append(out, Shown(s.Say.Name, s.Say.Text))
	}
	return out, b.err
}
