// Package twee writes Twee 3 (.twee) for the SugarCube story format: the plot as
// passages, and every recorded branch as passages that play it.
//
// Texts are written with character references for all that a story format could
// read as markup. Link texts are string literals, because SugarCube evaluates
// the text of a link. Non-goals: HTML, which Twine and its compilers make.
package twee

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"fabula/story/export"
	"fabula/story/export/flow"
	"fabula/story/plot"
)

// Files gives story.twee of every language, with played.json.
func Files(in export.Input) ([]export.File, error) { return flow.Files(in, "story.twee", Print) }

// Print writes one language.
func Print(f *flow.Flow) ([]byte, error) {
	w := &writer{}
	title, _, _ := strings.Cut(f.Title, "\n")
	if title = strings.TrimSpace(title); title == "" {
		title = f.World
	}
	w.line(":: StoryTitle\n%s\n", strings.ReplaceAll(title, "::", ":\u200b:"))
	data, err := json.MarshalIndent(struct {
		IFID    string `json:"ifid"`
		Format  string `json:"format"`
		Version string `json:"format-version"`
		Start   string `json:"start"`
	}{ifid(f), "SugarCube", "2.36.1", f.Start}, "", " ")
	if err != nil {
		return nil, err
	}
	w.line(":: StoryData\n%s\n", data)
	w.line(":: FabulaNotes [annotation]")
	for _, line := range f.Head() {
		w.line("%s", Escape(line))
	}
	w.line("\n:: StoryInit")
	for _, v := range f.Vars {
		w.line("<<set $%s to %s>>", v.ID, literal(v.Initial))
	}
	for _, s := range f.Scenes {
		w.scene(s)
	}
	return w.Bytes(), nil
}

// ifid is the story's id: a version 4 UUID made of the world and the language,
// so that it is the same at every export.
func ifid(f *flow.Flow) string {
	sum := sha256.Sum256([]byte("fabula twee " + f.World + " " + f.Lang))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	return fmt.Sprintf("%X-%X-%X-%X-%X", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

type writer struct{ flow.Writer }

func (w *writer) line(format string, args ...any) { w.Line(0, format, args...) }

// macro writes what shows nothing: a backslash at the end joins the lines.
func (w *writer) macro(format string, args ...any) { w.line(format+`\`, args...) }

func (w *writer) scene(s flow.Scene) {
	kind := "plot"
	if s.Played {
		kind = "recorded"
	}
	w.line("\n:: %s [%s] {\"position\":\"%d,%d\"}", s.ID, kind, 100+s.X*250, 100+s.Y*150)
	w.macro("/* %s */", strings.NewReplacer("*/", "* /", "::", ": :").Replace(strings.Join(strings.Fields(s.About), " ")))
	w.steps(s.Steps)
	for _, c := range s.Choices {
		link := fmt.Sprintf("[[%s->%s]]", linkText(c.Text), c.To)
		if c.When == nil {
			w.line("%s", link)
			continue
		}
		w.macro("<<if %s>>", words.Print(c.When))
		w.line("%s", link)
		w.macro("<</if>>")
	}
	w.next(s.Next)
	if text, joined := bytes.CutSuffix(w.Bytes(), []byte("\\\n")); joined { // nothing follows to join
		w.Truncate(len(text))
		w.line("")
	}
}

func (w *writer) steps(steps []flow.Step) {
	for _, s := range steps {
		switch {
		case s.Say != nil:
			w.line("%s", say(*s.Say))
		case s.Set != nil:
			w.macro("<<set $%s to %s>>", s.Set.Var, words.Print(s.Set.Value))
		default:
			w.macro("<<if %s>>", words.Print(s.If))
			w.steps(s.Then)
			w.macro("<</if>>")
		}
	}
}

// next shows the passage that follows below this one.
func (w *writer) next(ways []flow.Way) {
	for i, n := range ways {
		switch {
		case n.When == nil && i == 0:
			w.line(`<<include "%s">>`, n.To)
			return
		case n.When == nil:
			w.macro("<<else>>")
			w.line(`<<include "%s">>`, n.To)
			w.line("<</if>>")
			return
		case i == 0:
			w.macro("<<if %s>>", words.Print(n.When))
		default:
			w.macro("<<elseif %s>>", words.Print(n.When))
		}
		w.line(`<<include "%s">>`, n.To)
	}
	if len(ways) > 0 {
		w.line("<</if>>")
	}
}

func say(s flow.Say) string {
	if s.Name == "" {
		return text(s.Text)
	}
	return Escape(s.Name) + ": " + text(s.Text)
}

func text(parts []plot.Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Var != "" {
			b.WriteString("<<print $" + p.Var + ">>")
		} else {
			b.WriteString(Escape(p.Text))
		}
	}
	return b.String()
}

// plain are the signs that mean nothing to any story format alone.
const plain = " ,.?;)"

// Escape writes every other ASCII sign, and every one that follows its like, as
// a character reference.
func Escape(s string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range s {
		letter := r > 126 || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if letter || strings.ContainsRune(plain, r) && r != last {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "&#%d;", r)
		}
		last = r
	}
	return b.String()
}

// linkText is an expression that gives the text: a string literal, joined with
// the variables that it shows.
func linkText(parts []plot.Part) string {
	var terms []string
	for _, p := range parts {
		if p.Var != "" {
			terms = append(terms, "$"+p.Var)
		} else {
			terms = append(terms, Quote(p.Text))
		}
	}
	if len(parts) > 0 && parts[0].Var != "" {
		terms = append([]string{`""`}, terms...)
	}
	return strings.Join(terms, " + ")
}

// Quote writes a string literal without any sign that could end a link early.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if strings.ContainsRune(`"\[]|<>-$&`+"`'", r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func literal(v plot.Value) string {
	if v.Kind == plot.Enum {
		return Quote(v.Str)
	}
	return v.String()
}

var words = flow.Words{
	Var: func(id string) string { return "$" + id }, Not: "!", And: "&&", Or: "||", Eq: "===", Ne: "!==", Text: Quote,
}
