// Package engine is the contract between a story and whatever produces text:
// a local model, a GPU engine, recalled lines or a remote server.
//
// An engine knows nothing of personas or plots. Tokeniser, chat template,
// sampler and stop strings live behind this contract, so that only events
// cross it. Non-goals: prompt assembly, retries, choosing between engines.
package engine

import (
	"context"
	"errors"
	"time"
)

// Sentinels that callers test with errors.Is.
var (
	// ErrUnavailable: the engine cannot serve on this machine now (missing
	// library, model or device). The wrapped text says what to do.
	ErrUnavailable = errors.New("engine unavailable")
	// ErrIncompatible: the engine or its model was made for something else.
	ErrIncompatible = errors.New("engine incompatible")
	// ErrUnsupported: the engine can never do what the request asks for.
	ErrUnsupported = errors.New("not supported by this engine")
	// ErrTooLong: prompt plus reply budget exceed the context window.
	ErrTooLong = errors.New("prompt longer than the context window")
)

// Engine produces one reply at a time per Stream. It is safe for concurrent
// use; requests beyond its capacity queue inside.
type Engine interface {
	// Info describes what answers. It never blocks.
	Info() Info
	// Generate starts one reply. Cancelling ctx stops it: the stream then ends
	// with a Done event of reason Cancelled. An error means that nothing started.
	Generate(ctx context.Context, r Request) (Stream, error)
	// Close releases memory, devices and child processes.
	Close() error
}

// Counter is implemented by engines that own a tokeniser.
type Counter interface {
	// Count gives the number of tokens of every part of every message, in the
	// order of the request, and the control tokens that the template adds.
	Count(ctx context.Context, messages []Message) (Count, error)
}

// Warmer is implemented by engines that keep the prefixes of prompts.
type Warmer interface {
	// Warm computes a prompt that requests will begin with, at Background
	// priority, and keeps it. It returns when that is done, and early without an
	// error once a Chat request comes: what was computed by then is kept.
	Warm(ctx context.Context, messages []Message) error
}

// Count is the size of a prompt in tokens.
type Count struct {
	Parts   [][]int `json:"parts"`   // as Message.Parts
	Control int     `json:"control"` // template tokens; independent of any content
	// Marks is what the template writes before each part, in their order over all
	// messages, and after the last; nil where the engine does not tell.
	Marks []string `json:"marks,omitempty"`
}

// Role says whose words a message holds.
type Role string

// The roles that chat templates know.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one entry of a chat. Parts are tokenised apart, so that the count
// of each is exact and content can never merge into a control token.
type Message struct {
	Role  Role     `json:"role"`
	Parts []string `json:"parts"`
}

// Request is one reply asked of an engine.
type Request struct {
	Messages []Message `json:"messages,omitempty"`
	// Query is the line that is being answered; Candidates are the authored
	// lines that may be said now. Only engines that recall read them.
	Query      string      `json:"query,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`
	Language   string      `json:"language,omitempty"` // BCP 47 code of the reply
	Sampling   Sampling    `json:"sampling"`
	Stop       []string    `json:"stop,omitempty"` // never shown, never stored
	// Begin are tokens that the reply begins with, ids of the engine's own
	// vocabulary: a fork of another reply. They count as the reply's text and
	// towards MaxTokens, and are not sampled. Engines without tokens refuse them
	// with ErrUnsupported.
	Begin []int32 `json:"begin,omitempty"`
	// Spans are stretches of the reply that may hold only given texts. Engines
	// that do not draw tokens themselves leave them alone.
	Spans []Span `json:"spans,omitempty"`
	Seed  uint64 `json:"seed"`
	// Nth is the number, from 1, of this reply among several to the same line: an
	// engine that says authored lines says its Nth best, so that they differ. 0 =
	// it is alone, and the seed decides.
	Nth      int      `json:"nth,omitempty"`
	Priority Priority `json:"priority,omitempty"`
	Top      int      `json:"top,omitempty"` // alternatives reported per token, 0..20; the token that was drawn comes as one more where it is none of them
}

// Candidate is an authored line that may be said in the present plot state.
type Candidate struct {
	ID    string   `json:"id"`              // stable: where the line was authored
	Cue   string   `json:"cue,omitempty"`   // the player line it answers, if any
	Text  string   `json:"text"`            // what would be said
	Keys  []string `json:"keys,omitempty"`  // further words that call for it
	Prior float64  `json:"prior,omitempty"` // added to the score; the present node's lines rank first
}

// Span says that between Open, one byte, and Close a reply holds one of Texts and
// nothing else: "*nod*".
type Span struct {
	Open  string   `json:"open"`
	Close string   `json:"close"`
	Texts []string `json:"texts"`
}

// Priority orders waiting requests.
type Priority int

// Chat outranks everything that nobody is waiting for.
const (
	Chat Priority = iota
	Background
)

// Sampling holds the knobs of one reply. Zero values mean off, except
// Temperature, where 0 is greedy.
type Sampling struct {
	Temperature   float64           `json:"temperature"`
	TopK          int               `json:"top_k,omitempty"`
	TopP          float64           `json:"top_p,omitempty"`
	MinP          float64           `json:"min_p,omitempty"`
	RepeatPenalty float64           `json:"repeat_penalty,omitempty"` // CTRL form, 1 or 0 = off
	RepeatWindow  int               `json:"repeat_window,omitempty"`  // tokens looked back, 0 = 64
	MaxTokens     int               `json:"max_tokens"`               // of the reply, those of Request.Begin included
	Bias          map[int32]float32 `json:"bias,omitempty"`           // added to logits; -Inf bans
}

// Stream yields the events of one reply in order and ends with a Done event,
// after which Next returns io.EOF. A stream has one reader.
type Stream interface {
	// Next blocks until the next event. An error other than io.EOF never
	// comes: faults arrive as Done{Reason: Fault}.
	Next() (Event, error)
}

// Event is Prefill, Token or Done.
type Event interface{ event() }

// Prefill reports the prompt's processing once it is over.
type Prefill struct {
	Computed int           `json:"computed"` // tokens run through the model
	Reused   int           `json:"reused"`   // tokens found in the cache
	At       time.Duration `json:"at"`       // since the request was sent
}

// Token is one decoded token. Text is what became visible with it: whole
// characters, stop strings held back, so it may be empty; all texts of a reply
// concatenate to the reply.
type Token struct {
	ID      int32         `json:"id"`
	Text    string        `json:"text"`
	At      time.Duration `json:"at"` // since the request was sent, stamped at the engine
	Logprob float32       `json:"logprob,omitempty"`
	Top     []TopToken    `json:"top,omitempty"`
	Given   bool          `json:"given,omitempty"` // of Request.Begin: not decoded, so it has no gap and no log-probability
}

// TailID marks a token that was not decoded, so that it has no gap: text which
// was held back and became certain at the end of a reply, or a piece of a line
// that was chosen as a whole.
const TailID int32 = -1

// TopToken is a likely token at one step.
type TopToken struct {
	ID      int32   `json:"id"`
	Text    string  `json:"text"`
	Logprob float32 `json:"logprob"`
}

// Reason says why a reply ended.
type Reason string

// How a reply can end.
const (
	Stop        Reason = "stop"        // end of turn, stop string or detected loop
	Length      Reason = "length"      // Sampling.MaxTokens reached
	Cancelled   Reason = "cancelled"   // the person stopped it
	Interrupted Reason = "interrupted" // the program died; found at the next start
	Fault       Reason = "fault"       // the engine failed; Err says how
)

// Done ends a stream.
type Done struct {
	Reason Reason `json:"reason"`
	Detail string `json:"detail,omitempty"` // "loop", the stop string that hit, the fault
	Err    error  `json:"-"`                // for Fault
	Tail   string `json:"tail,omitempty"`   // text that was held back and is now certain
	Stats  Stats  `json:"stats"`
}

// Stats are the figures of one reply that token stamps do not hold.
type Stats struct {
	Load    time.Duration `json:"load,omitempty"` // waited for the engine to load; only its first request does
	Queue   time.Duration `json:"queue"`          // waited before anything of it ran
	Prefill time.Duration `json:"prefill"`        // from there until the prompt was done
	// Requests share an engine. Held is the time after Queue in which only others
	// ran; Company how many decoded in a pass with this one, itself included, on
	// average: 1 means alone, 0 that it is not known.
	Held          time.Duration `json:"held,omitempty"`
	Company       float64       `json:"company,omitempty"`
	PromptTokens  int           `json:"prompt_tokens"` // those of Request.Begin included
	ControlTokens int           `json:"control_tokens"`
	Tokens        int           `json:"tokens"` // decoded; those of Request.Begin are not
}

func (Prefill) event() {}
func (Token) event()   {}
func (Done) event()    {}

// Kind is the sort of an engine, as written after --engine.
type Kind string

// The engines fabula knows.
const (
	TensorRT Kind = "tensorrt"
	GGUF     Kind = "gguf"
	Recall   Kind = "recall"
	Remote   Kind = "remote"
	Scripted Kind = "scripted" // a fake that plays a file; never a measurement
)

// Info describes an engine to a person and to an export.
type Info struct {
	Kind      Kind     `json:"kind"`
	Name      string   `json:"name"`                // unique among installed engines
	Model     string   `json:"model,omitempty"`     // human name of the weights
	Languages []string `json:"languages,omitempty"` // what it speaks; empty = any
	Toy       bool     `json:"toy,omitempty"`       // for trying the tool, not for prose
	Context   int      `json:"context,omitempty"`   // window in tokens; 0 = none
	// Parameters of the model, 0 = not known. A small one says authored lines
	// unless asked to speak freely.
	Parameters uint64 `json:"parameters,omitempty"`
	Build      Build  `json:"build"`
	// Note says what was given up when the model was opened, such as a smaller
	// window for want of memory; empty = nothing.
	Note string `json:"note,omitempty"`
	Kept Kept   `json:"-"` // of the machine, not of a reply
}

// Kept says how much an engine keeps of prompts, so that one that begins alike
// costs only what differs. The prompt that was used longest ago is given up first.
type Kept struct {
	Prompts int   // at most
	Bytes   int64 // of memory that they take, 0 = not known
}

// Build identifies what produced a reply, well enough to reproduce it.
type Build struct {
	BaseHash  string `json:"base_hash,omitempty"` // SHA-256 of the weights file
	Precision string `json:"precision,omitempty"` // "Q4_1", "FP16", …
	Runtime   string `json:"runtime,omitempty"`   // "llama.cpp 0c1e57098 x86-64-v3"
	Threads   int    `json:"threads,omitempty"`
}
