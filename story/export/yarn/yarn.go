// Package yarn writes Yarn Spinner source (.yarn, version 2 and 3): the plot as
// nodes, and every recorded branch as nodes that play it, with a test plan.
//
// Yarn brings every line to Unicode's composed form (NFC); texts are written so.
// Non-goals: string tables, which are what `--format csv` is for.
package yarn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"fabula/story/export"
	"fabula/story/export/flow"
	"fabula/story/plot"
)

// Files gives story.yarn of every language, with a project file, a test plan of
// the recorded branches, and played.json.
func Files(in export.Input) ([]export.File, error) {
	return flow.Files(in, "story.yarn", Print, func(f *flow.Flow) []export.File {
		files := []export.File{{Name: "story.yarnproject", Data: project(f)}}
		if len(f.Paths) > 0 {
			files = append(files, export.File{Name: "story.testplan", Data: Plan(f)})
		}
		return files
	})
}

// most is the largest whole number that Yarn's numbers (32-bit floats) hold
// exactly, with all smaller ones.
const most = 1 << 24

// Print writes one language. It refuses numbers that Yarn cannot count.
func Print(f *flow.Flow) ([]byte, error) {
	w := &writer{}
	for _, line := range f.Head() {
		w.Line(0, "// %s", line)
	}
	w.Line(0, "title: Start\n---")
	for _, v := range f.Vars {
		if v.Initial.Kind == plot.Int && (v.Initial.Int > most || v.Initial.Int < -most) {
			return nil, flow.Refuse("variable "+v.ID, "Yarn counts to 16777216")
		}
		w.Line(0, "<<declare $%s = %s>> // %s", v.ID, literal(v.Initial), v.About)
	}
	w.Line(0, "<<jump %s>>\n===", f.Start)
	for _, s := range f.Scenes {
		w.scene(s)
	}
	return w.Bytes(), nil
}

type writer struct{ flow.Writer }

func (w *writer) scene(s flow.Scene) {
	w.Line(0, "title: %s", s.ID)
	w.Line(0, "position: %d,%d", s.X*300, s.Y*150)
	for _, t := range s.Tags {
		w.Line(0, "fabula_%s: %s", t.Key, strings.ReplaceAll(verbatim(t.Value), "//", "/ /"))
	}
	w.Line(0, "---\n// %s", strings.Join(strings.Fields(s.About), " "))
	w.steps(0, s.Steps)
	w.end(s)
	w.Line(0, "===")
}

func (w *writer) steps(depth int, steps []flow.Step) {
	for _, s := range steps {
		switch {
		case s.Say != nil:
			w.Line(depth, "%s", say(*s.Say))
		case s.Set != nil:
			w.Line(depth, "<<set $%s to %s>>", s.Set.Var, words.Print(s.Set.Value))
		default:
			w.Line(depth, "<<if %s>>", words.Print(s.If))
			w.steps(depth+1, s.Then)
			w.Line(depth, "<<endif>>")
		}
	}
}

func (w *writer) end(s flow.Scene) {
	for _, c := range s.Choices {
		when := ""
		if c.When != nil {
			when = " <<if " + words.Print(c.When) + ">>"
		}
		w.Line(0, "-> %s%s%s", text(c.Text, false), when, tag("choice", c.ID))
		w.Line(1, "<<jump %s>>", c.To)
	}
	if len(s.Next) == 0 {
		w.Line(0, "<<stop>>")
	}
	for _, n := range s.Next {
		if n.When == nil {
			w.Line(0, "<<jump %s>>", n.To)
			return
		}
		w.Line(0, "<<if %s>>", words.Print(n.When))
		w.Line(1, "<<jump %s>>", n.To)
		w.Line(0, "<<endif>>")
	}
}

func say(s flow.Say) string {
	line := text(s.Text, s.Name == "")
	if s.Name != "" {
		line = text([]plot.Part{{Text: s.Name}}, true) + ": " + line
	}
	line += tag("line", s.ID) + tag("of", s.Of) + tag("speaker", s.By)
	for _, c := range s.Cues {
		line += tag("cue", c)
	}
	return line
}

// verbatim is a text as its author wrote it: headers show no variables.
func verbatim(parts []plot.Part) string {
	text := ""
	for _, p := range parts {
		if text += p.Text; p.Var != "" {
			text += "{" + p.Var + "}"
		}
	}
	return text
}

// tag writes a hashtag; ids are of letters, digits, dots and underscores.
func tag(key, value string) string {
	if value == "" {
		return ""
	}
	return " #" + key + ":" + value
}

// text writes a text with its variables. begins says that nothing stands before
// it on the line: there Yarn would read an arrow, and no backslash helps.
func text(parts []plot.Part, begins bool) string {
	var b strings.Builder
	for i, p := range parts {
		if p.Var != "" {
			b.WriteString("{$" + p.Var + "}")
			continue
		}
		s := norm.NFC.String(p.Text)
		if i == 0 && begins {
			for _, arrow := range []string{"->", "=>", "==="} {
				if strings.HasPrefix(s, arrow) {
					b.WriteString(`{"` + arrow + `"}`)
					s = s[len(arrow):]
					break
				}
			}
		}
		b.WriteString(Escape(s))
	}
	return b.String()
}

// Escape puts a backslash before the characters that Yarn or its markup reads
// as its own.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\{}<>#/[]:`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func literal(v plot.Value) string {
	if v.Kind == plot.Enum {
		return strconv.Quote(v.Str)
	}
	return v.String()
}

var words = flow.Words{
	Var: func(id string) string { return "$" + id }, Not: "not ", And: "and", Or: "or", Eq: "==", Ne: "!=", Text: strconv.Quote,
}

// project is the file that Yarn's compiler and editors read first.
func project(f *flow.Flow) []byte {
	lang := f.Lang
	if lang == "" {
		lang = "und"
	}
	data, _ := json.MarshalIndent(struct {
		Version int      `json:"projectFileVersion"`
		Sources []string `json:"sourceFiles"`
		Base    string   `json:"baseLanguage"`
	}{3, []string{"*.yarn"}, lang}, "", " ")
	return append(data, '\n')
}

// Plan is the test plan of the recorded branches: which lines and options Yarn
// is to show, and which option is selected.
func Plan(f *flow.Flow) []byte {
	var out bytes.Buffer
	scenes := map[string]flow.Scene{}
	for _, s := range f.Scenes {
		scenes[s.ID] = s
	}
	for i, p := range f.Paths {
		if i > 0 {
			out.WriteString("---\n")
		}
		fmt.Fprintf(&out, "// %s\nstart: %s\n", strings.Join(strings.Fields(p.Branch), " "), p.Start)
		plan(&out, scenes, p)
		out.WriteString("stop\n")
	}
	return out.Bytes()
}

func plan(out *bytes.Buffer, scenes map[string]flow.Scene, p flow.Path) {
	choices := p.Choices
	for at := p.Start; at != ""; {
		s := scenes[at]
		at = ""
		for _, step := range s.Steps {
			expect(out, "line", flow.Shown(step.Say.Name, step.Say.Text))
		}
		switch {
		case len(s.Next) > 0:
			at = s.Next[0].To
		case len(choices) > 0:
			for _, c := range s.Choices {
				expect(out, "option", flow.Shown("", c.Text))
			}
			fmt.Fprintf(out, "select: %d\n", choices[0]+1)
			at, choices = s.Choices[choices[0]].To, choices[1:]
		}
	}
}

// expect writes one expected text; the plan's quotes cannot be escaped, so a
// text with one is any text.
func expect(out *bytes.Buffer, what, text string) {
	text = norm.NFC.String(text)
	switch {
	case !strings.Contains(text, "`"):
		fmt.Fprintf(out, "%s: `%s`\n", what, text)
	case what == "line":
		fmt.Fprintf(out, "line: *\n")
	}
}
