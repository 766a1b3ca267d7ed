// Package personas holds what designers write about NPCs: personas, secrets,
// samples and lore.
//
// Conditions stay as written here; story/plot compiles them, because only the
// world knows its variables. Non-goals: plot, prompts, writing files.
package personas

import "fabula/personas/source"

// Persona is one NPC as authored in personas/ID.yaml.
type Persona struct {
	ID        string
	Was       []string // earlier ids, so that branches and translations survive a rename
	Name      Text
	Brief     Text
	Voice     Text
	Traits    []Text
	Backstory Text
	Goals     []Conditional
	Knows     []Conditional
	Secrets   []Secret
	Taboo     []Text // never said, in any inflection or look-alike
	Self      []Text // words for "I"
	Address   map[string]Text
	Samples   []Sample
	Words     int // limits.words: words or CJK characters a reply, 0 = none
	Greeting  Text
	Sampling  Sampling
	Speaks    string // language code; empty = the playthrough's
	Allow     []Allow
	Hash      string // SHA-256 of the file's bytes, hex: the version of a persona
	Pos       source.Pos
}

// Language is what the persona speaks in a playthrough in lang.
func (p *Persona) Language(lang string) string {
	if p.Speaks != "" {
		return p.Speaks
	}
	return lang
}

// Conditional is a text that holds only while When does.
type Conditional struct {
	Text Text
	When source.Cond
}

// Secret is kept out of the prompt until Unlock holds; Cover is in it until then.
type Secret struct {
	ID      string
	Was     []string
	Text    Text
	Unlock  source.Cond
	Aliases []Text
	Cover   Text
	Pos     source.Pos
}

// Sample is an exchange in the persona's voice.
type Sample struct {
	Player Text
	Reply  Text
	When   source.Cond
	Pos    source.Pos
}

// Sampling overrides knobs; nil means "as the level above says".
type Sampling struct {
	Temperature   *float64
	TopK          *int
	TopP          *float64
	MinP          *float64
	RepeatPenalty *float64
	MaxTokens     *int
}

// Allow suppresses a finding, with the author's reason.
type Allow struct {
	Finding string
	Reason  string
	Pos     source.Pos
}

// Lore is a world fact that enters a prompt when one of its keys is spoken of.
type Lore struct {
	ID        string
	Keys      []Text
	Secondary []Text // imported lorebooks: one of these must occur too
	Text      Text
	When      source.Cond
	Constant  bool
	Priority  int
	Match     string // "any" (default) or "all"
	Recursive bool   // its text calls other entries by their keys too
	Depth     int    // turns looked back for keys, 0 = the present one
	KnownTo   []string
	Pos       source.Pos
}
