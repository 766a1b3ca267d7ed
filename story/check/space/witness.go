package space

import "slices"

// Turn is what happens in one turn of a way.
type Turn struct {
	Say     string   `json:"say,omitempty"`    // text that does it, where one was found
	Choose  string   `json:"choose,omitempty"` // exit, "node.exit"
	Next    bool     `json:"next,omitempty"`   // the player lets the next of the cast speak
	Yes     bool     `json:"yes,omitempty"`    // Say answers a question
	To      string   `json:"to,omitempty"`     // who is addressed
	Exit    string   `json:"exit,omitempty"`   // exit that is said
	Asks    bool     `json:"asks,omitempty"`   // Exit is asked about first
	Fired   []string `json:"fired,omitempty"`  // beats of the player's side
	Replies []Reply  `json:"replies,omitempty"`

	spoke bool // the player says something
}

// Reply is what an NPC does in a turn.
type Reply struct {
	NPC   string   `json:"npc"`
	Text  string   `json:"text,omitempty"`  // that does it, where one was found
	Fired []string `json:"fired,omitempty"` // beats
	Told  []string `json:"told,omitempty"`  // secrets, "npc.secret"
	Said  []string `json:"said,omitempty"`  // anchors
	Auto  string   `json:"auto,omitempty"`  // exit that is taken by itself
}

// Step is one turn of a way, and what it changes. The first Step of a way is the
// start, without a turn.
type Step struct {
	Turn
	Node     string   `json:"node"`               // where the player then is
	Language string   `json:"language,omitempty"` // of the playthrough, on the first step where it matters
	Changes  []Change `json:"changes,omitempty"`
	Forced   bool     `json:"may_be_impossible,omitempty"` // no words were found that do exactly this
}

// Change is a value that a step changes.
type Change struct {
	Name   string `json:"name"` // as a condition writes it
	Before string `json:"before"`
	After  string `json:"after"`
}

// Witness gives a shortest way from the start to a state, and whether every step
// of it was played with words by story/plot, with the same outcome.
func (sp *Space) Witness(at At) (way []Step, played bool) {
	if at.run == nil || at.state < 0 {
		return nil, false
	}
	r := at.run
	chain := r.chain(at.state)
	p := newPlayer(r.m, new(newMarks(r.m)))
	before := make([]int, len(r.m.fields))
	r.m.unpack(before, r.table.row(chain[0]))
	g := newStage(r.m, before)
	way = []Step{{Node: r.m.nodes[before[0]].id, Changes: r.m.beginning(before)}}
	if r.m.lang >= 0 {
		way[0].Language = g.lang
	}
	played = slices.Equal(g.project(), before)
	for i, state := range chain[1:] {
		turn, after := r.turnTo(p, chain[i], state)
		step := Step{Turn: turn, Node: r.m.nodes[after[0]].id}
		if played = played && g.play(&step.Turn) && slices.Equal(g.project(), after); !played {
			step.Forced = true
		}
		step.Changes = r.m.changes(before, after)
		way = append(way, step)
		before = after
	}
	return way, played
}

// turnTo plays the turns of a state and gives the plainest that leads to
// another.
func (r *run) turnTo(p *player, from, to int) (Turn, []int) {
	r.m.unpack(p.from, r.table.row(from))
	copy(p.st, p.from)
	p.rest()
	p.tape.clear()
	var best *Turn
	for more := true; more; more = p.tape.advance() {
		copy(p.st, p.from)
		p.tape.rewind()
		p.move = &Turn{}
		p.turn()
		r.m.pack(r.row, r.m.bury(p.st))
		if equal(r.row, r.table.row(to)) && (best == nil || p.move.weight() < best.weight()) {
			best = p.move
		}
	}
	after := make([]int, len(p.st))
	r.m.unpack(after, r.table.row(to))
	return *best, after
}

// weight counts what is done in a turn.
func (t *Turn) weight() int {
	n := one(t.spoke) + 2*len(t.Fired) + one(t.Exit != "") + one(t.Choose != "")
	for _, r := range t.Replies {
		n += 2 * (len(r.Fired) + len(r.Told) + len(r.Said))
	}
	return n
}

// chain lists the states on the way to a state, from the start on.
func (r *run) chain(state int) []int {
	out := []int{state}
	for i := state; int(r.parents[i]) != i; {
		i = int(r.parents[i])
		out = append(out, i)
	}
	slices.Reverse(out)
	return out
}

// beginning lists the variables that entering the start changes.
func (m *model) beginning(st []int) []Change {
	at := make([]int, len(st))
	p := newPlayer(m, new(newMarks(m)))
	for i := range m.fields {
		if f := &m.fields[i]; f.v != nil {
			p.initial(i, f)
		}
	}
	copy(at, p.st)
	at[0] = st[0]
	return m.changes(at, st)
}

// changes lists what is different, as far as a condition could still ask for it.
func (m *model) changes(before, after []int) []Change {
	var out []Change
	for i := range m.fields {
		switch k := m.fields[i].kind; {
		case before[i] == after[i] || !m.nodes[after[0]].live[i]:
		case k == nodeField, k == langField, k == confirmField, k == speakerField, k == greetField, k == anchorField:
		default:
			out = append(out, Change{m.called(i), m.shown(i, before[i]), m.shown(i, after[i])})
		}
	}
	return out
}
