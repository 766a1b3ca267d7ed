package recall

import (
	"math"

	"fabula/engine"
	"fabula/engine/terms"
)

// The usual constants of BM25. Cues are short, so length counts less than in
// documents.
const (
	k1 = 1.2
	b  = 0.4
)

// search is one query over the lines of one request.
type search struct {
	x     *index
	lines float64 // offered
	mean  float64 // size of a line, hundredths
	query []int32 // its terms that some line holds, in order
	lost  float64 // idf of the terms that no line holds
	holds map[int32]bool
	idfs  map[int32]float64
	hits  []int32 // lines that hold a term of the query
}

// look begins a search among the candidates and scores every line that holds
// a term of the query.
func (x *index) look(cs []engine.Candidate, query string) *search {
	size := x.offer(cs)
	s := &search{x: x, lines: float64(len(cs)), mean: float64(size) / float64(len(cs)),
		holds: map[int32]bool{}, idfs: map[int32]float64{}}
	for _, w := range terms.Of(query) {
		if t, known := x.numbers[w]; known && s.df(t) > 0 {
			s.query = append(s.query, t)
			s.holds[t] = true
		} else {
			s.lost += s.weigh(0, terms.Strength(w))
		}
	}
	for _, t := range s.query {
		s.score(t)
	}
	return s
}

// score adds what one term of the query is worth to every line that holds it.
func (s *search) score(t int32) {
	idf, lines, sums := s.idf(t), s.x.lines, s.x.wide
	for _, p := range s.x.posts[t] {
		l := &lines[p.line]
		if l.epoch != s.x.epoch {
			continue
		}
		if sums[p.line] == 0 {
			s.hits = append(s.hits, p.line)
		}
		tf := float64(p.count) / inCue
		sums[p.line] += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(l.size)/s.mean))
	}
}

// close leaves the index ready for the next search.
func (s *search) close() {
	for _, n := range s.hits {
		s.x.wide[n] = 0
	}
}

// df counts the offered lines that hold a term.
func (s *search) df(t int32) int {
	n := 0
	for _, p := range s.x.posts[t] {
		if s.x.lines[p.line].epoch == s.x.epoch {
			n++
		}
	}
	return n
}

// idf is what a term tells: more, the fewer lines hold it.
func (s *search) idf(t int32) float64 {
	v, ok := s.idfs[t]
	if !ok {
		v = s.weigh(float64(s.df(t)), s.x.weak[t])
		s.idfs[t] = v
	}
	return v
}

func (s *search) weigh(df, strength float64) float64 {
	return math.Log(1+(s.lines-df+0.5)/(df+0.5)) * strength
}

// telling is the idf from which a cue is taken at its word: that of two terms
// which no other line holds.
func (s *search) telling() float64 {
	return 2 * math.Log(1+(s.lines-0.5)/1.5)
}

// relevance is the share of meaning that query and line have in common, 0 to
// 1: of the query's terms, or of those of the cue or a key, whichever is more.
// The second finds a short cue inside a long speech; a cue that tells little,
// such as "yes", is not found that way.
func (s *search) relevance(n int32) float64 {
	l := &s.x.lines[n]
	ofQuery, _ := s.share(s.query, s.lost, func(t int32) bool { return s.x.has(n, t) })
	for _, cue := range l.cues {
		ofCue, weight := s.share(cue, 0, func(t int32) bool { return s.holds[t] })
		ofQuery = max(ofQuery, ofCue*min(1, weight/s.telling()))
	}
	return ofQuery
}

// share is how much of the terms' idf is in, and how much there is; lost is
// idf that cannot be in.
func (s *search) share(terms []int32, lost float64, in func(int32) bool) (part, all float64) {
	hit := 0.0
	all = lost
	for _, t := range terms {
		v := s.idf(t)
		all += v
		if in(t) {
			hit += v
		}
	}
	if all == 0 {
		return 0, 0
	}
	return hit / all, all
}

// has looks a line up among a term's postings.
func (x *index) has(n, t int32) bool {
	posts := x.posts[t]
	lo, hi := 0, len(posts)
	for lo < hi {
		mid := (lo + hi) / 2
		if posts[mid].line < n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(posts) && posts[lo].line == n
}
