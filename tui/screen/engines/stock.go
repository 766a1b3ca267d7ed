package engines

import (
	"context"
	"time"

	"fabula/engine"
)

// Keeper tells of the engines of a machine and changes who answers. Its methods
// may read files and take their time: the screen calls them in commands only.
type Keeper interface {
	// Stock tells what there is, for NPCs that speak a language.
	Stock(speak string) (Stock, error)
	// Use has an engine answer from the next reply on; "default" takes the choice
	// back.
	Use(name string) error
	// Rollback takes the last change back and gives what it was; "" when there is
	// none.
	Rollback() (did string, err error)
	// Pull fetches a model by its id on the hub of models or by an address; Build
	// builds an engine of an entry for this machine's card. Both take minutes, tell
	// report how much of how much is done and of what, and end soon after ctx.
	Pull(ctx context.Context, from string, report Report) error
	Build(ctx context.Context, name string, report Report) error
}

// Report is told how far a task is: done of total, 0 where that is not known, and
// what is counted or done.
type Report func(done, total int, words string)

// Default is the name by which Keeper.Use takes a choice back.
const Default = "default"

// Stock is what there is at one moment.
type Stock struct {
	Entries []Entry
	Ladder  []Rung // best first
	Serving Serving
	Free    int64    // bytes of memory that models may take, 0 = not known
	Chosen  string   // what a person chose for everyone, best first, commas between; empty = nothing
	Past    []Change // of choices, newest first
	// Outranked is what --engine named: no choice has an effect then.
	Outranked string
	// NoBuild says why no engine can be built here, in the words of what is missing;
	// empty = one can.
	NoBuild string
}

// Entry is an engine that is installed, built or configured.
type Entry struct {
	Kind      engine.Kind
	Name      string // as its replies hold it
	Use       string // as Keeper.Use takes it
	Model     string // in its makers' words
	Precision string
	Languages []string // empty = any, or not stated
	Toy       bool
	Size      int64 // bytes of the file, 0 = none
	Needs     int64 // bytes of memory for the usual window, 0 = not known
	Window    int   // tokens that it was made for, 0 = none
	Licence   string
	Runtime   string
	Version   string
	Hash      string // SHA-256 of the weights
	Origin    string // where it was fetched
	Note      string // how it would serve with what memory is free

	Why    string // a code: why it cannot serve; empty = it can
	Args   []string
	Detail string    // the same in the words of what failed
	Since  time.Time // when it was no longer trusted; zero = it is
	Check  time.Time // when it is checked next
}

// Rung is a step of the ladder.
type Rung struct {
	Kind engine.Kind
	Name string
	Step string // empty: it does not serve
	Why  string // a code: why not
	Args []string
}

// Serving is the engine that would answer now, as it stands.
type Serving struct {
	Info     engine.Info
	Step     string
	Warms    bool          // it keeps prompts, so that one can be computed before it is needed
	Loading  bool          // its model is being read
	Load     time.Duration // that reading it took, 0 = not known
	Restarts int           // after crashes
}

// Change is a choice that was made.
type Change struct {
	At  time.Time
	Did string
}

// key names an engine in stored replies: one model can be served by two kinds.
type key struct {
	kind engine.Kind
	name string
}

func (e *Entry) key() key { return key{e.Kind, e.Name} }
