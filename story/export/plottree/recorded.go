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
// in the order of the branches. What the player said is the player's line.
func recorded(in export.Input) []Line {
	lines, seen := []Line{}, map[export.Utterance]bool{}
	add := func(b export.Branch, s story.Step, at export.Utterance, line Line) {
		id, numbered := in.Numbers[at]
		if seen[at] || !numbered || in.ApprovedOnly {
			return
		}
		seen[at] = true
		line.ID, line.At, line.Status = id, "talk", "recorded"
		line.From = &From{Branch: b.ID, Turn: s.Turn.ID, Human: s.Alternative.Human && at.Alternative != ""}
		lines = append(lines, line)
	}
	for _, b := range in.Branches {
		node := ""
		for _, s := range b.Steps {
			t, a := s.Turn, s.Alternative
			add(b, s, export.Utterance{Turn: t.ID}, Line{Node: node, Speaker: "player", Text: Text{b.Language: t.Input.Text}, Cues: []string{}})
			add(b, s, export.Utterance{Turn: t.ID, Alternative: a.ID}, Line{Node: t.Before.Node, Speaker: a.Speaker, Text: Text{spokenIn(in.Script, b, a): a.Text}, Cues: orEmpty(a.Cues)})
			node = a.State.Node
		}
	}
	return lines
}

// spokenIn is the language of a reply: some personas speak one of their own.
func spokenIn(script *plot.Script, b export.Branch, a story.Alternative) string {
	if p := script.Persona(a.Speaker); p != nil {
		return p.Language(b.Language)
	}
	return b.Language
}
