package story

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"fabula/story/plot"
)

// ImportedTag marks a branch whose talk took place in another tool.
const ImportedTag = "imported"

// Talk is a conversation that took place elsewhere. The first turn is the
// opening: what was said before the player spoke.
type Talk struct {
	Name  string // of the branch; one like it where that is taken
	With  string // persona that it is with
	Node  string // where it is taken to have been; empty = outside the plot
	Turns []Told
	// Source is the hash of what it was read from, kept with the branch.
	Source string

	Language string            // of the playthrough; empty = the session's
	Set      map[string]string // variable → value, in a node
}

// Told is one turn of a Talk. Replies are alternatives; there may be none.
type Told struct {
	Player  string
	Lines   []plot.Played // told before the reply
	Replies []Said
	Chosen  int // which reply the talk went on from
	Made    time.Time
}

// Said is one reply.
type Said struct {
	By, Text string
	Made     time.Time
}

// Grown is a branch that a Talk became, with what is new of it.
type Grown struct {
	Branch              Branch
	Turns, Alternatives int
}

// Grafts are records that are stored together.
type Grafts struct {
	Playthroughs []Playthrough
	Turns        []Turn
	Alternatives []Alternative
	Branches     []Branch
}

// Grafter is a Store that can take many records in one transaction.
type Grafter interface{ Graft(Grafts) error }

// Graft stores talks as branches, all of them or none. Talks that begin alike
// share their beginning. No beat fires and no exit is taken: nobody said any of
// it to this plot. Errors: ErrReadOnly without a store that can; ErrNotFound
// for an unknown node.
func (s *Session) Graft(talks []Talk) ([]Grown, error) {
	into, ok := s.store.(Grafter)
	if !ok {
		return nil, fmt.Errorf("graft: %w", ErrReadOnly)
	}
	script := s.refresh()
	g := grafting{session: s, script: script, shared: map[string]grown{}}
	var out []Grown
	for _, t := range talks {
		one, err := g.talk(t)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, into.Graft(g.all)
}

// grafting makes the records of talks.
type grafting struct {
	session *Session
	script  *plot.Script
	all     Grafts
	shared  map[string]grown // what was said so far → where that is
}

// grown is a place in the tree that is being made.
type grown struct {
	playthrough, alternative ID
	state                    plot.State
}

func (g *grafting) talk(t Talk) (Grown, error) {
	if len(t.Turns) == 0 {
		return Grown{}, fmt.Errorf("graft %s: nothing was said: %w", t.Name, ErrNothing)
	}
	name, err := g.name(t.Name)
	if err != nil {
		return Grown{}, err
	}
	out := Grown{Branch: Branch{ID: g.session.id(), Name: name, Tags: []string{ImportedTag}, Source: t.Source, Made: g.session.now(), Touched: g.session.now()}}
	if t.Node == "" {
		out.Branch.Tags = append(out.Branch.Tags, SandboxTag)
	}
	at, key := grown{}, fmt.Sprint(t.With, t.Language, t.Set)
	for depth, told := range t.Turns {
		key = strings.Join([]string{key, told.Player, chosen(told).By, chosen(told).Text, textsOf(told.Lines)}, "\x00")
		if known, ok := g.shared[key]; ok {
			at = known
			continue
		}
		if at, err = g.turn(t, told, depth, at, out.Branch.ID); err != nil {
			return out, err
		}
		g.shared[key] = at
		out.Turns++
		out.Alternatives += max(len(told.Replies), 1)
	}
	out.Branch.Playthrough, out.Branch.Leaf = at.playthrough, at.alternative
	g.all.Branches = append(g.all.Branches, out.Branch)
	return out, nil
}

func chosen(t Told) Said {
	if t.Chosen < len(t.Replies) {
		return t.Replies[t.Chosen]
	}
	return Said{}
}

func textsOf(lines []plot.Played) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return strings.Join(all, "\n")
}

// turn makes a turn with its alternatives below a place, and gives the place
// that the talk went on from.
func (g *grafting) turn(t Talk, told Told, depth int, at grown, branch ID) (grown, error) {
	s := g.session
	if depth == 0 {
		p, _, err := s.opening(g.script, Start{Node: t.Node, Sandbox: t.Node == "", Language: t.Language, Set: t.Set})
		if err != nil {
			return at, err
		}
		at = grown{playthrough: p.turn.Playthrough, state: p.turn.Before}
		g.all.Playthroughs = append(g.all.Playthroughs, Playthrough{ID: at.playthrough, Root: p.turn.ID, Language: p.lang, Node: t.Node,
			Forced: t.Node != "", Sandbox: t.Node == "", Made: told.Made})
		return g.store(Turn{ID: p.turn.ID}, told, depth, at, branch), nil
	}
	return g.store(Turn{ID: s.id(), Input: Input{Text: told.Player, To: chosen(told).By, Next: told.Player == "", Sandbox: t.Node == ""}}, told, depth, at, branch), nil
}

func (g *grafting) store(turn Turn, told Told, depth int, at grown, branch ID) grown {
	turn.Playthrough, turn.Parent, turn.Branch, turn.Depth = at.playthrough, at.alternative, branch, depth
	turn.Before, turn.Speaker, turn.Status, turn.Made = at.state.Clone(), chosen(told).By, Finished, told.Made
	if told.Player != "" {
		turn.Before.Turns++
		turn.Before.TurnsTotal++
	}
	g.all.Turns = append(g.all.Turns, turn)
	replies := told.Replies
	if len(replies) == 0 {
		replies = []Said{{Made: told.Made}}
	}
	for i, r := range replies {
		a := Alternative{ID: g.session.id(), Turn: turn.ID, Speaker: r.By, Text: r.Text, Lines: told.Lines, State: turn.Before.Clone(), Status: Finished, Made: r.Made}
		if r.By != "" {
			a.State.Speaker = r.By
		}
		if depth == 0 && r.Text != "" { // nobody was asked: it is a greeting
			a.Speaker, a.Text = "", ""
			a.Lines = append(append([]plot.Played{}, told.Lines...), plot.Played{ID: r.By + ".greeting", By: r.By, Text: r.Text, Kind: "greeting"})
		}
		g.all.Alternatives = append(g.all.Alternatives, a)
		if i == min(told.Chosen, len(replies)-1) {
			at = grown{at.playthrough, a.ID, a.State}
		}
	}
	return at
}

// name gives a branch name that is free, the talk's own if it is.
func (g *grafting) name(asked string) (string, error) {
	taken := func(n string) bool {
		for _, b := range g.all.Branches {
			if b.Name == n {
				return true
			}
		}
		return false
	}
	name, err := g.session.freeName(asked, "imported")
	for n := 2; err == nil && taken(name) || errors.Is(err, ErrExists); n++ {
		name, err = g.session.freeName(fmt.Sprintf("%s-%d", asked, n), "imported")
	}
	return name, err
}
