package worker

import (
	"strings"
	"sync"
)

// pieces remembers how pieces of text were split into tokens. Most of a prompt is
// what the one before it held, and splitting a thousand tokens takes llama.cpp more
// than a millisecond, half of what a graphics card then needs for them. What was not
// asked for while a generation of others came is forgotten. It is safe for
// concurrent use.
type pieces struct {
	split func(text string, control bool) ([]int32, error)

	mu         sync.Mutex
	young, old map[piece][]int32
	bytes      int // of text in young
}

type piece struct {
	text    string
	control bool
}

// generation is how many bytes of text a generation holds.
const generation = 1 << 20

// of gives the tokens of a piece, which others share: nobody may change them.
func (p *pieces) of(text string, control bool) ([]int32, error) {
	key := piece{text, control}
	if ids, known := p.known(key); known {
		return ids, nil
	}
	ids, err := p.split(text, control)
	if err == nil {
		key.text = strings.Clone(text) // else a whole conversation would be kept with it
		p.keep(key, ids)
	}
	return ids, err
}

func (p *pieces) known(key piece) ([]int32, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ids, known := p.young[key]
	if !known {
		if ids, known = p.old[key]; known {
			p.add(key, ids)
		}
	}
	return ids, known
}

func (p *pieces) keep(key piece, ids []int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.add(key, ids)
}

func (p *pieces) add(key piece, ids []int32) {
	if p.young == nil || p.bytes+len(key.text) > generation {
		p.young, p.old, p.bytes = map[piece][]int32{}, p.young, 0
	}
	p.young[key] = ids[:len(ids):len(ids)]
	p.bytes += len(key.text)
}
