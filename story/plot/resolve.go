package plot

import (
	"slices"
	"strings"

	"fabula/personas"
	"fabula/personas/source"
)

// world checks what stands in world.yaml.
func (c *compiler) world() {
	s := c.s
	c.texts(s.Title, s.Era, s.Player.Brief)
	if s.Start == "" {
		c.fault(s.StartPos, CodeNoStart)
	} else {
		c.ref("node", &s.Start, s.StartPos)
	}
	if s.Clock != nil {
		c.clock(s.Clock)
	}
	for _, v := range s.Vars {
		for i := range v.KnownTo {
			c.ref("persona", &v.KnownTo[i], placeOf(v.knownTo, i, v.Pos))
		}
		for _, w := range v.Words {
			c.cond(w.When)
			c.texts(w.Text)
		}
	}
}

func (c *compiler) clock(k *Clock) {
	v := c.s.Var(k.Var)
	switch {
	case v == nil:
		r := c.s.unknownVar(k.Var, 0)
		c.fault(k.Pos, r.code, r.args...)
	case v.Kind != Int:
		c.fault(k.Pos, CodeClockVar, k.Var)
	}
}

func (c *compiler) persona(p *personas.Persona) {
	c.texts(personaTexts(p)...)
	for _, list := range [][]personas.Conditional{p.Goals, p.Knows} {
		for _, g := range list {
			c.cond(g.When)
		}
	}
	for _, sec := range p.Secrets {
		c.cond(sec.Unlock)
	}
	c.addresses(p)
	for _, x := range p.Samples {
		c.cond(x.When)
	}
}

// addresses checks whom a persona has words for, and the words.
func (c *compiler) addresses(p *personas.Persona) {
	for id, word := range p.Address {
		c.texts(word)
		if _, found, _ := c.s.resolve("persona", id); !found && id != "player" {
			near := source.Nearest(id, append(c.s.known("persona"), "player"))
			c.fault(word.Pos, CodeUnknownName, "persona", id, near)
		}
	}
}

func (c *compiler) lore(l *personas.Lore) {
	c.texts(l.Text)
	c.cond(l.When)
	for i := range l.KnownTo {
		c.ref("persona", &l.KnownTo[i], l.Pos)
	}
}

func (c *compiler) node(n *Node) {
	c.texts(n.Title)
	for _, tag := range n.Scene {
		c.texts(tag.Value)
	}
	c.cond(n.When)
	c.effects(n.OnEnter)
	c.tells(n.Tell)
	for i := range n.Cast {
		c.ref("persona", &n.Cast[i].NPC, n.Cast[i].Pos)
		c.cond(n.Cast[i].When)
		c.texts(n.Cast[i].Goal)
	}
	for _, l := range n.Lines {
		c.line(n, l)
	}
	for _, a := range n.Anchors {
		c.anchor(a)
	}
	for _, b := range n.Beats {
		c.beat(b)
	}
	c.exits(n)
}

func (c *compiler) line(n *Node, l *Line) {
	c.texts(l.Text)
	c.cond(l.When)
	if l.By != "" {
		c.ref("persona", &l.By, l.places.of("by", l.Pos))
	}
	c.cues(l)
	kind, id, _ := strings.Cut(l.At, ":")
	switch {
	case l.At == "enter":
	case kind == "exit" && id != "", kind == "beat" && id != "":
		full := n.ID + "." + id
		c.ref(kind, &full, l.places.of("at", l.Pos))
		l.At = kind + ":" + strings.TrimPrefix(full, n.ID+".")
	default:
		c.fault(l.places.of("at", l.Pos), CodeLineAt, l.At)
	}
}

func (c *compiler) cues(l *Line) {
	known := slices.Concat(c.s.Cues.Emotion, c.s.Cues.Action, c.s.Cues.Environment)
	for i, cue := range l.Cues {
		if !slices.Contains(known, cue) {
			c.fault(placeOf(l.cues, i, l.Pos), CodeUnknownName, "cue", cue, source.Nearest(cue, known))
		}
	}
}

func (c *compiler) anchor(a *Anchor) {
	c.texts(a.Say, a.Line)
	c.cond(a.When)
	c.ref("persona", &a.By, a.places.of("by", a.Pos))
	c.detect(&a.Detect, a.Detect.Pos)
}

func (c *compiler) beat(b *Beat) {
	c.cond(b.When)
	c.effects(b.Effects)
	c.tells(b.Tell)
	c.detect(&b.Detect, b.Detect.Pos)
	c.speaker(b)
	if b.Remember == nil {
		return
	}
	c.texts(b.Remember.Text)
	for i := range b.Remember.By {
		c.ref("persona", &b.Remember.By[i], placeOf(b.Remember.by, i, b.Pos))
	}
}

func (c *compiler) speaker(b *Beat) {
	roles := []string{"player", "npc", "any"}
	if b.Speaker == "" || slices.Contains(roles, b.Speaker) {
		return
	}
	now, found, _ := c.s.resolve("persona", b.Speaker)
	if !found {
		near := source.Nearest(b.Speaker, append(roles, c.s.known("persona")...))
		c.fault(b.places.of("speaker", b.Pos), CodeUnknownName, "speaker", b.Speaker, near)
		return
	}
	b.Speaker = now
}

// detect refuses groups that can never match: `none` alone.
func (c *compiler) detect(d *Detect, p source.Pos) {
	if p.Line > 0 && len(d.Any)+len(d.All) == 0 && d.Judge.Empty() && d.Intent == nil {
		c.fault(p, CodeDetectEmpty)
	}
}

func (c *compiler) tells(list []Tell) {
	for i := range list {
		t := &list[i]
		c.ref("persona", &t.To, t.places.of("to", t.Pos))
		c.what(t)
	}
}

// what resolves the beat, exit or secret that somebody is told of.
func (c *compiler) what(t *Tell) {
	near := ""
	for _, kind := range []string{"beat", "exit", "secret"} {
		now, found, close := c.s.resolve(kind, t.What)
		if found {
			t.What = now
			return
		}
		if near == "" {
			near = close
		}
	}
	c.fault(t.places.of("what", t.Pos), CodeUnknownName, "event", t.What, near)
}

func (c *compiler) exits(n *Node) {
	otherwise := ""
	for _, e := range n.Exits {
		if e.Otherwise && otherwise != "" {
			c.fault(e.places.of("otherwise", e.Pos), CodeOtherwiseTwo, n.ID, otherwise)
		} else if e.Otherwise {
			otherwise = e.ID
		}
		c.exit(e)
	}
}

func (c *compiler) exit(e *Exit) {
	c.texts(e.Choice)
	c.cond(e.When)
	c.effects(e.Effects)
	c.tells(e.Tell)
	if e.Otherwise && !e.When.Empty() {
		c.fault(e.When.Pos, CodeOtherwiseWhen, e.ID)
	}
	switch {
	case e.To == "" && e.places["to"].Line > 0: // reported where it was read
	case e.Stay && e.To != "":
		c.fault(e.places.of("stay", e.Pos), CodeExitTarget, e.ID, "to+stay")
	case !e.Stay && e.To == "":
		c.fault(e.Pos, CodeExitTarget, e.ID, "to?")
	case e.To != "":
		c.ref("node", &e.To, e.places.of("to", e.Pos))
	}
	if e.Said != nil {
		c.detect(e.Said, e.Said.Pos)
	}
	if e.Confirm != nil {
		c.texts(e.Confirm.Text)
		if e.Confirm.By != "" {
			c.ref("persona", &e.Confirm.By, e.Confirm.places.of("by", e.Pos))
		}
	}
}
