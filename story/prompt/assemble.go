package prompt

import (
	"fmt"

	"fabula/engine"
)

// Why a part was dropped.
const (
	WhyLocked = "locked" // it names a secret that is locked
	WhyShare  = "share"  // its kind had more than its share of the window
	WhyWindow = "window" // no room was left in the window
	WhyAsked  = "asked"  // the request does without it
)

// TooLong says that what may never be dropped does not fit.
type TooLong struct {
	Parts   []Segment // with their sizes, in order
	Control int
	Window  int
	Reply   int
}

// Error names the sizes by kind.
func (e *TooLong) Error() string {
	msg := fmt.Sprintf("%v: %d tokens needed", engine.ErrTooLong, sum(e.Parts)+e.Control+e.Reply)
	for _, k := range kinds() {
		n := 0
		for _, s := range e.Parts {
			if s.Kind == k {
				n += s.Tokens
			}
		}
		if n > 0 {
			msg += fmt.Sprintf(", %s %d", k, n)
		}
	}
	return msg + fmt.Sprintf(", template %d, reply %d; the window holds %d", e.Control, e.Reply, e.Window)
}

// Unwrap makes errors.Is(err, engine.ErrTooLong) hold.
func (e *TooLong) Unwrap() error { return engine.ErrTooLong }

func kinds() []Kind {
	return []Kind{Rules, Persona, Sample, Lore, Summary, History, Secret, Cover, Goal, Knows, Memory, Variables, Scene, Anchor, Line}
}

// Assemble builds the prompt of one reply. Parts that do not fit are dropped
// and listed: lore and samples first, then history, in blocks of a quarter of
// the window from the oldest. Rules with taboos, the persona, the state of the
// plot and the player's line stay; where they alone do not fit the error is a
// *TooLong. Without a window nothing is cut, but samples and lore keep to the
// share that they would have of a common one. In place of the history that is
// cut stands a summary of it, in an eighth of the window, and the turns that the
// player's line brings to mind come back, in a sixteenth.
//
// What stands before the last user message is the same in the next turn's
// prompt, until history is cut.
func Assemble(in Input) (Prompt, error) {
	a, err := newAuthor(in)
	if err != nil {
		return Prompt{}, err
	}
	p := &plan{
		in: in, room: in.Budget.Window - in.Budget.Reply,
		stable: a.stable(), last: append(a.volatile(), a.line()...), turns: a.history(),
	}
	p.lead, p.next = a.stubs()
	if in.Recall != nil {
		p.recall = a.recollections
	}
	if in.Past != nil {
		p.sumUp = a.summaries
	}
	p.leave()
	if err := p.fit(); err != nil {
		return Prompt{}, err
	}
	segments, control, err := p.measured()
	if err != nil {
		return Prompt{}, err
	}
	made := Prompt{
		Segments: segments, Messages: messages(segments), Dropped: p.dropped(),
		Tokens: sum(segments) + control, Control: control, Estimated: in.Count == nil,
	}
	if in.Trace {
		made.Lore = p.traces(a)
	}
	return made, nil
}
