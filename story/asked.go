package story

import "slices"

// query is what a reply answers: the player's line; of an NPC that speaks next
// without one, what somebody else said last.
func (s *Session) query(t Turn, a *asking) string {
	if text := s.asked(t); text != "" || !t.Input.Next {
		return text
	}
	for _, e := range slices.Backward(a.history) {
		for _, l := range slices.Backward(e.Lines) {
			if l.By != "" && l.By != a.persona.ID {
				return l.Text
			}
		}
	}
	return ""
}

// asked is the player's line of a turn. Who follows another with `turns: all`
// answers the line of the turn that it began with.
func (s *Session) asked(t Turn) string {
	for t.Input.Next && t.Input.To != "" && t.Parent != "" {
		a, err := s.reader.Alternative(t.Parent)
		if err != nil {
			return ""
		}
		if t, err = s.reader.Turn(a.Turn); err != nil {
			return ""
		}
	}
	return t.Input.Text
}
