package text

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Wrap breaks plain text into rows of at most width columns, where Unicode
// allows a line to break: Chinese punctuation stays with its word, a grapheme
// is never torn. Line feeds are kept. Width below 2 counts as 2, so that a wide
// character always fits.
func Wrap(s string, width int) []string {
	width = max(width, 2)
	var rows []string
	for para := range strings.SplitSeq(s, "\n") {
		rows = append(rows, wrapParagraph(para, width)...)
	}
	return rows
}

func wrapParagraph(s string, width int) []string {
	if Width(s) <= width {
		return []string{strings.TrimRight(s, " ")}
	}
	p := paragraph{width: width}
	for state := -1; s != ""; {
		var seg string
		seg, s, _, state = uniseg.FirstLineSegmentInString(s, state)
		p.add(seg)
	}
	p.flush()
	return p.rows
}

// paragraph collects the rows of one paragraph. Spaces at the end of a row
// hang: they take no room and are not kept.
type paragraph struct {
	width int
	rows  []string
	row   strings.Builder
	used  int
}

func (p *paragraph) add(seg string) {
	word := strings.TrimRight(seg, " ")
	w := Width(word)
	if p.used > 0 && p.used+w > p.width {
		p.flush()
	}
	if w > p.width {
		p.tear(word)
	} else {
		p.row.WriteString(word)
		p.used += w
	}
	if n := len(seg) - len(word); n > 0 {
		p.row.WriteString(seg[len(word):])
		p.used += n
	}
}

// tear breaks a word that is longer than a row between graphemes.
func (p *paragraph) tear(word string) {
	for _, c := range Clusters(word) {
		w := clusterWidth(c)
		if p.used > 0 && p.used+w > p.width {
			p.flush()
		}
		p.row.WriteString(c)
		p.used += w
	}
}

func (p *paragraph) flush() {
	p.rows = append(p.rows, strings.TrimRight(p.row.String(), " "))
	p.row.Reset()
	p.used = 0
}

// Breaks tells after which of the clusters of one line the line may break:
// out[i] is true when a row may end with clusters[i].
func Breaks(clusters []string) []bool {
	out := make([]bool, len(clusters))
	s := strings.Join(clusters, "")
	i, n := 0, 0
	for state := -1; s != ""; {
		var seg string
		seg, s, _, state = uniseg.FirstLineSegmentInString(s, state)
		for n += len(seg); i < len(clusters) && n > 0; i++ {
			n -= len(clusters[i])
			out[i] = n <= 0
		}
	}
	return out
}
