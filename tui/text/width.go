// Package text measures, cleans and wraps what comes from files, models and
// people before it may reach a terminal.
//
// Widths agree with lipgloss and with the renderer, so that what is drawn is
// as wide as it was measured. Non-goals: colour, layout.
package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/mattn/go-runewidth"
	"github.com/rivo/uniseg"
)

// FixAmbiguous makes go-runewidth agree with lipgloss on characters of
// ambiguous width (│ — “ ● …) whatever the locale says. Parts of bubbles ask
// go-runewidth, the renderer does not; call it once before drawing.
func FixAmbiguous() {
	runewidth.EastAsianWidth = false
	runewidth.DefaultCondition.EastAsianWidth = false
}

// Width gives the columns of s; escape sequences count nothing.
func Width(s string) int { return ansi.StringWidth(s) }

// clusterWidth gives the columns of one grapheme cluster.
func clusterWidth(c string) int {
	if len(c) == 1 {
		if c[0] < 0x20 || c[0] == 0x7f {
			return 0
		}
		return 1
	}
	if len(c) == 3 && c >= "一" && c <= "鿿" {
		return 2
	}
	return ansi.StringWidth(c)
}

// Clusters splits s into grapheme clusters.
func Clusters(s string) []string {
	out := make([]string, 0, len(s)/2+1)
	for state := -1; s != ""; {
		var c string
		c, s, _, state = uniseg.FirstGraphemeClusterInString(s, state)
		out = append(out, c)
	}
	return out
}

// ClusterWidth gives the columns of one grapheme cluster.
func ClusterWidth(c string) int { return clusterWidth(c) }

// Fit gives s at exactly w columns: cut with tail, or padded with spaces. Escape
// sequences in s are kept.
func Fit(s string, w int, tail string) string {
	n := Width(s)
	if n > w {
		s = ansi.Truncate(s, w, tail)
		n = Width(s)
	}
	if n < w {
		return s + Spaces(w-n)
	}
	return s
}

const blank = "                                                                                                    "

// Spaces gives n spaces, none for n < 1.
func Spaces(n int) string {
	if n < 1 {
		return ""
	}
	if n <= len(blank) {
		return blank[:n]
	}
	return strings.Repeat(" ", n)
}

// IsCJK reports whether r is written in a script that is typed through an
// input method: such a rune is never a command.
func IsCJK(r rune) bool {
	switch {
	case r >= 0x3040 && r <= 0x30ff, // kana
		r >= 0x3400 && r <= 0x9fff,   // ideographs
		r >= 0xac00 && r <= 0xd7af,   // hangul
		r >= 0xf900 && r <= 0xfaff,   // compatibility ideographs
		r >= 0x20000 && r <= 0x3ffff, // rarer ideographs
		r >= 0x3001 && r <= 0x303f:   // CJK punctuation
		return true
	}
	return false
}

// IsASCII reports whether s holds nothing but ASCII.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// FullWidth gives the full-width twin of a printable ASCII character, which an
// input method types in its place; ok is false for others.
func FullWidth(r rune) (twin rune, ok bool) {
	if r > 0x20 && r < 0x7f {
		return r + 0xfee0, true
	}
	return 0, false
}

// Strip gives s without escape sequences.
func Strip(s string) string { return ansi.Strip(s) }
