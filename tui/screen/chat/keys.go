package chat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/inspect"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// row is a binding with what it does.
type row struct {
	widget.Binding
	do      func(*Chat, tea.KeyMsg) tea.Cmd
	refuses bool // do itself says why it cannot
}

func bind(id string, r lang.Row, mode widget.Mode, do func(*Chat, tea.KeyMsg) tea.Cmd, keys ...string) row {
	numbers := len(keys) >= 9 // each stands for another thing
	return row{Binding: widget.Binding{ID: id, Keys: keys, Name: r.Name, Hint: r.Hint, When: mode, Fixed: numbers}, do: do}
}

func (r row) footer(label string) row {
	r.Footer, r.Label = true, label
	return r
}

// footerIf shows a row in the footer where it is likely to be wanted.
func (r row) footerIf(wanted bool, label string) row {
	if wanted {
		return r.footer(label)
	}
	return r
}

func (r row) label(s string) row {
	r.Label = s
	return r
}

func (r row) unless(why func() string) row {
	r.Disabled = why
	return r
}

// fixed keeps the row's keys: each of them does something else.
func (r row) fixed() row {
	r.Fixed = true
	return r
}

// asks makes a row act also while it cannot be used: it says why itself.
func (r row) asks() row {
	r.refuses = true
	return r
}

// do makes a row's action of a method without arguments.
func do(f func(*Chat) tea.Cmd) func(*Chat, tea.KeyMsg) tea.Cmd {
	return func(c *Chat, _ tea.KeyMsg) tea.Cmd { return f(c) }
}

func move(f func(*Chat)) func(*Chat, tea.KeyMsg) tea.Cmd {
	return func(c *Chat, _ tea.KeyMsg) tea.Cmd { f(c); return nil }
}

// reasons say why a row cannot be used now; each gives "" when it can.
type reasons struct {
	quiet    func() string // no reply is on its way
	idle     func() string // none is running that esc would stop
	running  func() string
	turn     func() string // there is a turn
	spoken   func() string // with an NPC's reply
	modelled func() string // that a model made
	said     func() string // with a line of the player
	several  func() string // with alternatives
	someone  func() string // an NPC is here
	choices  func() string
	decoded  func() string // with a reply that a model decoded
	cut      func() string // whose reply was cut off
}

func (c *Chat) reasons() (r reasons) {
	t := c.env.Text.Chat
	running := func() bool { return c.run != nil }
	turn := func() story.Turn {
		s, _ := c.selected()
		return s.Turn
	}
	r.quiet = when(func() bool { return !c.Streaming() }, t.BusyReply)
	r.idle = when(func() bool { return !running() }, t.BusyReply)
	r.running = when(running, t.Quiet)
	r.turn = when(func() bool { return len(c.path.steps) > 0 }, t.NoTurn, r.quiet)
	r.spoken = when(func() bool { return turn().Speaker != "" }, c.env.Text.Talk.Unanswered, r.turn)
	r.modelled = when(c.modelled, t.NoTokens, r.spoken)
	r.said = when(func() bool { return turn().Input.Text != "" }, t.NoLine, r.turn)
	r.several = when(func() bool { return len(turn().Children) > 1 }, t.NoAlternative, r.turn)
	r.decoded = when(func() bool {
		s, _ := c.selected()
		return len(s.Alternative.Reply.Decoded()) > 0
	}, t.NoTokens, r.turn)
	r.cut = when(func() bool {
		s, _ := c.selected()
		return s.Alternative.Reply.Unfinished()
	}, c.env.Text.Talk.Complete, r.spoken)
	r.someone = when(func() bool { return len(c.path.steps) > 0 && len(c.present()) > 0 }, t.NobodyHere, r.quiet)
	r.choices = when(func() bool { return len(c.path.offers) > 0 }, t.NoChoice, r.quiet)
	return r
}

// when gives the reason unless ok holds; what has to hold before has its own.
func when(ok func() bool, reason string, before ...func() string) func() string {
	return func() string {
		for _, b := range before {
			if why := b(); why != "" {
				return why
			}
		}
		if ok() {
			return ""
		}
		return reason
	}
}

// rowsOf lists every binding that holds now, in the order of footer and help.
func (c *Chat) rowsOf() []row {
	if c.over != nil {
		return c.over.rows(c)
	}
	return c.talkRows()
}

// talkRows lists the bindings of transcript and composer.
func (c *Chat) talkRows() []row {
	k, d, not := c.env.Text.Keys, c.env.Text.Deeds, c.reasons()
	return []row{
		bind("chat.stop", k.Stop, widget.Anywhere, move((*Chat).stopReply), "esc").footer("").unless(not.running),
		bind("chat.send", k.Send, widget.Typing, do((*Chat).enter), "enter").footer("").unless(not.quiet),
		bind("chat.newline", k.Newline, widget.Typing, nil, "alt+enter", "ctrl+j").footer(""),
		bind("chat.read", k.ToReading, widget.Typing, move((*Chat).read), "esc").footer("").unless(not.idle),
		bind("chat.compose", k.Compose, widget.Reading, move((*Chat).compose), "i", "enter").footer("i"),
		bind("chat.retry", k.Retry, widget.Reading, do((*Chat).retry), "r").footer("").unless(not.spoken),
		bind("chat.free", k.Free, widget.Reading, do((*Chat).free), "f").footerIf(c.chosen(), "").unless(not.modelled),
		bind("chat.retry.several", k.Several, widget.Reading, do((*Chat).askSeveral), "R").footer("").unless(not.spoken),
		bind("chat.versus", k.BesideAlts, widget.Reading, do((*Chat).several), "v").unless(not.several),
		bind("chat.beats", k.Beats, widget.Reading, do((*Chat).byBeat), "B").unless(not.turn),
		bind("chat.tokens", k.Tokens, widget.Reading, do((*Chat).byToken), "T").footer("").unless(not.decoded),
		bind("chat.alt.prev", k.PrevAlt, widget.Reading, do(func(c *Chat) tea.Cmd { return c.other(-1) }), "[", "【").unless(not.several),
		bind("chat.alt.next", k.NextAlt, widget.Reading, do(func(c *Chat) tea.Cmd { return c.other(1) }), "]", "】").footer("[ ]").unless(not.several),
		bind("chat.branch", k.Branch, widget.Reading, do((*Chat).branchHere), "b").footer("").unless(not.turn),
		bind("chat.edit", k.EditInput, widget.Reading, do((*Chat).edit), "e").unless(not.said).asks(),
		bind("chat.edit.reply", d.EditReply, widget.Reading, do((*Chat).editReply), "E").unless(not.turn).asks(),
		bind("chat.continue", d.Continue, widget.Reading, do((*Chat).goOn), "C").footerIf(not.cut() == "", "").unless(not.cut),
		bind("chat.undo", d.Undo, widget.Reading, do((*Chat).undo), "u").unless(not.turn),
		bind("chat.redo", d.Redo, widget.Reading, do((*Chat).redo), "U").unless(not.turn),
		bind("chat.inspect", d.Inspector, widget.Anywhere, move((*Chat).toggleInspector), "f9").footer("F9").label("F9"),
		bind("chat.pane", d.ToInspector, widget.Reading, move((*Chat).openInspector), "tab"),
		bind("chat.state", d.ShowState, widget.Reading, move(inspectTab(inspect.State)), "s"),
		bind("chat.prompt", d.ShowPrompt, widget.Reading, move(inspectTab(inspect.Prompt)), "p"),
		bind("chat.recall", d.ShowRecall, widget.Reading, move(inspectTab(inspect.Recall)), "L"),
		bind("chat.findings", d.ShowFindings, widget.Reading, move(inspectTab(inspect.Findings)), "F"),
		bind("chat.fold", d.FoldHead, widget.Reading, move((*Chat).fold), "z"),
		bind("chat.export", c.env.Text.Export.Open, widget.Reading, do((*Chat).export), "x").unless(not.turn),
		bind("chat.copy", k.Copy, widget.Reading, do((*Chat).copy), "y").unless(not.turn),
		bind("chat.mark", k.Mark, widget.Reading, do((*Chat).mark), "m").unless(not.turn),
		bind("chat.promote", c.env.Text.Promotion.Promote, widget.Reading, do((*Chat).promote), "P").unless(not.spoken),
		bind("chat.next", k.Next, widget.Typing, do((*Chat).next), "ctrl+n").footer("").unless(not.someone),
		bind("chat.next.read", k.Next, widget.Reading, do((*Chat).next), "n", "ctrl+n").unless(not.someone),
		bind("chat.choose", k.Choose, widget.Anywhere, (*Chat).chooseKey, alts()...).label("alt+1…9").unless(not.choices),
		bind("chat.choose.read", k.Choose, widget.Reading, (*Chat).chooseKey, digits()...).label("1…9").unless(not.choices),
		bind("chat.choices", d.ListChoices, widget.Anywhere, move((*Chat).listChoices), "alt+0").unless(not.choices),
		bind("chat.choices.read", d.ListChoices, widget.Reading, move((*Chat).listChoices), "0").unless(not.choices),
		bind("chat.complete", k.Complete, widget.Typing, do((*Chat).complete), "tab"),
		bind("chat.cut", k.Cut, widget.Typing, nil, "ctrl+u", "ctrl+w", "ctrl+k").label("ctrl+u w k").fixed(),
		bind("chat.up", k.Up, widget.Reading, move(func(c *Chat) { c.script.Select(c.script.Selected() - 1) }), "k", "up"),
		bind("chat.down", k.Down, widget.Reading, move(func(c *Chat) { c.script.Select(c.script.Selected() + 1) }), "j", "down").footer("j k"),
		bind("chat.pageup", k.PageUp, widget.Anywhere, move(func(c *Chat) { c.script.Scroll(2 - c.lines()) }), "pgup"),
		bind("chat.pagedown", k.PageDown, widget.Anywhere, move(func(c *Chat) { c.script.Scroll(c.lines() - 2) }), "pgdown"),
		bind("chat.top", k.Top, widget.Reading, move(func(c *Chat) { c.script.Select(0) }), "g", "home"),
		bind("chat.end", k.End, widget.Reading, move(func(c *Chat) { c.script.Follow() }), "G", "end"),
	}
}

func alts() []string {
	var keys []string
	for i := 1; i < 10; i++ {
		keys = append(keys, "alt+"+strconv.Itoa(i))
	}
	return keys
}

func digits() []string {
	var keys []string
	for i := 1; i < 10; i++ {
		keys = append(keys, strconv.Itoa(i))
	}
	return keys
}

// Keys lists what can be done.
func (c *Chat) Keys() []widget.Binding {
	var out []widget.Binding
	for _, r := range c.rowsOf() {
		out = append(out, r.Binding)
	}
	return out
}

// AllKeys lists every binding that the screen ever has.
func (c *Chat) AllKeys() []widget.Binding {
	rows := c.talkRows()
	for _, o := range []over{&beats{}, &beside{}, &choosing{}, &inspecting{}, &tokens{}} {
		for _, r := range o.rows(c) {
			if !slices.ContainsFunc(rows, func(x row) bool { return x.ID == r.ID }) {
				rows = append(rows, r)
			}
		}
	}
	out := make([]widget.Binding, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.Binding)
	}
	return out
}

// Do does what the key of a row would, whatever has the keyboard: a turn is taken
// again as well while the next line is being written.
func (c *Chat) Do(id string) tea.Cmd {
	for _, r := range c.rowsOf() {
		switch why := r.Why(); {
		case r.ID != id:
		case why != "" && !r.refuses:
			return screen.Say(why)
		case r.do != nil:
			return r.do(c, tea.KeyMsg{})
		default: // the composer's own
			m, _ := widget.KeyNamed(r.Keys[0])
			return c.typed(m)
		}
	}
	return nil
}

// write takes up writing with a text in front of what is written, unless that is
// a change of an earlier line.
func (c *Chat) write(s string) tea.Cmd {
	c.over = nil
	c.compose()
	if c.editing.turn != "" { // it would become a part of the line that is changed
		return screen.Say(c.env.Text.Chat.SendFirst)
	}
	if c.composer.Empty() || strings.HasPrefix(s, "/to ") { // what is written is to be said
		c.composer.SetValue(s + c.composer.Value())
		return nil
	}
	if !c.composer.Above(s) { // where it stays when the command is done
		return screen.Say(c.env.Text.Chat.SendFirst)
	}
	return nil
}

// key takes a key. Rows come first; what is no command goes to the composer.
func (c *Chat) key(m tea.KeyMsg) tea.Cmd {
	for _, r := range c.rowsOf() {
		if r.do == nil || m.Paste {
			continue
		}
		if b, ok := widget.Find([]widget.Binding{r.Binding}, m, c.Typing()); ok {
			why := b.Why()
			if why == "" || r.refuses {
				return r.do(c, m)
			}
			if b.ID != "chat.stop" && b.ID != "chat.read" {
				return screen.Say(why)
			}
		}
	}
	if c.over != nil {
		return nil
	}
	if c.Typing() {
		return c.typed(m)
	}
	if m.Paste || m.Type == tea.KeyRunes && text.IsCJK(m.Runes[0]) {
		c.compose()
		return c.typed(m)
	}
	return nil
}

// read leaves the composer. A line that was taken out to be changed goes back
// when nothing of it was changed, or all of it deleted; else it stays.
func (c *Chat) read() {
	if c.editing.turn != "" && (c.composer.Empty() || c.composer.Value() == c.editing.line) {
		c.editing = editing{}
		c.composer.SetValue("")
	}
	c.reading = true
	c.script.Select(c.script.Len() - 1)
}

func (c *Chat) compose() {
	c.reading = false
	c.script.Follow()
}

// promote shows the selected reply as an authored line.
func (c *Chat) promote() tea.Cmd {
	s, _ := c.selected()
	m := screen.Promote{Branch: c.path.branch.ID, Alternative: s.Alternative.ID}
	return func() tea.Msg { return screen.Open{Name: screen.Promotion, With: m} }
}

// next lets the next NPC speak.
func (c *Chat) next() tea.Cmd {
	return c.take(story.Input{Next: true, Sandbox: c.path.play.Sandbox})
}

func (c *Chat) chooseKey(m tea.KeyMsg) tea.Cmd {
	n, ok := digit(m)
	if !ok {
		return screen.Say(c.env.Text.Keys.Choose.Hint)
	}
	return c.choose(n - 1)
}

// digit gives the number of a digit key, with alt or without, full-width too.
func digit(m tea.KeyMsg) (int, bool) {
	k := strings.TrimPrefix(m.String(), "alt+")
	if r := []rune(k); len(r) == 1 && r[0] >= '０' && r[0] <= '９' {
		k = string(r[0] - '０' + '0')
	}
	n, err := strconv.Atoi(k)
	return n, err == nil
}

// choose takes the offer at index i; a closed one says what it needs.
func (c *Chat) choose(i int) tea.Cmd {
	if i == more {
		c.listChoices()
		return nil
	}
	if c.Streaming() {
		return screen.Say(c.env.Text.Chat.BusyReply)
	}
	if i >= len(c.path.offers) {
		return nil
	}
	o := c.path.offers[i]
	if !o.Open {
		return screen.Say(fmt.Sprintf(c.env.Text.Chat.ClosedToast, text.Line(o.Label), o.Why))
	}
	cmd := c.take(story.Input{Choose: o.ID})
	c.sent = "" // what is being written has nothing to do with the choice
	return cmd
}
