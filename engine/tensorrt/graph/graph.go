package graph

import (
	"fmt"

	"fabula/engine/gguf/weights"
)

// Node computes tensors from others.
type Node struct {
	Op  Op
	In  []ID
	Out []ID // one, but two of TopK
}

// Graph is one step of a model. It does not change once it is built.
type Graph struct {
	Config  Config
	Options Options
	Tensors []Tensor // by ID
	Nodes   []Node   // operands before their users
	Inputs  []ID
	Outputs []ID // their tensors have the names of the package comment
}

// Tensor gives a tensor by its id.
func (g *Graph) Tensor(id ID) Tensor { return g.Tensors[id] }

// Lookup finds an input, constant or output by name.
func (g *Graph) Lookup(name string) (ID, bool) {
	for id, t := range g.Tensors {
		if t.Name == name {
			return ID(id), true
		}
	}
	return 0, false
}

// Items lists the constants in the order of the nodes, each once, as package
// weights reads them.
func (g *Graph) Items() []weights.Item {
	var items []weights.Item
	for _, n := range g.Nodes {
		if c, ok := n.Op.(Const); ok {
			t := g.Tensors[n.Out[0]]
			items = append(items, weights.Item{
				Name: t.Name, Type: t.Type.stored(), Parts: c.Parts, Values: c.Values, Columns: c.Columns, Scales: c.Scales, Rounded: c.Rounded,
			})
		}
	}
	return items
}

// Key and its siblings name the tensors of a layer's cache.
func Key(layer int) string      { return fmt.Sprintf("k.%d", layer) }
func Value(layer int) string    { return fmt.Sprintf("v.%d", layer) }     // cached values
func NewKey(layer int) string   { return fmt.Sprintf("k.new.%d", layer) } // keys of the new tokens
func NewValue(layer int) string { return fmt.Sprintf("v.new.%d", layer) } // values of the new tokens
