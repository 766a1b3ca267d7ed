package recall

import (
	"math"

	"fabula/engine"
)

// The usual constants of BM25. Cues are short, so length counts less than in
// documents.
const (
	k1 = 1.2
	b  = 0.4
)

// What a term counts where it stands.
const (
	inCue  = 1.0
	inKeys = 1.0
	inText = 0.35
)

// corpus holds the terms of all candidates of one request.
type corpus struct {
	docs  []map[string]float64 // term → weighted count
	cues  [][]string           // terms of the cue
	sizes []float64
	mean  float64
	df    map[string]int
}

func index(cs []engine.Candidate) *corpus {
	c := &corpus{df: map[string]int{}}
	for _, cand := range cs {
		doc := map[string]float64{}
		size := add(doc, cand.Cue, inCue) + add(doc, cand.Text, inText)
		for _, k := range cand.Keys {
			size += add(doc, k, inKeys)
		}
		for t := range doc {
			c.df[t]++
		}
		c.docs = append(c.docs, doc)
		c.cues = append(c.cues, words(cand.Cue))
		c.sizes = append(c.sizes, size)
		c.mean += size / float64(len(cs))
	}
	return c
}

func add(doc map[string]float64, text string, weight float64) float64 {
	ts := words(text)
	for _, t := range ts {
		doc[t] += weight
	}
	return float64(len(ts)) * weight
}

// idf is what a term tells: more, the fewer candidates hold it.
func (c *corpus) idf(term string) float64 {
	n, df := float64(len(c.docs)), float64(c.df[term])
	v := math.Log(1 + (n-df+0.5)/(df+0.5))
	return v * strength(term)
}

// score is BM25 of candidate i for the terms of a query.
func (c *corpus) score(i int, query []string) float64 {
	total := 0.0
	for _, t := range query {
		tf := c.docs[i][t]
		if tf > 0 {
			total += c.idf(t) * tf * (k1 + 1) / (tf + k1*(1-b+b*c.sizes[i]/c.mean))
		}
	}
	return total
}

// telling is the idf from which a cue is taken at its word: that of two terms
// which no other candidate holds.
func (c *corpus) telling() float64 {
	return 2 * math.Log(1+(float64(len(c.docs))-0.5)/1.5)
}

// relevance is the share of meaning that query and candidate have in common,
// 0 to 1: of the query's terms, or of the cue's, whichever is more. The second
// finds a short cue inside a long speech; a cue that tells little, such as
// "yes", is not found that way.
func (c *corpus) relevance(i int, query []string) float64 {
	has := map[string]bool{}
	for _, t := range query {
		has[t] = true
	}
	ofQuery, _ := c.share(query, func(t string) bool { return c.docs[i][t] > 0 })
	ofCue, weight := c.share(c.cues[i], func(t string) bool { return has[t] })
	return max(ofQuery, ofCue*min(1, weight/c.telling()))
}

// share is how much of the terms' idf is in, and how much there is.
func (c *corpus) share(terms []string, in func(string) bool) (part, all float64) {
	hit := 0.0
	for _, t := range terms {
		v := c.idf(t)
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
