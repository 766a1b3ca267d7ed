package vote

import (
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"fabula/story/lab/stats"
)

// Scene is one situation and what each candidate made of it.
type Scene struct {
	Name   string   // where it is from
	Before []Line   // what led to it
	Said   [][]Line // by candidate; empty where one has nothing to show
}

// Plan is what a batch is made of.
type Plan struct {
	World      string
	Language   string
	Candidates []string // the first is the reference: the second is asked whether it is not worse
	Scenes     []Scene
	Margin     float64 // 0 = DefaultMargin
	Planned    int     // 0 = as many as 80 % power take at the margin
	Seed       uint64
	Made       time.Time
}

// DefaultMargin is by how much the second candidate may lose: 10 points.
const DefaultMargin = 0.10

// Shares of items that are put twice, and of those whose sides are the same; at
// least one of each.
const (
	repeated  = 0.10
	identical = 0.05
)

// ErrNothing says that no scene holds two candidates that differ.
var ErrNothing = errors.New("nothing to vote on: no scene in which two candidates said different things")

// Make draws a batch and its key. The same plan gives the same files.
func Make(p Plan) (*Batch, *Key, error) {
	m := maker{rng: rand.New(rand.NewPCG(p.Seed, 0x766f7465)), scenes: p.Scenes}
	m.key = Key{Vote: KeyFormat, Candidates: p.Candidates, Items: map[string]Opened{}, Salt: m.id(16)}
	m.pairs(len(p.Candidates))
	pairs := len(m.items)
	if pairs == 0 {
		return nil, nil, ErrNothing
	}
	m.repeats(pairs)
	m.sames(pairs)
	m.rng.Shuffle(len(m.items), func(i, j int) { m.items[i], m.items[j] = m.items[j], m.items[i] })
	b := &Batch{Items: m.items, Header: Header{
		Vote: BatchFormat, World: p.World, Language: p.Language, Made: p.Made.UTC().Round(0),
		Margin: p.Margin, Planned: p.Planned, Items: len(m.items), Key: hash(m.key.encode()),
	}}
	if b.Margin == 0 {
		b.Margin = DefaultMargin
	}
	if b.Planned == 0 {
		b.Planned = stats.VotesForMargin(b.Margin, 0.8)
	}
	b.seal()
	return b, &m.key, nil
}

type maker struct {
	rng    *rand.Rand
	scenes []Scene
	items  []Item
	key    Key
}

// id draws a name that says nothing.
func (m *maker) id(bytes int) string {
	b := make([]byte, bytes)
	for i := range b {
		b[i] = byte(m.rng.UintN(256))
	}
	return hex.EncodeToString(b)
}

func (m *maker) add(it Item, o Opened) {
	for it.ID = m.id(4); m.key.Items[it.ID].Kind != ""; {
		it.ID = m.id(4)
	}
	m.items = append(m.items, it)
	m.key.Items[it.ID] = o
}

// pairs puts every two candidates of a scene beside each other, all as often.
func (m *maker) pairs(candidates int) {
	for _, s := range m.scenes {
		for i := range candidates {
			for j := range i {
				m.pair(s, i, j)
			}
		}
	}
}

func (m *maker) pair(s Scene, i, j int) {
	if len(s.Said[i]) == 0 || len(s.Said[j]) == 0 {
		return
	}
	if slices.Equal(s.Said[i], s.Said[j]) {
		m.key.Equal++
		return
	}
	if m.rng.UintN(2) == 0 {
		i, j = j, i
	}
	m.add(Item{Before: s.Before, First: s.Said[i], Second: s.Said[j]}, Opened{Kind: Pair, Scene: s.Name, First: i, Second: j})
}

// share is a part of n, at least one.
func share(n int, of float64) int { return max(int(math.Round(float64(n)*of)), 1) }

func (m *maker) repeats(pairs int) {
	for _, i := range m.rng.Perm(pairs)[:share(pairs, repeated)] {
		it, o := m.items[i], m.key.Items[m.items[i].ID]
		m.add(Item{Before: it.Before, First: it.Second, Second: it.First}, Opened{Repeat, o.Scene, o.Second, o.First, it.ID})
	}
}

func (m *maker) sames(pairs int) {
	for _, i := range m.rng.Perm(pairs)[:share(pairs, identical)] {
		it, o := m.items[i], m.key.Items[m.items[i].ID]
		if m.rng.UintN(2) == 0 {
			it.First, o.First = it.Second, o.Second
		}
		it.Second, o.Second, o.Kind = it.First, o.First, Same
		m.add(it, o)
	}
}

// Percent writes a share as whole points.
func Percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 0, 64) }
