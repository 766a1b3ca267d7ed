// Package ranges finds how far the inputs of a model's products reach, channel by
// channel, over given texts: what an engine whose activations have eight bits is
// scaled by. llama.cpp computes the model on the processor and is watched.
//
// Build tag llama; without it Observe fails.
//
// Non-goals: choosing texts, quantising.
package ranges

// Counted says what Observe saw.
type Counted struct{ Texts, Tokens int }
