package story

import (
	"context"
	"fmt"
	"strings"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/story/cues"
	"fabula/story/prompt"
)

// Replayed is a stored reply held against the same turn as it would be taken
// now: same input and state, same seed and sampling, the world as it is.
type Replayed struct {
	Turn        ID
	Alternative ID
	Depth       int
	Speaker     string
	Engine      string // that answered now; empty if none was asked
	Build       engine.Build
	Changed     []Change   // of the prompt; none = the same text would be sent
	Lines       bool       // it was chosen from authored lines, and the world was edited since
	Asked       bool       // the reply was generated anew
	Was, Is     string     // text stored, text now
	Differs     *Differing // nil = the same reply
	Err         error      // no reply came
}

// Change is a segment of a prompt that is only in the stored one (Gone) or only
// in the present one.
type Change struct {
	Kind   prompt.Kind `json:"kind"`
	Source string      `json:"source"`
	Gone   bool        `json:"gone,omitempty"`
	Text   string      `json:"text"`
}

// Differing is the first place at which two replies part.
type Differing struct {
	Token int    `json:"token"` // from 0; -1 where only texts can be compared
	Byte  int    `json:"byte"`
	Was   string `json:"was"` // from there on, the first token or character
	Is    string `json:"is"`
}

// ReplayOptions say what is done anew.
type ReplayOptions struct {
	Engine      string // the one that answers; empty = the one recorded
	OnlyChanged bool   // generate only where the prompt, or what is chosen from, may have changed
	PromptsOnly bool   // generate nothing
}

// Replay takes the replies of a path anew, oldest first, or only that of the
// alternative only, stores nothing and tells of each. Every turn starts from what is stored above it, so one that
// differs does not make the next differ. Replies that a person wrote are passed
// over. tell may end it by an error, which is given back.
func (s *Session) Replay(ctx context.Context, leaf, only ID, o ReplayOptions, tell func(Replayed) error) error {
	if s.reader == nil {
		return fmt.Errorf("replay: %w", ErrReadOnly)
	}
	steps, err := s.reader.Path(leaf)
	if err != nil {
		return err
	}
	for i, step := range steps {
		r := step.Alternative.Reply
		if r == nil || step.Alternative.Human || step.Alternative.Status != Finished ||
			only != "" && step.Alternative.ID != only {
			continue
		}
		out, err := s.again1(ctx, steps[:i], step, o)
		if err == nil {
			err = tell(out)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// again1 takes one stored turn anew.
func (s *Session) again1(ctx context.Context, above []Step, step Step, o ReplayOptions) (Replayed, error) {
	a, reply := step.Alternative, step.Alternative.Reply
	out := Replayed{Turn: step.Turn.ID, Alternative: a.ID, Depth: step.Turn.Depth, Speaker: a.Speaker, Was: a.Text}
	p, asked, err := s.replan(above, step)
	if err != nil {
		out.Err = err
		return out, nil
	}
	name := o.Engine
	if name == "" {
		name = reply.Engine.Name
	}
	out.Err = fmt.Errorf("%s: %w", name, ErrNoEngine)
	for rung := range s.rungs(&asked, name) {
		asked.rung = s.ground(rung, &p, &asked, modeOf(reply))
		made, err := asked.assemble(ctx, &p)
		if out.Err = err; err != nil {
			return out, ctx.Err()
		}
		if out.Changed, err = s.changes(reply, made); err != nil {
			return out, err
		}
		out.Lines = reply.Script != p.script.Hash && (modeOf(reply) == Grounded || rung.Engine.Info().Kind == engine.Recall)
		if !o.PromptsOnly && !(o.OnlyChanged && len(out.Changed) == 0 && !out.Lines) {
			out.Asked, out.Engine = true, rung.Engine.Info().Name
			s.generateAgain(ctx, &out, reply, &p, &asked, s.request(&p, &asked, made, 0))
		}
		break
	}
	return out, ctx.Err()
}

// modeOf gives the mode in which a reply came about.
func modeOf(r *Reply) Mode {
	if r.Step == engine.StepGrounded {
		return Grounded
	}
	return Free
}

// replan is the plan of a stored turn as the world now is.
func (s *Session) replan(above []Step, step Step) (plan, asking, error) {
	a := step.Alternative
	through, err := s.reader.Playthrough(step.Turn.Playthrough)
	if err != nil {
		return plan{}, asking{}, err
	}
	p := plan{script: s.Script(), lang: through.Language, turn: step.Turn, lines: a.Lines}
	if p.turn.Before, err = p.adopt(step.Turn.Before); err != nil {
		return plan{}, asking{}, err
	}
	persona := p.script.Persona(a.Speaker)
	if persona == nil {
		return plan{}, asking{}, &CastError{Asked: a.Speaker}
	}
	asked := asking{persona: persona, lang: persona.Language(p.lang), sampling: a.Reply.Sampling, seed: a.Reply.Seed, without: a.Reply.Without}
	s.remind(&p, &asked, above, a.Reply)
	if f := a.Reply.Fork; f != nil {
		p.forced = &begun{Fork: *f}
		for _, t := range a.Reply.Tokens {
			if t.Given {
				p.forced.ids = append(p.forced.ids, t.ID)
			}
		}
	}
	return p, asked, nil
}

// changes compares a prompt with the one that a reply recorded, by segment.
func (s *Session) changes(r *Reply, made prompt.Prompt) ([]Change, error) {
	var now Reply
	texts := now.record(made)
	if now.Prompt == r.Prompt {
		return nil, nil
	}
	was, is := counted(r.Segments), counted(now.Segments)
	var out []Change
	for _, seg := range r.Segments {
		if is[seg.Blob] > 0 {
			is[seg.Blob]--
			continue
		}
		text, err := s.reader.Blob(seg.Blob)
		if err != nil {
			return nil, err
		}
		out = append(out, Change{Kind: seg.Kind, Source: seg.Source, Gone: true, Text: text})
	}
	for _, seg := range now.Segments {
		if was[seg.Blob] > 0 {
			was[seg.Blob]--
			continue
		}
		out = append(out, Change{Kind: seg.Kind, Source: seg.Source, Text: texts[seg.Blob]})
	}
	return out, nil
}

func counted(all []SegmentRef) map[string]int {
	n := map[string]int{}
	for _, s := range all {
		n[s.Blob]++
	}
	return n
}

// generateAgain asks for the reply and notes where it parts from the stored one.
func (s *Session) generateAgain(ctx context.Context, out *Replayed, old *Reply, p *plan, a *asking, r engine.Request) {
	r.Priority = engine.Background
	info := a.rung.Engine.Info()
	out.Build = info.Build
	inner, stop := context.WithCancel(ctx)
	defer stop()
	stream, err := a.rung.Generate(inner, r)
	if err != nil {
		out.Err = err
		return
	}
	in := intake{running: newRunning(stop, Branch{}, Turn{}), live: &live{log: s.log}, stop: stop, cues: cues.NewReader(p.script.Cues),
		guard: lint.NewGuard(s.judged(p, a.persona, ""), p.script.Lint.Blocking()...)}
	done := in.drain(inner, stream)
	out.Is = in.text.String()
	if done.Reason == engine.Fault {
		out.Err = fmt.Errorf("%s: %w", info.Name, doneErr(done))
	}
	same := info.Build.BaseHash == old.Engine.Build.BaseHash
	out.Differs = differing(old.Tokens, in.tokens, out.Was, out.Is, same)
}

func doneErr(d engine.Done) error {
	if d.Err != nil {
		return d.Err
	}
	return fmt.Errorf("%s", d.Detail)
}

// differing finds where two replies part: by token where the ids mean the same.
func differing(was, is []engine.Token, wasText, isText string, ids bool) *Differing {
	at := 0
	if ids && len(was) > 0 && len(is) > 0 {
		for i := range max(len(was), len(is)) {
			x, y := tokenAt(was, i), tokenAt(is, i)
			if x.ID != y.ID || x.Text != y.Text {
				return &Differing{Token: i, Byte: at, Was: x.Text, Is: y.Text}
			}
			at += len(x.Text)
		}
		return nil
	}
	if wasText == isText {
		return nil
	}
	x, y := []rune(wasText), []rune(isText)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	at = len(string(x[:n]))
	return &Differing{Token: -1, Byte: at, Was: firstRune(x[n:]), Is: firstRune(y[n:])}
}

func tokenAt(all []engine.Token, i int) engine.Token {
	if i < len(all) {
		return all[i]
	}
	return engine.Token{ID: engine.TailID}
}

func firstRune(r []rune) string {
	return strings.TrimSpace(string(r[:min(len(r), 1)]))
}
