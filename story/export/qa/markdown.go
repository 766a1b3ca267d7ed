package qa

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

// markdown writes the branches for people: speech as text, all else as lists.
func markdown(in export.Input) []byte {
	var out bytes.Buffer
	lang := ""
	if len(in.Script.Languages) > 0 {
		lang = in.Script.Languages[0]
	}
	fmt.Fprintf(&out, "# %s\n\nworld `%s`, content %s\n", escape(in.Script.Title.In(lang)), in.Script.ID, short(in.Script.Hash))
	for _, b := range in.Branches {
		fmt.Fprintf(&out, "\n## %s\n\nbranch `%s`, %d turns, language %s\n", escape(b.Name), b.ID, len(b.Steps), b.Language)
		node := ""
		for _, s := range b.Steps {
			node = writeStep(&out, in.Script, b.Language, s, node)
		}
	}
	return out.Bytes()
}

// writeStep writes one turn and gives the node it ended in.
func writeStep(out *bytes.Buffer, script *plot.Script, lang string, s story.Step, node string) string {
	t, a := s.Turn, s.Alternative
	if t.Input.Text != "" {
		speech(out, script.Player.Name.In(lang, script.Languages...), t.Input.Text)
	}
	beats(out, t.Fired)
	if t.Taken != nil {
		fmt.Fprintf(out, "\n- exit `%s` (%s)\n", t.Taken.Exit, t.Taken.By)
	}
	if t.Before.Node != node {
		heading(out, script, lang, t.Before.Node)
	}
	lines(out, script, lang, a.Lines)
	if a.Text != "" {
		speech(out, name(script, lang, a.Speaker), a.Text)
	}
	figures(out, a)
	beats(out, a.Fired)
	if a.Taken != nil {
		fmt.Fprintf(out, "\n- exit `%s` (%s)\n", a.Taken.Exit, a.Taken.By)
	}
	if a.State.Node != t.Before.Node {
		heading(out, script, lang, a.State.Node)
	}
	lines(out, script, lang, a.After)
	return a.State.Node
}

func heading(out *bytes.Buffer, script *plot.Script, lang, node string) {
	title := node
	if n := script.Node(node); n != nil && !n.Title.Empty() {
		title = n.Title.In(lang, script.Languages...)
	}
	fmt.Fprintf(out, "\n### %s\n", escape(title))
}

func lines(out *bytes.Buffer, script *plot.Script, lang string, played []plot.Played) {
	for _, l := range played {
		speech(out, name(script, lang, l.By), l.Text)
	}
}

func beats(out *bytes.Buffer, fired []plot.Fired) {
	for _, f := range fired {
		fmt.Fprintf(out, "\n- beat `%s` by %s: “%s”%s\n", f.Beat, f.By, escape(f.Evidence.Quote), changes(f.Changes))
	}
}

func changes(list []plot.Change) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, fmt.Sprintf("%s %s → %s", c.Var, c.Before, c.After))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// figures writes who made a reply, its timing and its findings.
func figures(out *bytes.Buffer, a story.Alternative) {
	if a.Human {
		fmt.Fprint(out, "\n- written by hand\n")
	}
	if r := a.Reply; r != nil {
		fmt.Fprintf(out, "\n- %s, seed %d, ended: %s", r.Engine.Name, r.Seed, r.Reason)
		if r.TTFT > 0 {
			fmt.Fprintf(out, ", first token %.0f ms, %d tokens", story.Millis(r.TTFT), r.Timing().Tokens)
		}
		fmt.Fprintln(out)
	}
	for _, f := range a.Findings {
		fmt.Fprintf(out, "\n- finding %s (%s) %s\n", f.Code, f.Level, escape(strings.Join(f.Args, ", ")))
	}
}

func name(script *plot.Script, lang, id string) string {
	if p := script.Persona(id); p != nil {
		return p.Name.In(lang, script.Languages...)
	}
	return id
}

func speech(out *bytes.Buffer, who, text string) {
	fmt.Fprintln(out)
	prefix := "> "
	if who != "" {
		prefix = "> **" + escape(who) + "** "
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			prefix = "> "
			fmt.Fprintln(out, ">") // keeps the author's line break
		}
		fmt.Fprintln(out, strings.TrimRight(prefix+escape(line), " "))
	}
}

// escape makes s literal in Markdown: the characters that mean something
// anywhere, the ones that mean something at the start of a line, and control
// characters made visible.
func escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case strings.ContainsRune("\\`*_[]<>&|~#", r), i == 0 && strings.ContainsRune("-+=", r), i == leadingNumber(s):
			b.WriteRune('\\')
			b.WriteRune(r)
		case unicode.IsControl(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// leadingNumber gives the place of the dot or bracket that would turn a line
// like "1. x" into a list item, else -1.
func leadingNumber(s string) int {
	rest := strings.TrimLeft(s, "0123456789")
	if n := len(s) - len(rest); n > 0 && rest != "" && (rest[0] == '.' || rest[0] == ')') {
		return n
	}
	return -1
}

func short(hash string) string {
	if len(hash) > 12 {
		return hash[:12]
	}
	return hash
}
