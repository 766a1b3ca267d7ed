package check

import (
	"slices"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/plot"
)

// kind says who comes to read a passage.
type kind int

const (
	heard   kind = iota // the player reads it
	told                // it stands in prompts only
	hidden              // a secret itself
	keyword             // looked for, never shown
	wording             // an alias or an example: looked for, a sentence
)

// passage is one authored text, with what is known while it is read.
type passage struct {
	text  personas.Text
	field string   // the key that the author wrote
	kind  kind     //
	by    string   // persona that says it
	known []string // personas in whose prompts it stands; empty = all
	node  *plot.Node
	when  []source.Cond // hold while it is read
	facts []*plot.Expr  // hold too
	allow []personas.Allow
}

// condition is a condition of the script in its place.
type condition struct {
	cond  source.Cond
	allow []personas.Allow
}

// effect is an effect of the script in its place.
type effect struct {
	plot.Effect
	allow []personas.Allow
}

// survey is everything authored, as flat lists in a fixed order.
type survey struct {
	passages   []passage
	conditions []condition
	effects    []effect
	allowances []personas.Allow
}

func look(s *plot.Script) survey {
	var v survey
	v.allowances = append(v.allowances, s.Allow...)
	v.world(s)
	for _, p := range s.Personas {
		v.persona(p)
	}
	for _, l := range s.Lore {
		v.lore(l)
	}
	for _, n := range s.Nodes {
		v.node(n)
	}
	return v
}

func (v *survey) add(p passage) {
	if !p.text.Empty() {
		v.passages = append(v.passages, p)
	}
}

func (v *survey) cond(allow []personas.Allow, list ...source.Cond) {
	for _, x := range list {
		if !x.Empty() {
			v.conditions = append(v.conditions, condition{x, allow})
		}
	}
}

func (v *survey) does(allow []personas.Allow, list []plot.Effect) {
	for _, e := range list {
		v.cond(allow, e.When)
		v.effects = append(v.effects, effect{e, allow})
	}
}

func (v *survey) terms(field string, list []personas.Text, k kind, allow []personas.Allow) {
	for _, t := range list {
		v.add(passage{text: t, field: field, kind: k, allow: allow})
	}
}

func (v *survey) world(s *plot.Script) {
	v.add(passage{text: s.Title, field: "title"})
	v.add(passage{text: s.Era, field: "era", kind: told})
	v.add(passage{text: s.Player.Name, field: "name"})
	v.add(passage{text: s.Player.Brief, field: "brief", kind: told})
	v.terms("taboo", s.Taboo, keyword, nil)
	for _, x := range s.Vars {
		v.allowances = append(v.allowances, x.Allow...)
		for _, w := range x.Words {
			v.cond(x.Allow, w.When)
			v.add(passage{text: w.Text, field: "words", kind: told, known: x.KnownTo, when: []source.Cond{w.When}, allow: x.Allow})
		}
	}
}

func (v *survey) persona(p *personas.Persona) {
	v.allowances = append(v.allowances, p.Allow...)
	own := passage{kind: told, known: []string{p.ID}, allow: p.Allow}
	put := func(field string, k kind, t personas.Text, when ...source.Cond) {
		x := own
		x.field, x.kind, x.text, x.when = field, k, t, when
		if k == heard {
			x.by = p.ID
		}
		v.add(x)
		v.cond(p.Allow, when...)
	}
	v.add(passage{text: p.Name, field: "name", allow: p.Allow})
	put("brief", told, p.Brief)
	put("voice", told, p.Voice)
	put("backstory", told, p.Backstory)
	put("greeting", heard, p.Greeting)
	for _, t := range p.Traits {
		put("traits", told, t)
	}
	for _, g := range p.Goals {
		put("goals", told, g.Text, g.When)
	}
	for _, g := range p.Knows {
		put("knows", told, g.Text, g.When)
	}
	for _, sec := range p.Secrets {
		put("text", hidden, sec.Text, sec.Unlock)
		put("cover", heard, sec.Cover)
		v.terms("aliases", sec.Aliases, wording, p.Allow)
	}
	for _, x := range p.Samples {
		put("player", told, x.Player, x.When)
		put("reply", heard, x.Reply, x.When)
	}
	for _, id := range sortedKeys(p.Address) {
		put("address", told, p.Address[id])
	}
	v.terms("taboo", p.Taboo, keyword, p.Allow)
	v.terms("self", p.Self, keyword, p.Allow)
}

func (v *survey) lore(l *personas.Lore) {
	v.cond(nil, l.When)
	v.add(passage{text: l.Text, field: "text", kind: told, known: l.KnownTo, when: []source.Cond{l.When}})
	v.terms("keys", slices.Concat(l.Keys, l.Secondary), keyword, nil)
}

func (v *survey) node(n *plot.Node) {
	v.allowances = append(v.allowances, n.Allow...)
	v.cond(n.Allow, n.When)
	v.does(n.Allow, n.OnEnter)
	v.add(passage{text: n.Title, field: "title", allow: n.Allow})
	for _, tag := range n.Scene {
		v.add(passage{text: tag.Value, field: tag.Key, node: n, allow: n.Allow})
	}
	for _, m := range n.Cast {
		v.cond(n.Allow, m.When)
		v.add(passage{text: m.Goal, field: "goal", kind: told, known: []string{m.NPC}, node: n, when: []source.Cond{m.When}, allow: n.Allow})
	}
	for _, l := range n.Lines {
		v.cond(n.Allow, l.When)
		v.add(passage{text: l.Text, field: "text", by: l.By, node: n, when: []source.Cond{l.When}, facts: happened(n, l.At), allow: n.Allow})
	}
	for _, a := range n.Anchors {
		v.anchor(n, a)
	}
	for _, b := range n.Beats {
		v.beat(n, b)
	}
	for _, e := range n.Exits {
		v.exit(n, e)
	}
}

func (v *survey) anchor(n *plot.Node, a *plot.Anchor) {
	v.cond(n.Allow, a.When)
	when := []source.Cond{a.When}
	v.add(passage{text: a.Say, field: "say", kind: told, known: []string{a.By}, node: n, when: when, allow: n.Allow})
	v.add(passage{text: a.Line, field: "line", by: a.By, node: n, when: when, allow: n.Allow})
	v.detect(&a.Detect, n.Allow)
}

func (v *survey) beat(n *plot.Node, b *plot.Beat) {
	v.allowances = append(v.allowances, b.Allow...)
	allow := slices.Concat(n.Allow, b.Allow)
	v.cond(allow, b.When)
	v.does(allow, b.Effects)
	v.detect(&b.Detect, allow)
	v.terms("examples", slices.Concat(b.Fires, b.Not), wording, allow)
	if b.Remember != nil {
		v.add(passage{text: b.Remember.Text, field: "remember", kind: told, known: b.Remember.By, facts: happened(n, "beat:"+b.ID), allow: allow})
	}
}

func (v *survey) exit(n *plot.Node, e *plot.Exit) {
	v.allowances = append(v.allowances, e.Allow...)
	allow := slices.Concat(n.Allow, e.Allow)
	v.cond(allow, e.When)
	v.does(allow, e.Effects)
	v.add(passage{text: e.Choice, field: "choice", node: n, allow: allow}) // a closed exit shows its words too
	if e.Said != nil {
		v.detect(e.Said, allow)
	}
	if e.Confirm != nil {
		v.add(passage{text: e.Confirm.Text, field: "confirm", by: e.Confirm.By, node: n, when: []source.Cond{e.When}, allow: allow})
	}
}

func (v *survey) detect(d *plot.Detect, allow []personas.Allow) {
	for _, group := range slices.Concat(d.Any, d.All, d.None) {
		v.terms("detect", group, keyword, allow)
	}
	if d.Intent != nil {
		v.terms("detect", d.Intent.Object, keyword, allow)
		v.terms("detect", d.Intent.Target, keyword, allow)
	}
	v.add(passage{text: d.Judge, field: "judge", kind: wording, allow: allow})
}
