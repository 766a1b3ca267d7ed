// Package ink writes ink source (.ink): the plot as knots, and every recorded
// branch as knots that play it.
//
// Lines are `Name: text #id:… #speaker:… #cue:…`. Non-goals: compiled JSON,
// which a game makes with ink's own compiler.
package ink

import (
	"strconv"
	"strings"

	"fabula/story/export"
	"fabula/story/export/flow"
	"fabula/story/plot"
)

// Files gives story.ink of every language, with played.json.
func Files(in export.Input) ([]export.File, error) { return flow.Files(in, "story.ink", Print) }

// Print writes one language.
func Print(f *flow.Flow) ([]byte, error) {
	w := &writer{}
	for _, line := range f.Head() {
		w.Line(0, "// %s", line)
	}
	w.Line(0, "# title: %s", Escape(f.Title))
	w.Line(0, "# world: %s", f.World)
	for _, v := range f.Vars {
		w.Line(0, "VAR %s = %s // %s", v.ID, literal(v.Initial), v.About)
	}
	w.Line(0, "-> %s", f.Start)
	for _, s := range f.Scenes {
		w.scene(s)
	}
	return w.Bytes(), nil
}

type writer struct{ flow.Writer }

func (w *writer) scene(s flow.Scene) {
	w.Line(0, "")
	w.Line(0, "=== %s ===", s.ID)
	w.Line(0, "// %s", strings.Join(strings.Fields(s.About), " "))
	if len(s.Tags) > 0 && !s.Played {
		var tags []string
		for _, t := range s.Tags {
			tags = append(tags, "#"+t.Key+":"+parts(t.Value, false))
		}
		w.Line(0, "%s", strings.Join(tags, " "))
	}
	w.steps(0, s.Steps)
	w.end(s)
}

func (w *writer) steps(depth int, steps []flow.Step) {
	for _, s := range steps {
		switch {
		case s.Say != nil:
			w.Line(depth, "%s", say(*s.Say))
		case s.Set != nil:
			w.Line(depth, "~ %s = %s", s.Set.Var, words.Print(s.Set.Value))
		default:
			w.Line(depth, "{ %s:", words.Print(s.If))
			w.steps(depth+1, s.Then)
			w.Line(depth, "}")
		}
	}
}

func (w *writer) end(s flow.Scene) {
	open := false
	for _, c := range s.Choices {
		when := ""
		if c.When != nil {
			when = "{ " + words.Print(c.When) + " } "
		}
		open = open || c.When == nil
		w.Line(0, "+ %s[%s%s] -> %s", when, parts(c.Text, false), tags("choice", c.ID), c.To)
	}
	switch {
	case len(s.Choices) > 0 && !open:
		w.Line(0, "+ -> END") // nothing is open
	case len(s.Choices) == 0 && len(s.Next) == 0:
		w.Line(0, "-> END")
	}
	for _, n := range s.Next {
		if n.When == nil {
			w.Line(0, "-> %s", n.To)
			return
		}
		w.Line(0, "{ %s: -> %s }", words.Print(n.When), n.To)
	}
}

func say(s flow.Say) string {
	text := ""
	if s.Name != "" {
		text = first(Escape(s.Name)) + ": " + parts(s.Text, false)
	} else {
		text = parts(s.Text, true)
	}
	text += tags("id", s.ID) + tags("of", s.Of) + tags("speaker", s.By)
	for _, c := range s.Cues {
		text += tags("cue", c)
	}
	return text
}

func tags(key, value string) string {
	if value == "" {
		return ""
	}
	return " " + tag(key, value)
}

func tag(key, value string) string { return "#" + key + ":" + Escape(value) }

// parts writes a text with its variables. begins says that nothing stands
// before it on the line.
func parts(list []plot.Part, begins bool) string {
	var b strings.Builder
	for i, p := range list {
		switch {
		case p.Var != "":
			b.WriteString("{" + p.Var + "}")
		case i == 0 && begins:
			b.WriteString(first(Escape(p.Text)))
		default:
			b.WriteString(Escape(p.Text))
		}
	}
	return b.String()
}

// Escape puts a backslash before every character that ink reads as its own
// anywhere in a text.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\{}|#<>-[]/*+=~`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// first keeps the first word of a line (VAR, TODO:) from being read as ink's.
func first(escaped string) string {
	for _, word := range []string{"VAR", "CONST", "LIST", "INCLUDE", "EXTERNAL", "TODO"} {
		if strings.HasPrefix(escaped, word) {
			return `\` + escaped
		}
	}
	return escaped
}

func literal(v plot.Value) string {
	if v.Kind == plot.Enum {
		return strconv.Quote(v.Str)
	}
	return v.String()
}

var words = flow.Words{
	Var: func(id string) string { return id }, Not: "not ", And: "and", Or: "or", Eq: "==", Ne: "!=", Text: strconv.Quote,
}
