//go:build llama

package gguf

import "time"

// Team is what a Crowd commands, for tests.
type Team interface {
	Threads(step, prompt int)
	Hurry(on bool)
	Hurried() bool
}

type hands struct{ Team }

func (h hands) threads(step, prompt int) error { h.Threads(step, prompt); return nil }
func (h hands) hurry(on bool)                  { h.Hurry(on) }
func (h hands) hurried() bool                  { return h.Hurried() }

// Crowd is what runs the batches of a prompt.
type Crowd struct{ c crowd }

// NewCrowd has measured one thread for single tokens and so many for prompts,
// which took so long for a token.
func NewCrowd(threads int, token time.Duration) *Crowd {
	return &Crowd{crowd{best: timing{prompt: probe * token, step: token, promptThreads: threads, stepThreads: 1}}}
}

// Decode runs n tokens.
func (c *Crowd) Decode(t Team, n int, run func() int) int { return c.c.decode(hands{t}, 0, n, run) }

// Later lets the time pass during which prompts do without extra threads.
func (c *Crowd) Later() { c.c.alone = time.Now().Add(-time.Second) }
