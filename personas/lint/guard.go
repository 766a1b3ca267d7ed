package lint

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Guard watches a reply while it streams. Text that could still become a hit is
// held back, exactly as much as the rules need, so that nothing of a hit is
// ever shown. It is used by one goroutine.
type Guard struct {
	in     *reading
	block  []string // codes of the rules that stop a reply
	before string   // the last character that was shown, for word boundaries
	held   string
	shown  int // bytes
	over   bool
}

// NewGuard watches for hits of some rules, of which only those that MayBlock
// count; nil where none is left. Text of in is not read.
func NewGuard(in Input, block ...string) *Guard {
	block = slices.DeleteFunc(slices.Clone(block), func(c string) bool {
		return !MayBlock(c) || in.Allows(c)
	})
	if len(block) == 0 {
		return nil
	}
	in.Text = ""
	return &Guard{in: newReading(in), block: block}
}

// Write takes the next piece of the reply and gives what may be shown by now.
// With a hit the reply is over: what stands before the hit was shown, it and
// what follows is not. The span of the hit is in bytes of the whole reply.
func (g *Guard) Write(piece string) (show string, hit *Finding) {
	if g == nil || piece == "" || g.over {
		return piece, nil
	}
	g.held += piece
	return g.look(false)
}

// Close gives what is still held once the reply is over.
func (g *Guard) Close() (show string, hit *Finding) {
	if g == nil || g.held == "" || g.over {
		return "", nil
	}
	return g.look(true)
}

func (g *Guard) look(last bool) (string, *Finding) {
	text := g.before + g.held
	hold := len(text)
	var first *Finding
	g.strict(text, last, &hold, &first)
	if slices.Contains(g.block, CodeLeak) && len(g.in.Locked) > 0 {
		g.secrets(text, last, &hold, &first)
	}
	off := len(g.before)
	if first != nil && (last || first.Span[0] < hold) {
		g.over = true
		show := text[min(off, first.Span[0]):first.Span[0]]
		first.Span = [2]int{g.shown + first.Span[0] - off, g.shown + first.Span[1] - off}
		return show, first
	}
	if last {
		hold = len(text)
	}
	return g.release(text, max(hold, off)), nil
}

// release shows text up to a byte and keeps the rest.
func (g *Guard) release(text string, to int) string {
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	show := text[len(g.before):to]
	g.held = text[to:]
	g.shown += len(show)
	if to > 0 {
		_, n := utf8.DecodeLastRuneInString(text[:to])
		g.before = text[to-n : to]
	}
	return show
}

// strict looks for words, emoji and marks.
func (g *Guard) strict(text string, last bool, hold *int, first **Finding) {
	r := &reading{Input: g.in.Input, strict: folds(text, false)}
	r.Text = text
	lex, taboos := words(), g.in.Taboos
	found, state := lex.scan(r.strict)
	r.hits = lex.hits(r.strict, text, found)
	var all []Finding
	for _, c := range g.block {
		switch c {
		case CodeTaboo:
			found, at := taboos.scan(r.strict)
			all = append(all, taboos.findings(r.strict, text, found)...)
			*hold = min(*hold, r.strict.keeps(taboos.depth[at]))
		case CodeSlang:
			all = append(all, slang(r)...)
		case CodeMeta:
			all = append(all, metaWords(r)...)
		case CodeAnachronism:
			all = append(all, anachronism(r)...)
		}
	}
	if slices.ContainsFunc(g.block, func(c string) bool { return c != CodeTaboo && c != CodeLeak }) {
		*hold = min(*hold, r.strict.keeps(lex.depth[state]), patternStart(text))
	}
	g.decide(r.strict, all, last, hold, first)
}

func (g *Guard) secrets(text string, last bool, hold *int, first **Finding) {
	f, w := folds(text, true), g.in.watch()
	found, at := w.scan(f)
	*hold = min(*hold, f.keeps(w.depth[at]))
	g.decide(f, w.findings(g.in, f, text, found), last, hold, first)
}

// decide takes the first finding that more text cannot undo; one that it could
// is held back.
func (g *Guard) decide(f folded, all []Finding, last bool, hold *int, first **Finding) {
	for _, x := range all {
		if x.Span[1] <= len(g.before) {
			continue
		}
		if !last && f.open(x.Span[1]) {
			*hold = min(*hold, x.Span[0])
			continue
		}
		if *first == nil || x.Span[0] < (*first).Span[0] {
			*first = &x
		}
	}
}

// open reports whether a word that ends at a byte could go on in text to come.
func (f folded) open(end int) bool {
	n := len(f.Runes)
	for n > 0 && f.Runes[n-1] == '\'' {
		n--
	}
	if n == 0 {
		return false
	}
	_, to := f.Span(n-1, n)
	return end >= to
}

// solid is how many runes are sure to stay as they are: behind them are blanks,
// which may vanish, and signs that may turn out to imitate a letter.
func (f folded) solid() int {
	n := len(f.Runes)
	for n > 0 && (f.Runes[n-1] == ' ' || strings.ContainsRune(imitated, f.Runes[n-1])) {
		n--
	}
	return n
}

// keeps is the byte from which on text has to be held back: the last depth
// solid runes and what follows them.
func (f folded) keeps(depth int32) int {
	from := f.solid() - int(depth)
	if from < len(f.Runes) {
		start, _ := f.Span(from, from+1)
		return start
	}
	if from == 0 {
		return 0
	}
	_, end := f.Span(from-1, from)
	return end
}

// patternStart is where a run of signs, digits or letters of laughter at the end
// begins that may become a smiley, a storm or a clock time.
func patternStart(text string) int {
	at := len(text)
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:at])
		if !strings.ContainsRune("!！?？~～:;^-_<>=()（）*0123456789.%％hHkKaAoOTDPxXpPmM百分之一二三四五六七八九十零点 ", r) {
			break
		}
		at -= n
	}
	return at
}
