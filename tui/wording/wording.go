// Package wording says in words what a story's state and turns hold: who is
// called what, where an exit leads, why a reply ended. The chat and the workbench
// without a screen both speak with it.
//
// Non-goals: drawing, and the sentences themselves, which are text/lang's.
package wording

import (
	"fmt"
	"strings"

	"fabula/engine"
	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// Wording words one world in one playthrough.
type Wording struct {
	Script *plot.Script
	Text   *lang.Strings // of the interface
	Speaks string        // language of the playthrough
}

// Name is what a persona is called; the id of one that is gone from the world.
func (w Wording) Name(id string) string {
	if p := w.Script.Persona(id); p != nil {
		return text.Line(p.Name.In(w.Speaks, w.Script.Languages...))
	}
	return text.Line(id)
}

// Title is what a node is called.
func (w Wording) Title(node string) string {
	if n := w.Script.Node(node); n != nil && !n.Title.Empty() {
		return text.Line(n.Title.In(w.Speaks, w.Script.Languages...))
	}
	return text.Line(node)
}

// exit finds an exit by "node.id", or by the id alone in the node of a state.
func (w Wording) exit(id string, st plot.State) *plot.Exit {
	if e := w.Script.Exit(id); e != nil {
		return e
	}
	return w.Script.Exit(st.Node + "." + id)
}

// Exit is what an exit is called in a state: "node.id", or the id alone of one
// of the state's node.
func (w Wording) Exit(id string, st plot.State) string {
	e := w.exit(id, st)
	switch {
	case e == nil:
		return text.Line(id)
	case !e.Choice.Empty():
		return text.Line(w.Script.Expand(e.Choice.In(w.Speaks, w.Script.Languages...), st, w.Speaks))
	case e.To != "":
		return w.Title(e.To)
	}
	return text.Line(id)
}

// Taken says which exit was taken and what made it so; st is the state that
// came of it.
func (w Wording) Taken(t *plot.Taken, st plot.State) string {
	how := w.Text.Chat.Choice
	switch t.By {
	case "said":
		how = fmt.Sprintf(w.Text.Chat.BySaying, text.Line(t.Evidence.Quote))
	case "auto":
		how = w.Text.Chat.ByItself
	}
	return w.Exit(t.Exit, st) + " · " + how
}

// Question words the confirmation that waits for a yes; "" when none does.
func (w Wording) Question(st plot.State) string {
	e := w.exit(st.Confirm, st)
	if st.Confirm == "" || e == nil || e.Confirm == nil {
		return ""
	}
	q := w.Script.Expand(e.Confirm.Text.In(w.Speaks, w.Script.Languages...), st, w.Speaks)
	return fmt.Sprintf(w.Text.Chat.Question, w.Name(e.Confirm.By), text.Line(q))
}

// End says that the story is over, and how; "" where it is not: also in a node
// that an edit of the world removed, or that a jump led to past an ending.
func (w Wording) End(st plot.State) string {
	n := w.Script.Node(st.Node)
	switch {
	case !st.Ended || n == nil || n.Ending == nil:
		return ""
	case n.Ending.Kind == "":
		return w.Text.Chat.Ended
	}
	return fmt.Sprintf(w.Text.Chat.EndedKind, text.Line(w.Text.Ending(n.Ending.Kind)))
}

// Vanished says that the node of a state is no longer in the world, and what to
// do; "" where it is.
func (w Wording) Vanished(st plot.State) string {
	if st.Node == "" || w.Script.Node(st.Node) != nil {
		return ""
	}
	return fmt.Sprintf(w.Text.Chat.Vanished, text.Line(st.Node))
}

// Outcome says what else a person should know about how a stored turn ended, a
// sentence each: no reply, a reply that was cut, an engine that stood in.
func (w Wording) Outcome(s story.Step) []string {
	var out []string
	t, a, words := s.Turn, s.Alternative, w.Text.Chat
	stopped := a.Reply != nil && a.Reply.Reason == engine.Cancelled // by the person: no failure
	if (a.Status == story.Failed || t.Status == story.Failed) && !stopped {
		out = append(out, words.Failed)
	}
	if a.Reply == nil {
		return out
	}
	if reason := w.reason(a.Reply); reason != "" {
		out = append(out, reason)
	}
	if why := a.Reply.Why; why != "" && !w.Text.Standing(why) {
		out = append(out, fmt.Sprintf(words.Instead, text.Line(a.Reply.Engine.Name), text.Line(w.Text.Why(why, a.Reply.WhyArgs...))))
	}
	return out
}

// fault words what ended a reply: by its code where there is one.
func (w Wording) fault(r *story.Reply) string {
	if r.Fault == "" || r.Fault == "fault" || r.Fault == "unavailable" { // the engine's own words say more
		return r.Detail
	}
	return w.Text.Why(r.Fault, r.FaultArgs...)
}

// reason says why a reply ended, "" for a plain end.
func (w Wording) reason(r *story.Reply) string {
	t := w.Text.Chat
	switch {
	case r.Reason == engine.Cancelled:
		return t.Stopped
	case r.Reason == engine.Interrupted:
		return t.Interrupted
	case r.Reason == engine.Length:
		return t.CutShort
	case r.Reason == engine.Fault:
		return fmt.Sprintf(t.Faulted, text.Line(w.fault(r)))
	case r.Blocked != "":
		return fmt.Sprintf(t.Blocked, w.Text.Rule(r.Blocked))
	case r.Detail == "loop":
		return t.Loop
	}
	return ""
}

// Node gives the id of the node that a person calls so, by its id or its title;
// as it is, where none is called so.
func (w Wording) Node(name string) string {
	for _, n := range w.Script.Nodes {
		if strings.EqualFold(n.ID, name) || strings.EqualFold(w.Title(n.ID), name) {
			return n.ID
		}
	}
	return name
}
