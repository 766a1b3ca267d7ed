// Package sillytavern writes each branch as a SillyTavern chat: JSON lines, a
// header and then a message a line. Alternatives of a reply are its swipes.
//
// What SillyTavern has no field for (turn, branch, node, seed, engine, time to
// the first token) is under extra.fabula, which it keeps. It fills in {{user}}
// and {{char}} when it shows a message: a player who typed them will see names.
//
// Non-goals: reading chats (story/chatlog does).
package sillytavern

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

type header struct {
	User     string   `json:"user_name"`
	Name     string   `json:"character_name"`
	Made     string   `json:"create_date"`
	Metadata metadata `json:"chat_metadata"`
}

type metadata struct {
	Fabula origin `json:"fabula"`
}

// origin says where a chat comes from.
type origin struct {
	World       string   `json:"world"`
	Hash        string   `json:"world_hash"`
	Branch      story.ID `json:"branch"`
	BranchName  string   `json:"branch_name"`
	Playthrough story.ID `json:"playthrough"`
	Language    string   `json:"language"`
}

// message is one line of a chat. Of a reply with alternatives, Text equals
// Swipes[SwipeID].
type message struct {
	Name      string      `json:"name"`
	IsUser    bool        `json:"is_user"`
	IsSystem  bool        `json:"is_system"`
	Sent      string      `json:"send_date"`
	Text      string      `json:"mes"`
	Extra     extra       `json:"extra"`
	Swipes    []string    `json:"swipes,omitempty"`
	SwipeID   *int        `json:"swipe_id,omitempty"`
	SwipeInfo []swipeInfo `json:"swipe_info,omitempty"`
}

type swipeInfo struct {
	Sent  string `json:"send_date"`
	Extra extra  `json:"extra"`
}

type extra struct {
	API    string  `json:"api,omitempty"`
	Model  string  `json:"model,omitempty"`
	Tokens int     `json:"token_count,omitempty"`
	Type   string  `json:"type,omitempty"` // "narrator"
	Fabula *beyond `json:"fabula,omitempty"`
}

// beyond is what SillyTavern has no field for.
type beyond struct {
	Turn        story.ID `json:"turn"`
	Alternative story.ID `json:"alternative,omitempty"`
	Line        string   `json:"line,omitempty"` // id of an authored line
	Speaker     string   `json:"speaker,omitempty"`
	Node        string   `json:"node,omitempty"`
	Choose      string   `json:"choose,omitempty"`
	Cues        []string `json:"cues,omitempty"`
	Human       bool     `json:"human,omitempty"`
	Mark        bool     `json:"mark,omitempty"`
	Seed        uint64   `json:"seed,omitempty"`
	Prompt      string   `json:"prompt_hash,omitempty"`
	TTFT        float64  `json:"ttft_ms,omitempty"`
}

// Files gives sillytavern/BRANCH.jsonl for every selected branch.
func Files(in export.Input) ([]export.File, error) {
	var out []export.File
	names := export.Names{}
	for _, b := range in.Branches {
		c := chat{in: in, script: in.Script, branch: b}
		data, err := c.write()
		if err != nil {
			return nil, fmt.Errorf("sillytavern: %w", err)
		}
		out = append(out, export.File{Name: "sillytavern/" + names.Of(b.Name) + ".jsonl", Data: data})
	}
	return out, nil
}

// chat writes one branch.
type chat struct {
	in     export.Input
	script *plot.Script
	branch export.Branch
	list   []message
}

func (c *chat) write() ([]byte, error) {
	for _, s := range c.branch.Steps {
		from := len(c.list)
		c.step(s)
		if !slices.ContainsFunc(c.list[from:], message.broken) {
			continue
		}
		return nil, fmt.Errorf("%s holds bytes that are no UTF-8: %w", c.branch.At(s.Turn), export.ErrCannotCarry)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c.header()); err != nil {
		return nil, err
	}
	for _, m := range c.list {
		if err := enc.Encode(m); err != nil {
			return nil, err
		}
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// broken reports whether a text has bytes that JSON would change without a word.
func (m message) broken() bool {
	return !utf8.ValidString(m.Text) || slices.ContainsFunc(m.Swipes, func(s string) bool { return !utf8.ValidString(s) })
}

func (c *chat) header() header {
	h := header{User: c.player(), Name: c.lead(), Made: stamp(c.branch.Made)}
	h.Metadata.Fabula = origin{c.script.ID, c.script.Hash, c.branch.ID, c.branch.Name, c.branch.Playthrough, c.branch.Language}
	return h
}

// lead is who speaks most: a chat of SillyTavern belongs to one character.
func (c *chat) lead() string {
	count, lead := map[string]int{}, ""
	for _, m := range c.list {
		if m.IsUser || m.Extra.Type != "" {
			continue
		}
		if count[m.Name]++; lead == "" || count[m.Name] > count[lead] {
			lead = m.Name
		}
	}
	return lead
}

func (c *chat) step(s story.Step) {
	t, a := s.Turn, s.Alternative
	if t.Input.Text != "" {
		c.list = append(c.list, message{Name: c.player(), IsUser: true, Sent: stamp(t.Made), Text: t.Input.Text,
			Extra: extra{Fabula: &beyond{Turn: t.ID, Node: t.Before.Node, Choose: t.Input.Choose}}})
	}
	c.authored(s, a.Lines)
	if a.Speaker != "" && a.Text != "" {
		c.list = append(c.list, c.reply(s))
	}
	c.authored(s, a.After)
}

func (c *chat) authored(s story.Step, lines []plot.Played) {
	for _, l := range lines {
		m := message{Name: c.name(l.By), Sent: stamp(s.Alternative.Made), Text: l.Text,
			Extra: extra{Fabula: &beyond{Turn: s.Turn.ID, Line: l.ID, Speaker: l.By, Node: s.Turn.Before.Node, Cues: l.Cues}}}
		if l.By == "" {
			m.Name, m.Extra.Type = c.script.Title.In(c.branch.Language, c.script.Languages...), "narrator"
		}
		if l.Kind == "greeting" {
			c.greetings(s, &m)
		}
		c.list = append(c.list, m)
	}
}

// greetings makes the other openings of a playthrough swipes of its greeting.
func (c *chat) greetings(s story.Step, m *message) {
	for _, o := range c.in.Beside[s.Turn.ID] {
		if o.ID == s.Alternative.ID {
			at := len(m.Swipes)
			m.SwipeID = &at
		}
		n := len(o.Lines)
		if n == 0 || o.Lines[n-1].Kind != "greeting" {
			continue
		}
		m.Swipes = append(m.Swipes, o.Lines[n-1].Text)
		m.SwipeInfo = append(m.SwipeInfo, swipeInfo{stamp(o.Made), c.about(s.Turn, o)})
	}
	if m.SwipeID == nil || *m.SwipeID >= len(m.Swipes) || m.Swipes[*m.SwipeID] != m.Text {
		m.Swipes, m.SwipeID, m.SwipeInfo = nil, nil, nil
	}
}

// reply writes the reply taken, with the others of its speaker as swipes.
func (c *chat) reply(s story.Step) message {
	a := s.Alternative
	m := message{Name: c.name(a.Speaker), Sent: stamp(a.Made), Text: a.Text, Extra: c.about(s.Turn, a)}
	all := slices.DeleteFunc(slices.Clone(c.in.Beside[s.Turn.ID]), func(o story.Alternative) bool {
		return o.ID != a.ID && (o.Speaker != a.Speaker || o.Text == "")
	})
	if len(all) < 2 {
		return m
	}
	for i, o := range all {
		if o.ID == a.ID {
			m.SwipeID = &i
		}
		m.Swipes = append(m.Swipes, o.Text)
		m.SwipeInfo = append(m.SwipeInfo, swipeInfo{stamp(o.Made), c.about(s.Turn, o)})
	}
	return m
}

func (c *chat) about(t story.Turn, a story.Alternative) extra {
	f := &beyond{Turn: t.ID, Alternative: a.ID, Speaker: a.Speaker, Node: t.Before.Node, Cues: a.Cues, Human: a.Human, Mark: a.Mark}
	x := extra{Fabula: f}
	if r := a.Reply; r != nil {
		x.API, x.Model = string(r.Engine.Kind), r.Engine.Name
		f.Seed, f.Prompt, f.TTFT = r.Seed, r.Prompt, story.Millis(r.TTFT)
	}
	return x
}

func (c *chat) name(id string) string {
	if p := c.script.Persona(id); p != nil && !p.Name.Empty() {
		return p.Name.In(p.Language(c.branch.Language), c.script.Languages...)
	}
	return id
}

func (c *chat) player() string {
	if s := c.script.Player.Name.In(c.branch.Language, c.script.Languages...); s != "" {
		return s
	}
	return "player"
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
