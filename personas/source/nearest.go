package source

import (
	"strings"
	"unicode"
)

// Nearest gives the known word that was most likely meant: the same but for
// case, quotes, spaces and dashes, else the one with the fewest slips (at most
// one in three letters). It is "" when none is near.
func Nearest(word string, known []string) string {
	plain := bare(word)
	best, least := "", max(1, len([]rune(plain))/3)+1
	for _, k := range known {
		if bare(k) == plain {
			return k
		}
		if d := slips([]rune(plain), []rune(bare(k))); d < least {
			best, least = k, d
		}
	}
	return best
}

func bare(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == ' ':
			return '_'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', r == '.':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(s))
}

// slips counts letters left out, added, changed or swapped with a neighbour.
func slips(a, b []rune) int {
	before, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if before != nil && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
