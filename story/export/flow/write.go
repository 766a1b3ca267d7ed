package flow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"fabula/story/export"
	"fabula/story/plot"
)

// Script prints one language.
type Script func(*Flow) ([]byte, error)

// Files writes the script of every language, the first one's at the top and the
// others' in folders, each with played.json, which says how to play the
// recorded branches in it. more adds files of its own format.
func Files(in export.Input, name string, print Script, more ...func(*Flow) []export.File) ([]export.File, error) {
	var out []export.File
	for i, lang := range Languages(in.Script) {
		f, err := Build(in, lang)
		if err != nil {
			return nil, err
		}
		text, err := print(f)
		if err != nil {
			return nil, err
		}
		files := []export.File{{Name: name, Data: text}, {Name: "played.json", Data: paths(f)}}
		for _, add := range more {
			files = append(files, add(f)...)
		}
		for _, file := range files {
			if i > 0 {
				file.Name = lang + "/" + file.Name
			}
			out = append(out, file)
		}
	}
	return out, nil
}

func paths(f *Flow) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	_ = enc.Encode(append([]Path{}, f.Paths...)) // strings and numbers always encode
	return out.Bytes()
}

// Writer gathers the lines of a script.
type Writer struct{ bytes.Buffer }

// Line writes one, depth steps of four spaces in.
func (w *Writer) Line(depth int, format string, args ...any) {
	w.WriteString(strings.Repeat("    ", depth))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// Head are the comment lines that every script begins with.
func (f *Flow) Head() []string {
	out := []string{
		fmt.Sprintf("%s (%s), written by fabula from the world %s.", oneLine(f.Title), f.Lang, f.World),
		"A node is a scene of its own name; NODE_talk holds its choices. Line breaks in a text made lines,",
		"runs of spaces one space. played.json says how to play the recorded branches.",
	}
	for _, r := range f.Renamed {
		out = append(out, oneLine(r.About)+" is called "+r.ID)
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Words writes an expression in the words of a format.
type Words struct {
	Var          func(id string) string
	Not, And, Or string
	Eq, Ne       string
	Text         func(string) string // a literal of an enum
}

// Print writes e with every operand in brackets that is itself an operation.
func (w Words) Print(e *plot.Expr) string {
	switch e.Op {
	case plot.OpLit:
		if e.Value.Kind == plot.Enum {
			return w.Text(e.Value.Str)
		}
		return e.Value.String()
	case plot.OpVar:
		return w.Var(e.Name)
	case plot.OpNot:
		return w.Not + w.inside(e.Args[0])
	}
	op := map[plot.Op]string{plot.OpAnd: w.And, plot.OpOr: w.Or, plot.OpEq: w.Eq, plot.OpNe: w.Ne}[e.Op]
	if op == "" {
		op = string(e.Op)
	}
	return w.operand(e, e.Args[0]) + " " + op + " " + w.operand(e, e.Args[1])
}

// operand needs no brackets in a chain of `and`, or of `or`.
func (w Words) operand(e, a *plot.Expr) string {
	if a == e.Args[0] && a.Op == e.Op && (e.Op == plot.OpAnd || e.Op == plot.OpOr) {
		return w.Print(a)
	}
	return w.inside(a)
}

func (w Words) inside(a *plot.Expr) string {
	if a.Op == plot.OpLit && (a.Value.Kind != plot.Int || a.Value.Int >= 0) || a.Op == plot.OpVar {
		return w.Print(a)
	}
	return "(" + w.Print(a) + ")"
}
