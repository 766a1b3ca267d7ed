// Package memory finds, in the turns that an NPC lived through, those that bear
// on what is said now, and sums up those that lie far back.
//
// What an NPC can remember is what its path holds: a fact comes from a turn
// among the ancestors of the leaf that the NPC witnessed. Nothing is shared
// between branches but what their common turns hold, so nothing can leak. Search
// is BM25 over folded and stemmed words and, in scripts without blanks, pairs of
// characters (Robertson and Zaragoza, 2009), then recency and importance. It is
// computed here and not by bleve because an index lives with a path: it is cut
// back to a fork and grows from there, which an inverted index with ascending
// postings does in place. Summaries are of segments of a path and keyed by the
// hash of what was heard in them, so that forks share them and an edit makes
// another.
// Non-goals: what authors let NPCs remember by beats (story/plot), prompts.
package memory

// Kind says what a fact is about.
type Kind string

// The kinds of facts.
const (
	Said   Kind = "said"   // a turn's talk, as it was heard
	Exit   Kind = "exit"   // the player chose or said a way on
	Beat   Kind = "beat"   // a beat fired
	Anchor Kind = "anchor" // an NPC brought up what it had to
	Secret Kind = "secret" // an NPC told a secret
)

// Fact is one thing that happened on a path, as a record of its own.
type Fact struct {
	ID    string `json:"id"` // "ALTERNATIVE.said", "ALTERNATIVE.beat.landing.gives_herbs"
	Kind  Kind   `json:"kind"`
	Who   string `json:"who,omitempty"` // player or a persona id; empty for talk of several
	Text  string `json:"text"`          // what, in words; matched, and quoted where it is recalled
	Turn  string `json:"turn"`          // id of the source turn
	Depth int    `json:"n"`             // of that turn, 1 for the first after the opening
	Day   int    `json:"day,omitempty"` // the world's clock then; 0 without a clock
	// Confidence is how sure it is, from 0 to 1: what was said and chosen is
	// certain, a beat as sure as the evidence for it.
	Confidence float64 `json:"confidence"`
	Pinned     bool    `json:"pinned,omitempty"` // a person wants it remembered
	Marked     bool    `json:"marked,omitempty"` // a person starred the reply
	Event      bool    `json:"event,omitempty"`  // something happened in that turn
}

// Recollection is a fact that a query brought to mind.
type Recollection struct {
	Fact
	Score   float64
	Because []string // terms of the query that it shares, most telling first
}
