package prompt

import "fabula/engine"

// cut leaves out the oldest history, in blocks, until the prompt fits. base is
// the size without any history.
//
// Blocks are laid out from the first turn on by estimate, so that they stay
// where they are while the history grows; the volatile block is counted as a
// multiple of an eighth of the window, so that its small changes do not move
// the cut back and forth. Both keep what stands before the last user message
// the same from turn to turn.
func (p *plan) cut(base int) error {
	if len(p.turns) == 0 {
		return nil
	}
	limit := max(p.room-p.slack(), base)
	bare, control := messages(p.segments), p.control
	starts := p.blocks()
	i := p.near(starts)
	p.keep(starts[i])
	total, err := p.total()
	if err != nil || total <= limit && i == 0 {
		return err
	}
	hard := limit
	limit = max(limit-p.pastReserve(), base) // something is cut, so its summary needs room
	// Templates spend the same on every message, so two counts tell how much,
	// and the start that fits follows without counting for each block.
	all := messages(p.segments)
	each := float64(p.control-control) / float64(max(len(all)-len(bare), 1))
	for total > limit && i < len(starts)-1 {
		for predicted := total; predicted > limit && i < len(starts)-1; i++ {
			block := p.turns[starts[i]:starts[i+1]]
			predicted -= tokens(block) + int(each*float64(alternations(block)))
		}
		p.keep(starts[i])
		if total, err = p.total(); err != nil {
			return err
		}
	}
	if hard > limit && i == len(starts)-1 && i > 0 { // the talk of now before a summary of it
		p.keep(starts[i-1])
		if total, err = p.total(); err == nil && total > hard {
			p.keep(starts[i])
		}
	}
	return err
}

// alternations counts the messages that turns make.
func alternations(turns [][]item) int {
	n := 0
	var role engine.Role
	for _, turn := range turns {
		for _, it := range turn {
			if it.Role != role {
				n, role = n+1, it.Role
			}
		}
	}
	return n
}

// slack is what the volatile part lacks to the next eighth of the window,
// with room for recollections.
func (p *plan) slack() int {
	step := max(p.in.Budget.Window/8, 1)
	used := size(p.last) + p.reserve()
	return (used+step-1)/step*step - size(p.last)
}

// blocks gives the turns at which blocks begin, and the end.
func (p *plan) blocks() []int {
	quarter := max(p.in.Budget.Window/4, 1)
	var starts []int
	block, before := -1, 0
	for i, turn := range p.turns {
		if b := before / quarter; b != block {
			starts, block = append(starts, i), b
		}
		before += estimated(turn)
	}
	return append(starts, len(p.turns))
}

// near skips blocks that cannot fit even if the estimate is twice too high,
// so that a long branch is not counted whole with every turn.
func (p *plan) near(starts []int) int {
	rest := 0
	for i := len(starts) - 2; i >= 0; i-- {
		for _, turn := range p.turns[starts[i]:starts[i+1]] {
			rest += estimated(turn)
		}
		if rest > 2*p.room {
			return i + 1
		}
	}
	return 0
}

func estimated(turn []item) int {
	n := 0
	for _, it := range turn {
		n += estimate(it.Text)
	}
	return n
}

func tokens(turns [][]item) int {
	n := 0
	for _, turn := range turns {
		for _, it := range turn {
			n += it.Tokens
		}
	}
	return n
}
