// Package lang holds every sentence of the interface, in English and Chinese.
//
// Strings is checked when the program is compiled; a test checks that no field
// is empty. Formats take their arguments in the order that the field's comment
// gives. Non-goals: what a world's author wrote.
package lang

import (
	"cmp"
	"fmt"
	"strings"
)

// Row names one key binding: two words for the footer, one sentence for help.
type Row struct{ Name, Hint string }

// Strings is the interface in one language.
type Strings struct {
	Code      string // BCP 47
	Frame     Frame
	Pages     Pages
	Task      Task
	Slash     Slashes
	Palette   Palette
	Record    Record
	Tour      Tour
	Chat      Chat
	Figure    Figure
	World     World
	Tree      Tree
	Engine    Engine
	Bench     Bench
	Calibrate Calibrate
	Drift     Drift
	Keys      Keys
	Help      Help
	Play      Play
	Way       Way
	Import    Import
	Plot      Plot
	Store     Store
	Promote   Promote
	Edits     Edits

	Promotion Promotion

	Inspect Inspect
	Talk    Talk
	Deeds   Deeds

	Memory Memory
	Judge  Judge
	Golden Golden
	Trend  Trend
	Lore   Lore

	Compare  Compare
	Vote     Vote
	Personas Personas
	Export   Export
	Engines  Engines
	Runs     Runs

	// Findings words the codes of personas/lint; {1}, {2} are the arguments.
	Findings map[string]string
	Rules    map[string]string // names of the rules of personas/lint
	Threads  map[string]string // what a branch left open, by kind
	Scripts  map[string]string // names of writing systems, by their Unicode names
}

// Frame is what surrounds every screen.
type Frame struct {
	TooSmall  string // columns, rows
	QuitAgain string
	HelpTitle string // pane

	Interrupted string // by ctrl+c, without a screen
	NotLoaded   string // count
}

// Chat is the words of the chat screen.
type Chat struct {
	You           string
	Turn          string // number
	Speaks        string // language
	Writing       string // state: composing
	Reading       string // state: reading
	Answers       string // who answers next
	NobodyHere    string
	Placeholder   string
	PlaceholderQ  string // while a question waits for a yes
	Authored      string // mark of an authored line
	Human         string // mark of a reply that a person wrote
	Choice        string // label of a taken choice
	BySaying      string // evidence
	ByItself      string
	Declined      string // exit
	NextSpeaks    string
	Stopped       string
	Interrupted   string
	CutShort      string // reply reached its length
	Loop          string
	Blocked       string // name of the rule
	BeatsHere     string
	NoBeats       string
	BeatHappened  string
	BeatUnsure    string
	BeatNot       string
	BeatSo        string
	BeatDecided   string // beat
	MayBeBeat     string // beat, words
	Faulted       string // detail
	Failed        string
	TryAgain      string // how to ask once more
	Instead       string // engine that answered, why the better one did not
	Alt           string // i, n
	Waiting       string // seconds
	StopsEsc      string
	Closed        string // why
	ClosedToast   string // label, why
	MoreChoices   string // count
	Question      string // who, text
	Ended         string
	EndedKind     string            // kind
	Endings       map[string]string // kinds of ending that are usual
	Jumped        string            // node
	JumpedTo      string            // branch, node
	Vanished      string            // node that an edit of the world removed
	Epilogue      string
	Narration     string
	BusyReply     string
	NotHere       string // name, who is there
	Pasted        string // lines, characters
	TooLong       string // characters, limit
	Counter       string // characters, limit
	Lines         string // lines above or below
	Branched      string // name
	NoAlternative string
	NoTurn        string
	NoLine        string // the selected turn has no line of the player
	Kept          string // the error
	Refused       string // what, what to do
	UnknownNode   string // node, those there are
	Started       string // name
	Below         string // count
	Sandbox       string
	Empty         string
	Nothing       string
	Quiet         string // no reply is in flight
	NoChoice      string
	Copied        string // characters
	SendFirst     string // something is being written already
	Editing       string // state: changing a line
	Beside        string // state: i, n alternatives next to each other
	SomeFailed    string // of alternatives asked for at once: why
	ByToken       string // state: i, n tokens
	ForkedAt      string // number of the token
	MemoryEnds    string // name: where the history in its prompt begins
	GivenToken    string // a token that was not drawn but put there
	NoLikely      string // only the token that was drawn is known
	SameToken     string
	NoTokens      string // the selected turn was not decoded
}

// Figure is the words around numbers.
type Figure struct {
	TTFT, Token, Tokens, Rate, Gap, Max, MaxGap, P50, P95 string
	Waited, Shared, Together                              string // in the queue; the engine with others; how many
	Prefill                                               string // computed, reused
	Context                                               string // used, window, percent
	Recalled                                              string
	Grounded                                              string // percent, lines
	OnlyLine                                              string // one line could be said: nobody chose
	Seed                                                  string
	LastReply, Session, Node, Cast, State, Beats          string
	Engine                                                string
	Speaking                                              string
	MS                                                    string
}

// World is the words of the world screen.
type World struct {
	Title, Languages, Counts, Personas, Nodes, Store, Serves, Branches, Attention string
	CountsLine                                                                    string // personas, nodes, exits, variables, lore
	NoBranches                                                                    string
	NotLoaded                                                                     string // faults
	NotYet                                                                        string // why nothing can be played
	AllWell                                                                       string
	Stale                                                                         string
	Changed                                                                       string // unasked, as soon as it is seen
	PickLanguage                                                                  string
	PickHint                                                                      string
	Turns                                                                         string // count
	Saved                                                                         string // time
	Reloaded                                                                      string
	StillBroken                                                                   string // faults
	NoEditor, EditorEnded                                                         string
	Embedded                                                                      string
	Start                                                                         string
	Era                                                                           string
	Ending                                                                        string
	EndingKind                                                                    string // kind
	JumpHint                                                                      string
	NoNode, NoPlace, OnNode                                                       string // why enter does not
	ToBranches                                                                    string // what tab does on the nodes
	Check, CheckHint, Searching, NoFindings                                       string
	FindingsLine                                                                  string // count
	NoFinding, NoWay                                                              string // why enter shows no way
}

// Engine is how it is said who serves, and why not a better one.
type Engine struct {
	Serves  string // name
	Loading string // name
	Toy     string
	ToyOnly string // the one language it speaks
	Add     string // the command that adds a model
	Nobody  string
	Speaks  map[string]string
	Whys    map[string]string // plain codes of the catalogue
	// Degraded: engine that answers, why not the better one. Again: engine.
	Degraded, Again string
	Faults          map[string]string // codes of engine/ladder; {1} is the engine
}

// Keys names every binding.
type Keys struct {
	Send, Newline, Stop, ToReading, Compose, Retry, PrevAlt, NextAlt, Branch, Next, Choose, Complete, Cut                  Row
	Up, Down, PageUp, PageDown, Top, End                                                                                   Row
	Help, Quit, Interrupt, Redraw, Suspend, Mouse, Back, CloseOver, CancelTask, Palette, Find, Pick, Record, Tour, EndTour Row
	Open, Jump, Sections, New, Reload, Edit, Mark, TitleIt, Keep, Leave, Delete, Fold, Copy, EditInput, Check, Way         Row
	Several, Free, BesideAlts, TakeAlt, LeaveOver, Tokens, ForkToken, NextToken, PrevToken                                 Row
	Beats, Accept, Reject, LeaveCheck                                                                                      Row
}

// Help is the page behind the keys.
type Help struct {
	NotNow  string // reason why a key does nothing now
	Figures string
	Meaning []Row // a figure or sign and what it means
}

// Play is the words of playtests.
type Play struct {
	Whys    map[string]string // why a run ended
	Covered map[string]string // what was covered
	Missed  string
	Sum     string // runs, failed
}

// For gives the interface in the language of a code such as "zh", "zh_CN.UTF-8"
// or "en"; English for what is not known.
func For(code string) *Strings {
	if strings.HasPrefix(strings.ToLower(code), "zh") {
		return &zh
	}
	return &en
}

// Language gives a language's name in this language, or its code.
func (s *Strings) Language(code string) string {
	if name, ok := s.Engine.Speaks[code]; ok {
		return name
	}
	return code
}

// Ending words a kind of ending: the usual ones, others as they are written.
func (s *Strings) Ending(kind string) string { return cmp.Or(s.Chat.Endings[kind], kind) }

// Why words why a better engine does not serve: a code of the catalogue or of
// engine/ladder with its arguments, or a sentence that is kept as it is.
func (s *Strings) Why(code string, args ...string) string {
	if words, ok := s.Engine.Whys[code]; ok {
		return words
	}
	if words, ok := s.Engine.Faults[code]; ok {
		return fill(words, args, nil)
	}
	return code
}

// Standing reports whether a reason holds until somebody installs or builds
// something: such a one is said once, not below every reply.
func (s *Strings) Standing(code string) bool {
	_, ok := s.Engine.Whys[code]
	return ok && code != "failed"
}

// Toy says that a model is for trying the tool, and what it speaks if that is
// one language only.
func (s *Strings) Toy(speaks []string) string {
	if len(speaks) == 1 {
		return fmt.Sprintf(s.Engine.ToyOnly, s.Language(speaks[0]))
	}
	return s.Engine.Toy
}

// Rule names a rule of personas/lint.
func (s *Strings) Rule(code string) string { return cmp.Or(s.Rules[code], code) }

// Finding words a finding about a text; one that came of loading is worded as
// the fault it is.
func (s *Strings) Finding(code string, args []string) string {
	if code == "foreign_script" && len(args) == 2 {
		args = []string{cmp.Or(s.Scripts[args[0]], args[0]), s.Language(args[1])}
	}
	if format, ok := s.Findings[code]; ok {
		return fill(format, args, nil)
	}
	what, _ := Fault(code, args, s.Code)
	return what
}
