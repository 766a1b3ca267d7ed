// Package chat is the screen where a person plays: transcript, choices,
// composer, and the figures of the reply that streams.
//
//	Enter → send (command: Session.Say) → started → wait (command: 33 ms pull
//	of Running.Snapshot) → progress … → ended → load (command: path) → loaded
//
// The screen pulls; nothing is sent from engine or story code. Non-goals:
// storing anything, choosing engines.
package chat

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/inspect"
	"fabula/tui/screen"
	"fabula/tui/widget"
	"fabula/tui/wording"
)

// Chat is the screen. Its methods are called from one goroutine.
type Chat struct {
	env      *screen.Env
	w, h     int
	composer *widget.Composer
	script   *widget.Transcript
	reading  bool
	mode     story.Mode // of the replies to come
	engine   string     // that answers them; "" = the best there is

	gen      int // of the load that is awaited; older answers are dropped
	path     path
	begins   story.ID // see horizon
	whose    string
	live     []story.Snapshot // replies in flight, the newest last
	run      *story.Running
	ctx      context.Context // of everything that this screen starts
	busy     bool            // an input was handed over and has not started yet
	sent     string          // what was handed over
	held     int             // generation of a held Enter; see release
	pending  bool            // an Enter is held
	editing  editing
	change   Change // that goes on once the branch was read
	sess     tally
	tab      completion
	note     string // a line above the composer: a long paste
	hits     hits
	storing  bool               // a changed reply, or what a slash command does
	cool     context.CancelFunc // ends the warm-up of the branch that was opened last
	over     over               // what has the keys instead of the talk; nil = nothing
	ins      *inspect.Inspector
	attended attended     // what the inspector looks at
	pane     seen         // the inspector, beside the talk
	head     seen         // the line of scene and player
	want     story.ID     // turn to select once the branch was read
	edits    screen.Edits // of the branches of the playthrough
}

// path is what was read of a branch.
type path struct {
	branch story.Branch
	play   story.Playthrough
	steps  []story.Step
	state  plot.State
	offers []plot.Offer

	branches []standing    // of the playthrough
	traits   []story.Trait // of the player
}

// New makes the screen; nothing is read before Shown or a GoTo message.
func New(ctx context.Context, env *screen.Env) *Chat {
	return &Chat{env: env, ctx: ctx, composer: widget.NewComposer(), script: widget.NewTranscript(), ins: inspect.New(ctx, env)}
}

// Branch gives the branch that is shown.
func (c *Chat) Branch() story.Branch { return c.path.branch }

// place says where the person is.
func (c *Chat) place() (node string, turn int) {
	if n := len(c.path.steps); n > 0 {
		turn = c.path.steps[n-1].Turn.Depth
	}
	return c.path.state.Node, turn
}

// Shown reads nothing: a branch comes by GoTo and stays up to date by Changed.
func (c *Chat) Shown() tea.Cmd { return nil }

// Typing reports whether the keyboard writes text.
func (c *Chat) Typing() bool { return !c.reading }

// SetSize sets columns and rows.
func (c *Chat) SetSize(w, h int) {
	c.w, c.h = w, h
	c.composer.SetWidth(w - 4)
}

// Redraw draws every turn anew: names and titles may have changed.
func (c *Chat) Redraw() { c.script.Restyle() }

// Streaming reports whether a reply is in flight.
func (c *Chat) Streaming() bool { return c.run != nil || c.busy }

// words says in words what the path holds.
func (c *Chat) words() wording.Wording {
	return wording.Wording{Script: c.env.Session.Script(), Text: c.env.Text, Speaks: c.Speaks()}
}

// Speaks is the language of the playthrough that is shown; "" before there is one.
func (c *Chat) Speaks() string { return c.path.play.Language }

// Update takes one message.
func (c *Chat) Update(msg tea.Msg) tea.Cmd {
	cmd := c.update(msg)
	return tea.Batch(cmd, c.attend())
}

func (c *Chat) update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return c.key(m)
	case tea.MouseMsg:
		return c.mouse(m)
	case screen.GoTo:
		c.want = m.Turn
		return c.open(m.Branch)
	case screen.Compose:
		return c.write(m.Text)
	case screen.Changed:
		if m.Branch == c.path.branch.ID && !c.Streaming() {
			return c.load(m.Branch)
		}
	case loaded:
		return c.loaded(m)
	case started:
		return c.started(m)
	case refused:
		return c.refused(m)
	case progress:
		return c.progress(m)
	case ended:
		return c.ended(m)
	case stored:
		return c.stored(m)
	case release:
		return c.release(m)
	case amended:
		return c.amended(m)
	case called:
		return c.called(m)
	case screen.EditsFound:
		c.edits.Take(m)
	case inspect.Loaded:
		return c.ins.Update(m)
	default:
		if c.over != nil {
			return c.over.update(c, m)
		}
	}
	return nil
}

// open shows a branch. A turn that is in flight on it is joined; one on the
// branch that is left goes on and is stored.
func (c *Chat) open(id story.ID) tea.Cmd {
	watched := c.run
	if id != c.path.branch.ID {
		c.over = nil
	}
	c.run, c.live, c.busy = c.env.Session.Running(id), nil, false
	c.letGo()
	warm := c.warm(id)
	if c.run == nil || c.run == watched { // nothing to watch, or watched already
		return tea.Batch(c.load(id), warm)
	}
	return tea.Batch(c.load(id), c.wait(c.run))
}

// warm has the engine read the prompt of a branch that was opened, before the
// person has typed a line; the branch that was open before is given up. What
// goes wrong there shows in the first reply.
func (c *Chat) warm(id story.ID) tea.Cmd {
	s, ctx := c.env.Session, c.ctx
	if c.cool != nil {
		c.cool()
	}
	ctx, c.cool = context.WithCancel(ctx)
	return func() tea.Msg {
		_ = s.Warm(ctx, id)
		return nil
	}
}

// loaded is the answer of load.
type loaded struct {
	gen  int
	path path
	err  error
}

// load reads a branch in a command.
func (c *Chat) load(id story.ID) tea.Cmd {
	c.gen++
	gen, s := c.gen, c.env.Session
	return func() tea.Msg {
		p, err := read(s, id)
		return loaded{gen, p, err}
	}
}

func read(s *story.Session, id story.ID) (path, error) {
	r := s.Reader()
	b, err := r.Branch(string(id))
	if err != nil {
		return path{}, err
	}
	p := path{branch: b}
	if p.play, err = r.Playthrough(b.Playthrough); err != nil {
		return path{}, err
	}
	if p.steps, err = r.Path(b.Leaf); err != nil {
		return path{}, err
	}
	if n := len(p.steps); n > 0 {
		p.state = p.steps[n-1].Alternative.State
	}
	if !p.play.Sandbox {
		p.offers = s.Script().Offers(p.state, p.play.Language)
	}
	p.traits = story.Profile(s.Script(), p.steps, p.play.Language)
	p.branches, err = standings(r, p.play.ID)
	return p, err
}

func (c *Chat) loaded(m loaded) tea.Cmd {
	if m.gen != c.gen {
		return nil
	}
	if m.err != nil {
		c.want = ""
		return screen.Fail(m.err)
	}
	moved := m.path.branch.ID != c.path.branch.ID
	keep := c.keep()
	c.path = m.path
	if c.run == nil {
		c.live = nil
	}
	c.rebuild()
	if moved {
		c.script.Follow()
	} else {
		keep()
	}
	c.selectWanted()
	changing := c.takeUp()
	if b, ok := c.over.(*beats); ok {
		b.refresh(c)
	}
	b := c.path.branch
	return tea.Batch(changing, c.lookAtEdits(), func() tea.Msg { return screen.Went{Branch: b} })
}

// selectWanted selects the turn that was asked for with the branch, which is
// read then.
func (c *Chat) selectWanted() {
	want := c.want
	c.want = ""
	for i, s := range c.path.steps {
		if s.Turn.ID == want && want != "" {
			c.reading, c.over = true, nil
			c.script.Select(i)
		}
	}
}

// keep remembers where the person is in the transcript; the function that it
// gives goes there once the blocks have changed. Whoever reads an earlier turn
// stays on it, also where the end is in view: the next key is meant for it.
func (c *Chat) keep() func() {
	sel, follow := c.script.Selected(), c.script.Following()
	earlier := c.reading && sel < c.script.Len()-1
	return func() {
		switch {
		case earlier || c.reading && !follow:
			c.script.Select(sel)
		case follow:
			c.script.Follow()
		}
	}
}

// horizon is the turn at which the history of the last prompt began, and whose
// prompt it was; "" when all of the path was in it.
func (c *Chat) horizon() (turn story.ID, speaker string) {
	for i := len(c.path.steps) - 1; i >= 0; i-- {
		if a := c.path.steps[i].Alternative; a.Reply != nil {
			return a.Reply.Horizon(), a.Speaker
		}
	}
	return "", ""
}

// rebuild gives the transcript the blocks of the path and of what streams.
func (c *Chat) rebuild() {
	c.begins, c.whose = c.horizon()
	blocks := make([]widget.Block, 0, len(c.path.steps)+len(c.live))
	for i := range c.path.steps {
		if c.inFlight(c.path.steps[i].Turn.ID) {
			break // a retry: the turn and what follows it gives way to the new reply
		}
		blocks = append(blocks, c.stepBlock(i))
	}
	for i := range c.live {
		blocks = append(blocks, c.liveBlock(i))
	}
	c.script.SetBlocks(blocks)
}

func (c *Chat) inFlight(turn story.ID) bool {
	for _, s := range c.live {
		if s.Turn.ID == turn {
			return true
		}
	}
	return false
}

// selected gives the step that the transcript's selection is on.
func (c *Chat) selected() (story.Step, bool) {
	i := c.selectedAt()
	if i < 0 {
		return story.Step{}, false
	}
	return c.path.steps[i], true
}

// selectedAt is the place of that step on the path; -1 = there is none.
func (c *Chat) selectedAt() int {
	i := c.script.Selected()
	if !c.reading || i >= len(c.path.steps) {
		i = len(c.path.steps) - 1
	}
	return i
}

// pullEvery is the floor between two looks at a running reply; tickEvery the
// ceiling, so that a waiting time on screen goes on.
const (
	pullEvery = 33 * time.Millisecond
	tickEvery = 500 * time.Millisecond
)
