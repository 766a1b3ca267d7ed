package weights

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"fabula/engine"
	"fabula/engine/gguf/header"
)

// ErrMemory is wrapped by Plan.Fits.
var ErrMemory = errors.New("not enough memory")

// Plan knows where every item's elements lie in the file. It may be used by
// several goroutines.
type Plan struct {
	file  io.ReaderAt
	data  int64 // where tensor data begins
	items map[string]planned
	names []string
}

type planned struct {
	Item
	tensors []header.Tensor // one a part
}

// NewPlan looks up the items in a file with header h. Errors wrap
// engine.ErrIncompatible and name every tensor that is missing, has another
// shape or a format that cannot be read, and every tensor of the file that no
// item takes: a model with more weights than the engine's graph is another model.
func NewPlan(h *header.Header, file io.ReaderAt, items []Item) (*Plan, error) {
	p := &Plan{file: file, data: h.Data, items: map[string]planned{}}
	table := map[string]header.Tensor{}
	for _, t := range h.Tensors {
		table[t.Name] = t
	}
	used := map[string]bool{"rope_freqs.weight": true, "rope_factors_long.weight": true, "rope_factors_short.weight": true}
	var faults []error
	for _, item := range items {
		found := planned{Item: item}
		for _, part := range item.Parts {
			used[part.Tensor] = true
			t, err := find(table, part)
			if err != nil {
				faults = append(faults, err)
			}
			found.tensors = append(found.tensors, t)
		}
		if _, twice := p.items[item.Name]; twice {
			faults = append(faults, fmt.Errorf("item %s stands twice", item.Name))
		}
		p.items[item.Name] = found
		p.names = append(p.names, item.Name)
	}
	for _, t := range h.Tensors {
		if !used[t.Name] {
			faults = append(faults, fmt.Errorf("tensor %s is not used", t.Name))
		}
	}
	if faults != nil {
		return nil, fmt.Errorf("weights: %w: %w", engine.ErrIncompatible, some(faults))
	}
	return p, nil
}

// some joins the first errors and counts the others.
func some(list []error) error {
	const most = 8
	if len(list) <= most {
		return errors.Join(list...)
	}
	return errors.Join(append(slices.Clone(list[:most]), fmt.Errorf("and %d more", len(list)-most))...)
}

func find(table map[string]header.Tensor, p Part) (header.Tensor, error) {
	t, there := table[p.Tensor]
	if !there {
		return t, fmt.Errorf("tensor %s is missing", p.Tensor)
	}
	if expand(t.Type) == nil {
		return t, fmt.Errorf("tensor %s has the format %s, which cannot be read", p.Tensor, t.Type)
	}
	dims := []uint64{uint64(p.Cols), uint64(p.Rows)}
	if p.Cols == 1 {
		dims = []uint64{uint64(p.Rows)}
	}
	have := t.Dims
	for len(have) > len(dims) && have[len(have)-1] == 1 {
		have = have[:len(have)-1]
	}
	if !slices.Equal(have, dims) {
		return t, fmt.Errorf("tensor %s is %v, not %v", p.Tensor, t.Dims, dims)
	}
	if p.Heads > 0 && p.Rows%(2*p.Heads) != 0 {
		return t, fmt.Errorf("tensor %s: %d rows are no pairs in %d heads", p.Tensor, p.Rows, p.Heads)
	}
	if block, _ := t.Type.Block(); p.Cols == 1 && block > 1 {
		return t, fmt.Errorf("tensor %s is a vector in the format %s", p.Tensor, t.Type)
	}
	return t, nil
}

// Names lists the items in the order that they were given.
func (p *Plan) Names() []string { return slices.Clone(p.names) }

// Item gives an item by name.
func (p *Plan) Item(name string) (Item, bool) {
	found, ok := p.items[name]
	return found.Item, ok
}

// Bytes is the size of all items together.
func (p *Plan) Bytes() int64 {
	n := int64(0)
	for _, i := range p.items {
		n += i.Bytes()
	}
	return n
}

// Peak bounds the host memory, in bytes, of a build that holds all items at
// once: two and a half times their size (the builder makes a copy, and writes the
// plan from it by stream), and what Fill needs besides.
func (p *Plan) Peak() int64 { return p.Bytes()*5/2 + Scratch() }

// Fits holds Peak against the memory that is free, in bytes. Its error wraps
// ErrMemory and gives both figures.
func (p *Plan) Fits(free int64) error {
	if peak := p.Peak(); peak > free {
		return fmt.Errorf("weights: %w: building an engine of %d MiB of weights takes up to %d MiB, %d MiB are free",
			ErrMemory, p.Bytes()>>20, peak>>20, free>>20)
	}
	return nil
}
