package prompt

import (
	"cmp"
	"slices"

	"fabula/story/plot"
)

// reserve is the room for recollections, in tokens. It does not depend on what
// is recalled, so that the cut of history stays where it is from turn to turn.
func (p *plan) reserve() int {
	if p.recall == nil {
		return 0
	}
	return p.in.Budget.Window / 16
}

// remember puts what comes back of the cut history behind the other memories,
// as much as the reserve and the window allow.
func (p *plan) remember() error {
	if p.recall == nil || p.from == 0 {
		return nil
	}
	items := p.recall(p.from)
	if len(items) == 0 {
		return nil
	}
	at := 0
	for at < len(p.last) && before(p.last[at].Kind, Variables) {
		at++
	}
	last := append(append(append([]item(nil), p.last[:at]...), items...), p.last[at:]...)
	p.last, p.counted = last, false
	if _, err := p.total(); err != nil {
		return err
	}
	p.share(p.last, size(p.last, recollection), p.reserve(), recollection)
	return p.squeeze(p.last, recollection)
}

// squeeze drops parts of a class, without which the prompt fits, until it does.
func (p *plan) squeeze(items []item, c class) error {
	for {
		total, err := p.total()
		if err != nil || total <= p.room {
			return err
		}
		it := lowest(items, c)
		if it == nil {
			return nil
		}
		it.dropped, p.counted = WhyWindow, false
	}
}

// before reports whether kind a stands before b in a prompt.
func before(a, b Kind) bool {
	for _, k := range kinds() {
		switch k {
		case b:
			return false
		case a:
			return true
		}
	}
	return false
}

// recollections writes the past turns that the line brings to mind. One that
// names a secret which is locked now stays away. They stand in the order of time,
// so that of two that contradict each other the newer one comes last.
func (a *author) recollections(left int) []item {
	var out []item
	all := a.in.Recall(left)
	ranks := make([]int, len(all))
	for i := range ranks {
		ranks[i] = i
	}
	slices.SortStableFunc(ranks, func(x, y int) int { return cmp.Compare(all[y].Ago, all[x].Ago) })
	for _, i := range ranks {
		r := all[i]
		ago := a.when(plot.Memory{Day: r.Day})
		if ago == "" {
			ago = f(a.say.turnsAgo, r.Ago)
		}
		it := a.user(Memory, r.Turn, a.say.recalled, ago, r.Text)
		it.drop, it.rank, it.Because, it.Pinned = recollection, i, r.Because, r.Pinned
		out = append(out, it)
	}
	return a.guarded(out)
}
