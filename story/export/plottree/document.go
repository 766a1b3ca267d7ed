// Package plottree writes and describes fabula-plot/1, the document that a
// game build ships: nodes, exits, conditions as source and as tree, authored
// and recorded lines with where they came from.
//
// Conditions are written as [op, a, b] lists (see plot.Expr), so that a game
// needs no parser.
package plottree

import (
	"encoding/json"

	"fabula/story"
	"fabula/story/plot"
)

// Format names the document and its version.
const Format = "fabula-plot/1"

// Document is plottree.json.
type Document struct {
	Format      string     `json:"format" jsonschema:"enum=fabula-plot/1"`
	World       string     `json:"world"`
	ContentHash string     `json:"content_hash" jsonschema:"pattern=^[0-9a-f]{64}$" jsonschema_description:"SHA-256 of this document with an empty content_hash"`
	Languages   []string   `json:"languages"`
	Title       Text       `json:"title"`
	Start       string     `json:"start"`
	Player      Player     `json:"player"`
	State       []Variable `json:"state"`
	Cues        []Cue      `json:"cues"`
	Personas    []Persona  `json:"personas"`
	Nodes       []Node     `json:"nodes"`
	Edges       []Edge     `json:"edges"`
	Lines       []Line     `json:"lines"`
	Coverage    Coverage   `json:"coverage"`
}

// Coverage says how often the exported branches came by; what they share counts
// once. Nothing is left out: what was never reached has 0.
type Coverage struct {
	Branches []story.ID     `json:"branches"`
	Turns    int            `json:"turns"`
	Nodes    map[string]int `json:"nodes" jsonschema_description:"by id: entered"`
	Edges    map[string]int `json:"edges" jsonschema_description:"by node.exit: taken"`
	Beats    map[string]int `json:"beats" jsonschema_description:"by node.beat: happened"`
	Anchors  map[string]int `json:"anchors" jsonschema_description:"by node.anchor: said"`
	Lines    map[string]int `json:"lines" jsonschema_description:"by id, authored lines: played"`
}

// Text is a text by language code.
type Text map[string]string

// Player is the person's role.
type Player struct {
	Name  Text `json:"name"`
	Brief Text `json:"brief"`
}

// Variable is a state variable with its domain.
type Variable struct {
	ID      string     `json:"id"`
	Type    plot.Kind  `json:"type" jsonschema:"enum=bool,enum=int,enum=enum"`
	Min     *int       `json:"min,omitempty"`
	Max     *int       `json:"max,omitempty"`
	Values  []string   `json:"values,omitempty"`
	Default plot.Value `json:"default"`
}

// Cue is a stage direction that lines may carry, with the names of the sound
// and the light that go with it in the game.
type Cue struct {
	ID    string `json:"id"`
	Kind  string `json:"kind" jsonschema:"enum=emotion,enum=action,enum=environment"`
	Sound string `json:"sound,omitempty"`
	Light string `json:"light,omitempty"`
}

// Persona names an NPC and the version of its text.
type Persona struct {
	ID      string `json:"id"`
	Name    Text   `json:"name"`
	Version string `json:"version" jsonschema_description:"SHA-256 of the persona file"`
	// Greeting is said once, on entering a node in which no line is played.
	Greeting Text `json:"greeting,omitempty"`
}

// Condition is a guard as written and as a tree; null means always.
type Condition struct {
	Src string          `json:"src"`
	AST json.RawMessage `json:"ast"`
}

// Effect is one assignment; When may close it.
type Effect struct {
	Src  string          `json:"src"`
	When *Condition      `json:"when,omitempty"`
	Var  string          `json:"var"`
	Op   string          `json:"op" jsonschema:"enum==,enum=+=,enum=-="`
	AST  json.RawMessage `json:"ast"`
}

// Tag is one entry of a scene, verbatim.
type Tag struct {
	Key   string `json:"key"`
	Value Text   `json:"value"`
}

// Member is an NPC that may be present.
type Member struct {
	NPC  string     `json:"npc"`
	When *Condition `json:"when,omitempty"`
	Goal Text       `json:"goal,omitempty"`
}

// Node is one place and moment of the plot.
type Node struct {
	ID      string     `json:"id"`
	Was     []string   `json:"was,omitempty"`
	Title   Text       `json:"title"`
	When    *Condition `json:"when" jsonschema:"nullable"`
	Scene   []Tag      `json:"scene"`
	Cast    []Member   `json:"cast"`
	Turns   string     `json:"turns"`
	OnEnter []Effect   `json:"on_enter"`
	Beats   []Beat     `json:"beats"`
	Anchors []Anchor   `json:"anchors"`
	Ending  *Ending    `json:"ending" jsonschema:"nullable"`
	Tell    []Tell     `json:"tell,omitempty"`
	Lines   []string   `json:"lines" jsonschema_description:"ids of lines, in play order"`
	Hash    string     `json:"hash" jsonschema_description:"SHA-256 of the node without evidence"`
}

// Tell lets an NPC learn of what it did not see.
type Tell struct {
	To   string `json:"to"`
	What string `json:"what"`
}

// Remember is the memory that a beat leaves with NPCs.
type Remember struct {
	By   []string `json:"by"`
	Text Text     `json:"text"`
}

// Ending marks a node where the plot may stop.
type Ending struct {
	Kind string `json:"kind"`
}

// Detect says which words count, all languages together.
type Detect struct {
	Any  [][]string `json:"any,omitempty"`
	All  [][]string `json:"all,omitempty"`
	None [][]string `json:"none,omitempty"`
	// Denied: words count that are denied, too.
	Denied bool `json:"denied,omitempty"`
	// Asserted: words count only where they are not asked, supposed or quoted.
	Asserted bool    `json:"asserted,omitempty"`
	Intent   *Intent `json:"intent,omitempty"`
}

// Intent is an act with its object and target, whatever the words.
type Intent struct {
	Act    string   `json:"act"`
	Object []string `json:"object,omitempty"`
	Target []string `json:"target,omitempty"`
}

// Beat is something that happens in talk.
type Beat struct {
	ID           string     `json:"id"`
	Was          []string   `json:"was,omitempty"`
	When         *Condition `json:"when" jsonschema:"nullable"`
	Speaker      string     `json:"speaker"`
	Detect       Detect     `json:"detect"`
	Effects      []Effect   `json:"effects"`
	Once         bool       `json:"once"`
	Irreversible bool       `json:"irreversible"`
	Remember     *Remember  `json:"remember,omitempty"`
	Tell         []Tell     `json:"tell,omitempty"`
	Examples     []Text     `json:"examples,omitempty" jsonschema_description:"sentences that make it happen"`
	Evidence     []Evidence `json:"evidence"`
}

// Anchor is something an NPC is to say in a node.
type Anchor struct {
	ID     string     `json:"id"`
	By     string     `json:"by"`
	Say    Text       `json:"say"`
	When   *Condition `json:"when" jsonschema:"nullable"`
	Detect Detect     `json:"detect"`
	Must   bool       `json:"must"`
	After  int        `json:"after"`
	Line   Text       `json:"line"`

	Evidence []Evidence `json:"evidence"`
}

// Edge is an exit.
type Edge struct {
	From      string     `json:"from"`
	Exit      string     `json:"exit"`
	Was       []string   `json:"was,omitempty"`
	To        string     `json:"to"`
	Stay      bool       `json:"stay"`
	Auto      bool       `json:"auto"`
	Otherwise bool       `json:"otherwise"`
	Choice    Text       `json:"choice"`
	Said      *Detect    `json:"said" jsonschema:"nullable"`
	Confirm   *Confirm   `json:"confirm" jsonschema:"nullable"`
	When      *Condition `json:"when" jsonschema:"nullable"`
	Effects   []Effect   `json:"effects"`
	Tell      []Tell     `json:"tell,omitempty"`
	Evidence  []Evidence `json:"evidence"`
	Hash      string     `json:"hash" jsonschema_description:"SHA-256 of the edge without evidence"`
}

// Confirm is asked before a spoken exit is taken.
type Confirm struct {
	By   string `json:"by"`
	Text Text   `json:"text"`
}

// Evidence is a recorded turn in which a beat happened, an exit was taken or an
// anchor was said.
type Evidence struct {
	Branch story.ID `json:"branch"`
	Turn   story.ID `json:"turn"`
	Quote  string   `json:"quote"`
}

// Line is an authored line, or a recorded utterance with where it came from.
type Line struct {
	ID      string     `json:"id"`
	Node    string     `json:"node"`
	Speaker string     `json:"speaker" jsonschema_description:"a persona id, player, or empty for narration"`
	At      string     `json:"at" jsonschema_description:"enter, exit:ID, beat:ID, or talk for a recorded utterance"`
	When    *Condition `json:"when,omitempty"`
	Text    Text       `json:"text"`
	Cues    []string   `json:"cues"`
	From    *From      `json:"from,omitempty"`
	Status  string     `json:"status" jsonschema:"enum=draft,enum=approved,enum=recorded"`
	// Tells are the secrets, "npc.secret", that count as told once it is played.
	Tells []string `json:"tells,omitempty"`
	Was   []string `json:"was,omitempty"`
	Hash  string   `json:"hash" jsonschema_description:"SHA-256 of the line without hash and from: text, speaker, place and condition"`
}

// From says which turn an utterance was recorded in, on which branches.
type From struct {
	Branch      story.ID `json:"branch"`
	Turn        story.ID `json:"turn"`
	Alternative story.ID `json:"alternative,omitempty" jsonschema_description:"of a reply"`
	Human       bool     `json:"human,omitempty"`
}
