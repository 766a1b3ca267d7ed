package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"fabula/tui/screen"
	"fabula/tui/screen/chat"
	"fabula/tui/screen/tree"
	"fabula/tui/screen/world"
	"fabula/tui/term"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// app is the root: header, footer, toast, help, and the screen in front.
type app struct {
	o      Options
	env    *screen.Env
	crash  *term.Crash
	out    *term.Writer
	narrow *strings.Replacer

	ctx      context.Context
	w, h     int
	foot     int // rows of the footer: a long toast takes several
	chat     *chat.Chat
	screens  map[screen.Name]screen.Screen
	front    screen.Name
	help     *help
	tabs     []tab // as drawn last
	toast    screen.Toast
	toasted  int  // generation of the toast that is shown
	armed    bool // ctrl+c was pressed once
	mouse    bool
	leaving  bool
	watching bool // a look at a loading engine is due
	begun    bool // a first playthrough was asked for
	cursor   term.Cursor
	flip     bool // changes a byte of the frame when only the cursor moved
	dirty    bool // the draft changed since it was saved
	saving   bool // a save is scheduled
	kept     kept // as last written
	fallen   fallen
	told     string // what is played, as the person knows it; see played
	shelf    *shelf
}

const (
	toastFor = 4 * time.Second
	saveFor  = 800 * time.Millisecond
	loadFor  = 200 * time.Millisecond
	minW     = 60
	minH     = 16
)

func newApp(ctx context.Context, o Options, crash *term.Crash, out *term.Writer) *app {
	a := &app{o: o, ctx: ctx, foot: 1, env: environment(o), crash: crash, out: out, narrow: narrowing(o.ASCII), mouse: o.Mouse, front: screen.Chat, shelf: &shelf{dir: o.StateDir}}
	a.told = a.played(o.Err)
	a.chat = chat.New(ctx, a.env)
	w := world.New(a.env, world.Place{Name: o.Name, Dir: o.Dir, Store: o.StateDir})
	a.screens = map[screen.Name]screen.Screen{screen.Chat: a.chat, screen.World: w, screen.Tree: tree.New(a.env)}
	if o.Session == nil {
		w.Broken(o.Err)
		a.front = screen.World
	}
	return a
}

// Init reads what was there last time.
func (a *app) Init() tea.Cmd {
	return a.crash.Cmd(tea.Batch(a.resume(), a.screens[a.front].Shown(), a.watchFiles("")))
}

// Update takes one message. A panic becomes a crash note.
func (a *app) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	m = a
	defer a.crash.Catch()
	cmd = tea.Batch(a.update(msg), a.fell())
	if n := a.footRows(); n != a.foot && a.h > 0 {
		a.foot = n
		a.resize(a.w, a.h)
	}
	a.place()
	cmd = tea.Batch(cmd, a.keep())
	if !a.watching && a.loading() {
		a.watching = true
		cmd = tea.Batch(cmd, tea.Tick(loadFor, func(time.Time) tea.Msg { return look{} }))
	}
	return m, a.crash.Cmd(cmd)
}

// loading reports whether an engine is being read that a screen may speak of.
func (a *app) loading() bool {
	s := a.env.Session
	if s == nil {
		return false
	}
	for _, l := range append([]string{a.speak()}, s.Script().Languages...) {
		if a.env.Status(l).Loading {
			return true
		}
	}
	return false
}

// look draws anew while an engine is loading.
type look struct{}

func (a *app) update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		a.resize(m.Width, m.Height)
		return nil
	case tea.KeyMsg:
		return a.split(m)
	case tea.MouseMsg:
		if a.help != nil || a.small() {
			return nil
		}
		if m.Y == 0 && m.Button == tea.MouseButtonLeft {
			return a.click(m)
		}
		m.Y--
		return a.screens[a.front].Update(m)
	case tea.ResumeMsg, screen.Returned:
		return a.mouseCmd()
	case screen.Toast:
		return a.show(m)
	case unsaved:
		return a.yield(screen.Toast{Text: m.err.Error(), Error: true})
	case toastOver:
		if m.gen == a.toasted {
			a.toast = screen.Toast{}
		}
		return nil
	case screen.Answered:
		return a.answered(m)
	case screen.Copy:
		return a.copy(m.Text)
	case screen.Open:
		return a.open(m.Name)
	case screen.Reload:
		return a.reload(true)
	case reloaded:
		return a.reloaded(m)
	case edited:
		return a.edited(m)
	case resumed:
		return a.resumed(m)
	case look:
		a.watching = false
		return nil
	case saveNow:
		a.saving = false
		return a.saveCmd()
	case started:
		return tea.Batch(a.broadcast(screen.Changed{Branch: m.branch}), a.chat.Update(screen.GoTo{Branch: m.branch}))
	}
	return a.broadcast(msg)
}

// broadcast gives a message to every screen; each knows its own.
func (a *app) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, name := range []screen.Name{screen.Chat, screen.World, screen.Tree} {
		switch m := msg.(type) {
		case screen.GoTo:
			if name != screen.Chat || m.Branch == "" {
				continue
			}
		case screen.Changed:
			if name != screen.Chat && name != a.front {
				continue // it reads when it is shown
			}
		}
		cmds = append(cmds, a.screens[name].Update(msg))
	}
	if _, ok := msg.(screen.Went); ok {
		a.dirty = true
	}
	return tea.Batch(cmds...)
}

func (a *app) resize(w, h int) {
	a.w, a.h = w, h
	for _, s := range a.screens {
		s.SetSize(w, max(h-1-a.foot, 0))
	}
	if a.help != nil {
		a.help.SetSize(w, max(h-1-a.foot, 0))
	}
}

func (a *app) small() bool { return a.w < minW || a.h < minH }

// split gives keys to key one by one: the terminal's reader joins letters that
// come quickly, and "jjj" is no key. What an input method commits stays whole.
func (a *app) split(m tea.KeyMsg) tea.Cmd {
	if m.Type != tea.KeyRunes || m.Paste || len(m.Runes) < 2 || text.IsCJK(m.Runes[0]) {
		return a.key(m)
	}
	var cmds []tea.Cmd
	for i := range m.Runes {
		if a.help == nil && a.screens[a.front].Typing() {
			m.Runes = m.Runes[i:]
			return tea.Batch(append(cmds, a.key(m))...)
		}
		one := m
		one.Runes = m.Runes[i : i+1]
		cmds = append(cmds, a.key(one))
	}
	return tea.Batch(cmds...)
}

// key gives a key to whoever has the keyboard: help, then the frame's own keys,
// then the screen.
func (a *app) key(m tea.KeyMsg) tea.Cmd {
	if m.String() != "ctrl+c" {
		a.armed = false
	}
	front := a.screens[a.front]
	typing := front.Typing() && a.help == nil
	if writes := typing && !m.Alt && (m.Type == tea.KeyRunes || m.Type == tea.KeySpace); a.toast.Error || !writes {
		a.toast = screen.Toast{} // read by now, or no longer so
	}
	if b, ok := widget.Find(a.keys(), m, typing); ok {
		return a.press(b.ID)
	}
	if a.help != nil {
		if a.help.key(m.String()) {
			a.help = nil
		}
		return nil
	}
	if a.env.Session == nil && a.front != screen.World {
		return nil
	}
	return front.Update(m)
}

// press does what a row of the frame does, or says why it cannot.
func (a *app) press(id string) tea.Cmd {
	for _, b := range a.keys() {
		if why := b.Why(); b.ID == id && why != "" {
			return a.show(screen.Toast{Text: why})
		}
	}
	return a.do(id)
}

// keys lists the frame's own bindings.
func (a *app) keys() []widget.Binding {
	k := a.env.Text.Keys
	return []widget.Binding{
		{ID: "world", Keys: []string{"f2"}, Label: "F2", Name: k.GoWorld.Name, Hint: k.GoWorld.Hint, When: widget.Anywhere},
		{ID: "chat", Keys: []string{"f5"}, Label: "F5", Name: k.GoChat.Name, Hint: k.GoChat.Hint, When: widget.Anywhere, Disabled: a.noSession},
		{ID: "tree", Keys: []string{"f6"}, Label: "F6", Name: k.GoTree.Name, Hint: k.GoTree.Hint, When: widget.Anywhere, Disabled: a.noSession},
		{ID: "quit", Keys: []string{"ctrl+c"}, Name: k.Interrupt.Name, Hint: k.Interrupt.Hint, When: widget.Anywhere},
		{ID: "quit.now", Keys: []string{"q"}, Name: k.Quit.Name, Hint: k.Quit.Hint},
		{ID: "redraw", Keys: []string{"ctrl+l"}, Name: k.Redraw.Name, Hint: k.Redraw.Hint, When: widget.Anywhere},
		{ID: "suspend", Keys: []string{"ctrl+z"}, Name: k.Suspend.Name, Hint: k.Suspend.Hint, When: widget.Anywhere},
		{ID: "mouse", Keys: []string{"f12"}, Label: "F12", Name: k.Mouse.Name, Hint: k.Mouse.Hint, When: widget.Anywhere},
		{ID: "help.read", Keys: []string{"?"}, Name: k.Help.Name, Hint: k.Help.Hint},
		{ID: "help", Keys: []string{"f1"}, Label: "F1", Name: k.Help.Name, Hint: k.Help.Hint, When: widget.Anywhere, Footer: true},
	}
}

func (a *app) noSession() string {
	if a.env.Session == nil {
		return a.env.Text.World.NotYet
	}
	return ""
}

func (a *app) do(id string) tea.Cmd {
	switch id {
	case "world":
		return a.open(screen.World)
	case "chat":
		return a.open(screen.Chat)
	case "tree":
		return a.open(screen.Tree)
	case "quit":
		return a.interrupt()
	case "quit.now":
		return a.leave()
	case "redraw":
		return tea.ClearScreen
	case "suspend":
		return tea.Suspend
	case "mouse":
		a.mouse = !a.mouse
		return a.mouseCmd()
	default:
		if a.help != nil {
			a.help = nil
			return nil
		}
		a.help = newHelp(a.env, a.front, a.screens[a.front].Keys(), a.keys())
		a.help.SetSize(a.w, max(a.h-1-a.foot, 0))
	}
	return nil
}

func (a *app) mouseCmd() tea.Cmd {
	if a.mouse {
		return tea.EnableMouseCellMotion
	}
	return tea.DisableMouse
}

// interrupt is ctrl+c: once stops a reply, twice quits.
func (a *app) interrupt() tea.Cmd {
	if a.armed {
		return a.leave()
	}
	a.armed = true
	if a.chat.Interrupt() {
		return nil
	}
	return a.show(screen.Toast{Text: a.env.Text.Frame.QuitAgain})
}

func (a *app) leave() tea.Cmd {
	a.leaving = true
	return tea.Quit
}

// copy puts a text on the clipboard by way of the terminal, which also works
// over a remote connection.
func (a *app) copy(s string) tea.Cmd {
	say := a.show(screen.Toast{Text: fmt.Sprintf(a.env.Text.Chat.Copied, len([]rune(s)))})
	if a.out == nil {
		return say
	}
	return tea.Batch(say, func() tea.Msg {
		if _, err := a.out.WriteString(ansi.SetSystemClipboard(s)); err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return nil
	})
}

func (a *app) open(name screen.Name) tea.Cmd {
	a.help = nil
	if a.env.Session == nil && name != screen.World {
		return nil
	}
	a.front = name
	return a.screens[name].Shown()
}

type toastOver struct{ gen int }

func (a *app) show(t screen.Toast) tea.Cmd {
	a.toasted++
	a.toast = t
	if t.Error {
		return nil
	}
	gen, long := a.toasted, time.Duration(a.footRows())*toastFor
	return tea.Tick(long, func(time.Time) tea.Msg { return toastOver{gen} })
}

// yield shows a toast unless an error stands: of two troubles the one that cost
// a person something stays until it is read.
func (a *app) yield(t screen.Toast) tea.Cmd {
	if a.toast.Error {
		return nil
	}
	return a.show(t)
}
