package interp

import (
	"fmt"

	"fabula/engine/tensorrt/graph"
)

// Cache is what a machine remembers of some sequences from step to step. It is
// for one goroutine.
type Cache struct {
	m    *Machine
	span int
	past []int32
	held map[string]Array // k.N and v.N
}

// NewCache makes an empty cache of span positions for each of batch sequences.
func (m *Machine) NewCache(batch, span int) *Cache {
	sizes := graph.Sizes{B: batch, S: 1, C: span}
	c := &Cache{m: m, span: span, past: make([]int32, batch), held: map[string]Array{}}
	for _, id := range m.g.Inputs {
		t := m.g.Tensor(id)
		if t.Type != graph.I32 {
			shape := sizes.Shape(t.Dims)
			c.held[t.Name] = Array{Dims: shape, F: make([]float32, product(shape))}
		}
	}
	return c
}

// SetBias sets what is added to the logits of all tokens of a sequence, [V].
func (c *Cache) SetBias(sequence int, bias []float32) {
	n := c.m.g.Config.Vocab
	copy(c.held["bias"].F[sequence*n:(sequence+1)*n], bias)
}

// Truncate forgets the tokens of a sequence from n on.
func (c *Cache) Truncate(sequence, n int) { c.past[sequence] = min(c.past[sequence], int32(n)) }

// Step appends tokens to each sequence, at least one, not all the same number,
// and gives what the graph puts out for the last of each.
func (c *Cache) Step(ids [][]int32) (map[string]Array, error) {
	sizes := graph.Sizes{B: len(c.past), C: c.span}
	for _, row := range ids {
		sizes.S = max(sizes.S, len(row))
	}
	inputs := map[string]Array{
		"ids": {Dims: []int{sizes.B, sizes.S}}, "pos": {Dims: []int{sizes.B, sizes.S}},
		"past": {Dims: []int{sizes.B}, I: c.past}, "last": {Dims: []int{sizes.B}},
	}
	for name, v := range c.held {
		inputs[name] = v
	}
	if err := c.tokens(ids, sizes.S, inputs); err != nil {
		return nil, err
	}
	out, err := c.m.Run(sizes, inputs)
	if err != nil {
		return nil, err
	}
	for layer := range c.m.g.Config.Layers {
		c.append(ids, out[graph.NewKey(layer)], c.held[graph.Key(layer)].F, true)
		c.append(ids, out[graph.NewValue(layer)], c.held[graph.Value(layer)].F, false)
	}
	for b, row := range ids {
		c.past[b] += int32(len(row))
	}
	return out, nil
}

// tokens fills the inputs that differ from step to step; short rows are padded.
func (c *Cache) tokens(ids [][]int32, width int, inputs map[string]Array) error {
	if len(ids) != len(c.past) {
		return fmt.Errorf("interp: %d sequences, not %d", len(ids), len(c.past))
	}
	all, pos, last := inputs["ids"], inputs["pos"], inputs["last"]
	for b, row := range ids {
		if len(row) == 0 || int(c.past[b])+len(row) > c.span {
			return fmt.Errorf("interp: %d tokens after %d in a span of %d", len(row), c.past[b], c.span)
		}
		for s := range width {
			real := min(s, len(row)-1) // padding repeats the last token
			all.I, pos.I = append(all.I, row[real]), append(pos.I, c.past[b]+int32(real))
		}
		last.I = append(last.I, int32(len(row)-1))
	}
	inputs["ids"], inputs["pos"], inputs["last"] = all, pos, last
	return nil
}

// append copies new keys or values [B,S,H,D] behind those that are held, keys
// as [B,H,D,C] and values as [B,H,C,D].
func (c *Cache) append(ids [][]int32, fresh Array, held []float32, keys bool) {
	tokens, heads, size := fresh.Dims[1], fresh.Dims[2], fresh.Dims[3]
	for b, row := range ids {
		for s := range row {
			pos := int(c.past[b]) + s
			for h := range heads {
				for d := range size {
					to := ((b*heads+h)*c.span+pos)*size + d
					if keys {
						to = ((b*heads+h)*size+d)*c.span + pos
					}
					held[to] = fresh.F[((b*tokens+s)*heads+h)*size+d]
				}
			}
		}
	}
}
