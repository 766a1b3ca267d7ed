package recall

import (
	"container/heap"

	"fabula/engine"
)

// queue gives the hits of a search one by one, best first: few are looked at,
// so they are not sorted.
type queue struct {
	s    *search
	keys []queued
}

type queued struct {
	score float64
	line  int32
}

func newQueue(s *search, said map[string]int) *queue {
	q := &queue{s: s, keys: make([]queued, len(s.hits))}
	for i, n := range s.hits {
		l := &s.x.lines[n]
		score := s.x.wide[n] + l.Prior
		if len(said) > 0 && said[key(l.Text)] > 0 {
			score *= worn
		}
		q.keys[i] = queued{score, n}
	}
	heap.Init(q)
	return q
}

// next takes the best hit that is left; equals come in the order of their ids.
func (q *queue) next() (Hit, int32, bool) {
	if len(q.keys) == 0 {
		return Hit{}, 0, false
	}
	k := heap.Pop(q).(queued)
	return Hit{Candidate: q.candidate(k.line), Score: k.score}, k.line, true
}

func (q *queue) candidate(n int32) engine.Candidate { return q.s.x.lines[n].Candidate }

// The methods of heap.Interface.

func (q *queue) Len() int { return len(q.keys) }

func (q *queue) Less(i, j int) bool {
	a, b := q.keys[i], q.keys[j]
	if a.score != b.score {
		return a.score > b.score
	}
	return q.s.x.lines[a.line].ID < q.s.x.lines[b.line].ID
}

func (q *queue) Swap(i, j int) { q.keys[i], q.keys[j] = q.keys[j], q.keys[i] }

func (q *queue) Push(k any) { q.keys = append(q.keys, k.(queued)) }

func (q *queue) Pop() any {
	last := q.keys[len(q.keys)-1]
	q.keys = q.keys[:len(q.keys)-1]
	return last
}
