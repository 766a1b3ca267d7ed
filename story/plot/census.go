package plot

// Thread is something that a path began and left open.
type Thread struct {
	Kind string `json:"kind"` // anchor, beat, secret, question
	ID   string `json:"id"`   // "node.id", "npc.secret"
	Must bool   `json:"must,omitempty"`
}

// The kinds of threads.
const (
	AnchorThread   = "anchor"   // never said where its NPC was to say it
	BeatThread     = "beat"     // could have happened where the path came by, and did not
	SecretThread   = "secret"   // unlocked, and never told
	QuestionThread = "question" // asked before an exit, and not answered
)

// Census lists what a path left open, in script order: of the nodes that it
// came by, anchors that were never said and beats that never fired; secrets
// that were unlocked and never told; a question that waits.
func (s *Script) Census(st State) []Thread {
	var out []Thread
	for _, n := range s.Nodes {
		if st.Visits[n.ID] == 0 {
			continue
		}
		for _, a := range n.Anchors {
			if key := n.ID + "." + a.ID; st.Anchors[key] == 0 && s.HoldsIn(a.When, st, n.ID) {
				out = append(out, Thread{AnchorThread, key, a.Must})
			}
		}
		for _, b := range n.Beats {
			if key := n.ID + "." + b.ID; st.Beats[key] == 0 && s.HoldsIn(b.When, st, n.ID) {
				out = append(out, Thread{BeatThread, key, false})
			}
		}
	}
	for _, p := range s.Personas {
		for i := range p.Secrets {
			if key := p.ID + "." + p.Secrets[i].ID; st.Told[key] == 0 && s.Unlocked(p, &p.Secrets[i], st) {
				out = append(out, Thread{SecretThread, key, false})
			}
		}
	}
	if st.Confirm != "" {
		out = append(out, Thread{QuestionThread, st.Node + "." + st.Confirm, false})
	}
	return out
}
