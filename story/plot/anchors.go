package plot

import "slices"

// Delivered is an anchor that was said, or whose authored line was spoken since
// it was due.
type Delivered struct {
	Anchor   string   `json:"anchor"` // "node.id"
	By       string   `json:"by"`     // persona id
	Evidence Evidence `json:"evidence,omitzero"`
	Prompted bool     `json:"prompted,omitempty"` // the player had spoken of it
	Authored bool     `json:"authored,omitempty"` // the line was spoken instead
}

// Anchors marks the anchors of npc that text says, and returns the authored
// lines of those that are due: not said in as many player turns of this visit
// as `after` asks for. With one NPC answering a turn, those of the others that
// are present are due as well, or they never would be.
func (s *Script) Anchors(st *State, npc, text, lang string) []Played {
	_, due := s.Deliver(st, npc, "", text, lang)
	return due
}

// Deliver is Anchors that also tells which anchors were delivered, on which
// words, and whether the player's input had asked for them.
func (s *Script) Deliver(st *State, npc, input, text, lang string) ([]Delivered, []Played) {
	n := s.Node(st.Node)
	if n == nil {
		return nil, nil
	}
	var out []Delivered
	var due []Played
	spoken := folds(text)
	for _, a := range n.Anchors {
		key := n.ID + "." + a.ID
		if st.Anchors[key] > 0 || !s.holds(a.When, st, n.ID) {
			continue
		}
		_, asked := a.Detect.Match(input)
		if e, said := a.Detect.match(spoken, text); said && a.By == npc {
			bump(&st.Anchors, key)
			out = append(out, Delivered{Anchor: key, By: npc, Evidence: e, Prompted: asked})
		} else if s.due(st, n, a, npc) {
			bump(&st.Anchors, key)
			out = append(out, Delivered{Anchor: key, By: a.By, Prompted: asked, Authored: true})
			due = append(due, Played{
				ID: speakerOf(a.By) + "." + n.ID + "." + a.ID, By: a.By, Kind: "anchor",
				Text: s.speak(a.By, a.Line, st, lang),
			})
		}
	}
	return out, due
}

func (s *Script) due(st *State, n *Node, a *Anchor, npc string) bool {
	if a.After <= 0 || a.Line.Empty() || st.Turns < a.After {
		return false
	}
	if a.By == npc {
		return true
	}
	return n.Turns != "all" && slices.ContainsFunc(s.Cast(*st), func(m Member) bool { return m.NPC == a.By })
}
