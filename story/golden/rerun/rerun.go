// Package rerun asks for golden replies again, as the world now is and of the
// engine that answers now, and says what no longer holds.
//
// Every reply is asked for in a playthrough of its own: the state as written, what
// was said before as it was said, then the line. Non-goals: choosing engines,
// reports in files, changing what is golden.
package rerun

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fabula/engine"
	"fabula/personas"
	"fabula/personas/fold"
	"fabula/personas/lint"
	"fabula/personas/style"
	"fabula/story"
	"fabula/story/golden"
	"fabula/story/plot"
)

// Result is what a golden reply came to.
type Result struct {
	Golden   golden.Reply
	Is       string // the reply now
	Engine   engine.Info
	Distance float64 // of the reply now from the persona's own lines
	Was      float64 // of the golden one
	Failures []Failure
}

// Red reports whether anything no longer holds.
func (r Result) Red() bool { return len(r.Failures) > 0 }

// Failure is what no longer holds: a code and its arguments, worded by who shows
// them.
type Failure struct {
	Code string   `json:"code"`
	Args []string `json:"args,omitempty"`
}

// The codes of failures.
const (
	CodeMissing = "golden_missing" // the words
	CodeTold    = "golden_told"    // the words
	CodeVoice   = "golden_voice"   // the distance, the most
	CodeRule    = "golden_rule"    // the rule, the words
	CodeEngine  = "golden_engine"  // why no reply came
)

// Codes lists them.
func Codes() []string { return []string{CodeMissing, CodeTold, CodeVoice, CodeRule, CodeEngine} }

// Run asks for a golden reply again. An error means that it could not be asked
// for, or that ctx ended.
func Run(ctx context.Context, s *story.Session, g golden.Reply, o story.Options) (Result, error) {
	out := Result{Golden: g}
	b, err := before(s, g)
	if err != nil {
		return out, fmt.Errorf("golden reply %s: %w", g.ID, err)
	}
	r, err := s.Say(ctx, b.ID, story.Input{Text: g.Say, To: g.NPC}, o)
	if err != nil {
		out.fail(CodeEngine, err.Error())
		return out, ctx.Err()
	}
	b, _, err = r.Wait()
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	path, perr := s.Reader().Path(b.Leaf)
	if perr != nil {
		return out, perr
	}
	at := answer(path, g)
	if at < 0 || path[at].Alternative.Text == "" {
		out.fail(CodeEngine, errors.Join(err, errors.New("nobody answered")).Error())
		return out, nil
	}
	step := path[at]
	if step.Alternative.Reply != nil {
		out.Engine = step.Alternative.Reply.Engine
	}
	out.Is = step.Alternative.Text
	out.check(s.Script(), path[:at], step)
	return out, nil
}

// answer finds the step in which the NPC answers the line, −1 = none. It need not be
// the last: where everybody answers in turn, others speak after it.
func answer(path []story.Step, g golden.Reply) int {
	for i := len(path) - 1; i >= 0; i-- {
		if a := path[i].Alternative; a.Speaker == g.NPC && path[i].Turn.Input.Text == g.Say {
			return i
		}
	}
	return -1
}

// before begins a playthrough in which all was said that came before.
func before(s *story.Session, g golden.Reply) (story.Branch, error) {
	set := map[string]string{}
	for _, x := range g.State {
		set[x.Var] = x.Value
	}
	if len(g.Before) == 0 {
		b, _, err := s.Begin(story.Start{Node: g.Node, Set: set, Language: g.Language, Tags: []string{story.SimulatedTag}})
		return b, err
	}
	node := g.Node
	if node == "" {
		node = s.Script().Start
	}
	now := time.Now()
	talk := story.Talk{Name: g.ID, With: g.NPC, Node: node, Language: g.Language, Set: set, Turns: []story.Told{{Made: now}}}
	for _, e := range g.Before {
		by := e.By
		if by == "" {
			by = g.NPC
		}
		talk.Turns = append(talk.Turns, story.Told{Player: e.Say, Replies: []story.Said{{By: by, Text: e.Reply, Made: now}}, Made: now})
	}
	grown, err := s.Graft([]story.Talk{talk})
	if err != nil {
		return story.Branch{}, err
	}
	return grown[0].Branch, nil
}

func (r *Result) fail(code string, args ...string) {
	r.Failures = append(r.Failures, Failure{code, args})
}

// check holds the reply of a step against what the golden one asks for; before leads to
// it.
func (r *Result) check(script *plot.Script, before []story.Step, step story.Step) {
	for _, words := range r.Golden.MustKnow {
		if !holdsAny(r.Is, words) {
			r.fail(CodeMissing, words)
		}
	}
	for _, words := range r.Golden.MustNot {
		if holdsAny(r.Is, words) {
			r.fail(CodeTold, words)
		}
	}
	p := script.Persona(r.Golden.NPC)
	if p == nil {
		return
	}
	lang := p.Language(r.language(script))
	r.rules(script, p, before, step, lang)
	own := style.NewProfile(style.Lines(p, lang, script.Languages...))
	r.Distance, r.Was = own.Distance(r.Is), own.Distance(r.Golden.Reply)
	if most := max(r.Golden.Distance, r.Was); r.Golden.Distance > 0 && r.Distance > most {
		r.fail(CodeVoice, decimal(r.Distance), decimal(most))
	}
}

func (r *Result) language(script *plot.Script) string {
	if r.Golden.Language != "" {
		return r.Golden.Language
	}
	return script.Languages[0]
}

// rules finds hits that the golden reply does not have, warnings and worse.
func (r *Result) rules(script *plot.Script, p *personas.Persona, before []story.Step, step story.Step, lang string) {
	in := story.Judged(script, p, step.Turn.Before, lang, r.Is)
	in.Before = story.SaidBefore(before, p.ID)
	allowed := map[string]bool{}
	for _, code := range r.Golden.Allow {
		allowed[code] = true
	}
	was := story.Judged(script, p, step.Turn.Before, lang, r.Golden.Reply)
	was.Before = in.Before
	for _, f := range story.Findings(script, was, lint.Reply) {
		allowed[f.Code] = true // the person who starred it took that
	}
	for _, f := range story.Findings(script, in, lint.Reply) {
		if !allowed[f.Code] && f.Level != lint.Info {
			r.fail(CodeRule, f.Code, strings.Join(f.Args, ", "))
		}
	}
}

// holdsAny reports whether a text holds one of the wordings that bars divide.
func holdsAny(text, wordings string) bool {
	for one := range strings.SplitSeq(wordings, "|") {
		if one = strings.TrimSpace(one); one != "" && fold.Holds(text, one) {
			return true
		}
	}
	return false
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }
