package lint

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed words
var wordFiles embed.FS

// entry is a word of a lexicon.
type entry struct {
	code   string
	word   string
	year   int      // anachronism: from when on the thing was known
	except []string // longer words in which it means something else
}

// lexicon is the words of every rule that goes by words alone, found in one
// pass. It is the same for every world, so it is made once.
type lexicon struct {
	*automaton
	entries []entry
}

var words = sync.OnceValue(func() *lexicon {
	l := &lexicon{}
	var all []wording
	for _, file := range []string{CodeSlang, CodeMeta, CodeAnachronism} {
		data, _ := wordFiles.ReadFile("words/" + file + ".txt")
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' && !strings.HasPrefix(line, "##") {
				continue
			}
			all = append(all, l.line(file, line)...)
		}
	}
	l.automaton = newAutomaton(all)
	return l
})

// line reads one line: "word !except …", of anachronisms "year a|b|c !except …".
func (l *lexicon) line(code, line string) []wording {
	line, rest, _ := strings.Cut(line, " !")
	e := entry{code: code}
	if rest != "" {
		e.except = strings.Split(rest, " !")
	}
	names := []string{line}
	if code == CodeAnachronism {
		year, list, _ := strings.Cut(line, " ")
		e.year, _ = strconv.Atoi(year)
		names = strings.Split(list, "|")
	}
	var out []wording
	for _, longer := range e.except {
		out = append(out, wording{folds(longer, false).Runes, only})
	}
	for _, name := range names {
		e.word = name
		forms := [][]rune{folds(name, false).Runes}
		if code == CodeAnachronism {
			forms = formsOf(name, false)
		}
		for _, form := range forms {
			out = append(out, wording{form, len(l.entries)})
		}
		l.entries = append(l.entries, e)
	}
	return out
}

// hit is a lexicon's word that stands in a text.
type hit struct {
	*entry
	span [2]int
}

// in gives the words that stand in a text, exceptions left out.
func (l *lexicon) in(f folded, text string) []hit {
	found, _ := l.scan(f)
	return l.hits(f, text, found)
}

func (l *lexicon) hits(f folded, text string, found []match) []hit {
	var out []hit
	for _, m := range found {
		e, span := &l.entries[m.term], f.bytes(m.from, m.to)
		if len(e.except) > 0 && insideOwn(text, span, e.except) {
			continue
		}
		out = append(out, hit{e, span})
	}
	return out
}

// of keeps the hits of one rule; of hits in one another the longer one.
func of(all []hit, code string) []hit {
	var out []hit
	for _, h := range all {
		within := func(o hit) bool {
			return o.code == code && o.span != h.span && o.span[0] <= h.span[0] && h.span[1] <= o.span[1]
		}
		if h.code == code && !slices.ContainsFunc(all, within) {
			out = append(out, h)
		}
	}
	return out
}
