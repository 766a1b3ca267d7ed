// Package play plays playtests in a session and says what did not come true.
//
// Every run is a playthrough of its own, on a branch tagged "simulated", which
// people read like any other. A run has one turn in flight; runs go beside each
// other. Non-goals: reports in files, choosing engines.
package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/personas/source"
	"fabula/story"
	"fabula/story/playtest"
	"fabula/story/playtest/players"
	"fabula/story/plot"
)

// Task is one run: a playtest, or a simulated player from the start.
type Task struct {
	Playtest *playtest.Playtest // nil: Kind plays from the world's start
	Kind     string
	Turns    int // of Kind
	Seed     uint64
	Language string // what NPCs speak; empty = the session's
	Engine   string // the one that answers; empty = the ladder
	// Voice says the lines of simulated players; nil = their banks do.
	Voice players.Voice
	// Until ends a simulated player's run at a beat ("node.beat") or in a node;
	// OnError at the first error found in a reply.
	Until   string
	OnError bool
}

// Name names a run in reports.
func (t Task) Name() string {
	if t.Playtest != nil {
		return t.Playtest.ID
	}
	return t.Kind
}

// Why a run ended.
const (
	Done    = "done"    // the script, or the turns, were played
	Ended   = "ended"   // an ending was reached
	Stuck   = "stuck"   // nothing was left to do
	Looped  = "loop"    // the same reply three times in a row
	Reached = "reached" // what the run was to come to
	Found   = "finding" // an error in a reply
	Faulted = "engine"  // no reply came
	Refused = "refused" // the script does what the world refuses
	Stopped = "stopped" // a person stopped it
)

// Result is what a run came to.
type Result struct {
	Task     Task
	Branch   story.Branch
	Node     string // where it ended
	Turns    int
	Why      string
	Failures []Failure
	Findings map[string]int // by code, of replies
	Tally    Tally
	TTFT     []time.Duration // of replies that an engine made
}

// Failed reports whether anything did not come true.
func (r Result) Failed() bool { return len(r.Failures) > 0 }

// Failure is something that did not come true. Code and Args are worded by who
// shows them; Pos is where it was asked for.
type Failure struct {
	Code string
	Args []string
	Pos  source.Pos
	Turn int
}

// The codes of failures.
const (
	CodeNode    = "play_node"    // expected, is
	CodeBeat    = "play_beat"    // beat
	CodeExit    = "play_exit"    // exit, taken
	CodeState   = "play_state"   // condition
	CodeChoice  = "play_choice"  // exit, open ones
	CodeEnded   = "play_ended"   // expected, is
	CodeHas     = "play_has"     // npc, text
	CodeLacks   = "play_lacks"   // npc, text
	CodeMatch   = "play_match"   // text, reply
	CodeNoMatch = "play_nomatch" // text, reply
	CodeWords   = "play_words"   // count, most
	CodeTaboo   = "play_taboo"   // word
	CodeSlow    = "play_slow"    // ms, most
	CodeStep    = "play_step"    // why the world refuses it
	CodeEngine  = "play_engine"  // why no reply came
	CodeKind    = "play_kind"    // kind, known ones
	CodeVoice   = "play_voice"   // no engine speaks for a player that needs one
)

// sameReplies in a row are a loop.
const sameReplies = 3

// Play takes a task to its end. An error means that it could not begin.
func Play(ctx context.Context, s *story.Session, t Task) (Result, error) {
	r := &running{ctx: ctx, session: s, result: Result{Task: t, Findings: map[string]int{}, Tally: NewTally()}}
	if err := r.begin(); err != nil {
		return r.result, err
	}
	r.result.Why = r.play()
	r.result.Node = r.state.Node
	return r.result, nil
}

// running is a run in progress.
type running struct {
	ctx     context.Context
	session *story.Session
	result  Result
	lang    string
	state   plot.State
	last    story.Step
	answers []story.Step // to the last input, last included; several with `turns: all`
	same    int          // replies alike in a row
	nth     uint64
	heard   []players.Heard
}

func (r *running) begin() error {
	t := r.result.Task
	start := story.Start{Language: t.Language, Tags: []string{story.SimulatedTag}, Set: map[string]string{}}
	if p := t.Playtest; p != nil {
		start.Node = p.Start.Node
		for _, x := range p.Start.State {
			start.Set[x.Var] = x.Value
		}
		for _, m := range p.Start.Memory {
			start.Memory = append(start.Memory, plot.Given{By: m.By, Text: m.Text})
		}
	}
	b, step, err := r.session.Begin(start)
	if err != nil {
		return fmt.Errorf("playtest %s: %w", t.Name(), err)
	}
	through, err := r.session.Reader().Playthrough(b.Playthrough)
	if err != nil {
		return err
	}
	r.result.Branch, r.lang = b, through.Language
	r.take(step)
	return nil
}

func (r *running) play() string {
	t := r.result.Task
	if t.Playtest == nil {
		return r.simulate(playtest.Players{Kind: t.Kind, Turns: t.Turns}, source.Pos{}, t.Seed)
	}
	for i, step := range t.Playtest.Script {
		why := ""
		switch {
		case step.Expect != nil:
			r.expect(step.Expect)
		case step.Players != nil:
			why = r.simulate(*step.Players, step.Pos, t.Seed+uint64(i))
			if why == Done || why == Ended || why == Stuck || why == Reached {
				why = ""
			}
		default:
			in := story.Input{Text: step.Say.In(r.lang, r.session.Script().Languages...), To: step.To, Choose: step.Choose}
			why = r.turn(in, step.Pos)
		}
		if why != "" {
			return why
		}
	}
	if r.state.Ended {
		return Ended
	}
	return Done
}

// simulate lets a player play on.
func (r *running) simulate(x playtest.Players, pos source.Pos, seed uint64) string {
	p, ok := players.New(x.Kind, r.lang, seed)
	if !ok {
		r.fail(pos, CodeKind, x.Kind, fmt.Sprint(players.Kinds()))
		return Refused
	}
	voice := r.result.Task.Voice
	if x.Kind == players.ModelKind && voice == nil {
		r.fail(pos, CodeVoice)
		return Refused
	}
	for range x.Turns {
		in, ok := p.Next(r.session.Script(), r.state)
		if !ok {
			return Stuck
		}
		if voice != nil {
			var err error
			if in, err = p.Speak(r.ctx, voice, r.session.Script(), r.state, r.heard, in, seed+r.nth); err != nil {
				r.fail(pos, CodeEngine, err.Error())
				return Faulted
			}
		}
		if why := r.turn(in, pos); why != "" {
			return why
		}
		if why := r.stops(); why != "" {
			return why
		}
	}
	return Done
}

// stops says why a simulated player's run ends after a turn; empty = it goes on.
func (r *running) stops() string {
	t := r.result.Task
	switch {
	case t.Until != "" && (r.state.Node == t.Until || r.fired(t.Until)):
		return Reached
	case t.OnError && slices.ContainsFunc(r.answers, func(s story.Step) bool {
		return slices.ContainsFunc(s.Alternative.Findings, func(f lint.Finding) bool { return f.Level == lint.Error })
	}):
		return Found
	case r.state.Ended:
		return Ended
	case r.same >= sameReplies:
		return Looped
	}
	return ""
}

// turn takes one turn; a reason ends the run.
func (r *running) turn(in story.Input, pos source.Pos) string {
	r.nth++
	seed := r.result.Task.Seed + r.nth
	run, err := r.session.Say(r.ctx, r.result.Branch.ID, in, story.Options{Seed: &seed, Engine: r.result.Task.Engine})
	switch {
	case err != nil && r.ctx.Err() != nil:
		return Stopped
	case err != nil:
		r.fail(pos, CodeStep, err.Error())
		return Refused
	}
	b, step, err := run.Wait()
	if step.Alternative.ID != "" {
		r.result.Branch = b
		r.result.Turns++
		r.takeAll(step)
	}
	switch {
	case r.ctx.Err() != nil:
		return Stopped
	case err != nil && errors.Is(err, context.Canceled):
		return Stopped
	case err != nil:
		r.fail(pos, CodeEngine, err.Error())
		return Faulted
	}
	if reply := step.Alternative.Reply; reply != nil && reply.Reason == engine.Fault {
		r.fail(pos, CodeEngine, reply.Detail)
		return Faulted
	}
	return ""
}

// takeAll takes the steps that one input led to: with `turns: all` there is
// one for each NPC, and the session gives the last.
func (r *running) takeAll(last story.Step) {
	from, reader := r.last.Alternative.ID, r.session.Reader()
	steps := []story.Step{last}
	for steps[0].Turn.Parent != from && steps[0].Turn.Parent != "" {
		a, err := reader.Alternative(steps[0].Turn.Parent)
		if err != nil {
			break
		}
		t, err := reader.Turn(a.Turn)
		if err != nil {
			break
		}
		steps = slices.Insert(steps, 0, story.Step{Turn: t, Alternative: a})
	}
	r.answers = steps
	for _, step := range steps {
		r.take(step)
	}
}

// take notes what a step came to.
func (r *running) take(step story.Step) {
	if step.Alternative.Text != "" && step.Alternative.Text == r.last.Alternative.Text {
		r.same++
	} else {
		r.same = 1
	}
	r.state, r.last = step.Alternative.State, step
	r.hear(step)
	r.result.Tally.Count(r.session.Script(), step, r.lang)
	for _, f := range step.Alternative.Findings {
		r.result.Findings[f.Code]++
	}
	if reply := step.Alternative.Reply; reply != nil && reply.TTFT > 0 {
		r.result.TTFT = append(r.result.TTFT, reply.TTFT)
	}
}

// hear keeps what was said, for players that a model speaks for.
func (r *running) hear(step story.Step) {
	say := func(by, text string) {
		if text != "" {
			r.heard = append(r.heard, players.Heard{By: by, Text: text})
		}
	}
	say("", step.Turn.Input.Text)
	for _, l := range step.Alternative.Lines {
		say(l.By, l.Text)
	}
	say(step.Alternative.Speaker, step.Alternative.Text)
	for _, l := range step.Alternative.After {
		say(l.By, l.Text)
	}
}

func (r *running) fail(pos source.Pos, code string, args ...string) {
	r.result.Failures = append(r.result.Failures, Failure{Code: code, Args: args, Pos: pos, Turn: r.last.Turn.Depth})
}
