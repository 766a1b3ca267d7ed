package tui

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
)

// plainTalk is the workbench without a screen: a line in is a turn, a line out
// is an event. Nothing moves and nothing is drawn twice, for screen readers and
// for logs.
type plainTalk struct {
	o      Options
	t      *lang.Strings
	out    io.Writer
	branch story.Branch
	play   story.Playthrough
	state  plot.State
	offers []plot.Offer
	engine string // the one that answers; empty = the best there is
}

// plain runs the workbench line by line until the input ends or ctx does.
func plain(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	p := &plainTalk{o: o, t: lang.For(o.Lang), out: out}
	if o.Session == nil {
		return o.Err
	}
	if err := p.begin(ctx); err != nil {
		return err
	}
	lines, ended := readLines(ctx, in)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			return err
		case s := <-lines:
			if err := p.take(ctx, strings.TrimSpace(s)); err != nil && ctx.Err() == nil {
				p.line("!", err.Error())
			}
		}
	}
}

// readLines reads beside the talk, so that an interrupt ends it at once: a read
// from a terminal cannot be called off, and is left behind. The line's end is
// told after the last line was taken.
func readLines(ctx context.Context, in io.Reader) (<-chan string, <-chan error) {
	lines, ended := make(chan string), make(chan error, 1)
	go func() {
		scan := bufio.NewScanner(in)
		scan.Buffer(nil, 1<<20)
		for scan.Scan() {
			select {
			case lines <- scan.Text():
			case <-ctx.Done():
				return
			}
		}
		err := scan.Err()
		if err != nil {
			err = fmt.Errorf("read input: %w", err)
		}
		ended <- err
	}()
	return lines, ended
}

// begin goes on where the person was, or starts a playthrough.
func (p *plainTalk) begin(ctx context.Context) error {
	s := p.o.Session
	found := resume(s, p.o)
	if found.err != nil {
		return found.err
	}
	if found.fresh {
		b, _, err := s.Begin(story.Start{Language: p.o.Speak})
		if err != nil {
			return err
		}
		found.branch = b.ID
	}
	b, err := s.Reader().Branch(string(found.branch))
	if err != nil {
		return err
	}
	path, err := s.Reader().Path(b.Leaf)
	if err != nil {
		return err
	}
	if err := p.move(b, path[len(path)-1].Alternative); err != nil {
		return err
	}
	p.line(p.t.Pages.Chat.Tab, text.Line(b.Name)+". "+p.serving(ctx))
	from := "" // so that the place is told first
	for _, step := range path[max(len(path)-3, 0):] {
		p.asked(step.Turn)
		p.step(step, from)
		from = step.Alternative.State.Node
	}
	p.choices()
	return nil
}

// serving says who answers. The answer may take a moment to be known.
func (p *plainTalk) serving(ctx context.Context) string {
	var s screen.Status
	for range 10 {
		if s = p.o.Status(p.play.Language); !s.Loading {
			return cmp.Or(s.Notice(p.t), s.Short(p.t))
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	return s.Short(p.t)
}

func (p *plainTalk) words() wording.Wording {
	return wording.Wording{Script: p.o.Session.Script(), Text: p.t, Speaks: p.play.Language}
}

// move makes a stored alternative the place from which the next turn starts.
func (p *plainTalk) move(b story.Branch, a story.Alternative) (err error) {
	if p.play, err = p.o.Session.Reader().Playthrough(b.Playthrough); err != nil {
		return err
	}
	p.branch, p.state, p.offers = b, a.State, nil
	if !p.play.Sandbox {
		p.offers = p.o.Session.Script().Offers(a.State, p.play.Language)
	}
	return nil
}

// input reads one line: a number chooses, @name addresses, anything else is said.
func (p *plainTalk) input(s string) (in story.Input, err error) {
	if n, e := strconv.Atoi(s); e == nil && n >= 1 && n <= len(p.offers) {
		o := p.offers[n-1]
		if !o.Open {
			return in, fmt.Errorf(p.t.Chat.ClosedToast, text.Line(o.Label), o.Why)
		}
		in = story.Input{Choose: o.ID}
	} else if in, err = p.words().Input(s, p.words().Present(p.state, p.play.Sandbox)); err != nil {
		return in, err
	}
	in.Sandbox = p.play.Sandbox
	return in, nil
}

// take plays one line.
func (p *plainTalk) take(ctx context.Context, s string) error {
	if s == "" {
		return nil
	}
	switch call, is, err := screen.ParseSlash(s, p.t); {
	case err != nil:
		return err
	case is:
		return p.command(ctx, call)
	}
	in, err := p.input(screen.Unslash(s))
	if err != nil {
		return err
	}
	return p.say(ctx, in)
}

func (p *plainTalk) say(ctx context.Context, in story.Input) error {
	if err := p.o.Session.Fits(ctx, story.Spot{Branch: p.branch.ID}, in); err != nil {
		return err
	}
	run, err := p.o.Session.Say(ctx, p.branch.ID, in, story.Options{Engine: p.engine})
	return p.tell(run, err)
}

// tell prints what a turn brings, once it is stored.
func (p *plainTalk) tell(run *story.Running, err error) error {
	if err != nil {
		return err
	}
	b, step, err := run.Wait()
	if step.Alternative.ID == "" {
		return err
	}
	from := p.state.Node
	if e := p.move(b, step.Alternative); e != nil {
		return e
	}
	p.step(step, from)
	p.choices()
	if step.Alternative.Reply != nil {
		return nil // what went wrong was told with the reply
	}
	return err
}

// line prints one event; who is empty for what nobody says.
func (p *plainTalk) line(who, s string) {
	if who != "" {
		who = text.Line(who) + ": "
	}
	fmt.Fprintln(p.out, who+text.Line(s))
}

// asked prints the player's side of a turn that was taken earlier.
func (p *plainTalk) asked(t story.Turn) {
	switch {
	case t.Input.Text != "":
		p.line(p.t.Chat.You, t.Input.Text)
	case t.Input.Jump != "":
		p.line(">", fmt.Sprintf(p.t.Chat.Jumped, p.words().Title(t.Input.Jump)))
	}
}

// step prints what a turn brought, an event a line; from is the node before it.
func (p *plainTalk) step(s story.Step, from string) {
	t, a := s.Turn, s.Alternative
	for _, f := range append(t.Fired[:len(t.Fired):len(t.Fired)], a.Fired...) {
		p.line("*", f.Beat)
	}
	p.taken(t.Taken, t.Before)
	if t.Declined != "" {
		p.line(">", fmt.Sprintf(p.t.Chat.Declined, p.words().Exit(t.Declined, t.Before)))
	}
	p.entered(from, t.Before.Node)
	p.played(a.Lines)
	if a.Text != "" {
		said, _ := p.words().Said(a.Text)
		p.line(p.words().Name(a.Speaker), said)
	}
	p.taken(a.Taken, a.State)
	p.entered(t.Before.Node, a.State.Node)
	p.played(a.After)
	for _, w := range p.words().Outcome(s) {
		p.line("!", w)
	}
	if end := p.words().End(a.State); end != "" {
		p.line("", end)
	}
}

func (p *plainTalk) taken(t *plot.Taken, st plot.State) {
	if t != nil {
		p.line(">", p.words().Taken(t, st))
	}
}

func (p *plainTalk) entered(from, node string) {
	if node != from {
		p.line("", p.words().Title(node))
	}
}

func (p *plainTalk) played(lines []plot.Played) {
	for _, l := range lines {
		who := p.t.Chat.Narration
		if l.By != "" {
			who = p.words().Name(l.By)
		}
		p.line(who+" ("+p.t.Chat.Authored+")", l.Text+strings.Join(p.words().Directions(l.Cues), ""))
	}
}

// choices prints the question that waits, and what can be chosen.
func (p *plainTalk) choices() {
	if q := p.words().Question(p.state); q != "" {
		p.line("?", q)
	}
	for i, o := range p.offers {
		s := o.Label
		if !o.Open {
			s += " (" + fmt.Sprintf(p.t.Chat.Closed, o.Why) + ")"
		}
		p.line(strconv.Itoa(i+1), s)
	}
}
