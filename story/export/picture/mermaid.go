package picture

import (
	"bytes"
	"fmt"
	"strings"

	"fabula/story/export"
)

// Mermaid gives plot.mmd, a flowchart.
func Mermaid(in export.Input) ([]export.File, error) { return files(in, "plot.mmd", mermaid) }

func mermaid(g graph) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%%%% the plot, written by fabula\nflowchart TD\n")
	for _, b := range g.boxes {
		if err := carried(append(b.npcs, b.title)...); err != nil {
			return nil, err
		}
		label := MermaidText(b.title)
		if len(b.npcs) > 0 {
			label += "<br/>" + MermaidText(strings.Join(b.npcs, ", "))
		}
		open, shut := "(", ")"
		if b.ending != "" {
			open, shut = "((", "))"
		}
		fmt.Fprintf(&out, "  n_%s%s\"%s\"%s\n", b.id, open, label, shut)
		if b.visits > 0 {
			fmt.Fprintf(&out, "  class n_%s played\n", b.id)
		}
	}
	for _, l := range g.lines {
		if err := carried(l.label, l.when); err != nil {
			return nil, err
		}
		arrow, label := "-->", MermaidText(l.label)
		if l.auto {
			arrow = "-.->"
		}
		if l.taken > 0 {
			arrow = "==>"
		}
		if l.when != "" {
			label += "<br/>" + MermaidText("["+l.when+"]")
		}
		fmt.Fprintf(&out, "  n_%s %s|\"%s\"| n_%s\n", l.from, arrow, label, l.to)
	}
	fmt.Fprintf(&out, "  classDef played stroke:#2060a0,stroke-width:2px\n")
	return out.Bytes(), nil
}

// MermaidText writes a text for a quoted label: every ASCII sign but a few as an
// entity code, line breaks as <br/>.
func MermaidText(s string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		switch {
		case r == '\n':
			b.WriteString("<br/>")
		case r > 126, r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', strings.ContainsRune(" ,.?!()=_:'+", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	if b.Len() == 0 {
		return " "
	}
	return b.String()
}
