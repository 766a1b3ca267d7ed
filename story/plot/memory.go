package plot

import (
	"slices"
	"strconv"

	"fabula/personas"
	"fabula/personas/lint"
)

// Memory is something an NPC keeps from a beat.
type Memory struct {
	Beat  string        // "node.beat"
	Text  personas.Text // as authored
	Day   int           // the clock when the beat last fired; 0 without a clock
	Times int           // how often it fired
	Heard bool          // the NPC was told, it did not see it
	Ever  bool          // of no particular day
}

// Given is something that NPCs remember from before a playthrough began; By
// empty means everybody.
type Given struct {
	By   []string      `json:"by,omitempty"`
	Text personas.Text `json:"text"`
}

// Memories lists what was given, then what npc keeps of this path, in script order: of beats that
// it saw, and of beats that it was told of. What `tell` says of exits and
// secrets is in State.Learned.
func (s *Script) Memories(st State, npc string) []Memory {
	var out []Memory
	for i, g := range st.Given {
		if len(g.By) == 0 || slices.Contains(g.By, npc) {
			out = append(out, Memory{Beat: "given." + strconv.Itoa(i+1), Text: g.Text, Times: 1, Ever: true})
		}
	}
	for _, n := range s.Nodes {
		for _, b := range n.Beats {
			key := n.ID + "." + b.ID
			if b.Remember == nil || st.Beats[key] == 0 {
				continue
			}
			saw := slices.Contains(b.Remember.By, npc)
			heard := st.Learned[npc+":"+key] > 0
			if saw || heard {
				out = append(out, Memory{Beat: key, Text: b.Remember.Text, Day: st.Days[key], Times: st.Beats[key], Heard: !saw})
			}
		}
	}
	return out
}

// remember notes the day on which a beat or exit happened, where the world has
// a clock.
func (s *Script) remember(st *State, key string) {
	if s.Clock == nil {
		return
	}
	if st.Days == nil {
		st.Days = map[string]int{}
	}
	st.Days[key] = st.Vars[s.Clock.Var].Int
}

// ToldSecrets marks the secrets of npc whose text or alias stands in text as
// told and gives them as "npc.secret", in file order.
func (s *Script) ToldSecrets(st *State, npc, text string) []string {
	p := s.Persona(npc)
	if p == nil || text == "" || len(p.Secrets) == 0 {
		return nil
	}
	var out []string
	for _, sec := range lint.NewWatch(p.Secrets).Told(text) {
		id := p.ID + "." + sec.ID
		bump(&st.Told, id)
		out = append(out, id)
	}
	return out
}

// Unlocked reports whether a secret may be in a prompt. A secret without a
// condition never is.
func (s *Script) Unlocked(_ *personas.Persona, sec *personas.Secret, st State) bool {
	return !sec.Unlock.Empty() && s.Holds(sec.Unlock, st)
}

// Locked lists the secrets of p that must not be told in st.
func (s *Script) Locked(p *personas.Persona, st State) []personas.Secret {
	var all []personas.Secret
	for i := range p.Secrets {
		if !s.Unlocked(p, &p.Secrets[i], st) {
			all = append(all, p.Secrets[i])
		}
	}
	return all
}
