package screen

import (
	"fmt"

	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// Status says who answers in a language, and why not somebody better. The
// zero Status: nobody can.
type Status struct {
	Name     string   // of the engine
	Model    string   // human name of its weights
	Speaks   []string // languages; empty = any
	Toy      bool     // for trying the tool, not for prose
	Degraded bool     // not the best rung
	Recall   bool     // authored lines are chosen; nothing is generated
	Why      string   // a code of the catalogue or of engine/ladder, or a sentence: why not the best
	Args     []string // what the words of Why need
	Loading  bool     // the model is being read
	Progress float64  // of the loading, 0..1
}

// Short says who serves in a few words, for the header.
func (s Status) Short(t *lang.Strings) string {
	switch {
	case s.Name == "":
		return t.Engine.Nobody
	case s.Loading && s.Progress > 0:
		return fmt.Sprintf("%s %d%%", fmt.Sprintf(t.Engine.Loading, s.name()), int(s.Progress*100))
	case s.Loading:
		return fmt.Sprintf(t.Engine.Loading, s.name())
	}
	return fmt.Sprintf(t.Engine.Serves, s.name())
}

// name is the engine's: the same that stands below its replies.
func (s Status) name() string { return text.Line(s.Name) }

// Fell reports whether the engine stands in for one that failed, not for one
// that is not installed.
func (s Status) Fell(t *lang.Strings) bool {
	return (s.Recall || s.Degraded) && s.Why != "" && !t.Standing(s.Why)
}

// mending holds the reasons that another model would not mend.
var mending = map[string]bool{"not_built": true, "unable": true, "no_server": true, "unknown": true}

// Notice says in one row what a person should know about who serves, and what
// to do about it; "" when all is as it should be.
func (s Status) Notice(t *lang.Strings) string {
	switch {
	case s.Loading:
		return ""
	case s.Name == "":
		return t.Engine.Nobody + " · " + t.Engine.Add
	case s.Recall && s.Why == "":
		return "" // it was asked for
	case s.Recall || s.Degraded:
		if s.Fell(t) {
			return fmt.Sprintf(t.Engine.Degraded, s.name(), text.Line(t.Why(s.Why, s.Args...)))
		}
		words := fmt.Sprintf(t.Engine.Serves, s.name())
		if why := t.Why(s.Why, s.Args...); why != "" {
			words += ": " + why
		}
		if mending[s.Why] {
			return words
		}
		return words + " · " + t.Engine.Add
	case s.Toy:
		return s.name() + ": " + t.Toy(s.Speaks) + " · " + t.Engine.Add
	}
	return ""
}
