package prompt

import "fabula/engine"

// pastReserve is the room for the summary of what is cut, in tokens. Like that
// for recollections it does not depend on what stands there.
func (p *plan) pastReserve() int {
	if p.sumUp == nil {
		return 0
	}
	return p.in.Budget.Window / 8
}

// summarise puts a summary of the cut history in its place, as much as the
// reserve and the window allow. It stands before the history, where it changes
// only when the cut moves: what is behind it is read anew then anyway.
func (p *plan) summarise() error {
	if p.sumUp == nil || p.from == 0 {
		return nil
	}
	p.past, p.counted = p.sumUp(p.from), false
	if len(p.past) == 0 {
		return nil
	}
	if _, err := p.total(); err != nil {
		return err
	}
	p.share(p.past, size(p.past, pastPoint), p.pastReserve(), pastPoint)
	return p.squeeze(p.past, pastPoint)
}

// summaries writes the sentences about cut turns. One that names a secret which
// is locked now stays away.
func (a *author) summaries(left int) []item {
	var out []item
	for _, s := range a.in.Past(left) {
		out = append(out, item{Segment: Segment{Kind: Summary, Source: s.Source, Role: engine.System, Text: s.Text},
			drop: pastPoint, rank: s.Rank, heading: a.say.before})
	}
	return a.guarded(out)
}
