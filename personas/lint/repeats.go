package lint

import (
	"strconv"
	"strings"
	"unicode"

	"fabula/personas/fold"
)

const (
	// fewestTimes is how often something must stand in a row to be a loop.
	fewestTimes = 3
	// shortestLoop is what a loop spans at least; CJK characters count twice.
	shortestLoop = 20
	// longestPeriod bounds what is looked for, in characters.
	longestPeriod = 200
)

// repeats finds a stretch that is said over and over, the mark of a model that
// has lost its way. One character in a row, as in laughter, is none.
func repeats(in *reading) []Finding {
	f := in.loose()
	best, period, length := -1, 0, 0
	for p := 2; p <= longestPeriod && p*fewestTimes <= len(f.Runes)+1; p++ {
		from, n, ok := loop(f.Runes, p)
		if ok && (best < 0 || from < best) {
			best, period, length = from, p, n
		}
	}
	if best < 0 {
		return nil
	}
	return []Finding{{
		Code: CodeRepeats, Level: Warning, Span: f.span(best, length),
		Args: []string{f.unit(in.Text, best, period), strconv.Itoa(length / period)},
	}}
}

// loop finds the first stretch of period p that is a loop. One that repeats
// often enough holds a multiple of p at which it repeats, so only those are
// looked at.
func loop(rs []rune, p int) (from, n int, ok bool) {
	for j := 0; j+p < len(rs); j += p {
		if rs[j] != rs[j+p] {
			continue
		}
		from = j
		for from > 0 && rs[from-1] == rs[from-1+p] {
			from--
		}
		end := j + p
		for end < len(rs) && rs[end] == rs[end-p] {
			end++
		}
		n = end - from
		if end == len(rs) && rs[end-p] == ' ' {
			n++ // the blank that would follow
		}
		if n/p >= fewestTimes && breadth(rs[from:end]) >= shortestLoop && !uniform(rs[from:from+p]) && !laughs(rs[from:from+p]) {
			return from, n, true
		}
		j = max(j, (end-p-1)/p*p)
	}
	return 0, 0, false
}

// span gives the bytes behind n runes from i on, without blanks at the end.
func (f folded) span(i, n int) [2]int {
	for n > 1 && (i+n > len(f.Runes) || f.Runes[i+n-1] == ' ') {
		n--
	}
	return f.bytes(i, i+n)
}

// unit is what repeats, without marks around it.
func (f folded) unit(text string, i, p int) string {
	s := f.span(i, p)
	return strings.TrimFunc(text[s[0]:s[1]], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func breadth(rs []rune) int {
	n := 0
	for _, r := range rs {
		if n++; fold.Unspaced(r) {
			n++
		}
	}
	return n
}

// laughs reports whether what repeats is nothing but syllables of laughter.
func laughs(unit []rune) bool {
	for _, w := range strings.Fields(string(unit)) {
		switch w {
		case "ha", "he", "hi", "ho", "heh", "hee", "h", "a", "e":
		default:
			return false
		}
	}
	return true
}

// uniform reports whether there is but one letter.
func uniform(rs []rune) bool {
	var first rune
	for _, r := range rs {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		if first == 0 {
			first = r
		}
		if r != first {
			return false
		}
	}
	return true
}
