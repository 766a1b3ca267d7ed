package chatlog

import (
	"slices"

	"fabula/story"
	"fabula/story/plot"
)

// Talk cuts a chat into turns. who gives the persona that a name stands for, ""
// for one that is not known; unknown lists those.
func (l Log) Talk(who func(name string) string) (talk story.Talk, unknown []string) {
	talk.With = who(l.Character)
	for _, m := range l.Messages {
		switch {
		case m.Narrator:
			narrate(&talk, m)
		case m.User:
			ask(&talk, m)
		default:
			id := who(m.Name)
			if id == "" && !slices.Contains(unknown, m.Name) {
				unknown = append(unknown, m.Name)
			}
			answer(&talk, m, id)
		}
	}
	return talk, unknown
}

// current gives the turn that waits for a reply, a new one where none does.
func current(t *story.Talk, m Message) *story.Told {
	if n := len(t.Turns); n == 0 || len(t.Turns[n-1].Replies) > 0 {
		t.Turns = append(t.Turns, story.Told{Made: m.Sent})
	}
	return &t.Turns[len(t.Turns)-1]
}

func narrate(t *story.Talk, m Message) {
	told := current(t, m)
	told.Lines = append(told.Lines, plot.Played{ID: "narration.imported", Text: m.Texts[m.Chosen], Kind: "line"})
}

// ask begins a turn; two lines of the player in a row are one. The first turn
// of a talk is the opening, in which the player says nothing.
func ask(t *story.Talk, m Message) {
	if len(t.Turns) == 0 {
		t.Turns = append(t.Turns, story.Told{Made: m.Sent})
	}
	told := current(t, m)
	if len(t.Turns) == 1 {
		t.Turns = append(t.Turns, story.Told{Made: m.Sent})
		told = &t.Turns[1]
	}
	if told.Player != "" {
		told.Player += "\n\n"
	}
	told.Player += m.Texts[m.Chosen]
	told.Made = m.Sent
}

func answer(t *story.Talk, m Message, id string) {
	told := current(t, m)
	told.Chosen = m.Chosen
	for _, text := range m.Texts {
		told.Replies = append(told.Replies, story.Said{By: id, Text: text, Made: m.Sent})
	}
}
