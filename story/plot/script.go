// Package plot holds the authored plot and its state: variables, nodes, exits,
// beats, and what entering, choosing and speaking do to the state.
//
// Everything here is pure: functions take a State and change only that State.
// Non-goals: prompts, engines, storing, searching the state space.
package plot

import (
	"sync"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/personas/source"
)

// Script is everything authored in one world, typed and resolved.
type Script struct {
	ID        string
	Title     personas.Text
	Era       personas.Text
	Languages []string // the first is what NPCs speak by default
	Player    Player
	Clock     *Clock
	Vars      []*Variable // in file order
	Start     string
	StartPos  source.Pos
	Taboo     []personas.Text
	Cues      Cues
	Lint      lint.Settings
	Sampling  personas.Sampling
	Engine    Engine
	Allow     []personas.Allow
	Personas  []*personas.Persona // by id
	Lore      []*personas.Lore    // by file, then file order
	Nodes     []*Node             // by file, then file order
	Labels    []Label             // by file, then file order
	Hash      string              // SHA-256 over all authored files

	index index // filled by Compile
}

// Player is the person's role.
type Player struct {
	Name  personas.Text
	Brief personas.Text
}

// Engine says what suits a world; a machine's configuration outranks it.
type Engine struct {
	Ladder       []string // kinds and names, best first
	FirstTokenMS int      // how long a reply may take to its first token; 0 = not said
	GapMS        int      // and from one token to the next
}

// Clock reads a variable as days; fabula never changes it.
type Clock struct {
	Var   string
	Start string // spring, summer, autumn, winter
	Pos   source.Pos
}

// Cues are the stage directions a world knows.
type Cues struct {
	Emotion, Action, Environment []string

	// Strict lets a model write no other direction between asterisks.
	Strict bool
	// More is what is written of a cue beside its id.
	More map[string]CueMore
}

// CueMore is how a cue is said, and what a game plays for it.
type CueMore struct {
	Words []personas.Text // wordings by which it is known, in any language
	Sound string          // name of a sound, for the game
	Light string          // name of a light, for the game
}

// Any reports whether the world has a cue at all.
func (c Cues) Any() bool { return len(c.Emotion)+len(c.Action)+len(c.Environment) > 0 }

// Node is one place and moment of the plot.
type Node struct {
	ID      string
	Was     []string
	Title   personas.Text
	Scene   []SceneTag // in file order: place, time, weather, music, mood, …
	Cast    []Member
	Turns   string // "addressed" (default) or "all"
	When    source.Cond
	OnEnter []Effect
	Lines   []*Line
	Anchors []*Anchor
	Beats   []*Beat
	Exits   []*Exit
	Ending  *Ending
	Tell    []Tell // on entering
	Extends string // set on an `extend` until Compile merges it into that node
	Allow   []personas.Allow
	Pos     source.Pos

	places places
}

// SceneTag is one entry of a scene.
type SceneTag struct {
	Key   string
	Value personas.Text
}

// Member is an NPC that may be present.
type Member struct {
	NPC  string
	When source.Cond
	Goal personas.Text
	Pos  source.Pos
}

// Line is authored text that is played as it stands. At is "enter",
// "exit:ID" or "beat:ID". By is empty for narration.
type Line struct {
	ID     string
	Was    []string
	At     string
	When   source.Cond
	By     string
	Text   personas.Text
	Cues   []string
	Status string // draft or approved
	Pos    source.Pos

	places places
	cues   []placedID
}

// Anchor is something an NPC is to say in a node.
type Anchor struct {
	ID     string
	By     string
	Say    personas.Text
	Detect Detect
	When   source.Cond
	Must   bool
	After  int // player turns before the authored Line is spoken instead
	Line   personas.Text
	Pos    source.Pos

	places places
}

// Beat is something that happens in talk and changes the state.
type Beat struct {
	ID           string
	Was          []string
	When         source.Cond
	Detect       Detect
	Speaker      string // player (default), npc, a persona id, any
	Effects      []Effect
	Once         bool
	Irreversible bool
	Remember     *Remember
	Tell         []Tell
	Fires, Not   []personas.Text // examples
	Like         float64         // how alike to one of Fires is enough; 0 = examples do not decide
	Allow        []personas.Allow
	Pos          source.Pos

	places   places
	examples examples

	once        sync.Once // of the examples compared with
	fires, nots []example
}

// Remember is a memory a beat leaves with NPCs.
type Remember struct {
	By   []string
	Text personas.Text

	by []placedID
}

// Tell lets an NPC learn of a beat or exit it did not see.
type Tell struct {
	To   string
	What string // "node.beat", "node.exit" or "npc.secret"
	Pos  source.Pos

	places places
}

// Detect says which words count. Each inner list holds alternatives; All
// needs one hit in every list, Any needs one hit in some list, None needs none.
// Keywords of all languages are matched together. A hit that is denied ("I did
// not find the herbs") counts only where Denied is set.
type Detect struct {
	Any, All, None [][]personas.Text
	Denied         bool
	Asserted       bool    // what is asked, supposed or quoted does not count
	Intent         *Intent // an act with its object, instead of words or beside them
	Judge          personas.Text
	Pos            source.Pos
}

// Exit leads from a node to another, or stays.
type Exit struct {
	ID        string
	Was       []string
	To        string // empty when Stay
	Stay      bool
	Auto      bool
	Otherwise bool
	When      source.Cond
	Choice    personas.Text
	Said      *Detect
	Confirm   *Confirm
	Effects   []Effect
	Tell      []Tell
	Allow     []personas.Allow
	Pos       source.Pos

	places places
}

// Confirm is asked before a spoken exit is taken.
type Confirm struct {
	By   string
	Text personas.Text

	places places
}

// Ending marks a node where the plot may stop.
type Ending struct {
	Kind string // empty for `ending: true`
}

// Effect is an assignment `x = e`, `x += e` or `x -= e`.
type Effect struct {
	Do   source.Cond // the source text and its place
	When source.Cond
}
