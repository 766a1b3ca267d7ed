package plottree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ErrDocument is wrapped where a text is no sound fabula-plot/1.
var ErrDocument = errors.New("no sound " + Format)

// Load reads a document and checks it: the format, the content hash, that every
// id that is named exists and every tree is one. The error wraps ErrDocument and
// names what is wrong first.
func Load(r io.Reader) (*Document, error) {
	var d Document
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	if d.Format != Format {
		return nil, fmt.Errorf("%w: format is %q", ErrDocument, d.Format)
	}
	sealed := d
	if err := sealed.Seal(); err != nil {
		return nil, err
	}
	if sealed.ContentHash != d.ContentHash {
		return nil, fmt.Errorf("%w: it was changed after the export: content_hash is %.12s, the content gives %.12s", ErrDocument, d.ContentHash, sealed.ContentHash)
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	return &d, nil
}

// check resolves every id and shapes every tree.
func (d *Document) check() error {
	c := newIndex(d)
	c.node("start", d.Start)
	for _, n := range d.Nodes {
		c.when("node "+n.ID, n.When)
		c.effects("node "+n.ID, n.OnEnter)
		for _, id := range n.Lines {
			c.known("line", "node "+n.ID, id, c.lines)
		}
		for _, m := range n.Cast {
			c.known("persona", "node "+n.ID, m.NPC, c.personas)
			c.when("cast of "+n.ID, m.When)
		}
		for _, b := range n.Beats {
			c.when("beat "+n.ID+"."+b.ID, b.When)
			c.effects("beat "+n.ID+"."+b.ID, b.Effects)
		}
		for _, a := range n.Anchors {
			c.known("persona", "anchor "+n.ID+"."+a.ID, a.By, c.personas)
			c.when("anchor "+n.ID+"."+a.ID, a.When)
		}
	}
	for _, e := range d.Edges {
		what := "edge " + e.From + "." + e.Exit
		c.node(what, e.From)
		if !e.Stay {
			c.node(what, e.To)
		}
		c.when(what, e.When)
		c.effects(what, e.Effects)
	}
	for _, l := range d.Lines {
		c.node("line "+l.ID, l.Node)
		if l.Speaker != "" && l.Speaker != "player" {
			c.known("persona", "line "+l.ID, l.Speaker, c.personas)
		}
		c.when("line "+l.ID, l.When)
	}
	return errors.Join(c.errs...)
}

type index struct {
	nodes, lines, personas, vars map[string]bool
	errs                         []error
}

func newIndex(d *Document) *index {
	c := &index{nodes: map[string]bool{}, lines: map[string]bool{}, personas: map[string]bool{}, vars: map[string]bool{}}
	add := func(kind, id string, to map[string]bool) {
		if to[id] {
			c.errs = append(c.errs, fmt.Errorf("%s %q occurs twice", kind, id))
		}
		to[id] = true
	}
	for _, n := range d.Nodes {
		add("node", n.ID, c.nodes)
	}
	for _, l := range d.Lines {
		add("line", l.ID, c.lines)
	}
	for _, p := range d.Personas {
		add("persona", p.ID, c.personas)
	}
	for _, v := range d.State {
		add("variable", v.ID, c.vars)
	}
	return c
}

func (c *index) node(where, id string) { c.known("node", where, id, c.nodes) }

func (c *index) known(kind, where, id string, in map[string]bool) {
	if !in[id] {
		c.errs = append(c.errs, fmt.Errorf("%s names %s %q, which is not there", where, kind, id))
	}
}

func (c *index) when(where string, w *Condition) {
	if w != nil {
		c.tree(where, w.AST)
	}
}

func (c *index) effects(where string, list []Effect) {
	for _, e := range list {
		c.known("variable", where, e.Var, c.vars)
		c.when(where, e.When)
		c.tree(where, e.AST)
		if !slices.Contains([]string{"=", "+=", "-="}, e.Op) {
			c.errs = append(c.errs, fmt.Errorf("%s assigns with %q", where, e.Op))
		}
	}
}

// arity is how many operands an operation has; -1 is any number.
var arity = map[string]int{
	"list": -1, "not": 1, "and": 2, "or": 2, "==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2, "+": 2, "-": 2, "in": 2,
}

func (c *index) tree(where string, ast json.RawMessage) {
	if _, err := parseTree(ast, c.vars); err != nil {
		c.errs = append(c.errs, fmt.Errorf("%s: %w", where, err))
	}
}

// Tree is a condition or a value of a document, ready to be computed.
type Tree struct {
	Op    string
	Name  string // of a variable or a function
	Value any    // of a literal: bool, float64 or string
	Args  []Tree
}

// parseTree reads ["var",x], ["lit",v], ["list",…], ["call",f,…], [op,a,b] or
// ["not",a].
func parseTree(ast json.RawMessage, vars map[string]bool) (Tree, error) {
	var row []json.RawMessage
	var t Tree
	if err := json.Unmarshal(ast, &row); err != nil || len(row) == 0 || json.Unmarshal(row[0], &t.Op) != nil {
		return t, fmt.Errorf("%s is no tree", ast)
	}
	args := row[1:]
	switch t.Op {
	case "lit":
		if len(args) != 1 || json.Unmarshal(args[0], &t.Value) != nil {
			return t, fmt.Errorf("%s is no literal", ast)
		}
		return t, nil
	case "var", "call":
		if len(args) == 0 || json.Unmarshal(args[0], &t.Name) != nil || t.Op == "var" && (len(args) != 1 || vars != nil && !vars[t.Name]) {
			return t, fmt.Errorf("%s names no variable or function", ast)
		}
		args = args[1:]
	default:
		if n, ok := arity[t.Op]; !ok || n >= 0 && n != len(args) {
			return t, fmt.Errorf("%s is no operation", ast)
		}
	}
	for _, a := range args {
		sub, err := parseTree(a, vars)
		if err != nil {
			return t, err
		}
		t.Args = append(t.Args, sub)
	}
	return t, nil
}

// Parse reads a tree of a loaded document; Load has checked it. An empty text
// is true.
func Parse(ast json.RawMessage) Tree {
	t, err := parseTree(ast, nil)
	if err != nil {
		return Tree{Op: "lit", Value: true}
	}
	return t
}
