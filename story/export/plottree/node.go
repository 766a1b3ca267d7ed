package plottree

import (
	"slices"

	"fabula/story/plot"
)

func (b builder) node(n *plot.Node, approvedOnly bool) (Node, []Line) {
	out := Node{
		ID: n.ID, Was: n.Was, Title: b.text(n.Title), When: b.condition(n.When), Turns: n.Turns,
		Scene: []Tag{}, Cast: []Member{}, OnEnter: b.effects(n.OnEnter), Beats: []Beat{}, Anchors: []Anchor{}, Lines: []string{}, Tell: tells(n.Tell),
	}
	if out.Turns == "" {
		out.Turns = "addressed"
	}
	if n.Ending != nil {
		out.Ending = &Ending{Kind: n.Ending.Kind}
	}
	for _, tag := range n.Scene {
		out.Scene = append(out.Scene, Tag{tag.Key, b.text(tag.Value)})
	}
	for _, m := range n.Cast {
		out.Cast = append(out.Cast, Member{m.NPC, b.condition(m.When), b.text(m.Goal)})
	}
	for _, beat := range n.Beats {
		out.Beats = append(out.Beats, b.beat(n, beat))
	}
	for _, a := range n.Anchors {
		out.Anchors = append(out.Anchors, Anchor{
			ID: a.ID, By: a.By, Say: b.text(a.Say), When: b.condition(a.When), Detect: b.detect(a.Detect),
			Must: a.Must, After: a.After, Line: b.text(a.Line), Evidence: b.found.of("anchor", n.ID+"."+a.ID),
		})
	}
	var lines []Line
	for _, l := range n.Lines {
		if approvedOnly && l.Status != "approved" {
			continue
		}
		line := b.line(n, l)
		out.Lines = append(out.Lines, line.ID)
		lines = append(lines, line)
	}
	return out, lines
}

func (b builder) line(n *plot.Node, l *plot.Line) Line {
	status := l.Status
	if status == "" {
		status = "draft"
	}
	id := plot.LineID(n.ID, l)
	return Line{
		ID: id, Node: n.ID, Speaker: l.By, At: l.At, When: b.condition(l.When), Text: b.text(l.Text), Cues: orEmpty(l.Cues),
		Status: status, Tells: b.secrets(l), Was: l.Was, From: b.origins[id],
	}
}

// secrets lists what a line tells, in any of its languages.
func (b builder) secrets(l *plot.Line) []string {
	var st plot.State
	var out []string
	for _, text := range l.Text.All() {
		for _, id := range b.script.ToldSecrets(&st, l.By, text) {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func tells(list []plot.Tell) []Tell {
	var out []Tell
	for _, t := range list {
		out = append(out, Tell{t.To, t.What})
	}
	return out
}

func (b builder) beat(n *plot.Node, beat *plot.Beat) Beat {
	speaker := beat.Speaker
	if speaker == "" {
		speaker = "player"
	}
	out := Beat{
		ID: beat.ID, Was: beat.Was, When: b.condition(beat.When), Speaker: speaker, Detect: b.detect(beat.Detect),
		Effects: b.effects(beat.Effects), Once: beat.Once, Irreversible: beat.Irreversible,
		Evidence: b.found.of("beat", n.ID+"."+beat.ID), Tell: tells(beat.Tell),
	}
	if r := beat.Remember; r != nil {
		out.Remember = &Remember{orEmpty(r.By), b.text(r.Text)}
	}
	for _, t := range beat.Fires {
		out.Examples = append(out.Examples, b.text(t))
	}
	return out
}

func (b builder) edges(n *plot.Node) []Edge {
	out := []Edge{}
	for _, x := range n.Exits {
		edge := Edge{
			From: n.ID, Exit: x.ID, Was: x.Was, To: x.To, Stay: x.Stay, Auto: x.Auto, Otherwise: x.Otherwise,
			Choice: b.text(x.Choice), When: b.condition(x.When), Effects: b.effects(x.Effects),
			Evidence: b.found.of("exit", n.ID+"."+x.ID), Tell: tells(x.Tell),
		}
		if x.Said != nil {
			said := b.detect(*x.Said)
			edge.Said = &said
		}
		if x.Confirm != nil {
			edge.Confirm = &Confirm{x.Confirm.By, b.text(x.Confirm.Text)}
		}
		out = append(out, edge)
	}
	return out
}
