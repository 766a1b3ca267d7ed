package story

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"time"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/story/cues"
	"fabula/story/plot"
)

// EventKind names an event on the wire: the `event` key of a JSON line.
type EventKind string

// The events of one turn, in the order in which they can come. A turn that
// several NPCs answer repeats from Prefill on and has one Done for each.
const (
	PrefillEvent EventKind = "prefill"
	OddsEvent    EventKind = "odds" // of a grounded reply
	TokenEvent   EventKind = "token"
	LineEvent    EventKind = "line"
	CueEvent     EventKind = "cue"
	BeatEvent    EventKind = "beat"
	UnsureEvent  EventKind = "unsure" // a beat that may have happened
	AnchorEvent  EventKind = "anchor"
	FindingEvent EventKind = "finding"
	StateEvent   EventKind = "state"
	DoneEvent    EventKind = "done"
	// DegradedEvent: the engine before gave no text, another one is asked.
	DegradedEvent EventKind = "degraded"
)

// Event is one thing that happened in a turn. Exactly the field that Kind
// names is set. It marshals to one JSON line of `say --json`.
type Event struct {
	Kind     EventKind
	Prefill  *engine.Prefill
	Odds     *engine.Odds
	Token    *engine.Token
	Line     *plot.Played
	Cue      *cues.Cue // of a reply's text
	Beat     *plot.Fired
	Doubt    *plot.Doubt
	Anchor   *plot.Delivered
	Finding  *lint.Finding
	State    *StateView
	Done     *Done
	Degraded *Degraded
}

// Degraded says which engine takes over, and why.
type Degraded struct {
	Engine string   `json:"engine"`
	Step   string   `json:"step"`
	Why    string   `json:"why"` // a code, or a sentence
	Args   []string `json:"why_args,omitempty"`
}

// StateView is a state as it is shown and printed: where the path stands and
// what can be chosen there.
type StateView struct {
	Node  string                `json:"node"`
	Vars  map[string]plot.Value `json:"vars"`
	Beats []string              `json:"beats"` // fired on this path, sorted
	Exits []plot.Offer          `json:"exits"`
	Ended bool                  `json:"ended"`
}

// Done ends one reply, or a turn without one. It is emitted after the store
// has it.
type Done struct {
	Branch      ID
	Turn        ID
	Alternative ID
	Speaker     string // empty: nobody replied
	Engine      string // name of the engine; empty without a reply
	Step        string // rung that answered: full, smaller, recall
	Why         string // why not a better one; empty for the best
	WhyArgs     []string
	Fault       string // code of what ended the reply; empty for a sound end or where none is known
	Reason      engine.Reason
	Seed        uint64
	TTFT        time.Duration
	Tokens      int             // decoded
	Gaps        []time.Duration // between decoded tokens: Tokens-1 of them
}

// MarshalJSON writes the event as FORMATS 3 has it. Comparison signs in
// conditions stay readable.
func (e Event) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e.line())
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

// line gives the fields of the event's JSON line.
func (e Event) line() any {
	switch e.Kind {
	case PrefillEvent:
		return struct {
			Event    EventKind `json:"event"`
			Computed int       `json:"computed"`
			Reused   int       `json:"reused"`
		}{e.Kind, e.Prefill.Computed, e.Prefill.Reused}
	case OddsEvent:
		return struct {
			Event EventKind `json:"event"`
			engine.Odds
		}{e.Kind, *e.Odds}
	case TokenEvent:
		return tokenLine(*e.Token)
	case LineEvent:
		return struct {
			Event EventKind `json:"event"`
			plot.Played
		}{e.Kind, *e.Line}
	case CueEvent:
		return struct {
			Event EventKind `json:"event"`
			cues.Cue
		}{e.Kind, *e.Cue}
	case BeatEvent:
		return beatLine(*e.Beat)
	case AnchorEvent:
		return struct {
			Event EventKind `json:"event"`
			plot.Delivered
		}{e.Kind, *e.Anchor}
	case UnsureEvent:
		return struct {
			Event EventKind `json:"event"`
			plot.Doubt
		}{e.Kind, *e.Doubt}
	case FindingEvent:
		return struct {
			Event EventKind `json:"event"`
			lint.Finding
		}{e.Kind, *e.Finding}
	case DegradedEvent:
		return struct {
			Event EventKind `json:"event"`
			Degraded
		}{e.Kind, *e.Degraded}
	case StateEvent:
		return struct {
			Event EventKind `json:"event"`
			StateView
		}{e.Kind, *e.State}
	default:
		return doneLine(*e.Done)
	}
}

func tokenLine(t engine.Token) any {
	line := struct {
		Event   EventKind `json:"event"`
		ID      int32     `json:"id"`
		Text    string    `json:"text"`
		AtMS    float64   `json:"at_ms"`
		Logprob *float32  `json:"logprob,omitempty"`
		Given   bool      `json:"given,omitempty"`

		Top []engine.TopToken `json:"top,omitempty"`
	}{TokenEvent, t.ID, t.Text, Millis(t.At), nil, t.Given, t.Top}
	if t.Logprob != 0 {
		line.Logprob = &t.Logprob
	}
	return line
}

// beatLine leaves out the lines of the beat, which are events of their own.
func beatLine(f plot.Fired) any {
	return struct {
		Event    EventKind     `json:"event"`
		Beat     string        `json:"beat"`
		By       string        `json:"by"`
		Evidence plot.Evidence `json:"evidence"`
		Changes  []plot.Change `json:"changes,omitempty"`
	}{BeatEvent, f.Beat, f.By, f.Evidence, f.Changes}
}

func doneLine(d Done) any {
	gaps := make([]float64, len(d.Gaps))
	for i, g := range d.Gaps {
		gaps[i] = Millis(g)
	}
	var ttft *float64
	if d.TTFT > 0 {
		ms := Millis(d.TTFT)
		ttft = &ms
	}
	return struct {
		Event       EventKind     `json:"event"`
		Branch      ID            `json:"branch"`
		Turn        ID            `json:"turn"`
		Alternative ID            `json:"alternative"`
		Speaker     *string       `json:"speaker"`
		Engine      *string       `json:"engine"`
		Step        *string       `json:"step"`
		Why         string        `json:"why,omitempty"`
		WhyArgs     []string      `json:"why_args,omitempty"`
		Fault       string        `json:"fault,omitempty"`
		Reason      engine.Reason `json:"reason"`
		Seed        uint64        `json:"seed"`
		TTFT        *float64      `json:"ttft_ms"`
		Tokens      int           `json:"tokens"`
		Gaps        []float64     `json:"gaps"`
	}{DoneEvent, d.Branch, d.Turn, d.Alternative, orNull(d.Speaker), orNull(d.Engine),
		orNull(d.Step), d.Why, d.WhyArgs, d.Fault, d.Reason, d.Seed, ttft, d.Tokens, gaps}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Millis gives d in milliseconds to the microsecond, as JSON output has it.
func Millis(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Microsecond)) / 1000
}

// ViewState gives what a person and a JSON line see of a state. Offers are
// the exits of the state's node; nil in a sandbox.
func ViewState(st plot.State, offers []plot.Offer) StateView {
	view := StateView{Node: st.Node, Vars: st.Vars, Ended: st.Ended, Exits: offers,
		Beats: slices.Sorted(maps.Keys(st.Beats))}
	if view.Vars == nil {
		view.Vars = map[string]plot.Value{}
	}
	if view.Beats == nil {
		view.Beats = []string{}
	}
	if view.Exits == nil {
		view.Exits = []plot.Offer{}
	}
	return view
}
