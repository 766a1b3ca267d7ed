package promote

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"fabula/personas/source/emit"
)

// file writes the patch as a plot file, in block style.
func (m *maker) file() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s@%d..%d\nnodes:\n", oneLine(m.Branch.Name), m.From, m.To)
	for _, node := range m.nodes() {
		fmt.Fprintf(&out, "  - extend: %s\n", node)
		m.exits(&out, node)
		m.lines(&out, node)
	}
	return out.Bytes()
}

// Turn tells which turn gave the line or choice that stands at a line of Text,
// counted from 1.
func (p *Patch) Turn(at int) (int, bool) {
	node, turn, found := "", 0, false
	for i, row := range strings.Split(string(p.Text), "\n") {
		if i >= at {
			break
		}
		key, id, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(row), "- "), ": ")
		if key == "extend" {
			node = id
		}
		for _, l := range p.Lines {
			if l.Node == node && (key == "line" && l.short == id || key == "exit" && l.exit != nil && l.exit.id == id) {
				turn, found = l.Turn, true
			}
		}
	}
	return turn, found
}

// nodes that get lines, in order.
func (m *maker) nodes() []string {
	var out []string
	for _, l := range m.patch.Lines {
		if !slices.Contains(out, l.Node) {
			out = append(out, l.Node)
		}
	}
	return out
}

func (m *maker) exits(out *bytes.Buffer, node string) {
	head := "    exits:\n"
	for _, l := range m.patch.Lines {
		if l.exit == nil || l.Node != node {
			continue
		}
		fmt.Fprintf(out, "%s", head)
		head = ""
		m.why(out, l.exit.why)
		fmt.Fprintf(out, "      - exit: %s\n        stay: true\n        when: %s\n", l.exit.id, single(l.exit.when))
		text(out, "choice", l.exit.lang, l.exit.text)
	}
}

func (m *maker) lines(out *bytes.Buffer, node string) {
	fmt.Fprintf(out, "    lines:\n")
	for _, l := range m.patch.Lines {
		if l.Node != node {
			continue
		}
		m.why(out, l.Why)
		fmt.Fprintf(out, "      - line: %s\n        at: %s\n", l.short, l.At)
		if l.When != "" {
			fmt.Fprintf(out, "        when: %s\n", single(l.When))
		}
		fmt.Fprintf(out, "        by: %s\n", l.Speaker)
		text(out, "text", l.Lang, l.Text)
		if len(l.Cues) > 0 {
			fmt.Fprintf(out, "        cues:\n")
			for _, c := range l.Cues {
				fmt.Fprintf(out, "          - %s\n", c)
			}
		}
		fmt.Fprintf(out, "        status: draft\n")
	}
}

// why writes the reasons as comments.
func (m *maker) why(out *bytes.Buffer, why []Note) {
	for _, n := range why {
		words := n.Code + " " + strings.Join(n.Args, " ")
		if m.Word != nil {
			words = m.Word(n)
		}
		fmt.Fprintf(out, "      # %s\n", oneLine(words))
	}
}

func text(out *bytes.Buffer, key, lang, s string) {
	if lang == "" {
		fmt.Fprintf(out, "        %s: %s\n", key, emit.Quote(s))
		return
	}
	fmt.Fprintf(out, "        %s:\n          %s: %s\n", key, code(lang), emit.Quote(s))
}

// code writes a language code as a key; some are words that YAML reads otherwise.
func code(lang string) string {
	if slices.Contains([]string{"no", "on", "off", "yes", "y", "n", "true", "false", "null"}, lang) {
		return single(lang)
	}
	return lang
}

// single writes a scalar in single quotes, in which only they mean anything.
func single(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// fileName keeps ASCII letters and digits of a branch's name.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, s)
}
