package space

import "slices"

// reply is what an NPC's words do: beats, anchors, secrets told, then the first
// open auto exit; with `turns: all` the next of the cast follows.
func (p *player) reply(who int) {
	for {
		if p.move != nil {
			p.move.Replies = append(p.move.Replies, Reply{NPC: p.m.people[who].id})
		}
		p.prompt(who)
		p.told = p.unlocked(who, p.told[:0])
		p.speaks(who)
		n := &p.m.nodes[p.st[0]]
		p.beats(n, who)
		p.sayAnchors(n, who)
		p.tellSecrets()
		if p.byItself(n) {
			return
		}
		next, ok := p.follow()
		if !ok {
			return
		}
		who = next
	}
}

// note adds to the log of the last reply.
func (p *player) note(add func(*Reply)) {
	if p.move != nil && len(p.move.Replies) > 0 {
		add(&p.move.Replies[len(p.move.Replies)-1])
	}
}

// blind reports a condition that looks at what this model does not keep.
func (p *player) blind(i int) bool { return i >= 0 && p.m.sites[i].holds == nil }

// prompt looks at what an NPC's prompt looks at. A search drops what it has seen
// both sides of.
func (p *player) prompt(who int) {
	if p.walking {
		for _, i := range p.m.people[who].prompt {
			p.holds(i, p.st)
		}
		return
	}
	open := p.unsettled[who][:0]
	for _, i := range p.unsettled[who] {
		p.holds(i, p.st)
		if !p.marks.settled(i) {
			open = append(open, i)
		}
	}
	p.unsettled[who] = open
}

// unlocked lists the marks of the secrets that an NPC may tell now and has not.
func (p *player) unlocked(who int, out []int) []int {
	for _, s := range p.m.people[who].secrets {
		if s.told >= 0 && !s.never && p.st[s.told] == 0 && p.holds(s.unlock, p.st) {
			out = append(out, s.told)
		}
	}
	return out
}

// sayAnchors marks the anchors that a reply says, and those whose line is due.
func (p *player) sayAnchors(n *node, who int) {
	for _, i := range n.anchors {
		a := &p.m.anchors[i]
		if !p.wanted(i, who) {
			continue
		}
		switch {
		case a.mark < 0:
		case a.by == who && p.tape.pick(2) == 1:
			p.st[a.mark] = 1
			p.note(func(r *Reply) { r.Said = append(r.Said, a.id) })
		case p.due(n, a, who):
			p.st[a.mark] = 1
			p.tell(a.tells)
		}
	}
}

// wanted reports whether an anchor is still asked for; if so, its speaker can
// deliver it now.
func (p *player) wanted(i, who int) bool {
	a := &p.m.anchors[i]
	if p.blind(a.when) || a.mark >= 0 && p.st[a.mark] == 1 || !p.holds(a.when, p.st) {
		return false
	}
	if p.among(who, a.by) {
		p.marks.delivered[i] = first(p.marks.delivered[i], p.marks.now)
	}
	return true
}

func (p *player) due(n *node, a *anchor, who int) bool {
	if p.st[p.m.turns] < a.after {
		return false
	}
	return a.by == who || !n.all && slices.Contains(p.cast(nil), a.by)
}

// byItself takes the first open auto exit.
func (p *player) byItself(n *node) bool {
	for _, e := range n.exits {
		if p.m.exits[e].at.Auto && p.open(n, e) {
			p.note(func(r *Reply) { r.Auto = p.m.exits[e].id })
			p.take(e, "auto")
			return true
		}
	}
	return false
}

// follow gives the next of the cast that was to speak and is still there.
func (p *player) follow() (int, bool) {
	if len(p.queue) == 0 {
		return 0, false
	}
	p.cast1 = p.cast(p.cast1[:0])
	i := slices.IndexFunc(p.queue, func(q int) bool { return slices.Contains(p.cast1, q) })
	if i < 0 {
		return 0, false
	}
	who := p.queue[i]
	p.queue = p.queue[i+1:]
	return who, true
}

// tellSecrets lets an NPC tell some of the secrets that it may.
func (p *player) tellSecrets() {
	for _, i := range p.told {
		if p.tape.pick(2) == 1 {
			p.st[i] = 1
			p.note(func(r *Reply) { r.Told = append(r.Told, p.m.fields[i].name) })
		}
	}
}

// beats lets some of the beats fire that can: those that need no words surely,
// of the others any. In a loose node only one group of them does, once a turn.
func (p *player) beats(n *node, by int) {
	p.detect(n, by, n.beats)
	if p.loose(n) {
		p.oneGroup(by)
		p.fire()
		return
	}
	free := 0
	for _, b := range p.detected {
		if x := &p.m.beats[b]; !x.surely && x.counts {
			free++
		}
	}
	if free > mostBeats {
		p.crowded[p.st[0]] = true
		p.alone(free)
	} else {
		p.detected = slices.DeleteFunc(p.detected, func(b int) bool {
			x := &p.m.beats[b]
			return !x.surely && (x.counts || p.walking) && p.tape.pick(2) == 0
		})
	}
	p.fire()
}

// oneGroup keeps, of the beats that can fire and the secrets that can be told,
// some of one group, and all that change nothing.
func (p *player) oneGroup(by int) {
	p.groups = p.groups[:0]
	if !p.special {
		for _, b := range p.detected {
			if x := &p.m.beats[b]; x.counts && !slices.Contains(p.groups, x.group) {
				p.groups = append(p.groups, x.group)
			}
		}
		if by != byPlayer {
			for _, i := range p.told {
				if g := p.m.toldGroup[[2]int{p.st[0], i}]; !slices.Contains(p.groups, g) {
					p.groups = append(p.groups, g)
				}
			}
		}
	}
	group := -1
	if k := p.tape.pick(1 + len(p.groups)); k > 0 {
		group, p.special = p.groups[k-1], true
	}
	p.detected = slices.DeleteFunc(p.detected, func(b int) bool {
		x := &p.m.beats[b]
		return x.counts && (x.group != group || p.tape.pick(2) == 0)
	})
	if by != byPlayer {
		p.told = slices.DeleteFunc(p.told, func(i int) bool { return p.m.toldGroup[[2]int{p.st[0], i}] != group })
	}
}

// alone lets at most one of the beats fire that words set off.
func (p *player) alone(free int) {
	k := p.tape.pick(1 + free)
	p.detected = slices.DeleteFunc(p.detected, func(b int) bool {
		if x := &p.m.beats[b]; x.surely || !x.counts {
			return false
		}
		k--
		return k != 0
	})
}

// detect lists the beats that can fire now, of those that are given.
func (p *player) detect(n *node, by int, beats []int) {
	p.detected = p.detected[:0]
	if n.ending {
		return // an epilogue has no beats
	}
	for _, b := range beats {
		x := &p.m.beats[b]
		if !x.possible || p.blind(x.when) || !p.hears(x, by) || x.at.Once && x.mark >= 0 && p.st[x.mark] > 0 || slices.Contains(p.fired, b) || !p.holds(x.when, p.st) {
			continue
		}
		p.marks.beats[b] = first(p.marks.beats[b], p.marks.now)
		p.detected = append(p.detected, b)
	}
}

func (p *player) hears(x *beat, by int) bool {
	switch x.by {
	case byAny:
		return true
	case byPlayer:
		return by == byPlayer
	case byNPC:
		return by != byPlayer
	}
	return by != byPlayer && p.among(by, x.by)
}

// among reports whether one is who speaks. Where replies change nothing, the
// one that stands for all may be any of those present.
func (p *player) among(who, one int) bool {
	return who == one || !p.m.nodes[p.st[0]].voiced && (slices.Contains(p.cast1, one) || slices.Contains(p.cast0, one))
}

// fire lets the detected beats take effect, in document order.
func (p *player) fire() {
	for _, b := range p.detected {
		x := &p.m.beats[b]
		p.marks.fired(b)
		if x.counts || p.walking {
			p.log(x)
		}
		if x.mark >= 0 {
			p.st[x.mark] = 1
		}
		p.fired = append(p.fired, b)
		p.apply(x.effects, p.st)
		p.play(x.lines)
	}
}

func (p *player) log(x *beat) {
	switch {
	case p.move == nil:
	case len(p.move.Replies) > 0:
		p.note(func(r *Reply) { r.Fired = append(r.Fired, x.id) })
	default:
		p.move.Fired = append(p.move.Fired, x.id)
	}
}
