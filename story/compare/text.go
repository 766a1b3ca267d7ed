package compare

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// Op says what a span of a text is.
type Op int

// The kinds of spans.
const (
	Same Op = iota
	Only    // stands only in this text
)

// Span is a run of one of two texts.
type Span struct {
	Op   Op     `json:"op"`
	Text string `json:"text"`
}

// MarshalText names an Op in JSON.
func (o Op) MarshalText() ([]byte, error) {
	if o == Only {
		return []byte("only"), nil
	}
	return []byte("same"), nil
}

// alike is the share of equal characters from which two replaced stretches are
// compared character by character: below it, the letters that two words happen
// to share say nothing.
const alike = 0.7

// Text compares two texts, word by word, and where a stretch was replaced by
// one like it, character by character. A word of a script that puts blanks
// between words is a run of letters and digits; a Chinese, Japanese or Korean
// character is a word of its own; so is a mark. The spans of each side put
// together are that side, and the texts of the equal ones are the same on both.
func Text(a, b string) (left, right []Span) {
	var d differ
	x, y := words(a), words(b)
	for _, e := range tidy(align(x, y), x) {
		switch {
		case e.same:
			d.same(strings.Join(x[e.a0:e.a1], ""))
		default:
			d.replaced(x[e.a0:e.a1], y[e.b0:e.b1])
		}
	}
	return d.left, d.right
}

// Part is a stretch of two texts read as one: A is gone from it, B is new.
type Part struct {
	Text string
	Side Side
}

// Side says which of two texts a part stands in.
type Side int

// The sides of a part.
const (
	Both Side = iota
	InA
	InB
)

// Unified gives two texts as one: what is the same, and where they differ first
// what A has, then what B has.
func Unified(a, b string) []Part {
	left, right := Text(a, b)
	var out []Part
	i, j := 0, 0
	for i < len(left) || j < len(right) {
		switch {
		case i < len(left) && left[i].Op == Only:
			out = append(out, Part{left[i].Text, InA})
			i++
		case j < len(right) && right[j].Op == Only:
			out = append(out, Part{right[j].Text, InB})
			j++
		default:
			n := min(len(left[i].Text), len(right[j].Text))
			out = append(out, Part{left[i].Text[:n], Both})
			if left[i].Text = left[i].Text[n:]; left[i].Text == "" {
				i++
			}
			if right[j].Text = right[j].Text[n:]; right[j].Text == "" {
				j++
			}
		}
	}
	return out
}

// weighty is how many letters what is equal between two changes has to hold:
// a blank or one character that stays where everything around it was replaced
// is chance.
const weighty = 2

// tidy joins changes across what is equal by chance.
func tidy(edits []edit, x []string) []edit {
	var out []edit
	for i, e := range edits {
		inner := e.same && i > 0 && i < len(edits)-1
		if inner && letters(x[e.a0:e.a1]) < weighty {
			e.same = false
		}
		if n := len(out); n > 0 && out[n-1].same == e.same {
			out[n-1].a1, out[n-1].b1 = e.a1, e.b1
			continue
		}
		out = append(out, e)
	}
	return out
}

func letters(words []string) int {
	n := 0
	for _, w := range words {
		for _, r := range w {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n
}

// differ collects the spans of both sides.
type differ struct{ left, right []Span }

func (d *differ) same(s string) {
	d.left, d.right = push(d.left, Same, s), push(d.right, Same, s)
}

// replaced compares two stretches by their characters if they are alike.
func (d *differ) replaced(x, y []string) {
	a, b := clusters(strings.Join(x, "")), clusters(strings.Join(y, ""))
	edits := align(a, b)
	equal := 0
	for _, e := range edits {
		if e.same {
			equal += e.a1 - e.a0
		}
	}
	if len(a) == 0 || len(b) == 0 || float64(2*equal) < alike*float64(len(a)+len(b)) {
		d.left, d.right = push(d.left, Only, strings.Join(x, "")), push(d.right, Only, strings.Join(y, ""))
		return
	}
	for _, e := range edits {
		if e.same {
			d.same(strings.Join(a[e.a0:e.a1], ""))
			continue
		}
		d.left, d.right = push(d.left, Only, strings.Join(a[e.a0:e.a1], "")), push(d.right, Only, strings.Join(b[e.b0:e.b1], ""))
	}
}

func push(list []Span, op Op, s string) []Span {
	if s == "" {
		return list
	}
	if n := len(list); n > 0 && list[n-1].Op == op {
		list[n-1].Text += s
		return list
	}
	return append(list, Span{op, s})
}

// words splits a text into words, blanks and marks; nothing is lost.
func words(s string) []string {
	var out []string
	joined := false // the last word may go on
	for _, c := range clusters(s) {
		r := []rune(c)[0]
		word := (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’') && !wide(r)
		if word && joined {
			out[len(out)-1] += c
			continue
		}
		out, joined = append(out, c), word
	}
	return out
}

// wide reports scripts that put no blanks between words.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

func clusters(s string) []string {
	out := make([]string, 0, len(s))
	for state := -1; s != ""; {
		var c string
		c, s, _, state = uniseg.FirstGraphemeClusterInString(s, state)
		out = append(out, c)
	}
	return out
}
