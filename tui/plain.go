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
	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// plainTalk is the workbench without a screen: a line in is a turn, a line out
// is an event. Nothing moves and nothing is drawn twice, for screen readers and
// for logs.
type plainTalk struct {
	o      Options
	t      *lang.Strings
	out    io.Writer
	branch story.Branch
	speak  string
	state  plot.State
	offers []plot.Offer
}

// plain runs the workbench line by line until the input ends.
func plain(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	p := &plainTalk{o: o, t: lang.For(o.Lang), out: out}
	if o.Session == nil {
		return o.Err
	}
	if err := p.begin(); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for ctx.Err() == nil && lines.Scan() {
		if err := p.take(ctx, strings.TrimSpace(lines.Text())); err != nil {
			p.line("!", err.Error())
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read input: %w", err)
	}
	return ctx.Err()
}

// begin goes on with the newest branch, or starts one.
func (p *plainTalk) begin() error {
	s := p.o.Session
	b, err := s.Reader().Branch(p.o.Branch)
	if p.o.Branch == "" {
		var all []story.Branch
		if all, err = s.Reader().Branches(); err == nil && len(all) > 0 {
			b = all[0]
		} else if err == nil {
			b, _, err = s.Begin(story.Start{Language: p.o.Speak})
		}
	}
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
	p.line("", p.t.Frame.Chat+": "+b.Name+". "+p.serving())
	for _, step := range path[max(len(path)-3, 0):] {
		p.step(step)
	}
	p.choices()
	return nil
}

// serving says who answers. The answer may take a moment to be known.
func (p *plainTalk) serving() string {
	for range 10 {
		if s := p.o.Status(p.speak); !s.Loading {
			return cmp.Or(s.Notice(p.t), s.Short(p.t))
		}
		time.Sleep(50 * time.Millisecond)
	}
	return p.o.Status(p.speak).Short(p.t)
}

// move makes a stored alternative the place from which the next turn starts.
func (p *plainTalk) move(b story.Branch, a story.Alternative) error {
	play, err := p.o.Session.Reader().Playthrough(b.Playthrough)
	if err != nil {
		return err
	}
	p.branch, p.speak, p.state = b, play.Language, a.State
	p.offers = p.o.Session.Script().Offers(a.State, play.Language)
	return nil
}

// take plays one line: a number chooses, @name addresses, anything else is said.
func (p *plainTalk) take(ctx context.Context, s string) error {
	if s == "" {
		return nil
	}
	in := story.Input{Text: s}
	if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= len(p.offers) {
		in = story.Input{Choose: p.offers[n-1].ID}
	} else if name, rest, ok := strings.Cut(strings.TrimPrefix(s, "@"), " "); ok && strings.HasPrefix(s, "@") {
		in = story.Input{To: p.id(name), Text: strings.TrimSpace(rest)}
	}
	run, err := p.o.Session.Say(ctx, p.branch.ID, in, story.Options{})
	if err != nil {
		return err
	}
	b, step, err := run.Wait()
	if step.Alternative.ID == "" {
		return err
	}
	if e := p.move(b, step.Alternative); e != nil {
		return e
	}
	p.step(step)
	p.choices()
	return err
}

// id finds the persona that a name means; an unknown name is left to the
// session, which says who is there.
func (p *plainTalk) id(name string) string {
	for _, x := range p.o.Session.Script().Personas {
		for _, n := range append(x.Name.All(), x.ID) {
			if strings.EqualFold(n, name) {
				return x.ID
			}
		}
	}
	return name
}

func (p *plainTalk) name(id string) string {
	s := p.o.Session.Script()
	if x := s.Persona(id); x != nil {
		return x.Name.In(p.speak, s.Languages...)
	}
	return id
}

func (p *plainTalk) line(who, s string) {
	if who != "" {
		who += ": "
	}
	fmt.Fprintln(p.out, text.Line(who)+" "+text.Line(s))
}

// step prints one turn, an event a line.
func (p *plainTalk) step(s story.Step) {
	for _, f := range append(s.Turn.Fired, s.Alternative.Fired...) {
		p.line("*", f.Beat)
	}
	p.played(s.Alternative.Lines)
	if s.Alternative.Text != "" {
		p.line(p.name(s.Alternative.Speaker), s.Alternative.Text)
	}
	p.played(s.Alternative.After)
	if s.Alternative.State.Ended {
		p.line("", p.t.Chat.Ended)
	}
}

func (p *plainTalk) played(lines []plot.Played) {
	for _, l := range lines {
		who := p.t.Chat.Narration
		if l.By != "" {
			who = p.name(l.By)
		}
		p.line(who+" ("+p.t.Chat.Authored+")", l.Text)
	}
}

func (p *plainTalk) choices() {
	for i, o := range p.offers {
		s := o.Label
		if !o.Open {
			s += " (" + fmt.Sprintf(p.t.Chat.Closed, o.Why) + ")"
		}
		p.line(strconv.Itoa(i+1), s)
	}
}
