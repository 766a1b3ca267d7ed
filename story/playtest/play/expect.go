package play

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fabula/personas"
	"fabula/personas/fold"
	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/playtest"
	"fabula/story/plot"
)

// expect holds what an author expects against what is.
func (r *running) expect(e *playtest.Expect) {
	if e.Node != "" && r.state.Node != e.Node {
		r.fail(e.Pos, CodeNode, e.Node, r.state.Node)
	}
	if e.Beat != "" && !r.fired(e.Beat) {
		r.fail(e.Pos, CodeBeat, e.Beat)
	}
	if taken := r.taken(); e.Exit != "" && taken != e.Exit {
		r.fail(e.Pos, CodeExit, e.Exit, taken)
	}
	if !e.State.Empty() && !r.session.Script().Holds(e.State, r.state) {
		r.fail(e.Pos, CodeState, e.State.Src)
	}
	r.choices(e)
	if e.Ended != nil && r.state.Ended != *e.Ended {
		r.fail(e.Pos, CodeEnded, strconv.FormatBool(*e.Ended), strconv.FormatBool(r.state.Ended))
	}
	if e.Prompt != nil {
		r.prompt(e)
	}
	if e.Reply != nil {
		r.reply(e)
	}
	if ms := r.firstToken(); e.FirstTokenMS > 0 && ms > e.FirstTokenMS {
		r.fail(e.Pos, CodeSlow, strconv.Itoa(ms), strconv.Itoa(e.FirstTokenMS))
	}
}

func (r *running) fired(beat string) bool {
	is := func(f plot.Fired) bool { return f.Beat == beat }
	return slices.ContainsFunc(r.answers, func(s story.Step) bool {
		return slices.ContainsFunc(s.Turn.Fired, is) || slices.ContainsFunc(s.Alternative.Fired, is)
	})
}

// taken gives the exit of the last turn as "node.exit".
func (r *running) taken() string {
	for _, s := range slices.Backward(r.answers) {
		for _, t := range []*plot.Taken{s.Alternative.Taken, s.Turn.Taken} {
			if t != nil {
				return t.Exit
			}
		}
	}
	return ""
}

func (r *running) choices(e *playtest.Expect) {
	var open []string
	for _, o := range r.session.Script().Offers(r.state, r.lang) {
		if o.Open {
			open = append(open, o.ID)
		}
	}
	for _, want := range e.Choices {
		if !slices.Contains(open, want) {
			r.fail(e.Pos, CodeChoice, want, strings.Join(open, ", "))
		}
	}
}

// prompt looks into what an NPC would be sent; no engine is needed for it.
func (r *running) prompt(e *playtest.Expect) {
	p, err := r.session.Preview(r.ctx, r.result.Branch.ID, story.Input{To: e.Prompt.NPC, Next: true})
	if err != nil {
		r.fail(e.Pos, CodeStep, err.Error())
		return
	}
	var all strings.Builder
	for _, s := range p.Segments {
		all.WriteString(s.Text + "\n")
	}
	for _, t := range e.Prompt.Has {
		if text := r.text(t); !fold.Holds(all.String(), text) {
			r.fail(e.Pos, CodeHas, e.Prompt.NPC, text)
		}
	}
	for _, t := range e.Prompt.Lacks {
		for _, text := range t.All() {
			if fold.Holds(all.String(), text) {
				r.fail(e.Pos, CodeLacks, e.Prompt.NPC, text)
			}
		}
	}
}

func (r *running) reply(e *playtest.Expect) {
	said := r.last.Alternative.Text
	for _, t := range e.Reply.Matches {
		if text := r.text(t); !fold.Holds(said, text) {
			r.fail(e.Pos, CodeMatch, text, said)
		}
	}
	for _, t := range e.Reply.NotMatches {
		for _, text := range t.All() {
			if fold.Holds(said, text) {
				r.fail(e.Pos, CodeNoMatch, text, said)
			}
		}
	}
	if n := lint.Length(said); e.Reply.MaxWords > 0 && n > e.Reply.MaxWords {
		r.fail(e.Pos, CodeWords, strconv.Itoa(n), strconv.Itoa(e.Reply.MaxWords))
	}
	for _, f := range r.last.Alternative.Findings {
		if e.Reply.NoTaboo && f.Code == "taboo" {
			r.fail(e.Pos, CodeTaboo, strings.Join(f.Args, " "))
		}
	}
}

// firstToken gives how long the last reply made one wait, in milliseconds.
func (r *running) firstToken() int {
	if reply := r.last.Alternative.Reply; reply != nil {
		return int(reply.TTFT / time.Millisecond)
	}
	return 0
}

func (r *running) text(t personas.Text) string { return t.In(r.lang, r.session.Script().Languages...) }
