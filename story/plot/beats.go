package plot

import (
	"math/bits"
	"slices"
)

// CountTurn counts a player turn with text, in this visit and in all.
func (s *Script) CountTurn(st *State) {
	st.Turns++
	st.TurnsTotal++
}

// PlayerBeats begins a turn and fires the beats that the player's input calls
// for: all are detected first in the state as it stands, then take effect in
// document order, each seeing the last. Call it once every turn, with empty
// input (which fires nothing) when the player said nothing.
func (s *Script) PlayerBeats(st *State, input, lang string) []Fired {
	st.InTurn = nil
	fired, _ := s.Hear(st, Hearing{By: "player", Text: input, Lang: lang})
	return fired
}

// NPCBeats does the same for the kept text of an NPC's reply; a beat that
// already fired in this turn does not fire again.
func (s *Script) NPCBeats(st *State, npc, text, lang string) []Fired {
	fired, _ := s.Hear(st, Hearing{By: npc, Text: text, Lang: lang})
	return fired
}

// Hearing is a text in which beats are looked for.
type Hearing struct {
	By     string // player, or a persona id
	Text   string
	Lang   string   // of authored lines
	Judge  Judge    // nil = nobody is asked
	Accept []string // beats, "node.id", that a person says happened
	Reject []string // that did not
}

// Doubt is a beat that may have happened: a person may accept or reject it.
type Doubt struct {
	Beat     string   `json:"beat"` // "node.id"
	By       string   `json:"by"`
	Evidence Evidence `json:"evidence"`
	Seen     int      `json:"seen,omitempty"` // in how many of the last turns
}

// Hear looks for beats in a text, fires those that happened and lists those
// that may have. A person's word outranks every rung.
func (s *Script) Hear(st *State, h Hearing) ([]Fired, []Doubt) {
	n := s.Node(st.Node)
	if n == nil || n.Ending != nil || h.Text == "" {
		return nil, nil // an epilogue has no beats
	}
	found, doubts := s.detect(st, n, h)
	var out []Fired
	for _, d := range found {
		out = append(out, s.fire(st, n, d, h.By, h.Lang))
	}
	return out, doubts
}

type detected struct {
	beat     *Beat
	evidence Evidence
}

func (s *Script) detect(st *State, n *Node, h Hearing) (found []detected, doubts []Doubt) {
	said := folded{}
	for _, b := range n.Beats {
		key := n.ID + "." + b.ID
		if b.Once && st.Beats[key] > 0 || slices.Contains(st.InTurn, key) || slices.Contains(h.Reject, key) {
			continue
		}
		if slices.Contains(h.Accept, key) {
			found = append(found, detected{b, Evidence{End: len(h.Text), Quote: h.Text, Rung: ByHand, Score: 1}})
			continue
		}
		if !b.hears(h.By) || !s.holds(b.When, st, n.ID) {
			continue
		}
		if b.Detect.unconditional() && b.Like == 0 {
			found = append(found, detected{b, Evidence{Rung: Always}})
			continue
		}
		if said.Text == nil {
			said = folds(h.Text)
		}
		v, e := b.notice(said, key, h.Text, h.Judge)
		switch fires := b.steady(st, key, v, e); {
		case fires:
			found = append(found, detected{b, e})
		case v != Not:
			doubts = append(doubts, Doubt{key, h.By, e, bits.OnesCount(uint(st.Seen[key]))})
		}
	}
	return found, doubts
}

// hears reports whether what `by` says can fire the beat.
func (b *Beat) hears(by string) bool {
	switch b.Speaker {
	case "", "player":
		return by == "player"
	case "npc":
		return by != "player"
	case "any":
		return true
	default:
		return by == b.Speaker
	}
}

func (s *Script) fire(st *State, n *Node, d detected, by, lang string) Fired {
	key := n.ID + "." + d.beat.ID
	bump(&st.Beats, key)
	delete(st.Seen, key)
	st.InTurn = append(slices.Clip(st.InTurn), key)
	fired := Fired{Beat: key, By: by, Evidence: d.evidence}
	fired.Changes = s.apply(st, d.beat.Effects, n.ID)
	s.learn(st, d.beat.Tell)
	s.remember(st, key)
	fired.Lines = s.play(st, n, "beat:"+d.beat.ID, lang)
	return fired
}
