package export

import (
	"fmt"
	"slices"
	"strings"

	"fabula/story"
)

// Numbers gives every recorded utterance its stable line id,
// "speaker.node.l0100" in steps of 100.
//
// Ids are counted over the whole tree in the order of making. A Ledger keeps
// them, so that an id once given never moves and is never reused.
type Numbers map[Utterance]string

// Utterance is a player line (Alternative empty) or a reply.
type Utterance struct {
	Turn        story.ID
	Alternative story.ID
}

type spoken struct {
	at    Utterance
	made  story.ID
	who   string
	where string
}

// walk numbers the lines of the whole tree, and keeps the alternatives beside
// each other of the turns that are wanted.
func walk(r story.Reader, wanted map[story.ID]bool, ids *Ledger) (Numbers, map[story.ID][]story.Alternative, error) {
	var all []spoken
	beside := map[story.ID][]story.Alternative{}
	node := map[story.ID]string{} // where each alternative left the plot
	err := r.Walk(func(t story.Turn, alternatives []story.Alternative) error {
		if wanted[t.ID] && len(alternatives) > 1 {
			beside[t.ID] = light(alternatives)
		}
		if t.Input.Text != "" {
			all = append(all, spoken{Utterance{Turn: t.ID}, t.ID, "player", node[t.Parent]})
		}
		for _, a := range alternatives {
			node[a.ID] = a.State.Node
			if a.Text != "" && a.Speaker != "" {
				all = append(all, spoken{Utterance{t.ID, a.ID}, a.ID, a.Speaker, t.Before.Node})
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("number lines: %w", err)
	}
	return ids.number(all), beside, nil
}

// light gives alternatives without what a token costs.
func light(list []story.Alternative) []story.Alternative {
	out := make([]story.Alternative, len(list))
	for i, a := range list {
		if a.Reply != nil {
			reply := *a.Reply
			reply.Tokens, reply.Segments, reply.Odds = nil, nil, nil
			a.Reply = &reply
		}
		out[i] = a
	}
	return out
}

func sortByID(branches []story.Branch) {
	slices.SortFunc(branches, func(a, b story.Branch) int { return strings.Compare(string(a.ID), string(b.ID)) })
}
