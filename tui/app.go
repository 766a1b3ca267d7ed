package tui

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"fabula/personas/source"
	"fabula/tui/keymap"
	"fabula/tui/screen"
	"fabula/tui/screen/chat"
	"fabula/tui/screen/world"
	"fabula/tui/term"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// app is the root: header, footer, toast, the screen in front and what lies
// over it.
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
	world    *world.World
	screens  map[screen.Name]screen.Screen // of the table of pages
	front    screen.Name
	over     []layer     // over the front, the uppermost last
	tour     *tour       // nil = none is on
	toured   bool        // it need not be offered again
	guided   bool        // it came to its end just now
	deeds    []deed      // what was done and told
	recent   []string    // ids of the commands that were run by name, the last first
	tabs     widget.List // the header's, for the mouse
	hints    widget.List // the footer's, for the mouse
	toast    screen.Toast
	toasted  int            // generation of the toast that is shown
	armed    string         // id of the row that does what it says when pressed once more
	asked    *task          // that ends by its key when pressed once more
	warned   bool           // it was said that quitting cancels tasks
	own      keymap.Map     // keys that the person gave actions
	misbound []source.Fault // what of them cannot be used
	tasks    []*task
	working  sync.WaitGroup // the tasks
	beating  bool           // a look at the tasks is due
	mouse    bool
	leaving  bool
	watching bool   // a look at a loading engine is due
	begun    bool   // a first playthrough was asked for
	dirty    bool   // the draft changed since it was saved
	saving   bool   // a save is scheduled
	kept     kept   // as last written
	unkept   string // why it was not written last, as it was told
	fallen   fallen
	told     string // what is played, as the person knows it; see played
	reading  bool   // the world's files are being read
	reread   *bool  // they are to be read again then; whether the person asked for it
	shelf    *shelf
	said     *archive
}

const (
	toastFor = 4 * time.Second
	saveFor  = 800 * time.Millisecond
	loadFor  = 200 * time.Millisecond
	minW     = 60
	minH     = 16
)

func newApp(ctx context.Context, o Options, crash *term.Crash, out *term.Writer) *app {
	a := &app{o: o, ctx: ctx, foot: 1, env: environment(o), crash: crash, out: out, narrow: narrowing(o.ASCII), mouse: o.Mouse, front: screen.Chat, shelf: &shelf{dir: o.StateDir}, said: newArchive(o.StateDir)}
	a.told = a.played(o.Err)
	a.makeScreens()
	a.misbound = append(o.KeyFaults, a.remap(o.Keys)...)
	if o.Session == nil {
		a.world.Broken(o.Err)
		a.front = screen.World
	}
	return a
}

// Init reads what was there last time.
func (a *app) Init() tea.Cmd {
	return a.crash.Cmd(tea.Batch(a.resume(), a.screens[a.front].Shown(), a.watchFiles(""), a.tellKeys()))
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
		return a.point(m)
	case tea.ResumeMsg, screen.Returned:
		return a.mouseCmd()
	case screen.Toast:
		return a.show(m)
	case unsaved:
		return a.unsaved(m)
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
		return a.open(m)
	case screen.Close:
		a.close()
		return nil
	case screen.Task:
		return a.undertake(m)
	case screen.TaskEnded:
		return a.taskEnded(m)
	case screen.StopTask:
		a.stopTask(m.ID)
		return nil
	case listed:
		return a.listed(m)
	case sought:
		return a.sought(m)
	case screen.Help:
		return a.press("help")
	case screen.Tour:
		return a.press("tour")
	case screen.Compose:
		return a.compose(m)
	case beat:
		a.beating = false
		return a.nextBeat()
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
	case wasKept:
		a.unkept = ""
		return nil
	case saveNow:
		a.saving = false
		return a.saveCmd()
	case started:
		return tea.Batch(a.broadcast(screen.Changed{Branch: m.branch}), a.chat.Update(screen.GoTo{Branch: m.branch}))
	}
	return a.broadcast(msg)
}

func (a *app) resize(w, h int) {
	a.w, a.h = w, h
	for _, s := range a.screens {
		s.SetSize(w, a.bodyHeight())
	}
	for _, l := range a.over {
		a.size(l)
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
		if a.top().Typing() {
			m.Runes = m.Runes[i:]
			return tea.Batch(append(cmds, a.key(m))...)
		}
		one := m
		one.Runes = m.Runes[i : i+1]
		cmds = append(cmds, a.key(one))
	}
	return tea.Batch(cmds...)
}

// key gives a key to the frame's own rows, else to the uppermost screen.
func (a *app) key(m tea.KeyMsg) tea.Cmd {
	top := a.top()
	typing := top.Typing()
	if writes := typing && !m.Alt && (m.Type == tea.KeyRunes || m.Type == tea.KeySpace); a.toast.Error || !writes {
		a.toast = screen.Toast{} // read by now, or no longer so
	}
	b, own := widget.Find(a.keys(), m, typing)
	if b.ID != a.armed {
		a.armed, a.warned = "", false
	}
	if own {
		a.done(b, m.String())
		return a.press(b.ID)
	}
	if m, ok := a.translated(top, m); ok {
		a.watch(top, m)
		return top.Update(m)
	}
	return nil
}

// point gives the mouse to tabs and hints or to the uppermost screen.
func (a *app) point(m tea.MouseMsg) tea.Cmd {
	if a.small() {
		return nil
	}
	if click := m.Button == tea.MouseButtonLeft && m.Action == tea.MouseActionPress; click && (m.Y == 0 || m.Y >= a.h-a.foot) {
		return a.click(m)
	}
	dx, dy := a.within()
	m.X, m.Y = m.X-dx, m.Y-1-dy
	return a.top().Update(m)
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

// rows lists all that can be done now: the uppermost screen's rows, then the
// frame's.
func (a *app) rows() []widget.Binding { return append(a.own.Rows(a.top().Keys()), a.keys()...) }

// keys lists the frame's own bindings, by the keys that the person gave them.
func (a *app) keys() []widget.Binding { return a.own.Rows(a.frameKeys()) }

// frameKeys lists the frame's own bindings.
func (a *app) frameKeys() []widget.Binding {
	k := a.env.Text.Keys
	return append(append(a.closing(), a.pageKeys()...), []widget.Binding{
		{ID: "quit", Keys: []string{"ctrl+c"}, Name: k.Interrupt.Name, Hint: k.Interrupt.Hint, When: widget.Anywhere},
		{ID: "quit.now", Keys: []string{"q"}, Name: k.Quit.Name, Hint: k.Quit.Hint},
		{ID: "task.cancel", Keys: []string{"ctrl+x"}, Name: k.CancelTask.Name, Hint: k.CancelTask.Hint, When: widget.Anywhere, Disabled: a.noTask},
		{ID: "redraw", Keys: []string{"ctrl+l"}, Name: k.Redraw.Name, Hint: k.Redraw.Hint, When: widget.Anywhere},
		{ID: "suspend", Keys: []string{"ctrl+z"}, Name: k.Suspend.Name, Hint: k.Suspend.Hint, When: widget.Anywhere},
		{ID: "palette", Keys: []string{"ctrl+p"}, Name: k.Palette.Name, Hint: k.Palette.Hint, When: widget.Anywhere, Footer: true},
		{ID: "palette.read", Keys: []string{":"}, Name: k.Palette.Name, Hint: k.Palette.Hint},
		{ID: "find", Keys: []string{"ctrl+f"}, Name: k.Find.Name, Hint: k.Find.Hint, When: widget.Anywhere, Disabled: a.noSession},
		{ID: "record", Keys: []string{"ctrl+g"}, Name: k.Record.Name, Hint: k.Record.Hint, When: widget.Anywhere},
		{ID: "tour", Keys: []string{"ctrl+t"}, Name: k.Tour.Name, Hint: k.Tour.Hint, When: widget.Anywhere, Disabled: a.elsewhere},
		{ID: "tour.end", Keys: []string{"alt+t"}, Name: k.EndTour.Name, Hint: k.EndTour.Hint, When: widget.Anywhere, Disabled: a.noTour},
		{ID: "mouse", Keys: []string{"f12"}, Label: "F12", Name: k.Mouse.Name, Hint: k.Mouse.Hint, When: widget.Anywhere},
		{ID: "help.read", Keys: []string{"?"}, Name: k.Help.Name, Hint: k.Help.Hint},
		{ID: "help", Keys: []string{"f1"}, Label: "F1", Name: k.Help.Name, Hint: k.Help.Hint, When: widget.Anywhere, Footer: true},
	}...)
}

func (a *app) noSession() string {
	if a.env.Session == nil {
		return a.env.Text.World.NotYet
	}
	return ""
}

func (a *app) do(id string) tea.Cmd {
	if p, ok := pageOf(id); ok {
		return a.goTo(p)
	}
	switch id {
	case "close":
		a.close()
	case "quit":
		return a.interrupt()
	case "quit.now":
		return a.leave("quit.now")
	case "task.cancel":
		return a.cancelShown()
	case "redraw":
		return tea.ClearScreen
	case "suspend":
		return tea.Suspend
	case "palette", "palette.read":
		return a.toggle(paletteName, a.showPalette)
	case "find":
		return a.toggle(findName, a.showFind)
	case "tour":
		return a.beginTour()
	case "tour.end":
		return a.endTour()
	case "record":
		return a.toggle(recordName, a.showRecord)
	case "mouse":
		a.mouse = !a.mouse
		return a.mouseCmd()
	default:
		return a.explain()
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
	if a.armed == "quit" {
		return a.leave("quit")
	}
	a.armed = "quit"
	if a.chat.Interrupt() {
		return nil
	}
	if len(a.tasks) > 0 {
		return a.leave("quit")
	}
	return a.show(screen.Toast{Text: a.env.Text.Frame.QuitAgain})
}

// leave ends the workbench; by names the row that asked. Tasks end with it, so
// it asks again while one runs.
func (a *app) leave(by string) tea.Cmd {
	if n := len(a.tasks); n > 0 && !a.warned {
		a.armed, a.warned = by, true
		return a.show(screen.Toast{Text: fmt.Sprintf(a.env.Text.Task.QuitAsk, n)})
	}
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

type toastOver struct{ gen int }

func (a *app) show(t screen.Toast) tea.Cmd {
	a.toasted++
	a.toast = t
	a.note(t)
	if t.Error {
		return nil
	}
	gen, long := a.toasted, time.Duration(len(a.toastRows()))*toastFor
	return tea.Tick(long, func(time.Time) tea.Msg { return toastOver{gen} })
}

// yield shows a toast unless an error stands: of two troubles the one that cost
// a person something stays until it is read.
func (a *app) yield(t screen.Toast) tea.Cmd {
	if a.toast.Error {
		a.note(t)
		return nil
	}
	return a.show(t)
}
