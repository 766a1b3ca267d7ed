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
	extra float64 // seconds that one token more takes, moving mean
	known bool    // extra was measured
}

const (
	tolerance = 0.35 // of the time of a pass alone, that Background may add to it
	memory    = 0.2  // weight of the newest measurement
	most      = 4096 // tokens; no pass is as large
	// rare is how many passes a chat has between two that Background shares
	// however long they take: fewer than one in twenty, so that the 95th
	// percentile of a chat's gaps does not see them, and nothing starves.
	rare = 24
)

// note learns from a pass.
func (p *pace) note(turns []turn, took time.Duration) {
	chats, extra := 0, 0
	for _, u := range turns {
		switch {
		case u.seat.job.priority() == engine.Background:
			extra += u.n
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
	case extra == 0 && chats != p.chats:
		p.chats, p.alone = chats, seconds
	case extra == 0:
		p.alone += memory * (seconds - p.alone)
	case chats == p.chats:
		each := max(seconds-p.alone, 0) / float64(extra)
		if !p.known {
			p.extra, p.known = each, true
			return
		}
		p.extra += memory * (each - p.extra)
	}
}

// room is how many tokens of Background may stand in a pass of some chats.
func (p *pace) room(pass, chats int, decoding bool, small int) int {
	switch {
	case pass%rare == 0:
		return small
	case !decoding || !p.known || chats != p.chats:
		return 0
	}
	return int(min(tolerance*p.alone/max(p.extra, 1e-9), most))
}
