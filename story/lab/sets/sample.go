// Package sets makes samples of what NPCs are asked and what they answer: the
// full prompt as it is assembled for an engine, and the reply to it. The quality
// lab measures engines on them, and INT8 engines are calibrated with them.
//
// Samples come from what is authored (Authored), from what was played (Played),
// or from files (Read). All orders are deterministic: the same world and store
// give the same samples with the same ids.
//
// Non-goals: tokens (an engine's own), asking engines, judging replies.
package sets

import (
	"crypto/sha256"
	"encoding/hex"

	"fabula/engine"
)

// Source says where a sample is from.
type Source string

// The sources of samples.
const (
	FromSample   Source = "sample"   // a style sample of a persona
	FromLine     Source = "line"     // an authored line: of a node, an anchor, a cover, a greeting
	FromBranch   Source = "branch"   // a reply that a person was given
	FromPlaytest Source = "playtest" // a reply to a simulated player
)

// Sample is a prompt with a reply to it.
type Sample struct {
	ID       string           `json:"id"` // of the authored line with node and language, or of the alternative
	Persona  string           `json:"persona"`
	Node     string           `json:"node"`  // of the plot, where it is said
	Depth    int              `json:"depth"` // exchanges before it
	Language string           `json:"language"`
	Source   Source           `json:"source"`
	Messages []engine.Message `json:"messages"`
	Reply    string           `json:"reply"`

	Edited   bool     `json:"edited,omitempty"`   // a person wrote the reply
	Marked   bool     `json:"marked,omitempty"`   // a person starred it
	Findings []string `json:"findings,omitempty"` // codes of what the rules about voice found in it
}

// Hash identifies the text of a sample: SHA-256 over roles, parts and reply, hex.
func (s Sample) Hash() string {
	h := sha256.New()
	write := func(texts ...string) {
		for _, t := range texts {
			h.Write([]byte(t))
			h.Write([]byte{0})
		}
	}
	for _, m := range s.Messages {
		write(string(m.Role))
		write(m.Parts...)
		write("") // a part is never empty, so the end of a message is told apart
	}
	write(s.Reply)
	return hex.EncodeToString(h.Sum(nil))
}

// Chars counts the characters of the prompt and of the reply.
func (s Sample) Chars() (prompt, reply int) {
	for _, m := range s.Messages {
		for _, p := range m.Parts {
			prompt += len([]rune(p))
		}
	}
	return prompt, len([]rune(s.Reply))
}
