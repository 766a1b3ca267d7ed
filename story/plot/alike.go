package plot

import (
	"math"
	"strings"

	"fabula/personas"
	"fabula/personas/fold"
)

// alike is how much two texts have in common, 0 to 1: the cosine of their
// words and pairs of characters, words that say little counting little.
func alike(a, b map[string]float64) float64 {
	dot, na, nb := 0.0, 0.0, 0.0
	for t, w := range a {
		dot += w * b[t]
		na += w * w
	}
	for _, w := range b {
		nb += w * w
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return dot / math.Sqrt(na*nb)
}

// termsOf gives words, and of scripts without blanks characters and their
// pairs, with their weights.
func termsOf(text string) map[string]float64 {
	out := map[string]float64{}
	f := folds(text)
	var word []rune
	flush := func() {
		if w := string(word); w != "" {
			weight := 1.0
			if common[w] {
				weight = 0.25
			}
			out[stem(w)] = weight
			word = word[:0]
		}
	}
	last := rune(0)
	for _, r := range f.Runes {
		switch {
		case fold.Unspaced(r):
			flush()
			out[string(r)] = 0.5
			if last != 0 {
				out[string([]rune{last, r})] = 1
			}
			last = r
			continue
		case fold.Letter(r) || r == '\'':
			word = append(word, r)
		default:
			flush()
		}
		last = 0
	}
	flush()
	return out
}

// stem cuts plain English endings.
func stem(w string) string {
	for _, end := range []string{"'s", "ing", "ed", "es", "s"} {
		if short, ok := strings.CutSuffix(w, end); ok && len(short) >= 3 {
			return short
		}
	}
	return w
}

var common = words("a an the and or but of to in on at by for with is are was were be it this that i you he she we they my your his her me him us them do does did have has had so well now then there here will would can could")

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// likeness is how near a text is to examples: to the nearest that fires, and to
// the nearest that must not.
type likeness struct {
	fires, not float64
	example    string // the nearest that fires
}

// near compares a text with the examples of a beat, which are compiled once.
func (b *Beat) near(text string) likeness {
	b.once.Do(func() { b.fires, b.nots = compiled(b.Fires), compiled(b.Not) })
	said := termsOf(text)
	var l likeness
	for _, x := range b.fires {
		if a := alike(said, x.terms); a > l.fires {
			l.fires, l.example = a, x.text
		}
	}
	for _, x := range b.nots {
		l.not = max(l.not, alike(said, x.terms))
	}
	return l
}

// example is an example of a beat with its terms.
type example struct {
	text  string
	terms map[string]float64
}

func compiled(texts []personas.Text) []example {
	var out []example
	for _, t := range texts {
		for _, s := range t.All() {
			out = append(out, example{s, termsOf(s)})
		}
	}
	return out
}
