package chat

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas"
	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// release ends the hold of an Enter that followed other characters at once: a
// person's is sent, one inside an unmarked paste has become a line feed by then.
type release struct{ held int }

// enter sends, or holds the Enter back for as long as a paste would need to
// bring its next character.
func (c *Chat) enter() tea.Cmd {
	if c.pending {
		c.composer.Insert("\n") // two line feeds of one paste
	} else if c.composer.Enter(c.env.Now()) {
		return c.send()
	}
	c.held, c.pending = c.held+1, true
	held := c.held
	return tea.Tick(2*c.composer.Burst(), func(time.Time) tea.Msg { return release{held} })
}

func (c *Chat) release(m release) tea.Cmd {
	if m.held != c.held || !c.pending {
		return nil
	}
	c.pending = false
	return c.send()
}

// typed takes a key for the composer. A rune that comes while an Enter is held
// shows that the Enter was part of a paste.
func (c *Chat) typed(m tea.KeyMsg) tea.Cmd {
	if m.Paste {
		return c.paste(string(m.Runes))
	}
	if c.pending && m.Type == tea.KeyRunes {
		c.pending = false
		c.composer.Insert("\n")
	}
	c.note = ""
	if !c.composer.Key(m, c.env.Now()) && m.Type == tea.KeyRunes && !m.Alt {
		return c.full(len(m.Runes))
	}
	return nil
}

func (c *Chat) paste(s string) tea.Cmd {
	if !c.composer.Insert(s) {
		return c.full(len([]rune(s)))
	}
	c.note = ""
	lines := strings.Count(strings.ReplaceAll(s, "\r", "\n"), "\n") + 1
	if lines > widget.LongPasteLines || text.Width(s) > widget.LongPasteColumns {
		c.note = fmt.Sprintf(c.env.Text.Chat.Pasted, lines, len([]rune(s)))
	}
	return nil
}

func (c *Chat) full(n int) tea.Cmd {
	err := fmt.Errorf(c.env.Text.Chat.TooLong, n, c.composer.Limit())
	return screen.Fail(err)
}

// send takes what is written as one input.
func (c *Chat) send() tea.Cmd {
	raw := c.composer.Value()
	if strings.TrimSpace(raw) == "" {
		return screen.Say(c.env.Text.Chat.Nothing)
	}
	if c.Streaming() {
		return screen.Say(c.env.Text.Chat.BusyReply)
	}
	in, err := c.parse(raw)
	if err != nil {
		return screen.Fail(fmt.Errorf(c.env.Text.Chat.Kept, err))
	}
	return c.take(in)
}

// parse separates an @name at the start from what is said.
func (c *Chat) parse(raw string) (story.Input, error) {
	in := story.Input{Text: strings.TrimSpace(raw), Sandbox: c.path.play.Sandbox}
	rest, at := cutAt(in.Text)
	if !at {
		return in, nil
	}
	to, said, ok := c.address(raw)
	if !ok {
		asked, _, _ := strings.Cut(rest, " ")
		return in, fmt.Errorf(c.env.Text.Chat.NotHere, "@"+text.Line(asked), strings.Join(c.presentNames(), ", "))
	}
	if in.To, in.Text = to, said; said == "" {
		return in, errors.New(c.env.Text.Chat.Nothing)
	}
	return in, nil
}

// address finds who is meant by an @name at the start, and what follows it.
func (c *Chat) address(raw string) (to, said string, ok bool) {
	rest, at := cutAt(strings.TrimSpace(raw))
	if !at {
		return "", "", false
	}
	for _, p := range c.present() {
		for _, name := range c.names(p) {
			if after, ok := cutName(rest, name); ok {
				return p.ID, after, true
			}
		}
	}
	return "", "", false
}

// cutAt takes an @ off the start, in either width.
func cutAt(s string) (string, bool) {
	if rest, ok := strings.CutPrefix(s, "@"); ok {
		return rest, true
	}
	return strings.CutPrefix(s, "＠")
}

// cutName takes name off the start of s, case folded, if a space, punctuation
// or nothing follows, or the name is written without spaces around it.
func cutName(s, name string) (string, bool) {
	if name == "" || len(s) < len(name) || !strings.EqualFold(s[:len(name)], name) {
		return "", false
	}
	after := s[len(name):]
	if after != "" && isASCII(name) && !strings.ContainsAny(after[:1], " ,:;.!?\n") && after[0] < 0x80 {
		return "", false
	}
	return strings.TrimLeft(after, " ,:;，：；、\n"), true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// present lists the personas that can be spoken to now.
func (c *Chat) present() []*personas.Persona {
	s := c.env.Session.Script()
	if c.path.play.Sandbox {
		return s.Personas
	}
	var out []*personas.Persona
	for _, m := range s.Cast(c.path.state) {
		if p := s.Persona(m.NPC); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// names gives what a persona may be called: in every language, and by id.
// Longer names come first, so that one that begins with another is found.
func (c *Chat) names(p *personas.Persona) []string {
	names := append(p.Name.All(), p.ID)
	slices.SortStableFunc(names, func(a, b string) int { return len(b) - len(a) })
	return names
}

func (c *Chat) name(id string) string {
	s := c.env.Session.Script()
	if p := s.Persona(id); p != nil {
		return text.Line(p.Name.In(c.Speaks(), s.Languages...))
	}
	return id
}

func (c *Chat) presentNames() []string {
	var out []string
	for _, p := range c.present() {
		out = append(out, c.name(p.ID))
	}
	return out
}

// completion walks the names that fit what was typed after an @.
type completion struct {
	stem string // as typed, without the @
	last string // as completed
	n    int
}

// complete completes an @name before the cursor; again takes the next one.
func (c *Chat) complete() tea.Cmd {
	before := c.composer.Before()
	if !strings.HasPrefix(before, "@") && !strings.HasPrefix(before, "＠") {
		return nil
	}
	typed := string([]rune(before)[1:])
	if c.tab.last == "" || typed != c.tab.last {
		c.tab = completion{stem: strings.TrimSpace(typed)}
	}
	fit := c.fitting(c.tab.stem)
	if len(fit) == 0 {
		return screen.Say(fmt.Sprintf(c.env.Text.Chat.NotHere, "@"+typed, strings.Join(c.presentNames(), ", ")))
	}
	name := fit[c.tab.n%len(fit)] + " "
	c.tab.n++
	c.tab.last = name
	c.composer.Complete(len(text.Clusters(typed)), name)
	return nil
}

func (c *Chat) fitting(stem string) []string {
	var out []string
	for _, p := range c.present() {
		for _, n := range c.names(p) {
			if len(n) >= len(stem) && strings.EqualFold(n[:len(stem)], stem) {
				out = append(out, c.name(p.ID))
				break
			}
		}
	}
	return out
}
