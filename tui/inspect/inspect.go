// Package inspect is the pane that looks behind one turn: its state and what
// changed it, the prompt exactly as it was sent, the lore that fired and what was
// remembered, and what was found in the replies.
//
//	Show(steps, i) → command: Session.Sent → Loaded → Update
//
// It is a part of a screen, not one: who shows it gives it a rectangle, the keys
// and the turn. Non-goals: changing the tree; keys.
package inspect

import (
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/prompt"
	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
	"fabula/tui/wording"
)

// Tab is a page of the inspector.
type Tab int

// The pages, in their order.
const (
	State Tab = iota
	Prompt
	Recall
	Findings
	tabs
)

// Inspector shows one turn of a path. Its methods are called from one goroutine.
type Inspector struct {
	env    *screen.Env
	ctx    context.Context
	speaks string // language of the playthrough

	steps []story.Step
	at    int // of steps; -1 = none
	tab   Tab
	list  [tabs]widget.List
	heads widget.List // the names of the pages, for the mouse
	found []finding

	gen     int // of the prompts that are awaited
	wanted  story.ID
	sent    sent
	earlier sent // of the same speaker, before
	off     []prompt.Part
	diff    bool
	marks   bool
	scroll  int // rows of the text of the selected segment
}

// sent is a prompt with the turn that it was sent in.
type sent struct {
	story.Sent
	step story.Step
	ok   bool
}

// New makes an inspector that looks at nothing yet.
func New(ctx context.Context, env *screen.Env) *Inspector {
	return &Inspector{env: env, ctx: ctx, at: -1}
}

// Loaded brings the prompts that Show asked for.
type Loaded struct {
	of      *Inspector
	gen     int
	sent    sent
	earlier sent
	err     error
}

// Show looks at step i of a path; shown again, nothing is read anew.
func (x *Inspector) Show(steps []story.Step, i int, speaks string) tea.Cmd {
	x.speaks = speaks
	if i < 0 || i >= len(steps) {
		x.steps, x.at, x.wanted = steps, -1, ""
		return nil
	}
	same := x.at >= 0 && x.at < len(x.steps) && x.wanted == steps[i].Alternative.ID
	x.steps, x.at = steps, i
	x.gather()
	if same {
		return nil
	}
	x.wanted, x.off, x.scroll = steps[i].Alternative.ID, nil, 0
	x.sent, x.earlier = sent{}, sent{}
	x.list[State].Select(0)
	x.list[Findings].Select(x.firstFound())
	return x.load()
}

// step is the turn that is looked at.
func (x *Inspector) step() (story.Step, bool) {
	if x.at < 0 || x.at >= len(x.steps) {
		return story.Step{}, false
	}
	return x.steps[x.at], true
}

// load reads the prompt of the turn and the one before of the same speaker.
func (x *Inspector) load() tea.Cmd {
	x.gen++
	s, gen, ctx := x.env.Session, x.gen, x.ctx
	step, _ := x.step()
	if step.Alternative.Reply == nil {
		return nil
	}
	before, found := x.before(step)
	return func() tea.Msg {
		m := Loaded{of: x, gen: gen}
		if m.sent, m.err = read(ctx, s, step); m.err == nil && found {
			m.earlier, m.err = read(ctx, s, before)
		}
		return m
	}
}

func read(ctx context.Context, s *story.Session, step story.Step) (sent, error) {
	p, err := s.Sent(ctx, step.Alternative)
	return sent{p, step, err == nil}, err
}

// before finds the last reply of the same speaker above the turn.
func (x *Inspector) before(step story.Step) (story.Step, bool) {
	for i := x.at - 1; i >= 0; i-- {
		if a := x.steps[i].Alternative; a.Reply != nil && a.Speaker == step.Alternative.Speaker {
			return x.steps[i], true
		}
	}
	return story.Step{}, false
}

// Update takes the prompts that Show asked for.
func (x *Inspector) Update(m Loaded) tea.Cmd {
	if m.of != x || m.gen != x.gen {
		return nil
	}
	if m.err != nil {
		return screen.Fail(m.err)
	}
	x.sent, x.earlier = m.sent, m.earlier
	x.list[Prompt].SetLen(len(x.segments()))
	return nil
}

// Open turns to a page.
func (x *Inspector) Open(t Tab) { x.tab, x.scroll = t, 0 }

// Turn goes n pages on.
func (x *Inspector) Turn(n int) { x.Open((x.tab + Tab(n) + tabs) % tabs) }

// Tab gives the page that is shown.
func (x *Inspector) Tab() Tab { return x.tab }

// Move moves the selection of the page.
func (x *Inspector) Move(n int) { x.list[x.tab].Move(n); x.scroll = 0 }

// Lists gives what of the inspector takes the mouse: the open page first.
func (x *Inspector) Lists() []*widget.List {
	next := (x.tab + 1) % tabs
	return []*widget.List{&x.list[x.tab], &x.list[next], &x.heads}
}

// Clicked takes a click on one of its lists: a page's name opens it, and an item
// of the page that is drawn below the open one opens that.
func (x *Inspector) Clicked(p widget.Pointed) {
	switch {
	case p.List == &x.heads:
		x.Open(Tab(p.Item))
	case p.List != &x.list[x.tab]:
		x.Open((x.tab + 1) % tabs)
	default:
		x.scroll = 0
	}
}

// Len gives the number of rows of the page that Move can reach.
func (x *Inspector) Len() int { return x.list[x.tab].Len() }

// Scroll scrolls the text of the selected segment.
func (x *Inspector) Scroll(n int) { x.scroll = max(x.scroll+n, 0) }

// Diff compares the prompt with the one before, or no longer.
func (x *Inspector) Diff() string {
	if !x.earlier.ok {
		return x.words().NoDiff
	}
	x.diff, x.scroll = !x.diff, 0
	x.list[Prompt].SetLen(len(x.segments()))
	return ""
}

// Marks shows what the template writes, or hides it.
func (x *Inspector) Marks() string {
	if x.sent.Marks == nil {
		return x.words().NoMarks
	}
	x.marks = !x.marks
	return ""
}

// Switch switches the selected segment off, or on again. It gives why it cannot.
func (x *Inspector) Switch() string {
	seg, ok := x.segment()
	if x.tab != Prompt || !ok {
		return x.words().NoPrompt
	}
	if seg.Kind == prompt.Line {
		return x.words().OffNever
	}
	part := prompt.Part{Kind: seg.Kind, Source: seg.Source}
	if i := slices.Index(x.off, part); i >= 0 {
		x.off = slices.Delete(x.off, i, i+1)
	} else {
		x.off = append(x.off, part)
	}
	return ""
}

// Off lists the segments that are switched off, for a reply without them.
func (x *Inspector) Off() []prompt.Part { return slices.Clone(x.off) }

// Found gives the step of the selected finding.
func (x *Inspector) Found() (step int, ok bool) {
	if x.tab != Findings || len(x.found) == 0 {
		return 0, false
	}
	return x.found[x.list[Findings].At()].step, true
}

func (x *Inspector) words() lang.Inspect { return x.env.Text.Inspect }

func (x *Inspector) wording() wording.Wording {
	return wording.Wording{Script: x.env.Session.Script(), Text: x.env.Text, Speaks: x.speaks}
}

// View draws the open page in w columns and h rows. focus: the keys are the
// inspector's.
func (x *Inspector) View(w, h int, focus bool) widget.Rows {
	rows := widget.Rows{x.header(w, focus)}
	if _, ok := x.step(); !ok {
		return append(rows, text.Fit(" "+x.env.Theme.Dim.Render(x.words().Nothing), w, x.env.Theme.Signs.Ellipsis)).Fit(w, h)
	}
	return append(rows, x.page(x.tab, w, h-1, focus)...).Fit(w, h)
}

// Both draws two pages below each other: the open one and the one after it.
func (x *Inspector) Both(w, h int, focus bool) widget.Rows {
	if _, ok := x.step(); !ok || h < bothFrom {
		return x.View(w, h, focus)
	}
	upper := h * 3 / 5
	next := (x.tab + 1) % tabs
	rows := x.View(w, upper, focus)
	rows = append(rows, widget.Rule(x.name(next), "", w, x.env.Theme))
	return append(rows, x.page(next, w, h-upper-1, false)...).Fit(w, h)
}

// bothFrom is the height from which two pages are read.
const bothFrom = 24

func (x *Inspector) page(t Tab, w, h int, focus bool) widget.Rows {
	d := &drawing{x: x, th: x.env.Theme, w: w, tab: t, focus: focus}
	switch t {
	case State:
		d.state(h)
	case Prompt:
		d.prompt(h)
	case Recall:
		d.recall(h)
	default:
		d.findings(h)
	}
	return d.rows.Fit(w, h)
}

func (x *Inspector) name(t Tab) string {
	n := x.words()
	return [tabs]string{n.State, n.Prompt, n.Recall, n.Finding}[t]
}

// header names the pages, the open one apart, and the turn.
func (x *Inspector) header(w int, focus bool) string {
	th := x.env.Theme
	line := ""
	for t := range tabs {
		name := th.Dim.Render(x.name(t))
		if t == x.tab {
			name = th.Accent.Render("[" + x.name(t) + "]")
		}
		line += x.heads.Item(int(t), name) + " "
	}
	mark := " "
	if focus {
		mark = th.Accent.Render(th.Signs.Select)
	}
	if step, ok := x.step(); ok {
		title := fmt.Sprintf(x.words().Title, step.Turn.Depth, x.wording().Name(step.Alternative.Speaker))
		if text.Width(line)+text.Width(title)+4 <= w {
			line += text.Spaces(w-text.Width(line)-text.Width(title)-3) + th.Dim.Render(title)
		}
	}
	return text.Fit(mark+line, w, th.Signs.Ellipsis)
}

// drawing collects the rows of one page.
type drawing struct {
	x     *Inspector
	th    *style.Theme
	w     int
	tab   Tab
	focus bool
	rows  widget.Rows
}

// column is the least room for names, widest the most.
const column, widest = 12, 22

func (d *drawing) head(s string) {
	if len(d.rows) > 0 {
		d.rows = append(d.rows, text.Spaces(d.w))
	}
	d.rows = append(d.rows, text.Fit(" "+d.th.Title.Render(s), d.w, d.th.Signs.Ellipsis))
}

func (d *drawing) pair(name, value string) {
	d.rows = append(d.rows, widget.Pair(text.Line(name), value, min(max(d.w/3, column), widest), d.w, d.th))
}

func (d *drawing) dim(s string) { d.rows = append(d.rows, widget.Paragraph(s, 1, d.w, d.th.Dim)...) }

// mark is the sign before a selected row.
func (d *drawing) mark(selected bool) string {
	switch {
	case selected && d.focus:
		return d.th.Accent.Render(d.th.Signs.Select)
	case selected:
		return d.th.Dim.Render(d.th.Signs.Select)
	}
	return " "
}

// scrolled gives h of the rows from the page's selection on.
func (d *drawing) scrolled(h int) {
	l := &d.x.list[d.tab]
	d.rows = l.Scroll(d.rows, h)
}
