package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// dumped is a node as the dump writes it.
type dumped struct {
	Op      string
	Attr    Op     `json:",omitempty"`
	Literal string `json:",omitempty"` // SHA-256 of a constant's values
	In      []ID   `json:",omitempty"`
	Out     []dumpedTensor
}

type dumpedTensor struct {
	ID ID
	Tensor
}

// Dump writes the graph as JSON, one node a line: what it does, the ids of its
// operands, and the tensors that it makes. The same graph gives the same bytes.
func (g *Graph) Dump(w io.Writer) error {
	head, err := json.Marshal(struct {
		Family          string
		Options         Options
		Inputs, Outputs []ID
	}{g.Config.Family, g.Options, g.Inputs, g.Outputs})
	if err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	if _, err := fmt.Fprintf(w, "{\"Graph\":%s,\"Nodes\":[", head); err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	for i, n := range g.Nodes {
		line, err := json.Marshal(g.dumped(n))
		if err != nil {
			return fmt.Errorf("graph: node %d: %w", i, err)
		}
		if _, err := fmt.Fprintf(w, "%s\n%s", comma(i), line); err != nil {
			return fmt.Errorf("graph: %w", err)
		}
	}
	_, err = io.WriteString(w, "\n]}\n")
	return err
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func (g *Graph) dumped(n Node) dumped {
	d := dumped{Op: strings.TrimPrefix(fmt.Sprintf("%T", n.Op), "graph."), Attr: n.Op, In: n.In}
	if c, ok := n.Op.(Const); ok && (c.Values != nil || c.Columns != nil) {
		d.Literal = digest(slices.Concat(c.Values, c.Columns))
	}
	for _, id := range n.Out {
		d.Out = append(d.Out, dumpedTensor{id, g.Tensors[id]})
	}
	return d
}

func digest(values []float32) string {
	h := sha256.New()
	var b [4]byte
	for _, v := range values {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
		h.Write(b[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Hash is the SHA-256 of the dump, in hex: two engines of one hash compute the
// same function of their weights.
func (g *Graph) Hash() string {
	h := sha256.New()
	if err := g.Dump(h); err != nil {
		return "" // no hash fails to write, and every type here can be marshalled
	}
	return hex.EncodeToString(h.Sum(nil))
}
