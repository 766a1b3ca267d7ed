package space

import "fabula/story/plot"

// open reports whether an exit of the present node is open: its own condition,
// and that of its target after the exit's effects.
func (p *player) open(n *node, e int) bool {
	x := &p.m.exits[e]
	if x.at.Otherwise {
		for _, o := range n.exits {
			if other := &p.m.exits[o]; o != e && !other.at.Otherwise && p.passable(other) {
				return false
			}
		}
	}
	return p.passable(x)
}

func (p *player) passable(x *exit) bool {
	if !p.holds(x.when, p.st) {
		return false
	}
	if x.to < 0 || p.m.nodes[x.to].when < 0 {
		return true
	}
	copy(p.after, p.st)
	quiet := p.quiet
	p.quiet = true
	p.through(x, p.after)
	p.quiet = quiet
	return p.holds(p.m.nodes[x.to].when, p.after)
}

// through marks an exit as taken and does its effects.
func (p *player) through(x *exit, st []int) {
	if x.mark >= 0 {
		st[x.mark] = 1
	}
	p.apply(x.effects, st)
}

func (p *player) apply(list []effect, st []int) {
	for i := range list {
		e := &list[i]
		if !p.holds(e.when, st) || e.field < 0 {
			continue
		}
		f := &p.m.fields[e.field]
		v := e.value(st)
		switch e.op {
		case '+':
			v = plot.Add(st[e.field]+f.least, v)
		case '-':
			v = plot.Sub(st[e.field]+f.least, v)
		}
		f.set(st, e.field, v)
	}
}

// take takes an exit: its effects, the lines at exit, then enter. It reports
// whether the player is in another node.
func (p *player) take(e int, by string) (moved bool) {
	x := &p.m.exits[e]
	p.left = true
	if p.m.confirm >= 0 {
		p.st[p.m.confirm] = 0
	}
	p.marks.took(e)
	p.through(x, p.st)
	p.play(x.lines)
	if x.to < 0 {
		return false
	}
	moved = x.to != x.node
	p.enter(x.to)
	p.auto = p.auto || by == "auto"
	return moved
}

// enter moves into a node: the visit, on_enter, lines at enter, else greetings.
func (p *player) enter(to int) {
	m, n := p.m, &p.m.nodes[to]
	p.st[0] = to
	if m.turns >= 0 {
		p.st[m.turns] = 0
	}
	if m.confirm >= 0 {
		p.st[m.confirm] = 0
	}
	if n.visit >= 0 {
		p.count(n.visit)
	}
	p.marks.entered(to)
	p.apply(n.enter, p.st)
	if !p.play(n.lines) {
		p.greet()
	}
}

// play plays lines whose condition holds; false if there is none.
func (p *player) play(lines []line) bool {
	any := false
	for i := range lines {
		if l := &lines[i]; p.holds(l.when, p.st) {
			any = true
			p.tell(l.tells)
		}
	}
	return any
}

// tell marks the secrets that a text gives away.
func (p *player) tell(tells [][]int) {
	if tells == nil {
		return
	}
	lang := 0
	if p.m.lang >= 0 {
		lang = p.st[p.m.lang]
	}
	for _, i := range tells[lang] {
		p.st[i] = 1
	}
}

// greet lets those greet who are there and did not yet, as far as that can be
// told from anything.
func (p *player) greet() {
	for _, c := range p.cast(nil) {
		if x := &p.m.people[c]; x.greeted >= 0 && p.st[x.greeted] == 0 {
			p.st[x.greeted] = 1
			p.tell(x.greets)
		}
	}
}
