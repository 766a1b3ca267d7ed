package recall

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/terms"
)

// naive ranks by going through every line of a request: the definition that
// the index has to agree with.
type naive struct {
	docs  []map[string]float64
	cues  [][][]string // of each line: cue and keys
	sizes []float64
	mean  float64
	df    map[string]int
}

func count(cs []engine.Candidate) *naive {
	c := &naive{df: map[string]int{}}
	for _, cand := range cs {
		doc, size := map[string]float64{}, 0.0
		add := func(text string, weight float64) {
			for _, t := range terms.Of(text) {
				doc[t] += weight
				size += weight
			}
		}
		add(cand.Cue, 1)
		add(cand.Text, 0.35)
		for _, k := range cand.Keys {
			add(k, 1)
		}
		for t := range doc {
			c.df[t]++
		}
		cues := [][]string{terms.Of(cand.Cue)}
		for _, k := range cand.Keys {
			cues = append(cues, terms.Of(k))
		}
		c.docs, c.cues, c.sizes = append(c.docs, doc), append(c.cues, cues), append(c.sizes, size)
		c.mean += size / float64(len(cs))
	}
	return c
}

func (c *naive) idf(t string) float64 {
	n, df := float64(len(c.docs)), float64(c.df[t])
	return math.Log(1+(n-df+0.5)/(df+0.5)) * terms.Strength(t)
}

func (c *naive) score(i int, query []string) float64 {
	total := 0.0
	for _, t := range query {
		if tf := c.docs[i][t]; tf > 0 {
			total += c.idf(t) * tf * (k1 + 1) / (tf + k1*(1-b+b*c.sizes[i]/c.mean))
		}
	}
	return total
}

func (c *naive) share(terms []string, in func(string) bool) (part, all float64) {
	hit := 0.0
	for _, t := range terms {
		all += c.idf(t)
		if in(t) {
			hit += c.idf(t)
		}
	}
	return hit / max(all, 1e-300), all
}

func (c *naive) relevance(i int, query []string) float64 {
	ofQuery, _ := c.share(query, func(t string) bool { return c.docs[i][t] > 0 })
	telling := 2 * math.Log(1+(float64(len(c.docs))-0.5)/1.5)
	for _, cue := range c.cues[i] {
		ofCue, weight := c.share(cue, func(t string) bool { return slices.Contains(query, t) })
		ofQuery = max(ofQuery, ofCue*min(1, weight/telling))
	}
	return ofQuery
}

func (c *naive) answering(r engine.Request, said map[string]int) []Hit {
	query := terms.Of(query(r))
	var hits []Hit
	for i, cand := range r.Candidates {
		if c.relevance(i, query) < near || c.score(i, query) == 0 {
			continue
		}
		s := c.score(i, query) + cand.Prior
		if said[key(cand.Text)] > 0 {
			s *= worn
		}
		hits = append(hits, Hit{Candidate: cand, Score: s})
	}
	slices.SortStableFunc(hits, func(x, y Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.ID, y.ID))
	})
	return hits
}

// lines makes up candidates of few words, so that many share some.
func lines(r *rand.Rand, n int) []engine.Candidate {
	list := strings.Fields("lamp lantern fox child inn rain road silver wire who lights the a is 灯 谁点的灯 雨 你 山路 客店 狐狸 old cook's bun")
	say := func(n int) string {
		var b []string
		for range n {
			b = append(b, list[r.IntN(len(list))])
		}
		return strings.Join(b, " ")
	}
	cs := make([]engine.Candidate, n)
	for i := range cs {
		cs[i] = engine.Candidate{ID: fmt.Sprintf("l%05d", i), Text: say(1 + r.IntN(6)), Prior: float64(r.IntN(3)) / 2}
		if r.IntN(4) > 0 {
			cs[i].Cue = say(1 + r.IntN(5))
		}
		if r.IntN(4) == 0 {
			cs[i].Keys = []string{say(1), say(2)}
		}
	}
	return cs
}

// Ensure that the index ranks as the definition does, whatever it was asked
// before: other lines, changed wordings, part of the lines, another order.
func TestIndexAgainstDefinition(t *testing.T) {
	x := newIndex()
	r := rand.New(rand.NewPCG(1, 2))
	pool := lines(r, 400)
	for range 300 {
		for range 3 { // an author edits
			i := r.IntN(len(pool))
			pool[i].Text = lines(r, 1)[0].Text
		}
		from := r.IntN(len(pool) - 60)
		cs := slices.Clone(pool[from : from+1+r.IntN(60)])
		if r.IntN(3) == 0 {
			r.Shuffle(len(cs), func(i, j int) { cs[i], cs[j] = cs[j], cs[i] })
		}
		req := engine.Request{Query: lines(r, 1)[0].Text, Candidates: cs}
		said := map[string]int{key(cs[0].Text): 1}
		want := count(cs).answering(req, said)
		got := x.answering(req, said, near, 0, len(cs))
		if len(got) != len(want) {
			t.Fatalf("%q: %d lines answer, by definition %d", req.Query, len(got), len(want))
		}
		for i := range got {
			if math.Abs(got[i].Score-want[i].Score) > 1e-9 || math.Abs(got[i].Score-want[i].Score) == 0 && got[i].ID != want[i].ID {
				t.Fatalf("%q, place %d: %s %.12f, by definition %s %.12f", req.Query, i, got[i].ID, got[i].Score, want[i].ID, want[i].Score)
			}
		}
	}
}

// Ensure that wordings that come and go do not pile up.
func TestIndexForgets(t *testing.T) {
	x := newIndex()
	cs := lines(rand.New(rand.NewPCG(3, 4)), 50)
	for day := range 2000 {
		for i := range cs {
			cs[i].Text = fmt.Sprintf("day %d, line %d", day, i)
		}
		x.answering(engine.Request{Query: "lamp", Candidates: cs}, nil, near, 0, 8)
	}
	if n := len(x.lines); n > tidyOver+2*tidyEach*len(cs) {
		t.Errorf("%d lines are kept for 50 that are offered", n)
	}
}
