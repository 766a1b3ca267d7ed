// Package prompt assembles what an engine is asked, from plot state, persona
// and history. Assemble is pure: the same input gives the same bytes.
//
// Order, for KV reuse: stable parts first, then history, then one volatile
// block inside the last user message. A locked secret is never in it.
package prompt

import (
	"fabula/engine"
	"fabula/personas"
	"fabula/story/plot"
)

// Kind names a segment on screen and in exports.
type Kind string

// The kinds of segments in the order in which they are assembled.
const (
	Rules     Kind = "rules"
	Persona   Kind = "persona"
	Sample    Kind = "sample"
	Lore      Kind = "lore"
	Summary   Kind = "summary" // of history that no longer fits
	History   Kind = "history"
	Secret    Kind = "secret"
	Cover     Kind = "cover"
	Knows     Kind = "knows"
	Goal      Kind = "goal"
	Memory    Kind = "memory"
	Variables Kind = "variables"
	Scene     Kind = "scene"
	Anchor    Kind = "anchor"
	Line      Kind = "line" // the player's line
)

// Segment is one part of a prompt with its origin and size.
type Segment struct {
	Kind   Kind        `json:"kind"`
	Source string      `json:"source"` // "personas/adu.yaml", "landing.asks_herbs", a turn id
	Role   engine.Role `json:"role"`
	Text   string      `json:"text"`
	Tokens int         `json:"tokens"`

	Because []string `json:"because,omitempty"` // of a recollection, or of lore by its keys: the words that called for it
	Pinned  bool     `json:"pinned,omitempty"`  // of a recollection: a person wants it remembered
}

// Dropped is a part that did not fit, with the reason.
type Dropped struct {
	What   string `json:"what"`
	Why    string `json:"why"`
	Tokens int    `json:"tokens"`
}

// Prompt is what is sent, and what was left out. Messages are built from
// Segments; nothing else reaches the engine.
type Prompt struct {
	Segments  []Segment        `json:"segments"`
	Messages  []engine.Message `json:"-"`
	Dropped   []Dropped        `json:"dropped"`
	Tokens    int              `json:"tokens"` // all segments and control tokens
	Control   int              `json:"control_tokens"`
	Estimated bool             `json:"estimated,omitempty"` // no tokeniser was at hand
	Lore      []Traced         `json:"lore,omitempty"`      // every entry, where Input.Trace asks for it
}

// Exchange is one past turn as an NPC heard it.
type Exchange struct {
	Turn  string // turn id
	Lines []Spoken
}

// Spoken is one utterance of an exchange. By is "player", a persona id, or
// empty for narration.
type Spoken struct {
	By   string
	Text string
}

// Recollection is a past turn that comes back although it no longer fits as
// history.
type Recollection struct {
	Turn    string
	Text    string   // what was said, and by whom
	Day     int      // the world's clock then
	Ago     int      // turns since
	Because []string // terms that called for it
	Pinned  bool     // it comes because a person pinned it
}

// Past is a sentence about turns that no longer fit as history.
type Past struct {
	Source string // the summary that it is from
	Text   string
	Rank   int // the highest goes first where room is short
}

// Input is everything Assemble reads.
type Input struct {
	Script   *plot.Script
	State    plot.State // S1
	Speaker  *personas.Persona
	Language string     // of the reply
	History  []Exchange // oldest first
	Line     string     // the player's line, as typed; empty when nothing was said
	Opening  []Spoken   // authored lines played in this turn before the reply
	Kept     []Kept     // replies that may be said again; Candidates reads them
	Budget   Budget
	Without  []Part // what is left out to see what it does
	Trace    bool   // tell why each entry of lore is there, or is not
	// Recall gives, of the first left exchanges of History, which did not fit,
	// those that the line brings to mind, best first. nil = none ever.
	Recall func(left int) []Recollection
	// Past sums up the first left exchanges of History, in order of time, and
	// stands in their place; it depends on nothing else. nil = nothing does.
	Past  func(left int) []Past
	Count func([]engine.Message) (engine.Count, error) // nil: estimated
}

// Budget is the room a prompt has, in tokens.
type Budget struct {
	Window int // the engine's context window; 0 = no limit
	Reply  int // kept free for the reply
}
