package jsonl

import (
	"strings"

	"fabula/personas"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/prompt"
)

// conversation is a branch as one NPC lived it.
type conversation struct {
	in     export.Input
	branch export.Branch
	npc    string

	list []message
}

// whole gives the chat up to the NPC's last word; nil where it has none.
func (c *conversation) whole() []message {
	c.begin()
	c.hear(c.branch.Steps)
	for len(c.list) > 0 && c.list[len(c.list)-1].Role == "user" {
		c.list = c.list[:len(c.list)-1]
	}
	if len(c.list) < 2 {
		return nil
	}
	return c.list
}

// before gives the chat that a reply of a turn answers.
func (c *conversation) before(at int) []message {
	c.begin()
	step := c.branch.Steps[at]
	step.Alternative = story.Alternative{Lines: step.Alternative.Lines, State: step.Turn.Before}
	c.hear(append(c.branch.Steps[:at:at], step))
	if len(c.list) == 0 || c.list[len(c.list)-1].Role != "user" {
		c.say("user", c.place(step)) // it spoke unasked
	}
	return c.list
}

func (c *conversation) begin() {
	c.list = nil
	if s := c.identity(); s != "" {
		c.list = append(c.list, message{Role: "system", Content: s})
	}
}

func (c *conversation) hear(path []story.Step) {
	bad, places := map[string]bool{}, map[string]string{}
	for _, s := range path {
		bad[string(s.Turn.ID)] = s.Alternative.Speaker == c.npc && faulty(s.Alternative)
		places[string(s.Turn.ID)] = c.place(s)
	}
	for _, e := range story.Heard(c.in.Script, path, c.npc) {
		for _, l := range e.Lines {
			c.one(l, bad[e.Turn], places[e.Turn])
		}
	}
}

func (c *conversation) one(l prompt.Spoken, bad bool, place string) {
	switch l.By {
	case c.npc:
		if n := len(c.list); n == 0 || c.list[n-1].Role == "system" {
			c.say("user", place)
		}
		c.say("assistant", l.Text)
		if bad {
			none := 0
			c.list[len(c.list)-1].Weight = &none
		}
	case "player":
		c.say("user", l.Text)
	case "":
		c.say("user", "("+l.Text+")")
	default:
		c.say("user", c.name(l.By)+": "+l.Text)
	}
}

// say appends to the last message where the role is the same: roles alternate.
func (c *conversation) say(role, text string) {
	if n := len(c.list); n > 0 && c.list[n-1].Role == role {
		c.list[n-1].Content += "\n" + text
		return
	}
	c.list = append(c.list, message{Role: role, Content: text})
}

// place words where a turn is, for what is said before the player spoke.
func (c *conversation) place(s story.Step) string {
	if n := c.in.Script.Node(s.Turn.Before.Node); n != nil && !n.Title.Empty() {
		return "(" + c.text(n.Title) + ")"
	}
	return "(…)"
}

func (c *conversation) name(id string) string {
	if p := c.in.Script.Persona(id); p != nil && !p.Name.Empty() {
		return c.text(p.Name)
	}
	return id
}

// identity is who the NPC is, without what it must not tell yet.
func (c *conversation) identity() string {
	p := c.in.Script.Persona(c.npc)
	if p == nil {
		return ""
	}
	parts := []string{c.text(p.Name)}
	for _, t := range []personas.Text{p.Brief, p.Voice, p.Backstory} {
		if s := strings.TrimSpace(c.text(t)); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}

func (c *conversation) text(t personas.Text) string {
	lang := c.branch.Language
	if p := c.in.Script.Persona(c.npc); p != nil {
		lang = p.Language(lang)
	}
	return c.in.Script.Expand(t.In(lang, c.in.Script.Languages...), c.in.Script.Initial(), lang)
}
