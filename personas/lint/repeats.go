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
func repeats(in Input) []Finding {
	f := folds(in.Text, true)
	for i := 0; i < len(f.Runes); i++ {
		for p := 2; p <= longestPeriod && i+p*fewestTimes <= len(f.Runes); p++ {
			n := run(f.Runes[i:], p)
			if n/p < fewestTimes || breadth(f.Runes[i:i+n]) < shortestLoop {
				continue
			}
			if uniform(f.Runes[i : i+p]) {
				i += n - p // nothing else can begin inside
				break
			}
			return []Finding{{
				Code: CodeRepeats, Level: Warning, Span: f.span(i, n),
				Args: []string{f.unit(in.Text, i, p), strconv.Itoa(n / p)},
			}}
		}
	}
	return nil
}

// span gives the bytes behind n runes from i on, without blanks at the end.
func (f folded) span(i, n int) [2]int {
	for n > 1 && f.Runes[i+n-1] == ' ' {
		n--
	}
	return f.bytes(i, i+n)
}

// unit is what repeats, without marks around it.
func (f folded) unit(text string, i, p int) string {
	s := f.span(i, p)
	return strings.TrimFunc(text[s[0]:s[1]], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// run is how many runes from the start repeat with period p.
func run(rs []rune, p int) int {
	n := p
	for n < len(rs) && rs[n] == rs[n-p] {
		n++
	}
	return n
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
