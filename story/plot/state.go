package plot

import (
	"maps"
	"slices"
)

// State is where one path through the plot stands. It is stored whole with
// each alternative. Beats, exits, visits, told and greeted belong to the path:
// re-entry does not reset them. Keys of beats and exits are "node.id".
type State struct {
	Node       string           `json:"node"`
	Vars       map[string]Value `json:"vars"`
	Beats      map[string]int   `json:"beats,omitempty"`   // times fired
	Exits      map[string]int   `json:"exits,omitempty"`   // times taken
	Visits     map[string]int   `json:"visits,omitempty"`  // entries of a node
	Told       map[string]int   `json:"told,omitempty"`    // "npc.secret" → times told
	Learned    map[string]int   `json:"learned,omitempty"` // "npc:node.beat" → by tell
	Greeted    map[string]int   `json:"greeted,omitempty"` // personas that greeted
	Anchors    map[string]int   `json:"anchors,omitempty"` // "node.id" → times said
	Days       map[string]int   `json:"days,omitempty"`    // beat or exit → clock day it last happened
	Seen       map[string]int   `json:"seen,omitempty"`    // beat → in which of the last turns it seemed to happen, a bit each
	InTurn     []string         `json:"in_turn,omitempty"` // beats that fired since the turn began
	Turns      int              `json:"turns"`             // player turns in this visit
	TurnsTotal int              `json:"turns_total"`
	Given      []Given          `json:"given,omitempty"`   // remembered from before the playthrough
	Speaker    string           `json:"speaker,omitempty"` // who spoke last
	Confirm    string           `json:"confirm,omitempty"` // exit id that waits for a yes
	Ended      bool             `json:"ended,omitempty"`   // an ending was reached on this path
}

// Clone copies s deeply.
func (s State) Clone() State {
	c := s
	c.Vars = maps.Clone(s.Vars)
	c.Beats = maps.Clone(s.Beats)
	c.Exits = maps.Clone(s.Exits)
	c.Visits = maps.Clone(s.Visits)
	c.Told = maps.Clone(s.Told)
	c.Learned = maps.Clone(s.Learned)
	c.Greeted = maps.Clone(s.Greeted)
	c.Anchors = maps.Clone(s.Anchors)
	c.Days = maps.Clone(s.Days)
	c.Seen = maps.Clone(s.Seen)
	c.InTurn = slices.Clone(s.InTurn)
	return c
}

// Change is one variable's change, in the order of assignment.
type Change struct {
	Var    string `json:"var"`
	Before Value  `json:"before"`
	After  Value  `json:"after"`
}

// Played is an authored line as it was played: Text is in the language of the
// playthrough with {player} and {variable} expanded.
type Played struct {
	ID     string   `json:"id"` // "speaker.node.line", "narration.node.line"; greetings "npc.greeting"
	By     string   `json:"by,omitempty"`
	Text   string   `json:"text"`
	Cues   []string `json:"cues,omitempty"`
	Kind   string   `json:"kind"` // line, greeting, anchor, confirm
	Status string   `json:"status,omitempty"`
}

// Fired is a beat that fired, with the words that made it fire.
type Fired struct {
	Beat     string   `json:"beat"` // "node.id"
	By       string   `json:"by"`   // player or a persona id
	Evidence Evidence `json:"evidence"`
	Changes  []Change `json:"changes,omitempty"`
	Lines    []Played `json:"lines,omitempty"`
}

// Evidence is the span of the text that matched, in bytes of that text.
type Evidence struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Quote string `json:"quote"`
	Rule  string `json:"rule"` // "any 1: here are the herbs"
	// Rung is how it was noticed, Score how sure that is (0 to 1), and Against the
	// score of what speaks against it.
	Rung    Rung    `json:"rung,omitempty"`
	Score   float64 `json:"score,omitempty"`
	Against float64 `json:"against,omitempty"`

	idle bool // asked, supposed or quoted
}

// Offer is an exit of the present node as it stands now.
type Offer struct {
	Exit  *Exit  `json:"-"`
	ID    string `json:"id"`
	To    string `json:"to"`
	Label string `json:"label"`
	Open  bool   `json:"open"`
	Why   string `json:"why,omitempty"` // the source of the condition that closes it
	Said  bool   `json:"said,omitempty"`
}

// Taken is what taking an exit did.
type Taken struct {
	Exit     string   `json:"exit"` // "node.id"
	By       string   `json:"by"`   // choice, said, auto
	Evidence Evidence `json:"evidence,omitzero"`
	Changes  []Change `json:"changes,omitempty"`
	Lines    []Played `json:"lines,omitempty"` // of the exit, then of the node entered
}
