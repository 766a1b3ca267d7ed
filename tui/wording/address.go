package wording

import (
	"errors"
	"fmt"
	"strings"

	"fabula/personas"
	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/text"
)

// Present lists the personas that can be spoken to in a state; in a sandbox, all.
func (w Wording) Present(st plot.State, sandbox bool) []*personas.Persona {
	if sandbox {
		return w.Script.Personas
	}
	var out []*personas.Persona
	for _, m := range w.Script.Cast(st) {
		if p := w.Script.Persona(m.NPC); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// Among lists the names of personas.
func (w Wording) Among(all []*personas.Persona) string {
	var names []string
	for _, p := range all {
		names = append(names, w.Name(p.ID))
	}
	return strings.Join(names, w.Text.Way.List)
}

// Input separates an @name at the start from what is said. It refuses a name of
// nobody present, and a name with nothing after it.
func (w Wording) Input(raw string, present []*personas.Persona) (story.Input, error) {
	in := story.Input{Text: strings.TrimSpace(raw)}
	rest, at := CutAt(in.Text)
	if !at {
		return in, nil
	}
	to, said, ok := Addressed(raw, present)
	if !ok {
		asked, _, _ := strings.Cut(rest, " ")
		return in, fmt.Errorf(w.Text.Chat.NotHere, "@"+text.Line(asked), w.Among(present))
	}
	if in.To, in.Text = to, said; said == "" {
		return in, errors.New(w.Text.Chat.Nothing)
	}
	return in, nil
}

// Names gives what a persona may be called: in every language, and by id.
func Names(p *personas.Persona) []string { return append(p.Name.All(), p.ID) }

// CutAt takes an @ off the start, in either width.
func CutAt(s string) (rest string, ok bool) {
	if rest, ok := strings.CutPrefix(s, "@"); ok {
		return rest, true
	}
	return strings.CutPrefix(s, "＠")
}

// Addressed finds who of those present is meant by an @name at the start, and
// what follows it. The longest name that fits counts.
func Addressed(raw string, present []*personas.Persona) (to, said string, ok bool) {
	rest, at := CutAt(strings.TrimSpace(raw))
	if !at {
		return "", "", false
	}
	longest := 0
	for _, p := range present {
		for _, name := range Names(p) {
			if after, fits := cutName(rest, name); fits && len(name) > longest { // 老周三 is not 老周
				to, said, ok, longest = p.ID, after, true, len(name)
			}
		}
	}
	return to, said, ok
}

// cutName takes name off the start of s, case folded, if a space, punctuation
// or nothing follows, or the name is written without spaces around it.
func cutName(s, name string) (string, bool) {
	if name == "" || len(s) < len(name) || !strings.EqualFold(s[:len(name)], name) {
		return "", false
	}
	after := s[len(name):]
	if after != "" && text.IsASCII(name) && !strings.ContainsAny(after[:1], " ,:;.!?\n") && after[0] < 0x80 {
		return "", false
	}
	return strings.TrimLeft(after, " ,:;，：；、\n"), true
}
