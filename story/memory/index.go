package memory

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"fabula/engine/terms"
)

// The usual constants of BM25. Turns differ in length less than documents do.
const (
	k1 = 1.2
	b  = 0.4
)

// How much else counts beside relevance: a fact of now is worth a fifth more
// than an old one, what happened in its turn another fifth, a pin or a star doubles it.
const (
	recency    = 0.2
	happened   = 0.2
	pinned     = 1.0
	recentHalf = 50 // turns after which recency has halved
)

// A fact comes to mind when it holds this share of the query's meaning, or a
// term that tells something and that few facts hold: of a long sentence the one
// word "herbs" is enough.
const (
	near    = 0.25
	telling = 0.5  // strength of a term that says what a text is about
	few     = 0.05 // of all facts; two always are
)

// Index holds the facts of one NPC on one path, oldest first. It is not safe
// for concurrent use.
type Index struct {
	facts   []Fact
	sizes   []int32
	total   int64 // sum of sizes
	numbers map[string]int32
	names   []string
	posts   [][]posting // by term, ascending by fact

	score []float64 // by fact; zero between searches
}

type posting struct{ fact, count int32 }

// NewIndex makes an empty index.
func NewIndex() *Index { return &Index{numbers: map[string]int32{}} }

// Len gives the number of facts.
func (x *Index) Len() int { return len(x.facts) }

// Fact gives fact i.
func (x *Index) Fact(i int) Fact { return x.facts[i] }

// Add appends a fact that is newer than all others.
func (x *Index) Add(f Fact) {
	n := int32(len(x.facts))
	size := int32(0)
	for _, t := range terms.Of(f.Text) {
		id := x.number(t)
		size++
		if p := x.posts[id]; len(p) > 0 && p[len(p)-1].fact == n {
			p[len(p)-1].count++
			continue
		}
		x.posts[id] = append(x.posts[id], posting{n, 1})
	}
	x.facts, x.sizes = append(x.facts, f), append(x.sizes, size)
	x.score = append(x.score, 0)
	x.total += int64(size)
}

func (x *Index) number(term string) int32 {
	id, ok := x.numbers[term]
	if !ok {
		id = int32(len(x.names))
		x.numbers[term] = id
		x.names, x.posts = append(x.names, term), append(x.posts, nil)
	}
	return id
}

// Cut keeps the first n facts: the path was left for a fork.
func (x *Index) Cut(n int) {
	for i := len(x.facts) - 1; i >= n; i-- {
		for _, t := range terms.Of(x.facts[i].Text) {
			id := x.numbers[t]
			if p := x.posts[id]; len(p) > 0 && p[len(p)-1].fact == int32(i) {
				x.posts[id] = p[:len(p)-1]
			}
		}
		x.total -= int64(x.sizes[i])
	}
	if n < len(x.facts) {
		x.facts, x.sizes, x.score = x.facts[:n], x.sizes[:n], x.score[:n]
	}
}

// Search gives at most k of the first n facts that bear on a query, best first;
// equals in the order of time, newest first. Of facts that say the same the
// newest is given.
func (x *Index) Search(query string, n, k int) []Recollection {
	n = min(n, len(x.facts))
	if n == 0 || k <= 0 {
		return nil
	}
	q := x.ask(query, n)
	touched := x.accumulate(q, n)
	hits := make(hits, 0, len(touched))
	for _, f := range touched {
		hits = append(hits, hit{f, x.score[f] * x.weight(f, n)})
		x.score[f] = 0
	}
	heap.Init(&hits) // few of very many are wanted, so they are not sorted
	return x.best(&hits, q, k)
}

type hit struct {
	fact  int32
	score float64
}

// hits is a heap, the best on top; of equals the newest.
type hits []hit

func (h hits) Len() int { return len(h) }
func (h hits) Less(i, j int) bool {
	return h[i].score > h[j].score || h[i].score == h[j].score && h[i].fact > h[j].fact
}
func (h hits) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *hits) Push(v any)   { *h = append(*h, v.(hit)) }

// Pop gives the last, which heap.Pop has put there.
func (h *hits) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// asked is a query: its terms that some fact holds, each once.
type asked struct {
	ids    []int32
	weight []float64 // idf
	rare   []bool    // tells something and few facts hold it
	all    float64   // idf of all terms, those that no fact holds too
}

func (x *Index) ask(text string, n int) asked {
	var q asked
	seen := map[string]bool{}
	for _, t := range terms.Of(text) {
		if seen[t] {
			continue
		}
		seen[t] = true
		id, ok := x.numbers[t]
		df := 0
		if ok {
			df, _ = slices.BinarySearchFunc(x.posts[id], int32(n), func(p posting, n int32) int { return cmp.Compare(p.fact, n) })
		}
		strength := terms.Strength(t)
		idf := math.Log(1+(float64(n-df)+0.5)/(float64(df)+0.5)) * strength
		q.all += idf
		if df > 0 {
			q.ids, q.weight = append(q.ids, id), append(q.weight, idf)
			q.rare = append(q.rare, strength >= telling && float64(df) <= max(2, few*float64(n)))
		}
	}
	return q
}

// accumulate sums BM25 by fact and lists the facts that hold any term.
func (x *Index) accumulate(q asked, n int) []int32 {
	mean := float64(x.total) / float64(len(x.facts))
	var touched []int32
	for i, id := range q.ids {
		for _, p := range x.posts[id] {
			if int(p.fact) >= n {
				break
			}
			if x.score[p.fact] == 0 {
				touched = append(touched, p.fact)
			}
			tf := float64(p.count)
			x.score[p.fact] += q.weight[i]*tf*(k1+1)/(tf+k1*(1-b+b*float64(x.sizes[p.fact])/mean)) + math.SmallestNonzeroFloat64
		}
	}
	return touched
}

// fresh is what recency adds, by age; of facts beyond it, nothing that shows.
var fresh = func() (by [20 * recentHalf]float64) {
	for age := range by {
		by[age] = recency * math.Exp2(-float64(age)/recentHalf)
	}
	return by
}()

// weight is what a fact's age and importance make of its relevance.
func (x *Index) weight(f int32, n int) float64 {
	w := 1.0
	if age := n - 1 - int(f); age < len(fresh) {
		w += fresh[age]
	}
	if x.facts[f].Event {
		w += happened
	}
	if x.facts[f].Pinned || x.facts[f].Marked {
		w += pinned
	}
	return w
}

// best takes the first k hits that bear on the query.
func (x *Index) best(all *hits, q asked, k int) []Recollection {
	var out []Recollection
	said := map[string]bool{}
	for all.Len() > 0 {
		h := heap.Pop(all).(hit)
		f := x.facts[h.fact]
		if said[f.Text] {
			continue
		}
		because, ok := x.shared(h.fact, q)
		if !ok {
			continue
		}
		said[f.Text] = true
		if out = append(out, Recollection{Fact: f, Score: h.score, Because: because}); len(out) == k {
			break
		}
	}
	return out
}

// shared gives the terms that a fact has in common with a query, and whether
// they are enough for it to come to mind.
func (x *Index) shared(fact int32, q asked) (because []string, enough bool) {
	type term struct {
		name   string
		weight float64
	}
	var held []term
	sum := 0.0
	for i, id := range q.ids {
		_, ok := slices.BinarySearchFunc(x.posts[id], fact, func(p posting, f int32) int { return cmp.Compare(p.fact, f) })
		if ok {
			held = append(held, term{x.names[id], q.weight[i]})
			sum += q.weight[i]
			enough = enough || q.rare[i]
		}
	}
	slices.SortStableFunc(held, func(p, q term) int { return cmp.Compare(q.weight, p.weight) })
	for _, t := range held {
		if len(because) == 0 || terms.Strength(t.name) >= telling {
			because = append(because, t.name)
		}
	}
	return because, enough || sum >= near*q.all
}
