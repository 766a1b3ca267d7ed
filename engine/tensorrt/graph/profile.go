package graph

import "fmt"

// Range says which sizes a symbol takes and for which one an engine is tuned.
type Range struct{ Min, Opt, Max int }

// Profile is one set of sizes that an engine is built for.
type Profile struct {
	Name    string
	B, S, C Range
}

// Sizes gives the smallest, the tuned and the largest sizes.
func (p Profile) Sizes() (least, opt, most Sizes) {
	return Sizes{p.B.Min, p.S.Min, p.C.Min}, Sizes{p.B.Opt, p.S.Opt, p.C.Opt}, Sizes{p.B.Max, p.S.Max, p.C.Max}
}

// Limits are the sizes that a user asks for.
type Limits struct {
	Context int // positions of the cache
	Chunk   int // new tokens of one prefill step
	Batch   int // sequences of one decode step
}

// Span is the smallest cache span and the step between spans, in positions.
const Span = 256

// Profiles gives the prefill profile (one sequence, 1 to Chunk tokens) and the
// decode profile (1 to Batch sequences, one token each, tuned for one: a single
// conversation is what a person waits for), in this order. Both look at Span to
// Context positions of the cache.
func Profiles(l Limits) ([]Profile, error) {
	if l.Context < Span || l.Chunk < 1 || l.Chunk > l.Context || l.Batch < 1 {
		return nil, fmt.Errorf("profiles: a context of %d (at least %d), chunks of %d (1 to the context) and a batch of %d (at least 1) cannot be",
			l.Context, Span, l.Chunk, l.Batch)
	}
	span := Range{Span, min(1024, l.Context), l.Context}
	return []Profile{
		{"prefill", Range{1, 1, 1}, Range{1, l.Chunk, l.Chunk}, span},
		{"decode", Range{1, 1, l.Batch}, Range{1, 1, 1}, span},
	}, nil
}

// FewProfiles gives those of a plan for steps of a few tokens, which counts a batch of
// tokens: one alone, and up to most.
func FewProfiles(most int) []Profile {
	none := Range{1, 1, 1}
	return []Profile{{"one", none, none, none}, {"few", Range{2, 8, most}, none, none}}
}
