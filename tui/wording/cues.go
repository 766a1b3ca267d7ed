package wording

import (
	"strings"

	"fabula/story/cues"
	"fabula/tui/text"
)

// Directions words cues by their ids, in the language of the playthrough, each with
// its marks as it stands behind a line.
func (w Wording) Directions(ids []string) []string {
	open, close := " (", ")"
	if strings.HasPrefix(w.Speaks, "zh") {
		open, close = "（", "）"
	}
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = open + text.Line(cues.Word(w.Script.Cues, id, w.Speaks)) + close
	}
	return out
}

// Said gives a reply with its stage directions in words: where a model wrote the
// id of a cue between marks, its word stands there. The cues are those of the
// text that comes back.
func (w Wording) Said(s string) (string, []cues.Cue) {
	found := cues.Parse(s, w.Script.Cues)
	var b strings.Builder
	done := 0
	for i, c := range found {
		inner := s[c.Start:c.End]
		open, close := firstRune(inner), lastRune(inner)
		b.WriteString(s[done:c.Start])
		done = c.End
		word := text.Line(cues.Word(w.Script.Cues, c.ID, w.Speaks))
		if named(inner[open:len(inner)-close], c.ID, word) {
			inner = inner[:open] + word + inner[len(inner)-close:]
		}
		found[i].Start = b.Len()
		b.WriteString(inner)
		found[i].End = b.Len()
	}
	b.WriteString(s[done:])
	return b.String(), found
}

// named reports whether a direction holds no more than the name of its cue: the id,
// or, where the play is in another script, the id's words in some form ("nods").
func named(direction, id, word string) bool {
	if strings.EqualFold(direction, id) {
		return true
	}
	return text.IsASCII(direction) && !text.IsASCII(word) && len(strings.Fields(direction)) == strings.Count(id, "_")+1
}

func firstRune(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

func lastRune(s string) int {
	at := 0
	for i := range s {
		at = i
	}
	return len(s) - at
}
