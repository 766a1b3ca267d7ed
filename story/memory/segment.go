package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
)

// segmentTurns is how many turns are summed up together: few enough that an edit
// makes little anew, enough that there is something to leave out.
const segmentTurns = 8

// Heard is one turn as an NPC lived through it.
type Heard struct {
	Turn        string
	Alternative string // that the path takes
	Depth       int
	Said        []Utterance
	Happened    []string // in words: ways that were taken, beats that nothing else tells of
	Event       bool     // a beat fired
}

// Utterance is what somebody said; without a Name it is narration.
type Utterance struct{ Name, Text string }

// Segment is a run of turns of a path that are summed up together.
type Segment struct {
	Hash   string // of the turns as they were heard, hex
	Turns  []Heard
	Closed bool // no later turn joins it
}

// Divide cuts a path into segments, oldest first. A segment depends on its own
// turns and on how many stand before them, so that all paths through the same
// turns have the same segments.
func Divide(turns []Heard, lang string) []Segment {
	var out []Segment
	for from := 0; from < len(turns); from += segmentTurns {
		to := min(from+segmentTurns, len(turns))
		out = append(out, Segment{Hash: hash(turns[from:to], lang), Turns: turns[from:to], Closed: to-from == segmentTurns})
	}
	return out
}

// hash tells what was heard in turns; texts are written with their lengths, so
// that no two segments can run together to the same bytes.
func hash(turns []Heard, lang string) string {
	h := sha256.New()
	put := func(all ...string) {
		for _, s := range all {
			_, _ = io.WriteString(h, strconv.Itoa(len(s))+":"+s)
		}
	}
	put("fabula-segment/1", lang)
	for _, t := range turns {
		put(t.Turn, t.Alternative, strconv.Itoa(len(t.Said)), strconv.Itoa(len(t.Happened)))
		for _, u := range t.Said {
			put(u.Name, u.Text)
		}
		put(t.Happened...)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
