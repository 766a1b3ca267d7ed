// Package memory finds, in the turns that an NPC lived through, those that bear
// on what is said now.
//
// What an NPC can remember is what its path holds: a fact comes from a turn
// among the ancestors of the leaf that the NPC witnessed. Nothing is shared
// between branches, so nothing can leak. Search is BM25 over folded and stemmed
// words and, in scripts without blanks, pairs of characters (Robertson and
// Zaragoza, 2009), then recency and importance. It is computed here and not by
// bleve because an index lives with a path: it is cut back to a fork and grows
// from there, which an inverted index with ascending postings does in place.
// Non-goals: what authors let NPCs remember by beats (story/plot), prompts.
package memory

// Fact is one turn as an NPC lived through it.
type Fact struct {
	Turn   string // id of the source turn
	Depth  int    // of that turn, 1 for the first after the opening
	Text   string // what was said, by whom; matched, and quoted where it is recalled
	Day    int    // the world's clock then; 0 without a clock
	Pinned bool   // a person wants it remembered
	Beat   bool   // a beat fired: something happened
}

// Recollection is a fact that a query brought to mind.
type Recollection struct {
	Fact
	Score   float64
	Because []string // terms of the query that it shares, most telling first
}
