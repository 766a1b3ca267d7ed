package plottree

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/cues"
	"fabula/story/export"
	"fabula/story/plot"
)

// Files gives plottree.json.
func Files(in export.Input) ([]export.File, error) {
	doc, err := Build(in)
	if err != nil {
		return nil, err
	}
	data, err := Encode(doc)
	if err != nil {
		return nil, fmt.Errorf("plottree: %w", err)
	}
	return []export.File{{Name: "plottree.json", Data: data}}, nil
}

// Build makes the document, its content hash included.
func Build(in export.Input) (*Document, error) {
	b := builder{script: in.Script, langs: in.Script.Languages}
	s := in.Script
	doc := &Document{
		Format: Format, World: s.ID, Languages: orEmpty(s.Languages), Title: b.text(s.Title), Start: s.Start,
		Player:   Player{b.text(s.Player.Name), b.text(s.Player.Brief)},
		State:    variables(s.Vars),
		Cues:     cuesOf(s.Cues),
		Personas: b.personas(s.Personas),
		Nodes:    []Node{}, Edges: []Edge{}, Lines: []Line{},
	}
	b.found, b.origins = collectEvidence(in), origins(in)
	for _, n := range s.Nodes {
		node, lines := b.node(n, in.ApprovedOnly)
		doc.Nodes = append(doc.Nodes, node)
		doc.Lines = append(doc.Lines, lines...)
		doc.Edges = append(doc.Edges, b.edges(n)...)
	}
	doc.Lines = append(doc.Lines, recorded(in)...)
	doc.Coverage = cover(in, doc)
	return doc, doc.Seal()
}

// Seal sets the content hash: SHA-256 of the document while it has none.
func (d *Document) Seal() error {
	for i := range d.Nodes {
		n := d.Nodes[i]
		n.Hash, n.Beats, n.Anchors = "", slices.Clone(n.Beats), slices.Clone(n.Anchors)
		for k := range n.Beats {
			n.Beats[k].Evidence = nil
		}
		for k := range n.Anchors {
			n.Anchors[k].Evidence = nil
		}
		d.Nodes[i].Hash = digest(n)
	}
	for i := range d.Edges {
		e := d.Edges[i]
		e.Hash, e.Evidence = "", nil
		d.Edges[i].Hash = digest(e)
	}
	for i := range d.Lines {
		l := d.Lines[i]
		l.Hash, l.From = "", nil
		d.Lines[i].Hash = digest(l)
	}
	d.ContentHash = ""
	data, err := Encode(d)
	if err != nil {
		return fmt.Errorf("plottree: %w", err)
	}
	sum := sha256.Sum256(data)
	d.ContentHash = hex.EncodeToString(sum[:])
	return nil
}

// digest is the SHA-256 of a part of the document as compact JSON.
func digest(part any) string {
	data, err := json.Marshal(part)
	if err != nil { // strings, numbers and trees of them always encode
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Encode writes a document as it is in plottree.json.
func Encode(d *Document) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(d); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// builder turns authored types into document types.
type builder struct {
	script  *plot.Script
	langs   []string
	found   evidence
	origins map[string]*From // id of a promoted line → where it was recorded
}

// text gives an authored text by language; a plain text is in the first.
func (b builder) text(t personas.Text) Text {
	out := Text{}
	for lang, s := range t.By {
		out[lang] = s
	}
	if t.Plain != "" {
		lang := "und" // ISO 639-2: undetermined
		if len(b.langs) > 0 {
			lang = b.langs[0]
		}
		out[lang] = t.Plain
	}
	return out
}

func (b builder) condition(c source.Cond) *Condition {
	e := b.script.Expr(c)
	if e == nil {
		return nil
	}
	ast, err := json.Marshal(e)
	if err != nil { // a tree of strings, numbers and booleans always encodes
		return nil
	}
	return &Condition{Src: c.Src, AST: ast}
}

func (b builder) effects(list []plot.Effect) []Effect {
	out := []Effect{}
	for _, e := range list {
		for _, a := range b.script.Assignments(e) {
			ast, err := json.Marshal(a.Value)
			if err != nil {
				continue
			}
			out = append(out, Effect{Src: e.Do.Src, When: b.condition(e.When), Var: a.Var, Op: a.Op, AST: ast})
		}
	}
	return out
}

func (b builder) detect(d plot.Detect) Detect {
	out := Detect{Any: keywords(d.Any), All: keywords(d.All), None: keywords(d.None), Denied: d.Denied, Asserted: d.Asserted}
	if d.Intent != nil {
		out.Intent = &Intent{Act: d.Intent.Act, Object: flat(d.Intent.Object), Target: flat(d.Intent.Target)}
	}
	return out
}

// keywords flattens every language into the alternatives of a group.
func keywords(groups [][]personas.Text) [][]string {
	var out [][]string
	for _, g := range groups {
		words := []string{}
		for _, t := range g {
			words = append(words, t.All()...)
		}
		out = append(out, words)
	}
	return out
}

func (b builder) personas(list []*personas.Persona) []Persona {
	out := []Persona{}
	for _, p := range list {
		out = append(out, Persona{ID: p.ID, Name: b.text(p.Name), Version: p.Hash, Greeting: b.text(p.Greeting)})
	}
	return out
}

func variables(list []*plot.Variable) []Variable {
	out := []Variable{}
	for _, v := range list {
		row := Variable{ID: v.ID, Type: v.Kind, Values: v.Values, Default: v.Default}
		if v.Kind == plot.Int {
			row.Min, row.Max = &v.Min, &v.Max
		}
		out = append(out, row)
	}
	return out
}

func orEmpty(list []string) []string { return append([]string{}, list...) }

// cuesOf lists the cues of a world in their order.
func cuesOf(c plot.Cues) []Cue {
	out := []Cue{}
	for _, g := range []struct {
		kind string
		ids  []string
	}{{cues.Emotion, c.Emotion}, {cues.Action, c.Action}, {cues.Environment, c.Environment}} {
		for _, id := range g.ids {
			out = append(out, Cue{ID: id, Kind: g.kind, Sound: c.More[id].Sound, Light: c.More[id].Light})
		}
	}
	return out
}

// flat gives the wordings of all texts.
func flat(texts []personas.Text) []string {
	var out []string
	for _, t := range texts {
		out = append(out, t.All()...)
	}
	return out
}
