package worker

import (
	"errors"

	"fabula/engine"
)

// ErrAborted is what Backend.Decode returns when Abort(true) stopped it.
var ErrAborted = errors.New("decode aborted")

// Load says which model to open and how.
type Load struct {
	Model    string // path of the weights
	Context  int    // window in tokens, 0 = the backend's choice
	Threads  int    // 0 = measured at load
	Memory   int64  // bytes that prompts kept ready may take, 0 = by what is free
	BaseHash string // SHA-256 of the weights when already known, else computed
	NoCard   bool   // leave graphics cards alone; else as many layers go there as fit
}

// Open loads a model. It may call progress with 0..1 from its own goroutine
// only. Errors wrap engine.ErrUnavailable (this machine cannot) or
// engine.ErrIncompatible (this file never will).
type Open func(l Load, progress func(float64)) (Backend, error)

// Facts describe an opened model. They do not change while it is open.
type Facts struct {
	Context   int   // tokens that a prompt and its reply may hold together
	Vocab     int   // ids run from 0 to Vocab-1
	Sequences int   // sequences 0..Sequences-1 may be used, each as long as Context
	Memory    int64 // bytes that the sequences take, 0 = not known
	Rewind    bool  // a sequence can be cut and copied at any token; false for recurrent models
	Chunk     int   // prompt tokens that take about 100 ms, the most of one Run
	Batch     int   // sequences worth decoding in one pass, 0 or 1 = none beside another
	// Neighbours: only sequences whose numbers follow one another run in one pass.
	Neighbours bool
	Scores     int // the most scores that one Decode gives, 0 = one for every sequence

	Template string  // chat template in Jinja, as the weights carry it
	BOS, EOS string  // texts of the tokens that templates call by name
	First    int32   // id to put before every prompt that lacks it, -1 = none
	Banned   []int32 // ids never sampled: control tokens that do not end a turn

	Model     string // human name of the weights
	BaseHash  string // SHA-256 of the weights file
	Precision string // "Q4_1"
	Runtime   string // "llama.cpp 0c1e57098 x86-64-v3"
	Threads   int
	Note      string // what was given up when it was opened, for people; empty = nothing
}

// build gives the facts in the form that every recorded reply carries.
func (f Facts) build() engine.Build {
	return engine.Build{BaseHash: f.BaseHash, Precision: f.Precision, Runtime: f.Runtime, Threads: f.Threads}
}

// Run asks for tokens to be appended to one sequence.
type Run struct {
	Seq  int     // of the backend
	At   int     // tokens that it holds
	IDs  []int32 // to append, at least one and at most Facts.Chunk
	Want int     // scores after each of the last Want ids: 0, 1, … len(IDs)
	Best int     // the caller can do with this many best logits; 0 = needs all
}

// Scores are the logits after one token.
type Scores struct {
	Logits []float32 // the whole vocabulary in order, or, with IDs, those of the IDs, best first
	IDs    []int32   // nil: the whole vocabulary was given
	LogSum float64   // with IDs: logarithm of the sum of exp(logit) over the whole vocabulary
}

// Backend is one opened model. Tokens, Piece, Name, Ends and Abort may be called at
// any time from any goroutine; the rest from one goroutine at a time.
type Backend interface {
	Facts() Facts
	// Tokens splits text. With control false nothing in the text becomes a
	// control token, whatever it spells.
	Tokens(text string, control bool) ([]int32, error)
	// Piece gives the raw bytes of a token, which may be part of a character.
	// Control tokens have none.
	Piece(id int32) []byte
	// Name gives the text by which the vocabulary calls a token, control tokens
	// too; for people to read.
	Name(id int32) string
	// Ends says whether a token ends the turn.
	Ends(id int32) bool
	// Decode appends every run to its own sequence, in one pass where it can, and
	// returns the scores that were wanted: those of the first run first, in order
	// of position. No two runs name the same sequence. Scores stay valid until the
	// next call and may be overwritten by the caller. After an error each sequence
	// holds what it held or a few tokens more: the caller truncates.
	Decode(runs []Run) ([]Scores, error)
	// Truncate keeps the first n tokens of a sequence; false means that the
	// model cannot and the sequence is now empty.
	Truncate(seq, n int) bool
	// Copy makes dst hold the first n tokens of src.
	Copy(src, dst, n int)
	// Abort makes Decode return ErrAborted soon, until it is called with false.
	Abort(bool)
	Close() error
}

// Beside is a Backend that computes on a card, which leaves the processor free: what a
// pass need not wait for is done meanwhile.
type Beside interface {
	// DecodeBeside is Decode that calls meanwhile whenever it queued work that it will
	// wait for.
	DecodeBeside(runs []Run, meanwhile func()) ([]Scores, error)
}

// ErrFull is what Backend.Decode returns when sequences share a cache that has
// no room left; nothing was appended.
var ErrFull = errors.New("the cache has no room left")
