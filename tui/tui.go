// Package tui is the workbench in a terminal: Run, and nothing else.
//
//	terminal ── keys ──> app.Update ──> screen.Update ──> commands
//	terminal <─ frame ── app.View   <── screen.View        │
//	                        ^────────── messages ──────────┘
//
// Update never blocks and never reads a file; View notes where it drew what can
// be clicked and is pure but for that; sizes are pushed down; strings come from
// text/lang. No query is ever sent to the terminal: see bg.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas/source"
	"fabula/story"
	"fabula/story/lab/vote"
	"fabula/story/playtest"
	_ "fabula/tui/bg" // before bubbletea: no colour query
	"fabula/tui/keymap"
	"fabula/tui/screen"
	"fabula/tui/screen/engines"
	"fabula/tui/style"
	"fabula/tui/term"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// Status says who answers; see screen.Status.
type Status = screen.Status

// Options is what the workbench needs.
type Options struct {
	Name     string         // of the world, as the person knows it
	Dir      string         // folder of its files; empty for an embedded world
	StateDir string         // where its store lies; the unsent text is kept there too
	Session  *story.Session // nil when the world does not load: see Err
	Err      error          // why it does not: a *worlds.LoadError names the faults
	// Open opens a world that did not load, after its files were mended; nil =
	// cannot. With a session, Session.Reload takes its place.
	Open func() (*story.Session, error)
	// Status says who answers in a language. It must not block.
	Status func(speak string) Status

	// Engines tells of the machine's engines and changes who answers; nil = nobody
	// does, and the screen of engines says so.
	Engines engines.Keeper

	// Engine refuses the name of an engine that cannot be had; nil = none is.
	Engine func(name string) error

	// Bell is rung when another engine has to stand in, and when it no longer
	// has to; nil = the terminal's.
	Bell func()

	// Playtests reads the playtests of the world; nil = there are none.
	Playtests func() ([]*playtest.Playtest, error)
	// Export makes files for other programs; without its Render nothing can be.
	Export screen.Exporter

	Voter  string // who votes in blind votes; empty = the user's name
	Branch string // to show; empty = the one shown last, else the newest
	Speak  string // what NPCs are to speak: a branch in it is shown, or a playthrough begun; empty = the last branch, the session's language
	Lang   string // of the interface; empty = en
	Theme  string // dark, light, none; empty = by the environment
	ASCII  bool   // lines and signs in ASCII, for terminals that draw them wide
	Plain  bool   // no screen: lines in, lines out
	Mouse  bool   // wheel and clicks; takes selecting away from the terminal

	Tour      bool           // this is the demo world, through which a tour leads
	Keys      []keymap.Entry // keys that the person gave actions
	KeyFaults []source.Fault // what of the person's keys could not be read

	In  *os.File // nil = os.Stdin
	Out *os.File // nil = os.Stdout
	Now func() time.Time
}

func (o *Options) defaults() {
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Voter == "" {
		o.Voter = vote.UserName()
	}
	if o.Status == nil {
		o.Status = func(string) Status { return Status{} }
	}
}

// glass is the workbench as bubbletea sees it: its frames go to the terminal at
// once, and bubbletea's renderer, which has nothing to draw, looks for a frame
// once a second.
type glass struct {
	*app
	out *term.Writer
}

const fps = 1

func (g glass) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, resized := msg.(tea.WindowSizeMsg); resized {
		g.out.Anew()
	}
	_, cmd := g.app.Update(msg)
	return g, cmd
}

func (g glass) View() string {
	g.out.Draw(g.app.View(), g.cursor())
	return term.Blank
}

// Run shows the workbench until the person quits or ctx ends. A panic anywhere
// restores the terminal and comes back as a *term.Crashed with its note. The
// session stays open: it is the caller's.
func Run(ctx context.Context, o Options) error {
	o.defaults()
	text.FixAmbiguous()
	if o.Plain {
		return plain(ctx, o, o.In, o.Out)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := term.NewWriter(o.Out)
	var program *tea.Program
	crash := term.NewCrash(o.StateDir, func() { program.Kill() })
	a := newApp(ctx, o, crash, w)
	program = tea.NewProgram(glass{a, w}, programOptions(ctx, o, w)...)
	crash.Go(func() { w.Paint(ctx) })
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	crash.Go(func() {
		select {
		case <-hangup: // the window was closed: leave as if asked to
			program.Quit()
		case <-ctx.Done():
		}
	})
	_, err := program.Run()
	stopped := ctx.Err()
	cancel()
	a.save()
	a.finish()
	a.said.close()
	if crashed := crash.Err(); crashed != nil {
		return crashed
	}
	switch {
	case errors.Is(err, tea.ErrInterrupted):
		return context.Canceled
	case errors.Is(err, tea.ErrProgramKilled) && stopped != nil:
		return stopped
	case err != nil:
		return fmt.Errorf("terminal: %w", err)
	}
	return nil
}

// programOptions leave signals to ctx: bubbletea v1's own handler sends to the
// event loop without looking whether it still runs, and a program that was
// ending by ctx then never ended.
func programOptions(ctx context.Context, o Options, w io.Writer) []tea.ProgramOption {
	opts := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(term.NewReader(o.In)), tea.WithOutput(w), tea.WithAltScreen(), tea.WithFPS(fps), tea.WithoutCatchPanics(), tea.WithoutSignalHandler(),
	}
	if o.Mouse {
		opts = append(opts, tea.WithMouseCellMotion())
	}
	return opts
}

// environment makes what screens share.
func environment(o Options) *screen.Env {
	th := style.New(style.Choice{Name: o.Theme, ASCII: o.ASCII})
	return &screen.Env{Theme: &th, Text: lang.For(o.Lang), Session: o.Session, Status: o.Status, Now: o.Now, Dir: o.Dir,
		File: worlds.Place{Name: o.Name, Dir: o.Dir}.ReadFile, Playtests: o.Playtests, Export: o.Export, Engine: o.Engine,
		Votes: filepath.Join(o.StateDir, vote.Dir), Voter: o.Voter}
}
