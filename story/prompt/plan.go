package prompt

import (
	"slices"

	"fabula/engine"
)

// plan decides what of a prompt fits.
type plan struct {
	in     Input
	room   int // tokens for everything but the reply
	stable []item
	past   []item // sums up the turns that are cut
	turns  [][]item
	from   int // first turn that is kept
	last   []item

	lead, next item // see stubs
	recall     func(left int) []item
	left       []Dropped // of the history, because the input asks for it
	sumUp      func(left int) []item

	counted  bool      // segments and control are those of what is in
	segments []Segment // with their sizes
	control  int
}

// commonWindow stands in for a window that is not known.
const commonWindow = 4096

// fit drops what does not fit, history last.
func (p *plan) fit() error {
	turns := p.turns
	p.turns = nil
	if _, err := p.total(); err != nil {
		return err
	}
	defer func() { p.turns = turns }()
	if p.in.Budget.Window <= 0 {
		p.shares(commonWindow, commonWindow)
		p.counted = false
		return nil
	}
	p.shares(p.in.Budget.Window, p.room)
	total, err := p.shrink()
	if err != nil {
		return err
	}
	p.turns = turns
	if err := p.cut(total); err != nil {
		return err
	}
	if err := p.summarise(); err != nil {
		return err
	}
	return p.remember()
}

// shares bounds samples and lore to their parts of a window. Samples have
// little, because the first token waits for every one of them: on two cores a
// small model reads about a hundred tokens a second. What stands in the
// volatile block is read anew with every turn, so it has least.
func (p *plan) shares(window, room int) {
	p.share(p.stable, size(p.stable, stableSample), window/32, stableSample)
	p.share(p.stable, size(p.stable), room/2, stableSample, stableLore)
	p.share(p.last, size(p.last, volatileSample), window/64, volatileSample)
	p.share(p.last, size(p.last, keyedLore), window/4, keyedLore)
}

// keep leaves out the history before a turn.
func (p *plan) keep(from int) { p.from, p.counted = from, false }

// share drops parts of the given classes, in their order, while used is more
// than limit tokens.
func (p *plan) share(items []item, used, limit int, classes ...class) {
	for _, c := range classes {
		for used > limit {
			it := lowest(items, c)
			if it == nil {
				break
			}
			it.dropped, p.counted = WhyShare, false
			used -= it.Tokens
		}
	}
}

// size sums what is in, of the given classes or of all.
func size(items []item, classes ...class) int {
	n := 0
	for _, it := range items {
		if it.dropped == "" && (len(classes) == 0 || slices.Contains(classes, it.drop)) {
			n += it.Tokens
		}
	}
	return n
}

// lowest finds the part of a class that is dropped first.
func lowest(items []item, c class) *item {
	var worst *item
	for i := range items {
		it := &items[i]
		if it.drop == c && it.dropped == "" && (worst == nil || it.rank > worst.rank) {
			worst = it
		}
	}
	return worst
}

// shrink drops optional parts until the prompt without history fits, and
// gives its size.
func (p *plan) shrink() (int, error) {
	for {
		total, err := p.total()
		if err != nil || total <= p.room {
			return total, err
		}
		if over := total - p.room; !p.drop(over) {
			return 0, p.tooLong()
		}
	}
}

// drop leaves out optional parts of at least over tokens; false if none is left.
func (p *plan) drop(over int) bool {
	any := false
	for _, c := range []class{recollection, keyedLore, volatileSample, stableSample, stableLore} {
		items := p.last
		if c == stableSample || c == stableLore {
			items = p.stable
		}
		for over > 0 {
			it := lowest(items, c)
			if it == nil {
				break
			}
			it.dropped, p.counted = WhyWindow, false
			over -= it.Tokens
			any = true
		}
	}
	return any
}

func (p *plan) tooLong() error {
	segments, control, err := p.measured()
	if err != nil {
		return err
	}
	return &TooLong{Parts: segments, Control: control, Window: p.in.Budget.Window, Reply: p.in.Budget.Reply}
}

// items lists everything that is a candidate, in order.
func (p *plan) items() []item {
	items := append(append([]item(nil), p.stable...), p.past...)
	fixed := len(items)
	for _, turn := range p.turns[p.from:] {
		if len(turn) > 0 && turn[0].Role == engine.Assistant {
			switch {
			case len(items) == fixed:
				items = append(items, p.lead)
			case items[len(items)-1].Role == engine.Assistant:
				items = append(items, p.next)
			}
		}
		items = append(items, turn...)
	}
	return append(items, p.last...)
}

// measured gives the segments that are in, with their sizes. What has not
// changed is not counted again: a count crosses to the engine's process.
func (p *plan) measured() ([]Segment, int, error) {
	if p.counted {
		return p.segments, p.control, nil
	}
	var err error
	p.segments = kept(p.items())
	p.control, err = p.in.measure(p.segments)
	p.counted = err == nil
	return p.segments, p.control, err
}

// total measures what is in and notes the sizes.
func (p *plan) total() (int, error) {
	segments, control, err := p.measured()
	if err != nil {
		return 0, err
	}
	next := 0
	note := func(items []item) {
		for i := range items {
			if items[i].dropped != "" {
				continue
			}
			for segments[next].Source == stub {
				next++
			}
			items[i].Tokens = segments[next].Tokens
			next++
		}
	}
	note(p.stable)
	note(p.past)
	for _, turn := range p.turns[p.from:] {
		note(turn)
	}
	note(p.last)
	return sum(segments) + control, nil
}
