package plot

import (
	"fmt"
	"slices"
	"strings"

	"fabula/personas"
)

// Match reports whether text says what d looks for. All needs a hit in every
// list, Any in some list, None forbids hits; a Detect with neither Any nor All
// matches nothing but its intent. Case, width and white space do not count; keywords of all
// languages are tried. Evidence spans the first hits, in bytes of text.
func (d Detect) Match(text string) (Evidence, bool) { return d.match(folds(text), text) }

func (d Detect) match(f folded, text string) (Evidence, bool) {
	if d.vetoed(f) {
		return Evidence{}, false
	}
	if e, ok := d.words(f, text); ok && !d.idle(e) {
		return e, true
	}
	if d.Intent == nil {
		return Evidence{}, false
	}
	return d.Intent.match(f, text)
}

// idle reports whether words that hit do not count, since nothing is asserted by
// the sentence in which they stand.
func (d Detect) idle(e Evidence) bool { return d.Asserted && e.idle }

// vetoed reports whether a text holds one of None.
func (d Detect) vetoed(f folded) bool {
	return slices.ContainsFunc(d.None, func(group []personas.Text) bool { return names(f, group) })
}

func (d Detect) words(f folded, text string) (Evidence, bool) {
	if len(d.Any)+len(d.All) == 0 {
		return Evidence{}, false
	}
	e := evidence{from: len(f.Runes), denied: d.Denied}
	for i, group := range d.All {
		if !e.take(f, group, "all", i) {
			return Evidence{}, false
		}
	}
	if len(d.Any) > 0 && !d.any(f, &e) {
		return Evidence{}, false
	}
	return e.in(f, text), true
}

func (d Detect) any(f folded, e *evidence) bool {
	for i, group := range d.Any {
		if e.take(f, group, "any", i) {
			return true
		}
	}
	return false
}

// unconditional reports whether nothing has to be said: the state alone
// decides.
func (d Detect) unconditional() bool {
	return len(d.Any)+len(d.All)+len(d.None) == 0 && d.Judge.Empty() && d.Intent == nil
}

// Sayable reports whether some text can match: words that hold one of None do
// not, whatever stands beside them.
func (d Detect) Sayable() bool {
	if d.Intent != nil {
		return true
	}
	free := func(group []personas.Text) bool {
		return slices.ContainsFunc(group, func(t personas.Text) bool {
			return slices.ContainsFunc(t.All(), func(word string) bool { return !d.vetoed(folds(word)) })
		})
	}
	if len(d.Any)+len(d.All) == 0 || len(d.Any) > 0 && !slices.ContainsFunc(d.Any, free) {
		return false
	}
	return !slices.ContainsFunc(d.All, func(group []personas.Text) bool { return !free(group) })
}

// evidence gathers the hits of one match, as rune indexes.
type evidence struct {
	from, to int
	rules    []string
	denied   bool // hits that are denied count too
}

// take adds the first alternative of a group that f has.
func (e *evidence) take(f folded, group []personas.Text, kind string, n int) bool {
	for _, t := range group {
		for _, word := range t.All() {
			if from, to, ok := f.said(trimmed(word), e.denied); ok {
				e.cover(from, to, fmt.Sprintf("%s %d: %s", kind, n+1, word))
				return true
			}
		}
	}
	return false
}

// said finds the first place of a keyword that nothing denies.
func (f folded) said(keyword []rune, denied bool) (from, to int, ok bool) {
	for off := 0; off < len(f.Runes); off = to {
		from, to, ok = f.findFrom(keyword, off)
		if !ok || denied || !f.negated(from) {
			return from, to, ok
		}
	}
	return 0, 0, false
}

func (e *evidence) in(f folded, text string) Evidence {
	start, end := f.Span(e.from, e.to)
	idle := false
	for _, s := range f.sentences() {
		if s[0] <= e.from && e.from < s[1] {
			idle = folded{f.Slice(s[0], s[1])}.idle()
		}
	}
	return Evidence{idle: idle, Start: start, End: end, Quote: text[start:end], Rule: strings.Join(e.rules, "; "), Rung: Keywords, Score: 1}
}

// names reports whether f has one of the wordings of some text.
func names(f folded, texts []personas.Text) bool {
	for _, t := range texts {
		for _, word := range t.All() {
			if _, _, ok := f.find(trimmed(word)); ok {
				return true
			}
		}
	}
	return false
}

func trimmed(keyword string) []rune { return []rune(folds(keyword).String()) }
