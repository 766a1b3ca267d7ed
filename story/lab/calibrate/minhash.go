package calibrate

import (
	"math"
	"strings"
	"unicode"
)

// hashes is the length of a signature: the estimate of a likeness of 0.8 is then
// off by 0.06 at most nine times out of ten.
const hashes = 128

// near is the likeness from which on two replies to like lines are one.
const near = 0.8

// shingle is the length of the pieces that texts share, in characters.
const shingle = 3

// signature holds the least hash of a text's pieces, for so many hash functions.
type signature [hashes]uint32

// sign makes the signature of a text, whatever its case, blanks and punctuation.
func sign(text string) signature {
	var s signature
	for i := range s {
		s[i] = math.MaxUint32
	}
	r := []rune(strings.ToLower(text))
	n := 0
	for _, x := range r {
		if unicode.IsLetter(x) || unicode.IsNumber(x) {
			r[n] = x
			n++
		}
	}
	r = r[:n]
	for at := 0; at == 0 || at+shingle <= len(r); at++ {
		h := uint64(14695981039346656037)
		for _, x := range r[at:min(at+shingle, len(r))] {
			h = (h ^ uint64(x)) * 1099511628211
		}
		for i := range s {
			s[i] = min(s[i], mixed(h, uint64(i)))
		}
	}
	return s
}

// mixed is hash function i of a piece: the finaliser of splitmix64.
func mixed(h, i uint64) uint32 {
	z := h + (i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32((z ^ z>>31) >> 32)
}

// like estimates the share of pieces that two texts have in common (Jaccard).
func (s signature) like(o signature) float64 {
	n := 0
	for i := range s {
		if s[i] == o[i] {
			n++
		}
	}
	return float64(n) / hashes
}

// duplicates reports whether one that is kept is nearly the same line of the same
// NPC.
func (c *candidate) duplicates(kept []*candidate) bool {
	for _, k := range kept {
		if k.Persona == c.Persona && k.Language == c.Language && k.signature.like(c.signature) >= near {
			return true
		}
	}
	return false
}
