// Package cues reads stage directions out of a reply: *nods*, (laughs),
// （笑）, [sigh], <action:sigh>. Only what the world knows as a cue is one;
// anything else in brackets stays text, and is a finding where it looks like a
// direction. Non-goals: playing cues, taking them out of the text.
package cues

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"fabula/personas"
	"fabula/story/plot"
)

// Kinds of cues, as in world.yaml.
const (
	Emotion     = "emotion"
	Action      = "action"
	Environment = "environment"
)

// Cue is a stage direction in a text: bytes Start to End, marks included.
type Cue struct {
	ID    string `json:"id"` // as in world.yaml
	Kind  string `json:"kind"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// mostWords and mostBytes bound what is read as a direction; a longer aside is
// speech.
const mostWords, mostBytes = 6, 120

// Parse finds the directions of a text that name a cue of the world, in order.
// A direction names the cue whose words it holds in their order, in any
// English form ("draws his sword" is draw_sword), or whose Chinese word it
// holds; of several the one with the most words.
func Parse(text string, known plot.Cues) []Cue {
	var out []Cue
	for at := 0; at < len(text); {
		m, ok := next(text, at)
		if !ok {
			break
		}
		if c, ok := m.cue(known); ok {
			out = append(out, c)
			at = m.end
			continue
		}
		at = m.inside(text)
	}
	return out
}

// marked is a stretch between marks: bytes start to end, marks included.
type marked struct {
	start, end int
	inner      string
}

// inside is where to look on in a stretch that is no cue: what is in it may be
// marked itself, as in "(he *nods*)".
func (m marked) inside(text string) int {
	_, n := utf8.DecodeRuneInString(text[m.start:])
	return m.start + n
}

// cue gives the cue that a stretch names.
func (m marked) cue(known plot.Cues) (Cue, bool) {
	c, ok := match(m.inner, known)
	c.Start, c.End = m.start, m.end
	return c, ok
}

// next finds the first marked stretch from byte at on.
func next(text string, at int) (marked, bool) {
	for i := at; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if closing := closes(r); closing != 0 {
			if j := closed(text[i+n:], closing); j > 0 {
				return marked{i, i + n + j + utf8.RuneLen(closing), text[i+n : i+n+j]}, true
			}
		}
		i += n
	}
	return marked{}, false
}

// closed gives how many bytes of rest stand before its closing mark; -1 where
// there is none in the same line, or only far off.
func closed(rest string, closing rune) int {
	rest = rest[:min(len(rest), mostBytes+utf8.UTFMax)]
	j := strings.IndexRune(rest, closing)
	if j > mostBytes || j >= 0 && strings.Contains(rest[:j], "\n") {
		return -1
	}
	return j
}

// closes gives the mark that ends what r begins, 0 if r begins nothing.
func closes(r rune) rune {
	switch r {
	case '*':
		return '*'
	case '(':
		return ')'
	case '（':
		return '）'
	case '[':
		return ']'
	case '【':
		return '】'
	case '〔':
		return '〕'
	case '<':
		return '>'
	}
	return 0
}

// match finds the cue that a direction names.
func match(direction string, known plot.Cues) (Cue, bool) {
	words := stems(direction)
	if len(words) > mostWords {
		return Cue{}, false
	}
	var best Cue
	most := 0
	for _, group := range []struct {
		kind string
		ids  []string
	}{{Emotion, known.Emotion}, {Action, known.Action}, {Environment, known.Environment}} {
		for _, id := range group.ids {
			if n := names(direction, words, id, known.More[id].Words); n > most {
				best, most = Cue{ID: id, Kind: group.kind}, n
			}
		}
	}
	return best, most > 0
}

// names tells how well a direction names a cue: the number of its words, 0 if
// it does not. Wordings are those that the world gives beside the id.
func names(direction string, words []string, id string, wordings []personas.Text) int {
	parts := stems(strings.ReplaceAll(id, "_", " "))
	if inOrder(parts, words) {
		return len(parts)
	}
	for _, t := range wordings {
		for _, w := range t.All() {
			if parts := stems(w); inOrder(parts, words) {
				return len(parts)
			}
		}
	}
	for _, w := range chinese(id) {
		if strings.Contains(direction, w) {
			return 1
		}
	}
	return 0
}

func inOrder(parts, words []string) bool {
	for _, p := range parts {
		i := slices.Index(words, p)
		if i < 0 {
			return false
		}
		words = words[i+1:]
	}
	return len(parts) > 0
}

// stems cuts a text into folded words without their English endings; of wide
// characters each is a word.
func stems(text string) []string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var out []string
	for _, w := range fields {
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			out = append(out, strings.Split(w, "")...)
			continue
		}
		env := snowballstem.NewEnv(w)
		english.Stem(env)
		out = append(out, env.Current())
	}
	return out
}
