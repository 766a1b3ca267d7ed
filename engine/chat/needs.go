package chat

import (
	"fmt"
	"slices"

	"fabula/engine"
)

// joint stands between messages that share a turn.
const joint = "\n\n"

// needs says what is done to a conversation before a template sees it.
type needs struct {
	fold  bool // leading system messages open the first user turn
	late  bool // other system messages become user turns
	merge bool // neighbours of one role share a turn
	open  bool // an empty user turn goes before an opening by the assistant
	typed bool // content is a list of typed entries
}

// allNeeds lists every combination, those that change least first.
func allNeeds() []needs {
	var all []needs
	for i := range 32 {
		all = append(all, needs{i&1 > 0, i&2 > 0, i&4 > 0, i&8 > 0, i&16 > 0})
	}
	slices.SortStableFunc(all, func(a, b needs) int { return a.count() - b.count() })
	return all
}

func (n needs) count() int { return len(n.notes()) }

func (n needs) notes() []Note {
	var out []Note
	for _, need := range []struct {
		is   bool
		note Note
	}{{n.fold, SystemFolded}, {n.late, LateSystemFolded}, {n.merge, TurnsMerged}, {n.open, UserOpens}, {n.typed, TypedContent}} {
		if need.is {
			out = append(out, need.note)
		}
	}
	return out
}

// shape turns messages into turns with marks for content.
func (n needs) shape(messages []engine.Message, m marks) ([]turn, error) {
	var turns []turn
	next, leading, folded := 0, true, false
	for i, message := range messages {
		t := turn{role: message.Role}
		switch t.role {
		case engine.System, engine.User, engine.Assistant:
		default:
			return nil, fmt.Errorf("%w: message %d has the unknown role %q", ErrTemplate, i+1, t.role)
		}
		for range message.Parts {
			t.content += m.write(next)
			next++
		}
		leading = leading && t.role == engine.System
		join := false
		if t.role == engine.System && (leading && n.fold || !leading && n.late) {
			t.role = engine.User
			join = leading && folded
			folded = leading
		} else {
			join = folded && t.role == engine.User
			folded = false
		}
		turns = n.add(turns, t, join)
	}
	return turns, nil
}

// add appends a turn, to the last one if it must join that.
func (n needs) add(turns []turn, t turn, join bool) []turn {
	if n.open && t.role == engine.Assistant && !slices.ContainsFunc(turns, isUser) {
		turns = append(turns, turn{role: engine.User})
	}
	if last := len(turns) - 1; last >= 0 && turns[last].role == t.role && (join || n.merge) {
		turns[last].content += joint + t.content
		return turns
	}
	return append(turns, t)
}

func isUser(t turn) bool { return t.role == engine.User }
