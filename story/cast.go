package story

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"fabula/personas"
	"fabula/story/plot"
)

// CastError refuses an NPC that is unknown or not there, and names who is.
type CastError struct {
	Asked string
	Known bool     // the world has this NPC
	There []string // persona ids in the cast
}

// Error names who is there.
func (e *CastError) Error() string {
	there := "nobody"
	if len(e.There) > 0 {
		there = strings.Join(e.There, ", ")
	}
	if !e.Known {
		return fmt.Sprintf("no NPC %q in this world; here: %s", e.Asked, there)
	}
	return fmt.Sprintf("%s is not here; here: %s", e.Asked, there)
}

// Unwrap gives ErrAbsent for a known NPC and ErrNotFound for an unknown one.
func (e *CastError) Unwrap() error {
	if e.Known {
		return ErrAbsent
	}
	return ErrNotFound
}

// ExitError refuses a choice and gives what is offered.
type ExitError struct {
	Exit   string
	Closed bool   // it is offered, but closed
	Why    string // the condition that closes it
	Offers []plot.Offer
}

// Error names the exits that are open, and the condition that closes this one.
func (e *ExitError) Error() string {
	what := fmt.Sprintf("no exit %q here", e.Exit)
	if e.Closed {
		what = "exit " + e.Exit + " is closed"
	}
	if e.Closed && e.Why != "" {
		what += " (" + e.Why + ")"
	}
	var open []string
	for _, o := range e.Offers {
		if o.Open {
			open = append(open, o.ID)
		}
	}
	if len(open) == 0 {
		return what + "; none is open"
	}
	return what + "; open: " + strings.Join(open, ", ")
}

// Unwrap gives ErrClosed for a closed exit and ErrNotFound for an unknown one.
func (e *ExitError) Unwrap() error {
	if e.Closed {
		return ErrClosed
	}
	return ErrNotFound
}

// VanishedError says that an edit of the world removed the node that a branch
// stands on. Jump leads on, for example to Start.
type VanishedError struct {
	Node  string
	Start string
}

// Error offers the jump.
func (e *VanishedError) Error() string {
	return fmt.Sprintf("node %s is no longer in this world: jump to another, for example %s", e.Node, e.Start)
}

// Unwrap gives ErrVanished.
func (e *VanishedError) Unwrap() error { return ErrVanished }

// addressee gives the persona that the input names, by `@name` in the text or
// by To, and checks that it is in the cast of S0. Empty when nobody is named.
func (p *plan) addressee(s0 plot.State) (string, error) {
	asked := p.turn.Input.To
	if at, ok := mention(p.script, p.turn.Input.Text); ok {
		asked = at
	}
	if asked == "" {
		return "", nil
	}
	who := byName(p.script, asked)
	if who == nil {
		return "", &CastError{Asked: asked, There: ids(p.script.Cast(s0))}
	}
	if p.sandbox || slices.Contains(ids(p.script.Cast(s0)), who.ID) {
		return who.ID, nil
	}
	return "", &CastError{Asked: who.ID, Known: true, There: ids(p.script.Cast(s0))}
}

func ids(cast []plot.Member) []string {
	all := make([]string, len(cast))
	for i, m := range cast {
		all[i] = m.NPC
	}
	return all
}

// mention finds who a text addresses by beginning with `@`. A name that no
// persona has comes back as typed, so that a slip is refused and not sent to
// somebody else.
func mention(script *plot.Script, text string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "@")
	if !ok {
		rest, ok = strings.CutPrefix(strings.TrimSpace(text), "＠")
	}
	first := []rune(rest)
	if !ok || len(first) == 0 || !unicode.IsLetter(first[0]) {
		return "", false
	}
	best, longest := "", 0
	for _, p := range script.Personas {
		for _, name := range names(p) {
			if n := len([]rune(name)); n > longest && begins(first, name) {
				best, longest = p.ID, n
			}
		}
	}
	if best != "" {
		return best, true
	}
	end := slices.IndexFunc(first, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if end < 0 {
		end = len(first)
	}
	return string(first[:end]), true
}

// begins reports whether text begins with name, and, for names in letters that
// make words with spaces, whether the word ends there.
func begins(text []rune, name string) bool {
	want := []rune(name)
	if len(want) == 0 || len(text) < len(want) || !strings.EqualFold(string(text[:len(want)]), name) {
		return false
	}
	last := want[len(want)-1]
	if len(text) == len(want) || unicode.Is(unicode.Han, last) {
		return true
	}
	next := text[len(want)]
	return !(unicode.IsLetter(next) && !unicode.Is(unicode.Han, next) || unicode.IsDigit(next) || next == '_')
}

func names(p *personas.Persona) []string {
	return append(append([]string{p.ID}, p.Was...), p.Name.All()...)
}

// byName finds a persona by id, old id or name in any language.
func byName(script *plot.Script, name string) *personas.Persona {
	if p := script.Persona(name); p != nil {
		return p
	}
	for _, p := range script.Personas {
		if slices.ContainsFunc(names(p), func(n string) bool { return strings.EqualFold(n, name) }) {
			return p
		}
	}
	return nil
}

// cast decides who replies: step 3 of a turn.
func (p *plan) cast(s0, s1 plot.State, to string, moved bool) {
	in := p.turn.Input
	if in.Text == "" && !in.Next || p.question {
		return // a pure choice, or a question in place of a reply
	}
	there := ids(p.script.Cast(s1))
	switch {
	case to != "" && (!moved || slices.Contains(there, to)):
		p.turn.Speaker = to
	case p.sandbox && p.script.Persona(s0.Speaker) != nil:
		p.turn.Speaker = s0.Speaker
	case len(there) == 0:
		return
	case to != "": // an exit led away from the addressee
		p.turn.Speaker = there[0]
	case in.Next:
		p.turn.Speaker = after(there, s1.Speaker)
	case slices.Contains(there, s1.Speaker):
		p.turn.Speaker = s1.Speaker
	default:
		p.turn.Speaker = there[0]
	}
	p.queue = p.others(s1.Node, there)
}

// others lists who speaks after the first: with `turns: all` the rest of the
// cast, in its order.
func (p *plan) others(node string, there []string) []string {
	n := p.script.Node(node)
	if n == nil || n.Turns != "all" || p.sandbox || p.turn.Input.Next {
		return nil
	}
	return slices.DeleteFunc(there, func(id string) bool { return id == p.turn.Speaker })
}

// after gives who follows last in the cast, in a circle.
func after(there []string, last string) string {
	return there[(slices.Index(there, last)+1)%len(there)]
}
