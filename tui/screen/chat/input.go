package chat

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas"
	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/widget"
	"fabula/tui/wording"
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
	if c.storing { // the same line, once more
		return nil
	}
	if c.editing.reply != "" {
		return c.amend(raw)
	}
	if c.editing.turn != "" { // a text, whatever it begins with
		return c.take(story.Input{Text: strings.TrimSpace(raw), Sandbox: c.path.play.Sandbox})
	}
	line, draft := screen.SplitSlash(raw)
	call, is, err := screen.ParseSlash(line, c.env.Text)
	switch {
	case err != nil:
		return screen.Fail(fmt.Errorf(c.env.Text.Chat.Kept, err))
	case is:
		return c.slash(written{raw, draft}, call)
	}
	in, err := c.words().Input(screen.Unslash(raw), c.present())
	if err != nil {
		return screen.Fail(fmt.Errorf(c.env.Text.Chat.Kept, err))
	}
	in.Sandbox = c.path.play.Sandbox
	return c.take(in)
}

// present lists the personas that can be spoken to now.
func (c *Chat) present() []*personas.Persona {
	return c.words().Present(c.path.state, c.path.play.Sandbox)
}

// completion walks the names that fit what was typed after an @.
type completion struct {
	stem string // as typed, without the @
	last string // as completed
	n    int
}

// complete completes the @name before the cursor; again takes the next one.
func (c *Chat) complete() tea.Cmd {
	typed, ok := named(c.composer.Before())
	if !ok {
		return nil
	}
	if c.tab.last == "" || typed != c.tab.last {
		c.tab = completion{stem: strings.TrimSpace(typed)}
	}
	fit := c.fitting(c.tab.stem)
	if len(fit) == 0 {
		return screen.Say(fmt.Sprintf(c.env.Text.Chat.NotHere, "@"+typed, c.words().Among(c.present())))
	}
	name := fit[c.tab.n%len(fit)] + " "
	c.tab.n++
	c.tab.last = name
	c.composer.Complete(len(text.Clusters(typed)), name)
	return nil
}

// named gives what was typed after the last @ before the cursor, in either width.
func named(before string) (string, bool) {
	i := strings.LastIndexAny(before, "@＠")
	if i < 0 {
		return "", false
	}
	rest, ok := wording.CutAt(before[i:])
	return rest, ok
}

func (c *Chat) fitting(stem string) []string {
	var out []string
	for _, p := range c.present() {
		for _, n := range wording.Names(p) {
			if len(n) >= len(stem) && strings.EqualFold(n[:len(stem)], stem) {
				out = append(out, c.words().Name(p.ID))
				break
			}
		}
	}
	return out
}
