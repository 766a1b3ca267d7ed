package story

import (
	"errors"
	"io"

	"fabula/story/memory"
)

// Sentinels of the store and of a session.
var (
	ErrNotFound  = errors.New("not found")
	ErrAbsent    = errors.New("not in the cast")      // an NPC that is not there
	ErrClosed    = errors.New("exit is closed")       // a choice whose condition fails
	ErrNoEngine  = errors.New("no engine")            // nothing can answer
	ErrAmbiguous = errors.New("more than one match")  // a branch name or id prefix
	ErrBusy      = errors.New("a reply is in flight") // on this branch or turn
	ErrExists    = errors.New("already exists")       // a branch name
	ErrReadOnly  = errors.New("read only")            // a session without a store
	ErrNothing   = errors.New("nothing to do")        // no text, no choice, no reply to retry
	ErrVanished  = errors.New("node has vanished")    // an edit removed the node a branch stands on
)

// Store keeps the transcript tree of one world. Every method is one
// transaction; nothing it returns aliases the file. Implemented by story/store.
type Store interface {
	// Begin stores what exists before the reply: a new playthrough with its
	// branch (both may be nil) and the pending turn, below turn.Parent.
	Begin(*Playthrough, *Branch, Turn) error
	// Finish stores the reply of a turn with its prompt blobs (SHA-256 → text),
	// marks the turn and moves the branch's leaf. Branch is the branch as it
	// is to be afterwards; a branch that is new (made below a non-leaf) is
	// stored too.
	Finish(Alternative, Status, Branch, map[string]string) error
	// PutBranch, DeleteBranch and PutAlternative change names, tags, marks.
	// A branch that is deleted is hidden; PutBranch without Hidden brings it back.
	PutBranch(Branch) error
	DeleteBranch(ID) error
	PutAlternative(Alternative) error
	// Live opens the unsynced file beside the store that a streaming reply is
	// copied to; Finish removes it.
	Live(turn, alternative ID) (io.WriteCloser, error)
	// DropLive removes a reply's live file: of a retry that came to nothing.
	DropLive(turn, alternative ID) error
	// Pending lists turns whose reply never was finished, once for each of
	// their live files, with what it holds: the work of a program that died.
	Pending() ([]Unfinished, error)
	// Journal gives what PutJournal stored last: the changes that can be undone.
	// Nil = none yet.
	Journal() ([]byte, error)
	PutJournal([]byte) error
	// PutPin has a fact remembered whatever is spoken of, or no longer.
	PutPin(fact string, on bool) error
	// PutSummary keeps a summary under its hash. One that is there stays.
	PutSummary(memory.Summary) error
	// Ordinal gives the ordinal of a persona's content hash, giving the next
	// one the first time a hash is seen.
	Ordinal(persona, hash string) (int, error)
	Reader
	Close() error
}

// Reader is the reading side of a Store; a snapshot has only this.
type Reader interface {
	Playthrough(ID) (Playthrough, error)
	Branches() ([]Branch, error) // newest first
	// Hidden lists the branches that were deleted and can be brought back, last
	// deleted first.
	Hidden() ([]Branch, error)
	// Branch finds by id, by exact name, or by unique id prefix.
	Branch(ref string) (Branch, error)
	Turn(ID) (Turn, error)
	Alternative(ID) (Alternative, error)
	// Path lists the steps from the opening to an alternative.
	Path(leaf ID) ([]Step, error)
	// Walk visits every turn with its alternatives, parents first.
	Walk(func(Turn, []Alternative) error) error
	// Latest gives the leaf below an alternative that was visited last; the
	// alternative itself when nothing lies below.
	Latest(alternative ID) (ID, error)
	Blob(hash string) (string, error)
	// Newest gives the greatest id of the tree.
	Newest() (ID, error)
	// Pins lists the facts that a person pinned, by id.
	Pins() (map[string]bool, error)
	// Summary gives the summary of a segment of turns, false where none was made.
	Summary(hash string) (memory.Summary, bool, error)
}

// Unfinished is a reply that a dead program left behind.
type Unfinished struct {
	Turn        Turn
	Alternative ID     // that the live file is named by; empty without one
	Live        []byte // what was written to it, possibly cut short
}

// Hit is a place where a text was found.
type Hit struct {
	Branch      ID     `json:"branch"`
	Turn        ID     `json:"turn"`
	Alternative ID     `json:"alternative"`
	Depth       int    `json:"n"`
	Text        string `json:"text"`
}
