// Package flow turns a world and its played branches into scenes: text,
// assignments, conditions, choices and jumps. The scripting formats (ink, Yarn,
// Twee) each print the same scenes, with names that are safe in all of them.
//
//	node hall     → scene hall (entering), scene hall_talk (what can be chosen)
//	exit, beat    → a choice of hall_talk, and a scene for what it does
//	branch hall-1 → scene branch_hall_1, then one scene a recorded turn
//
// What a player may say freely is offered as a choice: a beat by its first
// example. What only a model can do (replies, beats of NPCs) is not there.
package flow

import (
	"fabula/story/plot"
)

// Flow is everything that one script file of one language holds.
type Flow struct {
	World, Title, Lang string
	Vars               []Var
	Start              string // scene
	Scenes             []Scene
	Paths              []Path
	Renamed            []Renamed
}

// Var is a variable with the value that it begins with.
type Var struct {
	ID      string
	About   string // what it stands for
	Initial plot.Value
}

// Renamed is an id that a format could not use as it is.
type Renamed struct{ About, ID string }

// Scene is text that is played in one go, and then ends, goes on, or lets the
// player choose.
type Scene struct {
	ID    string
	About string // "node hall: The front hall"
	Tags  []Tag
	Steps []Step
	// Choices, or else the first of Next whose condition holds; neither is the end.
	Choices []Choice
	Next    []Way
	Played  bool // of a recorded branch
	X, Y    int  // place on a map, in scenes
}

// Tag is a note for the game.
type Tag struct {
	Key   string
	Value []plot.Part
}

// Step does one thing: it says, assigns, or does other steps where If holds.
type Step struct {
	Say  *Say
	Set  *Set
	If   *plot.Expr
	Then []Step
}

// Say is one line of text without a line break.
type Say struct {
	ID    string // line id, once in a flow; empty for one that repeats another
	Of    string // the line that it repeats
	By    string // persona, player, or empty for narration
	Name  string // as it is shown; empty for narration
	Text  []plot.Part
	Cues  []string
	Where string // where it comes from, for a person
}

// Set assigns Value to Var.
type Set struct {
	Var   string
	Value *plot.Expr
}

// Choice is what a player may choose while When holds (nil: always).
type Choice struct {
	ID    string // of the exit or beat, "node.id"; or of the player's line
	Text  []plot.Part
	When  *plot.Expr
	To    string
	Where string
}

// Way leads on to a scene while When holds (nil: always).
type Way struct {
	When *plot.Expr
	To   string
}

// Path is a recorded branch as a reader of the script plays it.
type Path struct {
	Branch  string   `json:"branch"`
	Start   string   `json:"start"`   // scene
	Choices []int    `json:"choices"` // from 0, where there is something to choose
	Lines   []string `json:"lines"`   // what is then read, "Name: text"
	Options []int    `json:"-"`       // how many lines stood before each choice
}

// Shown gives a text whose parts are all fixed.
func Shown(name string, parts []plot.Part) string {
	text := ""
	for _, p := range parts {
		text += p.Text
	}
	if name != "" {
		return name + ": " + text
	}
	return text
}
