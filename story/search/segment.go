package search

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"fabula/story"
	"fabula/story/plot"
)

// segment is an immutable part of the index: terms with the texts they occur in,
// and the texts. Texts are numbered in the order of storing.
type segment struct {
	vocabulary string   // all terms, sorted, each followed by a zero byte
	terms      []uint32 // where each begins
	lists      []byte   // of each term the numbers of texts, as growing varints
	starts     []uint32 // where each list begins, and the end
	offsets    []uint64 // where each text's entry begins, and the end
	entries    io.ReaderAt
	closer     io.Closer
}

func (s *segment) docs() int { return len(s.offsets) - 1 }

func (s *segment) close() error {
	if s.closer == nil {
		return nil
	}
	return s.closer.Close()
}

// entry is one text and where it was said.
type entry struct {
	turn, alternative, branch, playthrough, speaker, text string
	depth                                                 int
}

var errEntry = errors.New("the index is not whole")

func (e *entry) pack(to []byte) []byte {
	to = binary.AppendUvarint(to, uint64(e.depth))
	for _, s := range []string{e.turn, e.alternative, e.branch, e.playthrough, e.speaker, e.text} {
		to = append(binary.AppendUvarint(to, uint64(len(s))), s...)
	}
	return to
}

func unpack(data []byte) (e entry, err error) {
	depth, n := binary.Uvarint(data)
	if n <= 0 {
		return e, errEntry
	}
	data, e.depth = data[n:], int(depth)
	for _, s := range []*string{&e.turn, &e.alternative, &e.branch, &e.playthrough, &e.speaker, &e.text} {
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			return e, errEntry
		}
		*s, data = string(data[n:n+int(size)]), data[n+int(size):]
	}
	return e, nil
}

func (s *segment) entry(doc int) (entry, error) {
	data := make([]byte, s.offsets[doc+1]-s.offsets[doc])
	if _, err := s.entries.ReadAt(data, int64(s.offsets[doc])); err != nil {
		return entry{}, err
	}
	return unpack(data)
}

func (s *segment) term(i int) string {
	rest := s.vocabulary[s.terms[i]:]
	return rest[:strings.IndexByte(rest, 0)]
}

// find gives where a term is, or would be.
func (s *segment) find(term string) (int, bool) {
	return sort.Find(len(s.terms), func(i int) int { return strings.Compare(term, s.term(i)) })
}

// sorted gives the range of terms of one sort.
func (s *segment) sorted(sort string) (from, to int) {
	from, _ = s.find(sort)
	to, _ = s.find(string(sort[0] + 1))
	return from, to
}

// each visits the texts of a term.
func (s *segment) each(term int, do func(doc uint32)) {
	list := s.lists[s.starts[term]:s.starts[term+1]]
	doc := uint32(0)
	for len(list) > 0 {
		gap, n := binary.Uvarint(list)
		if n <= 0 {
			return
		}
		list, doc = list[n:], doc+uint32(gap)
		do(doc)
	}
}

// candidates are the texts that have every term of a query.
func (s *segment) candidates(w wanted, q Query) set {
	all := newSet(s.docs())
	all.fill(s.docs())
	for _, t := range w.exact {
		all.and(s.with(t))
	}
	for _, p := range w.parts {
		all.and(s.holding(p))
	}
	for sort, want := range map[string]string{speakerTerm: q.Speaker, nodeTerm: q.Node, engineTerm: q.Engine, findingTerm: q.Finding} {
		if want != "" {
			all.and(s.with(sort + want))
		}
	}
	if q.State != nil && q.OnlyVars {
		all.and(s.inState(q.State))
	}
	return all
}

// with gives the texts of one term.
func (s *segment) with(term string) set {
	out := newSet(s.docs())
	if i, ok := s.find(term); ok {
		s.each(i, out.add)
	}
	return out
}

// holding gives the texts with a word that holds part.
func (s *segment) holding(part string) set {
	out := newSet(s.docs())
	from, to := s.sorted(wordTerm)
	if from == to {
		return out
	}
	end := uint32(len(s.vocabulary))
	if to < len(s.terms) {
		end = s.terms[to]
	}
	for at := s.terms[from]; ; {
		i := strings.Index(s.vocabulary[at:end], part)
		if i < 0 {
			return out
		}
		at += uint32(i)
		term := sort.Search(len(s.terms), func(n int) bool { return s.terms[n] > at }) - 1
		if at > s.terms[term] || strings.Contains(s.term(term)[1:], part) { // not only with the sign of the sort
			s.each(term, out.add)
		}
		if term+1 >= to {
			return out
		}
		at = s.terms[term+1]
	}
}

// inState gives the texts in whose variables a condition holds.
func (s *segment) inState(holds func(plot.State) bool) set {
	out := newSet(s.docs())
	from, to := s.sorted(varsTerm)
	for i := from; i < to; i++ {
		var st plot.State
		if json.Unmarshal([]byte(s.term(i)[1:]), &st.Vars) == nil && holds(st) {
			s.each(i, out.add)
		}
	}
	return out
}

// set is numbers of texts, a bit each.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (x set) add(doc uint32) {
	if int(doc/64) < len(x) {
		x[doc/64] |= 1 << (doc % 64)
	}
}

func (x set) fill(n int) {
	for i := range x {
		x[i] = ^uint64(0)
	}
	if n%64 > 0 {
		x[len(x)-1] = 1<<(n%64) - 1
	}
}

func (x set) and(y set) {
	for i := range x {
		x[i] &= y[i]
	}
}

func (x set) count() int {
	n := 0
	for _, w := range x {
		n += bits.OnesCount64(w)
	}
	return n
}

// downward visits from the newest on, until do gives false.
func (x set) downward(do func(doc int) (bool, error)) error {
	for i := len(x) - 1; i >= 0; i-- {
		for w := x[i]; w != 0; {
			bit := 63 - bits.LeadingZeros64(w)
			w &^= 1 << bit
			if more, err := do(i*64 + bit); err != nil || !more {
				return err
			}
		}
	}
	return nil
}

// builder makes a segment of what is stored.
type builder struct {
	postings map[string]*posting
	entries  []byte
	offsets  []uint64
}

// posting is the list of one term while it grows.
type posting struct {
	list []byte
	last uint32
	any  bool
}

func newBuilder() *builder { return &builder{postings: map[string]*posting{}, offsets: []uint64{0}} }

func (b *builder) docs() int { return len(b.offsets) - 1 }

// add takes up an alternative. What the player said is taken up with the first
// one of its turn.
func (b *builder) add(t story.Turn, a story.Alternative) {
	if len(t.Children) == 0 || t.Children[0] == a.ID {
		b.text(t, a, Player, t.Input.Text)
	}
	for _, l := range a.Lines {
		b.text(t, a, l.By, l.Text)
	}
	b.text(t, a, a.Speaker, a.Text)
	for _, l := range a.After {
		b.text(t, a, l.By, l.Text)
	}
}

func (b *builder) text(t story.Turn, a story.Alternative, by, text string) {
	if text == "" {
		return
	}
	doc := uint32(b.docs())
	e := entry{turn: string(t.ID), alternative: string(a.ID), branch: string(t.Branch), playthrough: string(t.Playthrough), speaker: by, text: text, depth: t.Depth}
	b.entries = e.pack(b.entries)
	b.offsets = append(b.offsets, uint64(len(b.entries)))
	put := func(term string) { b.put(term, doc) }
	indexed(text, put)
	put(speakerTerm + by)
	put(nodeTerm + a.State.Node)
	if vars, err := json.Marshal(a.State.Vars); err == nil {
		put(varsTerm + string(vars))
	}
	if a.Reply != nil && text == a.Text {
		put(engineTerm + a.Reply.Engine.Name)
		put(engineTerm + string(a.Reply.Engine.Kind))
	}
	if text == a.Text {
		for _, f := range a.Findings {
			put(findingTerm + f.Code)
		}
	}
}

func (b *builder) put(term string, doc uint32) {
	p := b.postings[term]
	if p == nil {
		p = &posting{}
		b.postings[strings.Clone(term)] = p
	}
	if p.any && p.last == doc {
		return
	}
	p.list = binary.AppendUvarint(p.list, uint64(doc-p.last))
	p.last, p.any = doc, true
}

func (b *builder) segment() *segment {
	s := &segment{offsets: b.offsets, entries: strings.NewReader(string(b.entries)), starts: []uint32{0}}
	var words strings.Builder
	for _, term := range slices.Sorted(maps.Keys(b.postings)) {
		if strings.IndexByte(term, 0) >= 0 {
			continue
		}
		s.terms = append(s.terms, uint32(words.Len()))
		words.WriteString(term + "\x00")
		s.lists = append(s.lists, b.postings[term].list...)
		s.starts = append(s.starts, uint32(len(s.lists)))
	}
	s.vocabulary = words.String()
	return s
}
