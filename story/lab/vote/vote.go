// Package vote holds blind votes between engines, versions of a persona, or
// branches: whole scenes side by side, nobody knows which side is whose.
//
//	Scenes ── Make ──> Batch (blind, can be mailed) + Key (stays with who made it)
//	Batch ── Begin ──> Session, one voter ──> ballot file ── Merge ──> Judge ──> Verdict
//
// A batch holds the texts alone, so that a voter needs neither world nor engine,
// and no time at which anything was generated. Sides are drawn by lot for every
// item, and for about every second voter, by lot too, all are turned once more. Some
// items are put twice with sides swapped, and in some both sides are the same.
//
// Ballot lines are chained by hash: a file that was edited by hand, or two that
// were mixed, are refused. That guards against slips, not against fraud: no
// secret is in it. Non-goals: wording, drawing, making replies.
package vote

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Question is asked of every item, apart from the others.
type Question string

// The questions, in the order in which they are asked.
const (
	Immersion Question = "immersion" // which one draws you in?
	Character Question = "character" // in which one are they themselves?
	Overall   Question = "overall"   // which one would you ship?
)

// Questions lists them.
func Questions() []Question { return []Question{Immersion, Character, Overall} }

// Line is one utterance. By is the name as it is shown, empty for narration.
type Line struct {
	By   string `json:"by,omitempty"`
	Text string `json:"text"`
}

// Item is two scenes beside each other, and what was said before both.
type Item struct {
	ID     string `json:"item"`
	Before []Line `json:"before,omitempty"`
	First  []Line `json:"first"`
	Second []Line `json:"second"`
}

// Batch is what is voted on. Its header fixes all that must not be chosen after
// the first vote.
type Batch struct {
	Header
	ID    string // of the header, which holds the hashes of items and key
	Items []Item
}

// Header is the first line of a batch file.
type Header struct {
	Vote     string    `json:"vote"` // BatchFormat
	World    string    `json:"world"`
	Language string    `json:"language"`
	Made     time.Time `json:"made"`
	Margin   float64   `json:"margin"`  // by which the second candidate may lose, share of decisive votes
	Planned  int       `json:"planned"` // decisive votes to be held, a question
	Items    int       `json:"items"`
	SHA256   string    `json:"items_sha256"`
	Key      string    `json:"key_sha256"`
}

// The formats of the files.
const (
	BatchFormat  = "batch/1"
	KeyFormat    = "key/1"
	BallotFormat = "ballot/1"
)

// Kind says what an item is for.
type Kind string

// The kinds of items; voters are not told.
const (
	Pair   Kind = "pair"   // a vote
	Same   Kind = "same"   // both sides are the same: a difference seen here is none
	Repeat Kind = "repeat" // a pair once more, with its sides swapped
)

// Key says whose the sides are. It stays closed until the voting is over.
type Key struct {
	Vote       string            `json:"vote"` // KeyFormat
	Salt       string            `json:"salt"` // so that the hash in the batch cannot be guessed
	Candidates []string          `json:"candidates"`
	Equal      int               `json:"equal"` // pairs of scenes left out: the candidates said the same
	Items      map[string]Opened `json:"items"`
}

// Opened is the truth about one item.
type Opened struct {
	Kind   Kind   `json:"kind"`
	Scene  string `json:"scene"` // where it is from
	First  int    `json:"first"` // candidate, by index
	Second int    `json:"second"`
	Of     string `json:"of,omitempty"` // item that a Repeat repeats
}

// Fault is why a file is refused: a code, its arguments, and the line from 1.
type Fault struct {
	File string
	Line int
	Code string
	Args []string
}

// Error names the place and the code; a person gets it in words by the code.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %s %v", f.File, f.Code, f.Args)
	}
	return fmt.Sprintf("%s:%d: %s %v", f.File, f.Line, f.Code, f.Args)
}

// The codes of faults.
const (
	FaultFormat  = "vote.format"  // not a file of this kind; what it should be
	FaultLine    = "vote.line"    // a line that is no JSON of its kind
	FaultEdited  = "vote.edited"  // a line is not as it was written
	FaultBatch   = "vote.batch"   // of another batch; its id, ours
	FaultItem    = "vote.item"    // no such item
	FaultTwice   = "vote.twice"   // a second vote on an item
	FaultUndo    = "vote.undo"    // takes back what was not the last vote
	FaultAnswer  = "vote.answer"  // a question without an answer, or an unknown one
	FaultVoter   = "vote.voter"   // no name of a voter
	FaultOther   = "vote.other"   // the voter has a ballot already that is another one
	FaultKey     = "vote.key"     // not the key of this batch
	FaultChanged = "vote.changed" // another program has written to the ballot
)

// Codes lists them.
func Codes() []string {
	return []string{FaultFormat, FaultLine, FaultEdited, FaultBatch, FaultItem, FaultTwice, FaultUndo, FaultAnswer, FaultVoter, FaultOther, FaultKey, FaultChanged}
}

// short is how much of a hash names something.
const short = 16

func hash(data ...[]byte) string {
	h := sha256.New()
	for _, d := range data {
		h.Write(d)
	}
	return hex.EncodeToString(h.Sum(nil))
}
