package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fabula/personas/fold"
)

// Terms of the index begin with what they are about.
const (
	wordTerm    = "w"
	letterTerm  = "l" // one letter of a word: nearly every word has some
	speakerTerm = "s"
	nodeTerm    = "n"
	engineTerm  = "e"
	findingTerm = "f"
	varsTerm    = "v" // all variables, as JSON
)

// longest bounds a word in the index, in characters.
const longest = 48

func folded(text string) string { return fold.Of(text, fold.Plain).String() }

// piece is a stretch of a folded text that is looked up as one: a word, or a run
// of characters that are written without blanks.
type piece struct {
	text string
	run  bool
}

// pieces cuts a folded text.
func pieces(text string) []piece {
	var out []piece
	var held []rune
	run := false
	flush := func() {
		if len(held) > 0 {
			out = append(out, piece{string(held), run})
			held = held[:0]
		}
	}
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			flush()
			continue
		case fold.Unspaced(r) != run:
			flush()
			run = fold.Unspaced(r)
		}
		if !run && len(held) == longest {
			continue
		}
		held = append(held, r)
	}
	flush()
	return out
}

// grams are what a run is looked up by: its pairs, or the one character.
func grams(run string) []string {
	rs := []rune(run)
	if len(rs) < 2 {
		return []string{run}
	}
	var out []string
	for i := range rs[1:] {
		out = append(out, string(rs[i:i+2]))
	}
	return out
}

// indexed lists the word terms of a text, each once.
func indexed(text string, do func(term string)) {
	text = folded(text)
	letters(text, do)
	for _, p := range pieces(text) {
		if !p.run {
			do(wordTerm + p.text)
			continue
		}
		for _, r := range p.text {
			do(wordTerm + string(r))
		}
		for _, g := range grams(p.text) {
			do(wordTerm + g)
		}
	}
}

// letters lists the letters and digits of words, each once.
func letters(text string, do func(term string)) {
	var ascii [128]bool
	for _, r := range text {
		switch {
		case r < 128:
			if ascii[r] {
				continue
			}
			ascii[r] = true
		case fold.Unspaced(r):
			continue
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			do(letterTerm + string(r))
		}
	}
}

// wanted is a text to look for, taken apart.
type wanted struct {
	parts   []string // of words: one term has to hold it
	exact   []string // terms that have to be there
	phrases []string // folded; the text has to hold them as they are
}

// quotes are the signs that a phrase stands between.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "「", `"`, "」", `"`)

// parse reads a query: words, and phrases between double quotes. A quote that is
// never closed reaches to the end.
func parse(text string) wanted {
	var w wanted
	for i, part := range strings.Split(quotes.Replace(text), `"`) {
		if i%2 == 1 {
			w.take(part, true)
			continue
		}
		for _, word := range strings.Fields(part) { // folding would join what a blank keeps apart
			w.take(word, false)
		}
	}
	return w
}

// take adds words, or a phrase.
func (w *wanted) take(text string, phrase bool) {
	text = folded(text)
	all := pieces(text)
	for _, p := range all {
		if !p.run {
			if utf8.RuneCountInString(p.text) == 1 {
				w.exact = append(w.exact, letterTerm+p.text)
			} else {
				w.parts = append(w.parts, p.text)
			}
			continue
		}
		for _, g := range grams(p.text) {
			w.exact = append(w.exact, wordTerm+g)
		}
		if len([]rune(p.text)) > 2 { // pairs may stand apart
			w.phrases = append(w.phrases, p.text)
		}
	}
	if phrase && text != "" {
		w.phrases = append(w.phrases, text)
	} else if len(all) == 0 && text != "" { // signs only: nothing of it is in the index
		w.phrases = append(w.phrases, text)
	}
}

// in reports whether a text holds the phrases; the terms are known to be in it.
func (w *wanted) in(text string) bool {
	if len(w.phrases) == 0 {
		return true
	}
	text = folded(text)
	for _, p := range w.phrases {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}
