package prompt

import (
	"slices"
)

// Part names segments of a prompt: those of a kind that come from Source; with
// an empty Source all of the kind.
type Part struct {
	Kind   Kind   `json:"kind"`
	Source string `json:"source,omitempty"`
}

// of reports whether a segment is named by the part. What is being answered is
// never left out: without it there would be no turn.
func (x Part) of(s Segment) bool {
	return s.Kind == x.Kind && s.Kind != Line && (x.Source == "" || x.Source == s.Source) && s.Source != stub
}

// leave drops what the input asks to do without, before anything is measured, so
// that what stays may take the room.
func (p *plan) leave() {
	if len(p.in.Without) == 0 {
		return
	}
	p.omit(p.stable)
	p.omit(p.last)
	for i, turn := range p.turns {
		p.turns[i] = slices.DeleteFunc(turn, func(it item) bool {
			if !p.asked(it.Segment) {
				return false
			}
			p.left = append(p.left, Dropped{What: string(it.Kind) + " " + it.Source, Why: WhyAsked, Tokens: it.tokens()})
			return true
		})
	}
	p.recall, p.sumUp = p.omitting(p.recall), p.omitting(p.sumUp)
}

// omitting gives what does the same and leaves out what is asked for.
func (p *plan) omitting(what func(left int) []item) func(left int) []item {
	if what == nil {
		return nil
	}
	return func(left int) []item {
		items := what(left)
		p.omit(items)
		return items
	}
}

func (p *plan) omit(items []item) {
	for i := range items {
		if items[i].dropped == "" && p.asked(items[i].Segment) {
			items[i].dropped = WhyAsked
		}
	}
}

func (p *plan) asked(s Segment) bool {
	return p.in.without(s)
}

// without reports whether a segment is to be left out.
func (in Input) without(s Segment) bool {
	return slices.ContainsFunc(in.Without, func(x Part) bool { return x.of(s) })
}
