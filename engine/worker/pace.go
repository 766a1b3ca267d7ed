package worker

import (
	"time"

	"fabula/engine"
)

// pace measures what Background work in a pass costs the chats in it, and says
// how much of it may be there.
type pace struct {
	chats int     // that decoded in the passes of alone
	alone float64 // seconds of a pass with them only, moving mean
	token cost    // of a Background job that decodes
	fill  cost    // of a token of a Background prompt
}

// cost is what one token more adds to a pass, in seconds: a moving mean.
type cost struct {
	each  float64
	known bool
}

const (
	tolerance = 0.35 // of the time of a pass alone, that Background may add to it
	newest    = 0.2  // weight of the newest measurement
	most      = 4096 // tokens; no pass is as large
	// rare is how many passes a chat has between two that Background shares
	// however long they take: so few that the 95th percentile of a chat's gaps
	// does not see them, while nothing starves and costs are measured anew. Half
	// way between two the chat is alone, to be measured as well.
	rare = 40
)

// note learns from a pass.
func (p *pace) note(turns []turn, took time.Duration) {
	chats, tokens, filled := 0, 0, 0
	for _, u := range turns {
		switch {
		case u.seat.job.priority() == engine.Background && u.step():
			tokens++
		case u.seat.job.priority() == engine.Background:
			filled += u.n
		case !u.step():
			return // a chat's prompt costs what it costs
		default:
			chats++
		}
	}
	if chats == 0 {
		return
	}
	seconds := took.Seconds()
	switch {
	case tokens+filled == 0 && chats != p.chats:
		p.chats, p.alone = chats, seconds
	case tokens+filled == 0:
		p.alone += newest * (seconds - p.alone)
	case chats == p.chats && filled == 0:
		p.token.note(max(seconds-p.alone, 0) / float64(tokens))
	case chats == p.chats && tokens == 0:
		p.fill.note(max(seconds-p.alone, 0) / float64(filled))
	}
}

func (c *cost) note(each float64) {
	if !c.known {
		c.each, c.known = each, true
		return
	}
	c.each += newest * (each - c.each)
}

// room is how many Background jobs may decode in the next pass of some chats, and
// how many tokens of a Background prompt it may hold. decoding says that there is
// no chat's prompt in the pass, deciding that some Background job decodes.
func (p *pace) room(pass, chats int, decoding, deciding bool, small int) (tokens, filled int) {
	switch {
	case pass%rare == 0 && deciding && pass/rare%2 == 0:
		return most, 0
	case pass%rare == 0:
		return 0, small
	case pass%rare == rare/2 || !decoding || chats != p.chats:
		return 0, 0
	}
	return p.token.fits(p.alone), min(p.fill.fits(p.alone), small)
}

func (c cost) fits(alone float64) int {
	if !c.known {
		return 0
	}
	return int(min(tolerance*alone/max(c.each, 1e-9), most))
}
