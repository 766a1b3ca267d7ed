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
// Ids are counted over the whole tree in the order of making. The tree only
// grows and ULIDs sort by time, so an id once given never moves and is never
// reused, without being stored anywhere.
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

func numberLines(r story.Reader) (Numbers, error) {
	var all []spoken
	node := map[story.ID]string{} // where each alternative left the plot
	err := r.Walk(func(t story.Turn, alternatives []story.Alternative) error {
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
		return nil, fmt.Errorf("number lines: %w", err)
	}
	slices.SortFunc(all, func(a, b spoken) int {
		return strings.Compare(string(a.made), string(b.made))
	})
	numbers, last := Numbers{}, map[string]int{}
	for _, s := range all {
		key := s.who + "." + s.where
		last[key] += 100
		numbers[s.at] = fmt.Sprintf("%s.l%04d", key, last[key])
	}
	return numbers, nil
}

func sortByID(branches []story.Branch) {
	slices.SortFunc(branches, func(a, b story.Branch) int { return strings.Compare(string(a.ID), string(b.ID)) })
}
