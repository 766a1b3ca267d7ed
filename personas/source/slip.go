package source

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// What a hand or an input method slips into, and YAML does not complain of
// where it stands: it takes the line for text and fails at a later one.
var (
	conflictMark = shape(`^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)( |$)`)
	wideIndent   = shape(`^[ \t]*[\x{3000}\x{a0}][\s\x{3000}\x{a0}]*(- |－|[a-z][a-z0-9_]*\s*[:：])`)
	wideColon    = shape(`^\s*(?:- +)?[a-z][a-z0-9_]*\s*(：)`)
	gluedColon   = shape(`^\s*(?:- +)?[a-z][a-z0-9_]*(:)[^\s:/]`)
	gluedDash    = shape(`^\s*(-[\p{L}"'\[{]|－)`)
	wideComma    = shape(`[{,].*?(，)\s*[a-z]{2,3}(?:-[A-Za-z0-9]+)?\s*[:：]`)
	blockText    = shape(`[:-] +[|>][-+0-9]*\s*(#.*)?$`)
)

// shape compiles a pattern when it is first asked for: most files have no slip.
func shape(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// slip looks for the first such line, down to the one at which reading failed.
// The lines of a text under `|` or `>` are the author's own.
func (d *document) slip(failed int) (at Pos, why string, found bool) {
	for i, line := range d.lines {
		if conflictMark().MatchString(line) {
			return Pos{d.file, i + 1, 1}, ReasonConflict, true
		}
	}
	without := slices.Clone(d.lines)
	block := -1 // indentation of the key whose text is being skipped
	for i, line := range d.lines[:failed] {
		if strings.TrimSpace(line) == "" || block >= 0 && indent(line) > block {
			continue
		}
		block = -1
		if col, reason := slipIn(line); reason != "" {
			if without[i] = ""; !found {
				at, why, found = Pos{d.file, i + 1, col}, reason, true
			}
		} else if blockText().MatchString(line) {
			block = indent(line)
		}
	}
	return at, why, found && (readable(without[:failed]) || readable(without))
}

// readable makes sure that lines are to blame: the rest can be read without
// them.
func readable(lines []string) bool {
	_, _, err := compose(strings.Join(lines, "\n"))
	return err == nil
}

// slipIn gives the column, in characters, and the reason of a slip in a line.
func slipIn(line string) (col int, why string) {
	if wideIndent().MatchString(line) {
		before := line[:strings.IndexAny(line, "\u3000\u00a0")]
		return utf8.RuneCountInString(before) + 1, ReasonWideIndent
	}
	for _, k := range []struct {
		shape func() *regexp.Regexp
		why   string
	}{{wideColon, ReasonWideColon}, {gluedColon, ReasonNoSpace}, {gluedDash, ReasonDashSpace}, {wideComma, ReasonWideComma}} {
		if m := k.shape().FindStringSubmatchIndex(line); m != nil {
			return utf8.RuneCountInString(line[:m[2]]) + 1, k.why
		}
	}
	return 0, ""
}

// openQuote finds a quote inside { } or [ ] that its line does not close.
func openQuote(line string) (col int, found bool) {
	if !strings.ContainsAny(line, "{[") {
		return 0, false
	}
	runes, before := []rune(line), ' '
	var quote rune
	for i, r := range runes {
		switch {
		case quote != 0:
			if r == quote && (quote != '"' || runes[i-1] != '\\') {
				quote = 0
			}
		case (r == '"' || r == '\'') && strings.ContainsRune("{[,:", before):
			quote, col = r, i+1
		case r == '#' && i > 0 && runes[i-1] == ' ':
			return 0, false
		}
		if r != ' ' {
			before = r
		}
	}
	return col, quote != 0
}

// misread reports a key or a text that YAML read though a slip made it so.
func (d *document) misread(at Pos, text string) bool {
	col, why := slipIn(text)
	if first, _ := utf8.DecodeRuneInString(text); first == '\u3000' || first == '\u00a0' {
		col, why = 1, ReasonWideIndent
	}
	if why == "" {
		return false
	}
	if d.cut == 0 || at.Line < d.cut {
		d.cut = at.Line
	}
	at.Col += col - 1
	d.fault(at, CodeSyntax, why, clip(strings.TrimSpace(text)))
	return true
}
