// Package playtest holds scripted playtests as authored in playtests/*.yaml.
//
// Non-goals: running them; that takes a session.
package playtest

import (
	"fabula/personas"
	"fabula/personas/source"
)

// Playtest is one script of what a player does and what must come of it.
type Playtest struct {
	ID     string
	Was    []string
	Start  Start
	Seed   *uint64 // nil: one is drawn
	Script []Step
	Pos    source.Pos
}

// Start is where a playtest begins. An empty Node is the world's start.
type Start struct {
	Node   string
	State  []Setting
	Memory []Memory
	Pos    source.Pos
}

// Setting gives a variable its value before the first turn.
type Setting struct {
	Var   string
	Value string // as typed; the script checks it against the domain
	Pos   source.Pos
}

// Memory is what NPCs remember from before; By empty means everybody.
type Memory struct {
	By   []string
	Text personas.Text
}

// Step is one step of a script. Just one of Say, Choose, Expect and Players is
// set; Choose may go with Say, as on the screen.
type Step struct {
	Say     personas.Text
	To      string // whom the player addresses
	Choose  string // exit
	Expect  *Expect
	Players *Players
	Pos     source.Pos
}

// Expect is what must hold after the step before.
type Expect struct {
	Node         string
	Beat         string // "node.beat", fired by the last turn
	Exit         string // "node.exit", taken by the last turn
	State        source.Cond
	Choices      []string // exits that must be open
	Ended        *bool
	Prompt       *Prompt
	Reply        *Reply
	FirstTokenMS int // most milliseconds to the first token, 0 = any
	Pos          source.Pos
}

// Prompt is what the prompt of an NPC must and must not hold. It needs no engine.
type Prompt struct {
	NPC        string
	Has, Lacks []personas.Text
}

// Reply is what must hold for the text of the last reply.
type Reply struct {
	Matches, NotMatches []personas.Text
	MaxWords            int // words or CJK characters, 0 = any
	NoTaboo             bool
}

// Players lets a simulated player play on.
type Players struct {
	Kind  string
	Turns int
}
