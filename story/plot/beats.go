package plot

import "slices"

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
	return s.beats(st, "player", input, lang)
}

// NPCBeats does the same for the kept text of an NPC's reply; a beat that
// already fired in this turn does not fire again.
func (s *Script) NPCBeats(st *State, npc, text, lang string) []Fired {
	return s.beats(st, npc, text, lang)
}

type detected struct {
	beat     *Beat
	evidence Evidence
}

func (s *Script) beats(st *State, by, text, lang string) []Fired {
	n := s.Node(st.Node)
	if n == nil || n.Ending != nil || text == "" {
		return nil // an epilogue has no beats
	}
	var out []Fired
	for _, d := range s.detect(st, n, by, text) {
		out = append(out, s.fire(st, n, d, by, lang))
	}
	return out
}

func (s *Script) detect(st *State, n *Node, by, text string) []detected {
	var out []detected
	said := folded{}
	for _, b := range n.Beats {
		key := n.ID + "." + b.ID
		if !b.hears(by) || b.Once && st.Beats[key] > 0 || slices.Contains(st.InTurn, key) || !s.holds(b.When, st, n.ID) {
			continue
		}
		if b.Detect.unconditional() {
			out = append(out, detected{beat: b})
			continue
		}
		if said.Text == nil {
			said = folds(text)
		}
		if ev, ok := b.Detect.match(said, text); ok {
			out = append(out, detected{b, ev})
		}
	}
	return out
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
	st.InTurn = append(slices.Clip(st.InTurn), key)
	fired := Fired{Beat: key, By: by, Evidence: d.evidence}
	fired.Changes = s.apply(st, d.beat.Effects, n.ID)
	s.learn(st, d.beat.Tell)
	s.remember(st, key)
	fired.Lines = s.play(st, n, "beat:"+d.beat.ID, lang)
	return fired
}
