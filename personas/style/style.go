// Package style measures how a text is written, not what it says, and how far that
// is from a persona's own sample lines: the length of sentences and replies, marks,
// particles and contractions, pronouns, digits.
//
// A distance is a figure and no finding: it says that the voice moved, not that it
// is wrong. Method: the root mean square of z-scores, as stylometry has it since
// Burrows' Delta (2002), over features that a short reply has.
// Non-goals: vocabulary (personas/lint looks for words), meaning.
package style

import (
	"math"
	"strings"
	"unicode"

	"fabula/personas/fold"
)

// features is how many there are of a text.
const features = 9

// Features of one text: its length, that of its sentences, commas, questions,
// exclamations, ellipses and dashes, softeners, words for "I", digits.
type Features [features]float64

// Of measures a text. Lengths are logarithms of words, or of CJK characters;
// the others are shares of them or of sentences.
func Of(text string) Features {
	words, sentences := 0, 0
	var commas, questions, exclamations, ellipses, digits int
	inWord := false
	for _, r := range text {
		switch {
		case fold.Unspaced(r):
			words++
			inWord = false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’':
			if !inWord {
				words++
			}
			inWord = true
		default:
			inWord = false
		}
		switch r {
		case ',', '，', '、', ';', '；':
			commas++
		case '?', '？':
			questions++
			sentences++
		case '!', '！':
			exclamations++
			sentences++
		case '.', '。':
			sentences++
		case '…', '—':
			ellipses++
		}
		if unicode.IsDigit(r) {
			digits++
		}
	}
	n, s := float64(max(words, 1)), float64(max(sentences, 1))
	return Features{math.Log1p(n), math.Log1p(n / s), float64(commas) / n, float64(questions) / s, float64(exclamations) / s,
		float64(ellipses) / s, float64(count(text, softeners)) / n, float64(count(text, selves)) / n, float64(digits) / n}
}

// softeners are particles and contractions, which make a register.
var softeners = []string{"吧", "呢", "啊", "呀", "嘛", "啦", "哦", "n't", "n’t", "'s", "’s", "'re", "’re", "'m", "’m", "'ll", "’ll", "'ve", "’ve", "'d ", "’d "}

// selves are the commonest words for "I"; the persona's own are a rule's matter.
var selves = []string{" i ", " i'", " i’", " me ", " my ", "我", "咱", "俺", "在下", "老夫"}

func count(text string, of []string) int {
	text = " " + strings.ToLower(text) + " "
	n := 0
	for _, w := range of {
		n += strings.Count(text, w)
	}
	return n
}

// Profile is how a persona's own lines are written.
type Profile struct {
	N         int // lines
	Mean, Dev Features
}

// fewest is how many lines a profile needs to say anything.
const fewest = 5

// NewProfile measures lines.
func NewProfile(lines []string) Profile {
	p := Profile{N: len(lines)}
	if p.N == 0 {
		return p
	}
	n := float64(p.N)
	all := make([]Features, len(lines))
	for i, l := range lines {
		all[i] = Of(l)
		for k, v := range all[i] {
			p.Mean[k] += v / n
		}
	}
	for _, f := range all {
		for k, v := range f {
			p.Dev[k] += (v - p.Mean[k]) * (v - p.Mean[k]) / n
		}
	}
	for k := range p.Dev {
		p.Dev[k] = max(math.Sqrt(p.Dev[k]), least[k])
	}
	return p
}

// least are deviations below which none is taken, so that a persona that never
// asks may do it once.
var least = Features{0.35, 0.3, 0.05, 0.3, 0.3, 0.3, 0.04, 0.05, 0.05}

// furthest bounds one feature's share in a distance.
const furthest = 5

// Known reports whether there are lines enough to compare with.
func (p Profile) Known() bool { return p.N >= fewest }

// Distance is how far a text is from the profile, in standard deviations. In the demo
// world a persona's own lines are at 0.60 to 0.73 on average, those of the others at
// 0.75 to 0.96: single lines tell little, and only a text in another manner is far.
func (p Profile) Distance(text string) float64 {
	if !p.Known() || strings.TrimSpace(text) == "" {
		return 0
	}
	sum := 0.0
	for k, v := range Of(text) {
		z := min(math.Abs(v-p.Mean[k])/p.Dev[k], furthest)
		sum += z * z
	}
	return math.Sqrt(sum / features)
}
