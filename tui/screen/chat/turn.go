package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/wording"
)

// started, refused, progress and ended are the stations of one turn.
type (
	started struct {
		gen int
		run *story.Running
	}
	refused struct {
		gen int
		err error
	}
	progress struct {
		run   *story.Running
		snaps []story.Snapshot // of all beside it, its own first
	}
	ended struct {
		run    *story.Running
		branch story.Branch
		step   story.Step
		err    error
		others error // the first failure beside it
	}
)

// take hands an input to the session. The composer is cleared only once the
// session has stored it: see started.
func (c *Chat) take(in story.Input) tea.Cmd {
	s, id, edit, o := c.env.Session, c.path.branch.ID, c.editing.turn, c.options()
	c.sent = c.composer.Value()
	if edit != "" && in.Text != "" {
		at := story.Spot{Branch: id, At: c.parent(edit)}
		return c.begin(func(ctx context.Context) (*story.Running, error) {
			if err := s.Fits(ctx, at, in); err != nil {
				return nil, err
			}
			return s.EditInput(ctx, id, edit, in.Text, o)
		})
	}
	return c.begin(func(ctx context.Context) (*story.Running, error) {
		if err := s.Fits(ctx, story.Spot{Branch: id}, in); err != nil {
			return nil, err
		}
		return s.Say(ctx, id, in, o)
	})
}

// parent is the alternative that a turn of the path stands below; "" = unknown.
func (c *Chat) parent(turn story.ID) story.ID {
	for _, s := range c.path.steps {
		if s.Turn.ID == turn {
			return s.Turn.Parent
		}
	}
	return ""
}

// begin runs a call that starts a reply, in a command.
func (c *Chat) begin(call func(context.Context) (*story.Running, error)) tea.Cmd {
	c.busy = true
	c.gen++
	gen, ctx := c.gen, c.ctx
	return func() tea.Msg {
		run, err := call(ctx)
		if err != nil {
			return refused{gen, err}
		}
		return started{gen, run}
	}
}

func (c *Chat) started(m started) tea.Cmd {
	if rest, ok := strings.CutPrefix(c.composer.Value(), c.sent); ok && c.sent != "" {
		c.composer.SetValue(rest) // what was typed since stays
		c.note, c.editing = "", editing{}
	}
	c.sent = ""
	if m.gen != c.gen {
		return nil // another branch is shown by now; the turn goes on
	}
	c.busy, c.run = false, m.run
	c.live = []story.Snapshot{m.run.Snapshot()}
	c.rebuild()
	c.script.Follow()
	return tea.Batch(c.wait(m.run), c.showBeside(m.run))
}

// showBeside shows several replies next to each other while they stream; the
// transcript shows the first.
func (c *Chat) showBeside(r *story.Running) tea.Cmd {
	snaps := snapshots(r)
	b, open := c.over.(*beside)
	if len(snaps) == 1 {
		return nil
	}
	if open && b.turn.ID == snaps[0].Turn.ID {
		b.stream(snaps)
		return nil
	}
	b = &beside{turn: snaps[0].Turn}
	c.lay(b)
	b.stream(snaps)
	return b.read(c)
}

func snapshots(r *story.Running) []story.Snapshot {
	var all []story.Snapshot
	for _, b := range r.Beside() {
		all = append(all, b.Snapshot())
	}
	return all
}

func (c *Chat) refused(m refused) tea.Cmd {
	c.sent = ""
	err := m.err
	var gone *story.VanishedError
	if errors.As(err, &gone) {
		err = fmt.Errorf(c.env.Text.Chat.Vanished, text.Line(gone.Node))
	}
	err = wording.Stored(err, false, c.env.Text)
	if !c.composer.Empty() {
		err = fmt.Errorf(c.env.Text.Chat.Kept, err)
	}
	if m.gen != c.gen {
		return screen.Fail(err)
	}
	c.busy = false
	return tea.Batch(screen.Fail(err), c.load(c.path.branch.ID))
}

// wait looks at a running reply once something happened, at most every 33 ms.
func (c *Chat) wait(r *story.Running) tea.Cmd {
	return func() tea.Msg {
		if len(r.Beside()) > 1 {
			return waitAll(r)
		}
		floor := time.After(pullEvery)
		select {
		case <-r.Done():
			b, step, err := r.Wait()
			return ended{r, b, step, err, nil}
		case <-r.Changed():
		case <-time.After(tickEvery):
		}
		select {
		case <-floor:
		case <-r.Done():
		}
		return progress{r, snapshots(r)}
	}
}

// waitAll is wait for replies beside each other: it ends with the last.
func waitAll(r *story.Running) tea.Msg {
	time.Sleep(pullEvery)
	for _, b := range r.Beside() {
		select {
		case <-b.Done():
		default:
			return progress{r, snapshots(r)}
		}
	}
	m := ended{run: r}
	m.branch, m.step, m.err = r.Wait()
	for _, b := range r.Beside()[1:] {
		if _, _, err := b.Wait(); m.others == nil && !errors.Is(err, context.Canceled) { // esc is no failure
			m.others = err
		}
	}
	return m
}

func (c *Chat) progress(m progress) tea.Cmd {
	if m.run != c.run {
		return nil
	}
	cmd := c.wait(m.run)
	if b, ok := c.over.(*beside); ok && len(m.snaps) > 1 && b.turn.ID == m.snaps[0].Turn.ID {
		b.stream(m.snaps)
	}
	n, snap := len(c.live), m.snaps[0]
	switch {
	case n == 0 || c.live[n-1].Turn.ID != snap.Turn.ID:
		// The next NPC answers the same input; the one before is stored.
		c.live = append(c.live, snap)
		c.rebuild()
	default:
		c.live[n-1] = snap
		c.script.SetLast(c.liveBlock(n - 1))
	}
	return cmd
}

func (c *Chat) ended(m ended) tea.Cmd {
	if m.run != c.run {
		return changed(m.branch.ID)
	}
	c.run = nil
	cmds := []tea.Cmd{changed(m.branch.ID)}
	if r := m.step.Alternative.Reply; r != nil {
		c.sess.add(r)
		cmds = append(cmds, func() tea.Msg { return screen.Answered{Engine: r.Engine.Name, Why: r.Why, Args: r.WhyArgs} })
	}
	if b, ok := c.over.(*beside); ok {
		cmds = append(cmds, b.read(c))
	}
	if c.append(m) {
		b := m.branch
		cmds = append(cmds, func() tea.Msg { return screen.Went{Branch: b} })
	} else {
		cmds = append(cmds, c.load(m.branch.ID))
	}
	if m.err != nil && m.step.Alternative.Reply == nil { // else the transcript says it
		again := c.owed(m.branch.ID)
		cmds = append(cmds, screen.Fail(wording.Stored(m.err, again != nil, c.env.Text)), again)
	}
	if m.others != nil && m.err == nil {
		cmds = append(cmds, screen.Fail(fmt.Errorf(c.env.Text.Chat.SomeFailed, m.others)))
	}
	return tea.Batch(cmds...)
}

// append puts a stored step at the end of the path, so that a long path is not
// read again after every turn. It reports false where the path must be read: a
// retry, an edit, several NPCs, another branch.
func (c *Chat) append(m ended) bool {
	n := len(c.path.steps)
	if n == 0 || len(c.live) != 1 || m.step.Alternative.ID == "" || m.branch.ID != c.path.branch.ID ||
		m.step.Turn.Parent != c.path.steps[n-1].Alternative.ID {
		return false
	}
	c.gen++ // a load that is under way would bring back the path without this turn
	c.path.branch, c.path.state = m.branch, m.step.Alternative.State
	c.path.steps = append(c.path.steps[:n:n], m.step)
	c.path.traits = story.Profile(c.env.Session.Script(), c.path.steps, c.path.play.Language)
	c.path.offers = nil
	if !c.path.play.Sandbox {
		c.path.offers = c.env.Session.Script().Offers(c.path.state, c.path.play.Language)
	}
	c.live = nil
	keep := c.keep()
	c.rebuild()
	keep()
	return true
}

func changed(id story.ID) tea.Cmd {
	return func() tea.Msg { return screen.Changed{Branch: id} }
}

// stopReply ends the reply in flight; what came is kept.
func (c *Chat) stopReply() {
	if c.run != nil {
		c.run.CancelAll()
	}
}

// Interrupt is ctrl+c: it stops the reply and reports whether there was one.
func (c *Chat) Interrupt() bool {
	if c.run == nil {
		return false
	}
	c.stopReply()
	return true
}

// retry asks for another alternative of the selected turn.
func (c *Chat) retry() tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	s, id, o := c.env.Session, c.path.branch.ID, c.options()
	return c.begin(func(ctx context.Context) (*story.Running, error) {
		return s.Retry(ctx, id, step.Alternative.ID, o)
	})
}

// edit takes the player's line of the selected turn into the composer; sent, it
// makes a turn beside the old one. Where there is nothing to change, or something
// is being written already, the composer takes the keyboard all the same: a
// person who pressed e writes next, and a sentence must not run as commands.
func (c *Chat) edit() tea.Cmd {
	step, ok := c.selected()
	why := c.reasons().said()
	if why == "" && !c.composer.Empty() {
		why = c.env.Text.Chat.SendFirst
	}
	if why != "" || !ok {
		c.compose()
		return screen.Say(why)
	}
	c.reading, c.editing = false, editing{turn: step.Turn.ID, line: step.Turn.Input.Text}
	c.composer.SetValue(step.Turn.Input.Text)
	return nil
}

// copy copies what was said in the selected turn.
func (c *Chat) copy() tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	var said []string
	for _, l := range step.Alternative.Lines {
		said = append(said, l.Text)
	}
	if step.Alternative.Text != "" {
		said = append(said, step.Alternative.Text)
	}
	return func() tea.Msg { return screen.Copy{Text: strings.Join(said, "\n")} }
}

// other shows the alternative n further of the selected turn.
func (c *Chat) other(n int) tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	i, all := nth(step)
	if i+n < 0 || i+n >= len(all) {
		return screen.Say(c.env.Text.Chat.NoAlternative)
	}
	s, id, to := c.env.Session, c.path.branch.ID, all[i+n]
	return func() tea.Msg {
		b, err := s.Goto(id, to)
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return screen.GoTo{Branch: b.ID}
	}
}

// nth gives the position of a step's alternative among all of its turn.
func nth(step story.Step) (int, []story.ID) {
	for i, id := range step.Turn.Children {
		if id == step.Alternative.ID {
			return i, step.Turn.Children
		}
	}
	return 0, []story.ID{step.Alternative.ID}
}

// branchHere makes a branch that ends at the selected turn and shows it.
func (c *Chat) branchHere() tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	s, words := c.env.Session, c.env.Text.Chat
	return func() tea.Msg {
		b, err := s.BranchAt(step.Alternative.ID, "")
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return tea.BatchMsg{
			func() tea.Msg { return screen.GoTo{Branch: b.ID} },
			changed(b.ID),
			screen.Say(fmt.Sprintf(words.Branched, b.Name)),
		}
	}
}

// mark sets or clears the mark of the selected turn's alternative.
func (c *Chat) mark() tea.Cmd {
	step, ok := c.selected()
	if !ok {
		return nil
	}
	s, id, a := c.env.Session, c.path.branch.ID, step.Alternative
	return func() tea.Msg {
		if _, err := s.Mark(a.ID, !a.Mark, a.Title); err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return screen.Changed{Branch: id}
	}
}
