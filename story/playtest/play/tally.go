package play

import (
	"maps"
	"slices"
	"strings"

	"fabula/story"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// Tally counts what runs came by: nodes entered, exits taken, seen open and
// seen closed, beats, anchors said, lore in prompts. Keys as in the world.
type Tally struct {
	Nodes, Taken, Open, Closed, Beats, Anchors, Lore map[string]int
}

// NewTally makes an empty one.
func NewTally() Tally {
	return Tally{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}}
}

// Count counts one step.
func (t Tally) Count(s *plot.Script, step story.Step, lang string) {
	a := step.Alternative
	t.Nodes[a.State.Node]++
	for _, taken := range []*plot.Taken{step.Turn.Taken, a.Taken} {
		if taken != nil {
			t.Taken[taken.Exit]++
		}
	}
	for _, o := range s.Offers(a.State, lang) {
		side := t.Closed
		if o.Open {
			side = t.Open
		}
		side[a.State.Node+"."+o.ID]++
	}
	for _, f := range append(slices.Clip(step.Turn.Fired), a.Fired...) {
		t.Beats[f.Beat]++
	}
	for id := range a.State.Anchors {
		t.Anchors[id] = max(t.Anchors[id], 1)
	}
	if a.Reply != nil {
		for _, seg := range a.Reply.Segments {
			if id, ok := strings.CutPrefix(seg.Source, "lore."); ok && seg.Kind == prompt.Lore {
				t.Lore[id]++
			}
		}
	}
}

// Add sums another tally.
func (t Tally) Add(o Tally) {
	for _, pair := range [][2]map[string]int{{t.Nodes, o.Nodes}, {t.Taken, o.Taken}, {t.Open, o.Open}, {t.Closed, o.Closed},
		{t.Beats, o.Beats}, {t.Anchors, o.Anchors}, {t.Lore, o.Lore}} {
		for k, n := range pair[1] {
			pair[0][k] += n
		}
	}
}

// Share is how much of one sort of thing was covered, and what was not.
type Share struct {
	What    string   `json:"what"`
	Covered int      `json:"covered"`
	Of      int      `json:"of"`
	Missed  []string `json:"missed"`
}

// Coverage holds a tally against a script.
func (t Tally) Coverage(s *plot.Script) []Share {
	var nodes, exits, guarded, beats, anchors, lore []string
	for _, n := range s.Nodes {
		nodes = append(nodes, n.ID)
		for _, e := range n.Exits {
			exits = append(exits, n.ID+"."+e.ID)
			if !e.When.Empty() && !e.Auto && (e.Said == nil || !e.Choice.Empty()) { // others are never offered
				guarded = append(guarded, n.ID+"."+e.ID)
			}
		}
		for _, b := range n.Beats {
			beats = append(beats, n.ID+"."+b.ID)
		}
		for _, a := range n.Anchors {
			anchors = append(anchors, n.ID+"."+a.ID)
		}
	}
	for _, l := range s.Lore {
		lore = append(lore, l.ID)
	}
	both := map[string]int{}
	for k := range maps.Keys(t.Open) {
		if t.Closed[k] > 0 {
			both[k] = 1
		}
	}
	return []Share{share("nodes", nodes, t.Nodes), share("exits", exits, t.Taken), share("guards, both sides", guarded, both),
		share("beats", beats, t.Beats), share("anchors", anchors, t.Anchors), share("lore", lore, t.Lore)}
}

func share(what string, all []string, seen map[string]int) Share {
	s := Share{What: what, Of: len(all), Missed: []string{}}
	for _, id := range all {
		if seen[id] > 0 {
			s.Covered++
			continue
		}
		s.Missed = append(s.Missed, id)
	}
	return s
}
