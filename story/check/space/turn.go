package space

import "slices"

// mostBeats bounds the beats of which every combination is tried in one turn;
// of more, each is tried alone.
const mostBeats = 8

// player plays turns on the fields of a state, in place. What is open it asks
// the tape; what it sees goes to the marks.
type player struct {
	m     *model
	tape  tape
	marks *marks
	st    []int
	from  []int // scratch: the state whose turns are played
	after []int // scratch: the state behind an exit that may be open
	quiet bool  // a condition is asked for something that may not happen

	there, offered      []int // in the state that turns begin from
	cast0, cast1, queue []int
	fired               []int // beats of this turn
	detected            []int
	told, groups        []int
	reached             []uint32 // the states that turns lead to
	move                *Turn    // noted when not nil
	special             bool     // something was done that, in a loose node, is done alone
	unsettled           [][]int  // by person: sites of its prompt that may still show another side
	left                bool     // an exit was taken in this turn, or one could be
	auto                bool     // the reply ended with an auto exit that moves
	crowded             []bool   // by node: more than mostBeats could fire at once
	walking             bool     // on a walk, where everything counts that happens
}

func newPlayer(m *model, marks *marks) *player {
	p := &player{m: m, marks: marks, st: make([]int, len(m.fields)), after: make([]int, len(m.fields)), from: make([]int, len(m.fields)),
		crowded: make([]bool, len(m.nodes))}
	for i := range m.people {
		p.unsettled = append(p.unsettled, slices.Clone(m.people[i].prompt))
	}
	return p
}

// holds asks a condition; -1 is one that always holds.
func (p *player) holds(i int, st []int) bool {
	if i < 0 {
		return true
	}
	ask := p.m.sites[i].holds
	if ask == nil { // blind: it changes nothing that this model keeps
		return true
	}
	yes := ask(st) != 0
	if !p.quiet {
		p.marks.asked(i, yes, st)
	}
	return yes
}

// begin enters the start.
func (p *player) begin(lang int) {
	m := p.m
	clear(p.st)
	for i := range m.fields {
		if f := &m.fields[i]; f.v != nil {
			p.initial(i, f)
		}
	}
	if m.lang >= 0 {
		p.st[m.lang] = lang
	}
	p.enter(m.nodeAt[m.s.Node(m.s.Start).ID])
}

func (p *player) initial(i int, f *field) {
	if f.words != nil {
		p.st[i] = max(slices.Index(f.v.Values, f.v.Default.Str), 0)
		return
	}
	f.set(p.st, i, f.v.Default.Int)
}

// loose reports a node in which a turn does one thing. On a walk it does many.
func (p *player) loose(n *node) bool { return n.loose && !p.walking }

// rest looks round in a resting state: who is there, what can be chosen. Its
// turns begin with that.
func (p *player) rest() {
	p.there = p.cast(p.there[:0])
	p.offered = p.offers(&p.m.nodes[p.st[0]], p.offered[:0])
}

// turn takes one turn from a resting state: the player says something, chooses,
// or lets the next of the cast speak.
func (p *player) turn() {
	p.fired, p.left, p.auto, p.special = p.fired[:0], false, false, false
	n := &p.m.nodes[p.st[0]]
	p.cast0 = append(p.cast0[:0], p.there...)
	offers := p.offered
	kinds := 1 + len(offers)
	if len(p.cast0) > 0 && (!p.loose(n) || p.m.speaker >= 0) { // else it comes to the same as saying something
		kinds++
	}
	switch k := p.tape.pick(kinds); {
	case k == 0:
		p.say(n)
	case k <= len(offers):
		if p.move != nil {
			p.move.Choose = p.m.exits[offers[k-1]].id
		}
		p.take(offers[k-1], "choice")
	default:
		if p.move != nil {
			p.move.Next = true
		}
		p.queue = p.queue[:0]
		p.cast1 = append(p.cast1[:0], p.cast0...)
		p.reply(p.next(p.cast0))
	}
}

// offers lists the exits that can be chosen.
func (p *player) offers(n *node, out []int) []int {
	for _, e := range n.exits {
		if p.m.exits[e].offered && p.open(n, e) {
			out = append(out, e)
		}
	}
	return out
}

// say takes a turn with text: beats, then perhaps an exit, then a reply.
func (p *player) say(n *node) {
	m := p.m
	if p.move != nil {
		p.move.spoke = true
	}
	p.count(m.turns)
	p.count(m.total)
	asked := 0
	if m.confirm >= 0 {
		asked = p.st[m.confirm]
	}
	moved, done := false, false
	if asked > 0 && p.tape.pick(2) == 1 {
		moved = p.agree(n, asked)
	} else {
		p.beats(n, byPlayer)
		if m.confirm >= 0 {
			p.st[m.confirm] = 0
		}
		if !p.loose(n) || !p.special {
			moved, done = p.leave(n, asked)
		}
	}
	if done {
		return // a question was asked in place of a reply
	}
	p.answer(moved)
}

func (p *player) count(field int) {
	if field >= 0 {
		f := &p.m.fields[field]
		p.st[field] = min(p.st[field]+1, f.size-1)
	}
}

// agree says yes to a question: the words are fixed, and so are the beats that
// they set off.
func (p *player) agree(n *node, asked int) (moved bool) {
	with := &n.agree[p.tape.pick(len(n.agree))]
	p.detect(n, byPlayer, with.fires)
	if p.move != nil {
		p.move.Say, p.move.Yes = with.word, true
	}
	p.fire()
	p.st[p.m.confirm] = 0
	for _, e := range n.exits {
		if p.m.exits[e].asks == asked && p.open(n, e) {
			return p.take(e, "said")
		}
	}
	return false
}

// leave takes an exit by saying or choosing it, or none; done when a question
// is asked first.
func (p *player) leave(n *node, asked int) (moved, done bool) {
	m := p.m
	p.cast1 = p.cast1[:0] // of choices: e, of sayings: -1-e
	for _, e := range n.exits {
		x := &m.exits[e]
		if !x.said && !x.offered || !p.open(n, e) {
			continue
		}
		said := x.said && (asked == 0 || x.asks != asked)
		if said {
			p.cast1 = append(p.cast1, -1-e)
		}
		if x.offered && (!said || x.asks > 0) && (!p.loose(n) || x.to < 0 || x.to == x.node || !p.loose(&m.nodes[x.to])) {
			p.cast1 = append(p.cast1, e)
		}
	}
	k := p.tape.pick(1 + len(p.cast1))
	if k == 0 {
		return false, false
	}
	e := p.cast1[k-1]
	p.special = true
	if e >= 0 {
		if p.move != nil {
			p.move.Choose = m.exits[e].id
		}
		return p.take(e, "choice"), false
	}
	e = -1 - e
	if p.move != nil {
		p.move.Exit = m.exits[e].id
	}
	if m.exits[e].asks == 0 {
		return p.take(e, "said"), false
	}
	if p.move != nil {
		p.move.Asks = true
	}
	p.st[m.confirm] = m.exits[e].asks
	p.left = true
	if m.exits[e].asker >= 0 {
		p.speaks(m.exits[e].asker)
	}
	return false, true
}

func (p *player) speaks(who int) {
	if p.m.speaker >= 0 {
		p.st[p.m.speaker] = who + 1
	}
}

// answer lets somebody reply, if anybody is there to.
func (p *player) answer(moved bool) {
	p.cast1 = p.cast(p.cast1[:0])
	n := &p.m.nodes[p.st[0]]
	if p.m.speaker < 0 {
		p.anybody(n, moved)
		return
	}
	to := p.tape.pick(1+len(p.cast0)) - 1
	who := -1
	switch {
	case to >= 0 && (!moved || slices.Contains(p.cast1, p.cast0[to])):
		who = p.cast0[to]
	case len(p.cast1) == 0:
		return
	case to >= 0 || !slices.Contains(p.cast1, p.st[p.m.speaker]-1):
		who = p.cast1[0]
	default:
		who = p.st[p.m.speaker] - 1
	}
	if to >= 0 && p.move != nil {
		p.move.To = p.m.people[p.cast0[to]].id
	}
	p.begins(n, who)
}

// begins lets one reply, and with `turns: all` the others present after it.
func (p *player) begins(n *node, who int) {
	p.queue = p.queue[:0]
	if n.all {
		for _, other := range p.cast1 {
			if other != who {
				p.queue = append(p.queue, other)
			}
		}
	}
	p.reply(who)
}

// anybody lets one of those present reply. It is asked where it does not matter
// who spoke last: where replies change nothing, where one person at most can
// be, or where whoever is not chosen now can be in the next turn.
func (p *player) anybody(n *node, moved bool) {
	if moved {
		p.cast0 = p.cast0[:0]
	}
	for _, c := range p.cast0 {
		if !slices.Contains(p.cast1, c) {
			p.cast1 = append(p.cast1, c)
		}
	}
	if len(p.cast1) == 0 {
		return
	}
	who := p.cast1[0]
	if !n.voiced || p.loose(n) && p.special {
		p.everybody(n)
	}
	switch {
	case !n.voiced:
	case !p.loose(n) || !p.special:
		who = p.cast1[p.tape.pick(len(p.cast1))]
	}
	if p.move != nil && !moved && slices.Contains(p.there, who) {
		p.move.To = p.m.people[who].id
	}
	p.begins(n, who)
}

// everybody looks at what the replies of all that could give one look at.
func (p *player) everybody(n *node) {
	for _, c := range p.cast1 {
		p.prompt(c)
		for _, i := range n.anchors {
			p.wanted(i, c)
		}
	}
}

// next gives who follows the last speaker in the cast, in a circle.
func (p *player) next(there []int) int {
	last := -1
	if p.m.speaker >= 0 {
		last = p.st[p.m.speaker] - 1
	}
	return there[(slices.Index(there, last)+1)%len(there)]
}

// cast lists who is present, each once.
func (p *player) cast(out []int) []int {
	for _, c := range p.m.nodes[p.st[0]].cast {
		if !slices.Contains(out, c.person) && p.holds(c.when, p.st) {
			out = append(out, c.person)
		}
	}
	return out
}
