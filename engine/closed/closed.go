// Package closed restricts stretches of a reply to given texts, token by token:
// once a token opens a stretch, only tokens are allowed that lead to one of its
// texts and its closing mark. Outside of stretches everything is free but tokens
// that would open one wrongly.
//
// A token-level automaton over bytes, as in B. Willard and R. Louf, Efficient
// guided generation for large language models (arXiv 2307.09702), for the one
// language that is needed here: the masks are made when a state is first met.
// Non-goals: nesting, repetition, any other grammar.
package closed

import (
	"slices"
	"strings"
	"sync"

	"fabula/engine"
)

// Automaton is the spans of a request for one vocabulary. It is safe for
// concurrent use.
type Automaton struct {
	nodes  []node
	roots  map[byte]int // by opening mark
	pieces [][]byte     // of the vocabulary
	banned []int32

	mu    sync.Mutex
	masks map[int][]bool
}

// node is a state inside a stretch.
type node struct {
	next map[byte]int
}

// Outside is the state outside of every stretch; it is also where one leads
// that is closed.
const Outside = 0

// New makes an automaton. Texts that hold the closing mark are left out: they
// would end there. Spans without a text, or whose opening mark is not one byte,
// restrict nothing. pieces are the bytes of every token.
func New(spans []engine.Span, pieces [][]byte) *Automaton {
	a := &Automaton{nodes: []node{{}}, roots: map[byte]int{}, pieces: pieces, masks: map[int][]bool{}}
	for _, s := range spans {
		if len(s.Open) != 1 || s.Close == "" {
			continue
		}
		texts := slices.DeleteFunc(slices.Clone(s.Texts), func(t string) bool { return strings.Contains(t, s.Close) })
		if len(texts) == 0 {
			continue
		}
		root, ok := a.roots[s.Open[0]]
		if !ok {
			root = a.grow()
			a.roots[s.Open[0]] = root
		}
		for _, text := range texts {
			a.add(root, text+s.Close)
		}
	}
	for id, piece := range pieces {
		if _, ok := a.Next(Outside, piece); !ok {
			a.banned = append(a.banned, int32(id))
		}
	}
	return a
}

func (a *Automaton) grow() int {
	a.nodes = append(a.nodes, node{next: map[byte]int{}})
	return len(a.nodes) - 1
}

// add lets a stretch be text; its last byte leads outside.
func (a *Automaton) add(at int, text string) {
	for i := range len(text) {
		to, ok := a.nodes[at].next[text[i]]
		switch {
		case i == len(text)-1:
			to = Outside
		case !ok || to == Outside:
			to = a.grow()
		}
		a.nodes[at].next[text[i]] = to
		at = to
	}
}

// Next gives the state after a token's bytes; ok is false where the token is not
// allowed.
func (a *Automaton) Next(state int, piece []byte) (to int, ok bool) {
	for _, b := range piece {
		if state == Outside {
			state = a.roots[b] // Outside where b opens nothing
			continue
		}
		if state, ok = a.nodes[state].next[b]; !ok {
			return Outside, false
		}
	}
	return state, true
}

// Banned lists the tokens that may not come outside of a stretch: they would
// open one by what it must not hold.
func (a *Automaton) Banned() []int32 { return a.banned }

// Mask gives the tokens that are allowed in a state, nil outside, where only
// Banned are not. A token without bytes, such as the one that ends a turn, is
// never allowed inside. The slice must not be changed.
func (a *Automaton) Mask(state int) []bool {
	if state == Outside {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if m, ok := a.masks[state]; ok {
		return m
	}
	m := make([]bool, len(a.pieces))
	for id, piece := range a.pieces {
		if len(piece) > 0 {
			_, m[id] = a.Next(state, piece)
		}
	}
	a.masks[state] = m
	return m
}
