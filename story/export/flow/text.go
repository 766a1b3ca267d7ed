package flow

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fabula/story/export"
	"fabula/story/plot"
)

// Refuse is the error for a line that no script can hold.
func Refuse(where, why string) error {
	return fmt.Errorf("%s: %w: %s", where, export.ErrCannotCarry, why)
}

var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n")

// paragraphs cuts a text at its line breaks into lines as scripts show them:
// a run of spaces and tabs is one space, none at the ends, and no empty lines.
func paragraphs(parts []plot.Part, where string) ([][]plot.Part, error) {
	var out [][]plot.Part
	var line []plot.Part
	end := func() {
		if line = squeeze(line); len(line) > 0 {
			out = append(out, line)
		}
		line = nil
	}
	for _, p := range parts {
		if p.Var != "" {
			line = append(line, p)
			continue
		}
		if err := carried(p.Text, where); err != nil {
			return nil, err
		}
		for i, text := range strings.Split(breaks.Replace(p.Text), "\n") {
			if i > 0 {
				end()
			}
			line = append(line, plot.Part{Text: text})
		}
	}
	end()
	return out, nil
}

// squeeze brings the spaces of a line to one between words.
func squeeze(line []plot.Part) []plot.Part {
	var out []plot.Part
	var text strings.Builder
	pending, any := false, false // a space waits; something stands before it
	flush := func() {
		if text.Len() > 0 {
			out = append(out, plot.Part{Text: text.String()})
			text.Reset()
		}
	}
	put := func() {
		if pending && any {
			text.WriteByte(' ')
		}
		pending, any = false, true
	}
	for _, p := range line {
		if p.Var != "" {
			put()
			flush()
			out = append(out, p)
		}
		for _, r := range p.Text {
			if r == ' ' || r == '\t' {
				pending = true
				continue
			}
			put()
			text.WriteRune(r)
		}
	}
	flush()
	return out
}

// carried refuses what no script file can hold.
func carried(text, where string) error {
	if !utf8.ValidString(text) {
		return Refuse(where, "it is not UTF-8")
	}
	for _, r := range text {
		if unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r) || r == '\uFEFF' {
			return Refuse(where, fmt.Sprintf("it holds the control character U+%04X", r))
		}
	}
	return nil
}

// joined is a text on one line, as choices need it.
func joined(parts []plot.Part, where string) ([]plot.Part, error) {
	lines, err := paragraphs(parts, where)
	var out []plot.Part
	for i, line := range lines {
		if i > 0 {
			out = append(out, plot.Part{Text: " "})
		}
		out = append(out, line...)
	}
	if len(out) == 0 {
		out = []plot.Part{{Text: "…"}}
	}
	return merged(out), err
}

// merged joins texts that stand side by side.
func merged(parts []plot.Part) []plot.Part {
	var out []plot.Part
	for _, p := range parts {
		if n := len(out); n > 0 && p.Var == "" && out[n-1].Var == "" {
			out[n-1].Text += p.Text
		} else {
			out = append(out, p)
		}
	}
	return out
}
