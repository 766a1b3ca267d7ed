// Package score makes figures of what a model says of given texts: choices
// among labels, the gain of a line in a talk, perplexity, the divergence of two
// engines over one text, the probability of a set of tokens.
//
// Everything stands on engine.Scorer, so it is the same for every engine that
// owns a model, and nothing is sampled: one build gives one answer.
//
// All logarithms are natural; entropies and divergences are in nats.
// Non-goals: wording the questions, deciding thresholds.
package score
