// Package story plays a script: it keeps the transcript tree of a world and
// takes one turn at a time through plot, prompt, engine and store.
//
//	Say(input) → plot (player's side) → store.Begin → prompt.Assemble
//	   → engine.Generate → Running (buffer, live file) → plot (NPC's side)
//	   → store.Finish
//
// A session knows no screen and no file format. Non-goals: loading worlds,
// choosing engines, drawing.
package story

import (
	"time"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// ID is a ULID: sorts by time of making, unique over all worlds.
type ID string

// Playthrough is one root of the tree: a start state and a language.
type Playthrough struct {
	ID       ID        `json:"id"`
	Root     ID        `json:"root"`           // the opening turn
	Language string    `json:"language"`       // what NPCs speak
	Node     string    `json:"node,omitempty"` // asked start, if not the script's
	Forced   bool      `json:"forced,omitempty"`
	Sandbox  bool      `json:"sandbox,omitempty"`
	Made     time.Time `json:"made"`
}

// Turn is one player input under a parent alternative. The opening has no
// parent and no input.
type Turn struct {
	ID          ID            `json:"id"`
	Playthrough ID            `json:"playthrough"`
	Parent      ID            `json:"parent,omitempty"` // alternative; empty for an opening
	Branch      ID            `json:"branch,omitempty"` // on which it was sent
	Depth       int           `json:"depth"`            // 0 = opening; the n of BRANCH@n
	Input       Input         `json:"input"`
	Fired       []plot.Fired  `json:"fired,omitempty"`    // the player's beats
	Doubts      []plot.Doubt  `json:"doubts,omitempty"`   // beats that may have happened
	Decided     []Decision    `json:"decided,omitempty"`  // what a person said of them
	Taken       *plot.Taken   `json:"taken,omitempty"`    // the exit of this turn
	Declined    string        `json:"declined,omitempty"` // exit id whose confirm got no yes
	Lines       []plot.Played `json:"lines,omitempty"`    // while pending: authored lines of the alternative to come
	Before      plot.State    `json:"before"`             // S1: what the prompt saw
	Speaker     string        `json:"speaker,omitempty"`  // who is to reply; empty = nobody
	Status      Status        `json:"status"`
	Made        time.Time     `json:"made"`
	Children    []ID          `json:"children,omitempty"` // alternatives, oldest first
}

// Input is what a player did in one turn.
type Input struct {
	Text    string   `json:"text,omitempty"`
	To      string   `json:"to,omitempty"`      // addressed persona
	Choose  string   `json:"choose,omitempty"`  // exit id
	Next    bool     `json:"next,omitempty"`    // let the next NPC speak, no player line
	Sandbox bool     `json:"sandbox,omitempty"` // outside the plot
	Jump    string   `json:"jump,omitempty"`    // node that was jumped to: a forced turn, no reply
	Mark    []string `json:"mark,omitempty"`    // beats that happen with it, because the person says so
}

// Decision is what a person says of a beat.
type Decision struct {
	Beat     string `json:"beat"` // "node.id"
	Happened bool   `json:"happened"`
}

// Status says how far a turn or alternative came.
type Status string

// The states a turn goes through.
const (
	Pending  Status = "pending"  // the input is stored, the reply is not
	Finished Status = "finished" // the reply is stored
	Failed   Status = "failed"   // no token came; the input is kept
)

// Alternative is one reply (or only authored lines) and the state after it.
type Alternative struct {
	ID        ID               `json:"id"`
	Turn      ID               `json:"turn"`
	Speaker   string           `json:"speaker,omitempty"` // empty: authored lines only
	Text      string           `json:"text,omitempty"`
	Cues      []string         `json:"cues,omitempty"`
	Lines     []plot.Played    `json:"lines,omitempty"` // authored lines in play order, before Text
	After     []plot.Played    `json:"after,omitempty"` // authored lines played after Text (anchors, auto exit)
	Fired     []plot.Fired     `json:"fired,omitempty"` // the NPC's beats
	Doubts    []plot.Doubt     `json:"doubts,omitempty"`
	Decided   []Decision       `json:"decided,omitempty"`   // what a person said of them
	Delivered []plot.Delivered `json:"delivered,omitempty"` // anchors
	Taken     *plot.Taken      `json:"taken,omitempty"`     // an auto exit
	State     plot.State       `json:"state"`               // S2
	Findings  []lint.Finding   `json:"findings,omitempty"`
	Human     bool             `json:"human,omitempty"` // written or edited by hand
	Reply     *Reply           `json:"reply,omitempty"` // how it was made; nil without an engine
	Status    Status           `json:"status"`
	Title     string           `json:"title,omitempty"`
	Mark      bool             `json:"mark,omitempty"`
	Made      time.Time        `json:"made"`
	Children  []ID             `json:"children,omitempty"` // turns below, oldest first
}

// Reply holds the provenance and the timing of a generated text.
type Reply struct {
	Engine   engine.Info     `json:"engine"`
	Step     string          `json:"step"`          // full, recall, …: the rung that answered
	Why      string          `json:"why,omitempty"` // why not the full engine: a code, or a sentence
	WhyArgs  []string        `json:"why_args,omitempty"`
	Sampling engine.Sampling `json:"sampling"`
	Seed     uint64          `json:"seed"`
	Reason   engine.Reason   `json:"reason"`
	Detail   string          `json:"detail,omitempty"`
	Fork     *Fork           `json:"fork,omitempty"`    // the reply whose first tokens it shares
	Blocked  string          `json:"blocked,omitempty"` // code of the rule that ended it
	// Fault is the code of what ended the reply, where one is known.
	Fault     string           `json:"fault,omitempty"`
	FaultArgs []string         `json:"fault_args,omitempty"`
	Persona   Version          `json:"persona"`
	Script    string           `json:"script"`            // hash of the world
	Prompt    string           `json:"prompt"`            // SHA-256 over the segments
	Segments  []SegmentRef     `json:"segments"`          // texts are blobs in the store
	Dropped   []prompt.Dropped `json:"dropped,omitempty"` // what did not fit
	Without   []prompt.Part    `json:"without,omitempty"` // what the request left out on purpose
	// Because says what called for a segment, by its source: the keys of lore, the
	// terms of a recollection.
	Because map[string][]string `json:"because,omitempty"`
	Prefill engine.Prefill      `json:"prefill"`
	Odds    *engine.Odds        `json:"odds,omitempty"` // of a grounded reply: what the model chose from
	Tokens  []engine.Token      `json:"tokens,omitempty"`
	Stats   engine.Stats        `json:"stats"`
	TTFT    time.Duration       `json:"ttft"` // 0 when no token came
	Total   time.Duration       `json:"total"`
}

// Version identifies a persona's wording: an ordinal per world and a hash.
type Version struct {
	Ordinal int    `json:"ordinal"`
	Hash    string `json:"hash"`
}

// SegmentRef is a prompt segment whose text lies in the store's blobs.
type SegmentRef struct {
	Kind   prompt.Kind `json:"kind"`
	Source string      `json:"source"`
	Role   engine.Role `json:"role"`
	Tokens int         `json:"tokens"`
	Blob   string      `json:"blob"` // SHA-256 of the text, hex
}

// Branch names a leaf. A branch is a playthrough seen from its leaf, not a
// chat with one NPC.
type Branch struct {
	ID          ID        `json:"id"`
	Name        string    `json:"name"`
	Playthrough ID        `json:"playthrough"`
	Leaf        ID        `json:"leaf"` // alternative
	Tags        []string  `json:"tags,omitempty"`
	Source      string    `json:"source,omitempty"` // of an imported one: the hash of what it was made of
	Made        time.Time `json:"made"`
	Touched     time.Time `json:"touched"`
	Hidden      time.Time `json:"hidden,omitzero"` // deleted then, and not purged yet
	// Past are the moves of the leaf that were no step further, newest last; Ahead
	// those that Undo took back.
	Past  []Move `json:"past,omitempty"`
	Ahead []Move `json:"ahead,omitempty"`
}

// Step is one turn of a path with the alternative that was taken.
type Step struct {
	Turn        Turn
	Alternative Alternative
}
