package plottree

import (
	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

// evidence lists the recorded turns of each beat and exit, by "beat node.id".
type evidence map[string][]Evidence

func (e evidence) of(kind, id string) []Evidence {
	return append([]Evidence{}, e[kind+" "+id]...)
}

// collectEvidence visits every selected turn once: branches share prefixes.
func collectEvidence(in export.Input) evidence {
	found, seen := evidence{}, map[story.ID]bool{}
	for _, b := range in.Branches {
		for _, s := range b.Steps {
			if seen[s.Alternative.ID] {
				continue
			}
			seen[s.Alternative.ID] = true
			add := func(key, quote string) {
				found[key] = append(found[key], Evidence{b.ID, s.Turn.ID, quote})
			}
			for _, f := range append(append([]plot.Fired{}, s.Turn.Fired...), s.Alternative.Fired...) {
				add("beat "+f.Beat, f.Evidence.Quote)
			}
			for _, d := range s.Alternative.Delivered {
				add("anchor "+d.Anchor, d.Evidence.Quote)
			}
			for _, t := range []*plot.Taken{s.Turn.Taken, s.Alternative.Taken} {
				if t != nil {
					add("exit "+t.Exit, t.Evidence.Quote)
				}
			}
		}
	}
	return found
}

// recorded gives the utterances of the selected branches as lines, each once,
// in the order of the branches. What the player said is the player's line. One
// that was promoted is an authored line now.
func recorded(in export.Input) []Line {
	lines, seen := []Line{}, map[string]bool{}
	spoken(in, func(id string, l Line) {
		if !seen[id] && !in.ApprovedOnly && in.Script.Line(id) == nil {
			l.ID, l.At, l.Status = id, "talk", "recorded"
			lines = append(lines, l)
		}
		seen[id] = true
	})
	return lines
}

// origins says where each numbered utterance was recorded.
func origins(in export.Input) map[string]*From {
	out := map[string]*From{}
	spoken(in, func(id string, l Line) {
		if out[id] == nil {
			out[id] = l.From
		}
	})
	return out
}

// spoken visits the numbered utterances of the branches; what they share, once
// for each.
func spoken(in export.Input, visit func(id string, l Line)) {
	for _, b := range in.Branches {
		node := ""
		for _, s := range b.Steps {
			t, a := s.Turn, s.Alternative
			if id := in.Numbers[export.Utterance{Turn: t.ID}]; id != "" {
				visit(id, Line{Node: node, Speaker: "player", Text: Text{b.Language: t.Input.Text}, Cues: []string{}, From: &From{Branch: b.ID, Turn: t.ID}})
			}
			if id := in.Numbers[export.Utterance{Turn: t.ID, Alternative: a.ID}]; id != "" {
				visit(id, Line{Node: t.Before.Node, Speaker: a.Speaker, Text: Text{spokenIn(in.Script, b, a): a.Text}, Cues: orEmpty(a.Cues),
					From: &From{Branch: b.ID, Turn: t.ID, Alternative: a.ID, Human: a.Human}})
			}
			node = a.State.Node
		}
	}
}

// spokenIn is the language of a reply: some personas speak one of their own.
func spokenIn(script *plot.Script, b export.Branch, a story.Alternative) string {
	if p := script.Persona(a.Speaker); p != nil {
		return p.Language(b.Language)
	}
	return b.Language
}
