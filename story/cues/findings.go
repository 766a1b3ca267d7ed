package cues

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fabula/personas/lint"
	"fabula/story/plot"
)

// Findings judges the directions of a text: those that look like one and are
// no cue of the world, those that are never closed, and several emotions in one
// reply. Nothing is taken out of the text. A world without cues has none.
func Findings(text string, known plot.Cues) []lint.Finding {
	if !known.Any() {
		return nil
	}
	out := append(unknown(text, known), broken(text)...)
	return append(out, manyEmotions(text, known)...)
}

func found(code string, from, to int, args ...string) lint.Finding {
	return lint.Finding{Code: code, Level: lint.Warning, Args: args, Span: [2]int{from, to}}
}

// unknown finds directions that name no cue.
func unknown(text string, known plot.Cues) []lint.Finding {
	var out []lint.Finding
	for at := 0; at < len(text); {
		m, ok := next(text, at)
		if !ok {
			break
		}
		switch _, is := m.cue(known); {
		case is:
			at = m.end
		case m.direction(text):
			out = append(out, found(lint.CodeUnknownCue, m.start, m.end, strings.TrimSpace(m.inner)))
			at = m.end
		default:
			at = m.inside(text)
		}
	}
	return out
}

// ends are the marks after which a direction may stand alone.
const ends = ".!?…。！？；,，\n\"”」*)）]】>—"

// direction reports whether a stretch looks like a stage direction: short, no
// sentence of its own, and set apart from the speech around it. Between
// asterisks one word inside a sentence is emphasis.
func (m marked) direction(text string) bool {
	inner := strings.TrimSpace(m.inner)
	words := len(stems(inner))
	if words == 0 || words > 2*mostWords || !strings.ContainsFunc(inner, unicode.IsLetter) || strings.ContainsAny(inner, ",.;:!?\"，。；：！？“”") && text[m.start] != '<' {
		return false
	}
	switch mark, _ := utf8.DecodeRuneInString(text[m.start:]); mark {
	case '<':
		return !strings.ContainsAny(inner, "|/ ") || strings.HasSuffix(inner, "/")
	case '*':
		return m.apart(text) || words >= 2 && !strings.ContainsFunc(inner, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	default:
		return m.apart(text) && !strings.ContainsFunc(inner, unicode.IsDigit)
	}
}

// apart reports whether the stretch stands at an edge of the text or after the
// end of a sentence.
func (m marked) apart(text string) bool {
	before := strings.TrimRight(text[:m.start], " \t　")
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || strings.ContainsRune(ends, r)
}

// broken finds marks that are opened, by what looks like a direction, and not
// closed in their line.
func broken(text string) []lint.Finding {
	var out []lint.Finding
	at := 0
	for line := range strings.Lines(text) {
		if f, ok := unclosed(line); ok {
			f.Span = [2]int{at + f.Span[0], at + f.Span[1]}
			out = append(out, f)
		}
		at += len(line)
	}
	return out
}

func unclosed(line string) (lint.Finding, bool) {
	rest := strings.TrimRight(line, " \n")
	for at := 0; at < len(rest); {
		open, m, whole := opens(rest, at)
		if open < 0 {
			break
		}
		if whole {
			at = m.end
			continue
		}
		_, n := utf8.DecodeRuneInString(rest[open:])
		at = open + n
		if (marked{start: open}).apart(rest) && startsDirection(rest[at:]) {
			return found(lint.CodeBrokenCue, open, len(rest), quote(rest[open:])), true
		}
	}
	return lint.Finding{}, false
}

// startsDirection reports whether a letter follows at once: "3 * 4" opens
// nothing.
func startsDirection(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r)
}

func quote(s string) string {
	const most = 24
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// manyEmotions finds a second emotion that differs from the first.
func manyEmotions(text string, known plot.Cues) []lint.Finding {
	var ids []string
	for _, c := range Parse(text, known) {
		if c.Kind != Emotion || slices.Contains(ids, c.ID) {
			continue
		}
		if ids = append(ids, c.ID); len(ids) == 2 {
			return []lint.Finding{found(lint.CodeManyEmotions, c.Start, c.End, strings.Join(ids, ", "))}
		}
	}
	return nil
}
