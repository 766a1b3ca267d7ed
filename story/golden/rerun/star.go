package rerun

import (
	"slices"
	"strconv"

	"fabula/personas/source/emit"
	"fabula/story"
	"fabula/story/golden"
	"fabula/story/plot"
)

// mostBefore is how many turns before a starred reply are kept with it.
const mostBefore = 4

// FreeID gives an id for a golden reply of an NPC that none of those there has.
func FreeID(npc string, taken []string) string {
	id := npc
	for n := 2; slices.Contains(taken, id); n++ {
		id = npc + "_" + strconv.Itoa(n)
	}
	return id
}

// Star makes a golden reply of the last step of a path.
func Star(script *plot.Script, language string, path []story.Step) golden.Reply {
	last := path[len(path)-1]
	t, a := last.Turn, last.Alternative
	g := golden.Reply{NPC: a.Speaker, Language: language, Say: t.Input.Text, Reply: a.Text, Distance: standardDistance}
	if t.Before.Node != script.Start {
		g.Node = t.Before.Node
	}
	first := script.Initial()
	for _, v := range script.Vars {
		if now := t.Before.Vars[v.ID]; now != first.Vars[v.ID] {
			g.State = append(g.State, golden.Setting{Var: v.ID, Value: now.String()})
		}
	}
	for _, step := range path[max(len(path)-1-mostBefore, 0) : len(path)-1] {
		if x := step.Alternative; x.Text != "" {
			g.Before = append(g.Before, golden.Exchange{Say: step.Turn.Input.Text, By: other(x.Speaker, a.Speaker), Reply: x.Text})
		}
	}
	return g
}

// standardDistance is the most that a voice may move where nobody says otherwise.
const standardDistance = 2

func other(speaker, npc string) string {
	if speaker == npc {
		return ""
	}
	return speaker
}

// File writes a golden reply as a file of golden/, with comments above it.
func File(g golden.Reply, comments ...string) []byte {
	var state emit.Object
	for _, s := range g.State {
		state = append(state, emit.Field{Key: s.Var, Value: emit.Raw(s.Value)})
	}
	var before emit.List
	for _, e := range g.Before {
		before = append(before, emit.Object{{Key: "say", Value: e.Say}, {Key: "by", Value: e.By}, {Key: "reply", Value: e.Reply}})
	}
	one := emit.Object{{Key: "id", Value: emit.Raw(g.ID)}, {Key: "npc", Value: emit.Raw(g.NPC)}, {Key: "language", Value: emit.Raw(g.Language)},
		{Key: "node", Value: emit.Raw(g.Node)}, {Key: "state", Value: state}, {Key: "before", Value: before},
		{Key: "say", Value: g.Say}, {Key: "reply", Value: g.Reply}, {Key: "must_know", Value: list(g.MustKnow)}, {Key: "must_not_know", Value: list(g.MustNot)}}
	return emit.File(emit.Object{{Key: "replies", Value: emit.List{one}}}, comments...)
}

func list(all []string) emit.List {
	var out emit.List
	for _, s := range all {
		out = append(out, s)
	}
	return out
}
