// Package cues reads stage directions out of a reply: *nods*, (laughs),
// （笑）, [sigh]. Only what the world knows as a cue is one; anything else in
// brackets stays text. Non-goals: playing cues, taking them out of the text.
package cues

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

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

// mostWords bounds what is read as a direction; a longer aside is speech.
const mostWords = 6

// Parse finds the directions of a text that name a cue of the world, in order.
// A direction names the cue whose words it holds in their order, in any
// English form ("draws his sword" is draw_sword), or whose Chinese word it
// holds; of several the one with the most words.
func Parse(text string, known plot.Cues) []Cue {
	var out []Cue
	for at := 0; at < len(text); {
		start, inner, end := next(text, at)
		if end < 0 {
			break
		}
		c, ok := match(inner, known)
		if !ok {
			// What is inside may be marked itself: "(he *nods*)".
			_, n := utf8.DecodeRuneInString(text[start:])
			at = start + n
			continue
		}
		c.Start, c.End = start, end
		out = append(out, c)
		at = end
	}
	return out
}

// next finds the first marked stretch from byte at on; end is negative if
// there is none.
func next(text string, at int) (start int, inner string, end int) {
	for i := at; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if closing := closes(r); closing != 0 {
			rest := text[i+n:]
			if j := strings.IndexRune(rest, closing); j > 0 && !strings.Contains(rest[:j], "\n") {
				return i, rest[:j], i + n + j + utf8.RuneLen(closing)
			}
		}
		i += n
	}
	return 0, "", -1
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
			if n := names(direction, words, id); n > most {
				best, most = Cue{ID: id, Kind: group.kind}, n
			}
		}
	}
	return best, most > 0
}

// names tells how well a direction names a cue: the number of its words, 0 if
// it does not.
func names(direction string, words []string, id string) int {
	parts := stems(strings.ReplaceAll(id, "_", " "))
	if inOrder(parts, words) {
		return len(parts)
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
