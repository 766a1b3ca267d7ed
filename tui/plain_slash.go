package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/wording"
)

// command does what a line that begins with a slash says.
func (p *plainTalk) command(ctx context.Context, c screen.Call) error {
	s, o := p.o.Session, story.Options{Engine: p.engine}
	switch c.Name {
	case "retry":
		run, err := s.Retry(ctx, p.branch.ID, p.branch.Leaf, o)
		return p.tell(run, err)
	case "continue":
		run, err := s.Continue(ctx, p.branch.ID, p.branch.Leaf, o)
		return p.tell(run, err)
	case "to":
		return p.speakTo(ctx, c.Arg)
	case "undo":
		return p.rewind(s.Undo, false)
	case "redo":
		return p.rewind(s.Redo, true)
	case "branch":
		b, err := s.BranchAt(p.branch.Leaf, c.Arg)
		return p.went(b, err, fmt.Sprintf(p.t.Chat.Branched, text.Line(b.Name)))
	case "goto":
		return p.jump(story.Start{Node: p.words().Node(c.Arg)})
	case "set":
		name, value, ok := strings.Cut(c.Arg, "=")
		if !ok {
			return fmt.Errorf(p.t.Slash.Needs, c.Name, p.t.Slash.Of(c.Name).Arg)
		}
		return p.jump(story.Start{Node: p.state.Node, Set: map[string]string{strings.TrimSpace(name): strings.TrimSpace(value)}})
	case "engine":
		return p.answeredBy(c.Arg)
	case "state":
		p.tellState()
	default:
		p.help()
	}
	return nil
}

func (p *plainTalk) speakTo(ctx context.Context, arg string) error {
	at := "@" + strings.TrimPrefix(strings.TrimPrefix(arg, "@"), "＠")
	in, err := p.words().Input(at, p.words().Present(p.state, p.play.Sandbox))
	if err != nil {
		return err
	}
	in.Sandbox = p.play.Sandbox
	return p.say(ctx, in)
}

// rewind takes the newest change back, or does it again, and tells where that is.
func (p *plainTalk) rewind(step func(story.ID) (story.Undone, error), forth bool) error {
	u, err := step(p.branch.ID)
	switch {
	case errors.Is(err, story.ErrNothing) && forth:
		return errors.New(p.t.Talk.NoRedo)
	case errors.Is(err, story.ErrNothing):
		return errors.New(p.t.Talk.NoUndo)
	}
	return p.went(u.Branch, err, p.t.Undone(string(u.Kind), forth, u.Depth, text.Line(u.Name)))
}

// jump begins a branch at a node, whatever its condition says.
func (p *plainTalk) jump(start story.Start) error {
	b, _, err := p.o.Session.Jump(p.branch.ID, start)
	return p.went(b, err, fmt.Sprintf(p.t.Chat.JumpedTo, text.Line(b.Name), p.words().Title(start.Node)))
}

// went makes the end of a branch the place from which the next turn starts, and
// tells its last turn again.
func (p *plainTalk) went(b story.Branch, err error, words string) error {
	if err != nil {
		return wording.Refused(err, p.t)
	}
	path, err := p.o.Session.Reader().Path(b.Leaf)
	if err != nil {
		return err
	}
	last := path[len(path)-1]
	if err := p.move(b, last.Alternative); err != nil {
		return err
	}
	p.line("", words)
	p.asked(last.Turn)
	p.step(last, last.Turn.Before.Node)
	p.choices()
	return nil
}

// answeredBy has one engine answer from now on; "" = the best there is.
func (p *plainTalk) answeredBy(name string) error {
	words := p.t.Talk.BestEngine
	if name != "" {
		if p.o.Engine != nil {
			if err := p.o.Engine(name); err != nil {
				return err
			}
		}
		words = fmt.Sprintf(p.t.Talk.OneEngine, text.Line(name))
	}
	p.engine = name
	p.line("", words)
	return nil
}

// tellState tells where the playthrough stands, a variable a line.
func (p *plainTalk) tellState() {
	p.line(p.t.Figure.Node, p.words().Title(p.state.Node)+" "+p.state.Node)
	for _, v := range p.o.Session.Script().Vars {
		p.line(v.ID, p.state.Vars[v.ID].String())
	}
	var here []string
	for _, x := range p.words().Present(p.state, p.play.Sandbox) {
		here = append(here, p.words().Name(x.ID))
	}
	p.line(p.t.Figure.Cast, cmp.Or(strings.Join(here, p.t.Way.List), p.t.Chat.NobodyHere))
}

// help lists the commands.
func (p *plainTalk) help() {
	for _, s := range screen.Slashes() {
		words, name := p.t.Slash.Of(s.Name), "/"+s.Name
		if s.Takes != screen.Nothing {
			name += " " + words.Arg
		}
		p.line(name, words.Hint)
	}
	p.line("", p.t.Slash.Other)
}
