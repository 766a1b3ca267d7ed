package picture

import (
	"bytes"
	"fmt"
	"strings"

	"fabula/story/export"
)

// Dot gives plot.dot for Graphviz.
func Dot(in export.Input) ([]export.File, error) { return files(in, "plot.dot", dot) }

func dot(g graph) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "digraph plot {\n  graph [label=%s, rankdir=TB, fontname=\"sans-serif\"];\n", DotQuote(g.title))
	fmt.Fprintf(&out, "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n")
	for _, b := range g.boxes {
		if err := carried(append(b.npcs, b.title)...); err != nil {
			return nil, err
		}
		label := b.title
		if len(b.npcs) > 0 {
			label += "\n" + strings.Join(b.npcs, ", ")
		}
		var more string
		switch {
		case b.ending != "":
			more = ", peripheries=2, tooltip=" + DotQuote(b.ending)
		case b.id == g.start:
			more = ", style=\"rounded,bold\""
		}
		if b.visits > 0 {
			more += fmt.Sprintf(", xlabel=\"%d×\", color=\"#2060a0\"", b.visits)
		}
		fmt.Fprintf(&out, "  %s [label=%s%s];\n", DotQuote(b.id), DotQuote(label), more)
	}
	for _, l := range g.lines {
		if err := carried(l.label, l.when); err != nil {
			return nil, err
		}
		label, more := l.label, ""
		if l.when != "" {
			label += "\n[" + l.when + "]"
		}
		if l.auto {
			more = ", style=dashed"
		}
		if l.taken > 0 {
			more += fmt.Sprintf(", penwidth=2, color=\"#2060a0\", xlabel=\"%d×\"", l.taken)
		}
		fmt.Fprintf(&out, "  %s -> %s [label=%s%s];\n", DotQuote(l.from), DotQuote(l.to), DotQuote(label), more)
	}
	fmt.Fprintln(&out, "}")
	return out.Bytes(), nil
}

// DotQuote writes a label that Graphviz shows as s: no backslash or character
// reference in it means anything.
func DotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "\r\n", `\n`, "\n", `\n`).Replace(s) + `"`
}
