// Package promote turns a stretch of a recorded branch into authored lines: a
// plot file that adds them to their nodes by `extend`.
//
// What a player said becomes a choice that stays, the reply a line of it; where
// the words made a beat happen or an exit was taken, the reply becomes a line of
// that. Conditions are those that are known to have held, never guesses:
//
//	what came before   each line follows the one before it, a choice is there once
//	who was there      the condition of the speaker's place in the cast
//	what was told      the condition that unlocks a secret in the reply
//	what was known     the variables' words that stood in the speaker's prompt
//
// Non-goals: writing files, translating, judging whether a reply is good.
package promote

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"fabula/personas"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

// ErrNothing: no reply of the stretch can become a line; ErrHeld names a reply
// that must not.
var (
	ErrNothing = errors.New("nothing to promote")
	ErrHeld    = errors.New("this reply cannot be an authored line")
)

// Codes of notes: why a turn gave no line, and why a condition is there.
const (
	NoteOpening = "promote_opening" // authored lines alone
	NoteSilent  = "promote_silent"  // nobody replied
	NoteAlready = "promote_already" // line id
	NoteAlone   = "promote_alone"   // nothing in the stretch that it follows
	NoteWords   = "promote_words"   // the player's words are no choice's label
	WhyBraces   = "because_braces"  // braces of the player's words became parentheses
	WhyBeat     = "because_beat"    // node.beat
	WhyExit     = "because_exit"    // node.exit
	WhyOnce     = "because_once"
	WhyAfter    = "because_after"  // what came before
	WhyCast     = "because_cast"   // persona, condition
	WhySecret   = "because_secret" // secret, condition
	WhyKnown    = "because_known"  // persona, condition
	WhyVisit    = "because_visit"  // visits
)

// Codes lists the codes of notes.
func Codes() []string {
	return []string{NoteOpening, NoteSilent, NoteAlready, NoteAlone, NoteWords, WhyBraces, WhyBeat, WhyExit, WhyOnce, WhyAfter, WhyCast, WhySecret, WhyKnown, WhyVisit}
}

// Note is a code with its arguments, for whoever words it.
type Note struct {
	Code string   `json:"code"`
	Args []string `json:"args,omitempty"`
}

// Request is what is to be promoted.
type Request struct {
	Script   *plot.Script
	Branch   export.Branch
	Numbers  export.Numbers
	From, To int               // turns, both included; 0 is the opening
	Node     string            // where the lines go; empty: where they were said
	Word     func(Note) string // comments in the file; nil = codes
}

// Line is a reply as an authored line.
type Line struct {
	ID      string   `json:"id"` // speaker.node.line
	Turn    int      `json:"turn"`
	Node    string   `json:"node"`
	At      string   `json:"at"`
	When    string   `json:"when,omitempty"`
	Speaker string   `json:"speaker"`
	Lang    string   `json:"lang"`
	Text    string   `json:"text"`
	Cues    []string `json:"cues,omitempty"`
	Why     []Note   `json:"why,omitempty"`
	exit    *exit
	short   string // id without speaker and node
}

// exit is a choice that a player's words became.
type exit struct {
	id, when, lang, text string
	why                  []Note
}

// Skipped is a turn that gave no line.
type Skipped struct {
	Turn int  `json:"turn"`
	Why  Note `json:"why"`
}

// Patch is the plot file, and what is in it.
type Patch struct {
	Name    string // a file name for it
	Text    []byte
	Lines   []Line
	Skipped []Skipped
}

// Make makes the patch. The error wraps ErrHeld for a reply that tells a locked
// secret, shows a placeholder or comes from the sandbox, and for a speaker who is not in the cast
// of Request.Node; ErrNothing where no turn gave a line.
func Make(r Request) (*Patch, error) {
	if r.From < 0 || r.To < r.From || r.To >= len(r.Branch.Steps) {
		return nil, fmt.Errorf("%s has turns 0 to %d: %w", r.Branch.Name, len(r.Branch.Steps)-1, ErrNothing)
	}
	m := maker{Request: r, patch: &Patch{Name: fmt.Sprintf("promoted_%s_%d_%d.yaml", fileName(r.Branch.Name), r.From, r.To)}}
	for n := r.From; n <= r.To; n++ {
		if err := m.turn(n); err != nil {
			return nil, fmt.Errorf("%s@%d: %w", r.Branch.Name, n, err)
		}
	}
	if len(m.patch.Lines) == 0 {
		return m.patch, fmt.Errorf("%s@%d..%d: %w", r.Branch.Name, r.From, r.To, ErrNothing)
	}
	m.patch.Text = m.file()
	return m.patch, nil
}

type maker struct {
	Request
	patch *Patch
	after string      // a condition: what came before in the stretch
	last  *Line       // of the turn before
	group []condition // of that turn, for those who speak after
}

func (m *maker) skip(n int, code string, args ...string) {
	m.patch.Skipped = append(m.patch.Skipped, Skipped{n, Note{code, args}})
}

// turn makes a line of a turn's reply.
func (m *maker) turn(n int) error {
	s := m.Branch.Steps[n]
	t, a := s.Turn, s.Alternative
	switch {
	case n == 0 || t.Input.Jump != "":
		m.skip(n, NoteOpening)
		return nil
	case t.Input.Sandbox || slices.Contains(m.Branch.Tags, story.SandboxTag):
		return fmt.Errorf("it was played outside the plot (sandbox): %w", ErrHeld)
	case strings.TrimSpace(a.Text) == "" || a.Speaker == "":
		m.skip(n, NoteSilent)
		return nil
	}
	id := m.Numbers[export.Utterance{Turn: t.ID, Alternative: a.ID}]
	if m.Script.Line(id) != nil {
		m.skip(n, NoteAlready, id)
		return nil
	}
	l := Line{Turn: n, Node: t.Before.Node, Speaker: a.Speaker, Lang: m.language(a.Speaker), Text: a.Text, Cues: a.Cues}
	l.short = id[strings.LastIndexByte(id, '.')+1:]
	if m.Node != "" && m.Node != l.Node {
		l.short, l.Node = l.Node+"_"+l.short, m.Node
	}
	l.ID = l.Speaker + "." + l.Node + "." + l.short
	if err := m.holds(a.Text); err != nil {
		return err
	}
	conds, err := m.conditions(s, &l)
	if err != nil {
		return err
	}
	if code := m.place(n, s, &l, conds); code != "" {
		m.skip(n, code)
		return nil
	}
	m.patch.Lines = append(m.patch.Lines, l)
	m.last = &m.patch.Lines[len(m.patch.Lines)-1]
	return nil
}

// language is what a speaker's lines are written in.
func (m *maker) language(npc string) string {
	if p := m.Script.Persona(npc); p != nil {
		return p.Language(m.Branch.Language)
	}
	return m.Branch.Language
}

// holds refuses a text that authored lines would show otherwise.
func (m *maker) holds(text string) error {
	if !utf8.ValidString(text) || strings.TrimSpace(text) == "" {
		return fmt.Errorf("it is blank, or not UTF-8: %w", ErrHeld)
	}
	if found, ok := m.Script.Placeholder(text); ok {
		return fmt.Errorf("it holds %s, which an authored line fills in: %w", found, ErrHeld)
	}
	return nil
}

// condition is a source text with the reason for it. Own says that it must stand
// on the line itself, not only on the choice that leads to it.
type condition struct {
	src string
	why Note
	own bool
}

// conditions are those that are known to have held when the reply was said.
func (m *maker) conditions(s story.Step, l *Line) ([]condition, error) {
	var out []condition
	n := m.Script.Node(l.Node)
	if n == nil {
		return nil, fmt.Errorf("no node %s: %w", l.Node, ErrHeld)
	}
	i := slices.IndexFunc(n.Cast, func(c plot.Member) bool { return c.NPC == l.Speaker })
	if i < 0 {
		return nil, fmt.Errorf("%s is not in the cast of %s: %w", l.Speaker, l.Node, ErrHeld)
	}
	if c := n.Cast[i].When; !c.Empty() {
		out = append(out, condition{src: c.Src, why: Note{WhyCast, []string{l.Speaker, c.Src}}})
	}
	st := s.Turn.Before
	secrets, err := m.secrets(st, l)
	if err != nil {
		return nil, err
	}
	out = append(out, secrets...)
	if l.Node == st.Node { // elsewhere, `visits` would mean another node
		out = append(out, m.known(st, l.Speaker)...)
	}
	return out, nil
}

// secrets are the conditions that unlock what the reply tells.
func (m *maker) secrets(st plot.State, l *Line) ([]condition, error) {
	var out []condition
	p := m.Script.Persona(l.Speaker)
	var told plot.State
	for _, id := range m.Script.ToldSecrets(&told, l.Speaker, l.Text) {
		i := slices.IndexFunc(p.Secrets, func(s personas.Secret) bool { return p.ID+"."+s.ID == id })
		if !m.Script.Unlocked(p, &p.Secrets[i], st) {
			return nil, fmt.Errorf("it tells %s, which was locked: %w", id, ErrHeld)
		}
		src := p.Secrets[i].Unlock.Src
		out = append(out, condition{src: src, why: Note{WhySecret, []string{id, src}}, own: true})
	}
	return out, nil
}

// known are the conditions of the variables' words that stood in the prompt.
func (m *maker) known(st plot.State, npc string) []condition {
	var out []condition
	for _, v := range m.Script.Vars {
		if len(v.KnownTo) > 0 && !slices.Contains(v.KnownTo, npc) {
			continue
		}
		for _, w := range v.Words {
			if !w.When.Empty() && m.Script.Holds(w.When, st) {
				out = append(out, condition{src: w.When.Src, why: Note{WhyKnown, []string{npc, w.When.Src}}})
			}
		}
	}
	return out
}

// place says when the line is played: at a beat or an exit of its turn, after
// the reply before it, or at a choice made of what the player said. It gives the
// code of a note where no moment would mean the same.
func (m *maker) place(n int, s story.Step, l *Line, conds []condition) string {
	t := s.Turn
	before := m.Branch.Steps[n-1].Alternative.State
	here := l.Node == t.Before.Node
	var own []condition
	if m.after != "" {
		own = append(own, condition{src: m.after, why: Note{WhyAfter, []string{m.after}}})
	}
	switch {
	case t.Input.Next && m.last != nil && m.last.Turn == n-1 && m.last.Node == l.Node:
		l.At = m.last.At
		m.write(l, slices.Concat(m.group, conds))
		return ""
	case here && t.Taken != nil && before.Node != t.Before.Node:
		l.At = "enter"
		came := fmt.Sprintf("exit(%q)", t.Taken.Exit)
		own = append(own, condition{src: came, why: Note{WhyExit, []string{t.Taken.Exit}}}, visit(t.Before.Visits[l.Node]))
		m.after = came
	case here && t.Taken != nil:
		l.At = "exit:" + cut(t.Taken.Exit)
		l.Why = append(l.Why, Note{WhyExit, []string{t.Taken.Exit}})
		m.after = fmt.Sprintf("exit(%q)", t.Taken.Exit)
	case here && len(t.Fired) > 0:
		beat := t.Fired[len(t.Fired)-1].Beat
		l.At = "beat:" + cut(beat)
		l.Why = append(l.Why, Note{WhyBeat, []string{beat}})
		m.after = fmt.Sprintf("beat(%q)", beat)
	case t.Input.Text != "":
		label := m.label(t.Input.Text)
		if label == "" {
			return NoteWords
		}
		m.group = nil // who speaks after follows the same choice
		m.choice(t, l, label, append(own, conds...))
		return ""
	case here && !arrived(m.Branch.Steps[n-1]):
		return NoteAlone
	default:
		l.At = "enter"
	}
	m.group = own
	m.write(l, slices.Concat(own, conds))
	return ""
}

// arrived reports whether whoever speaks after a turn speaks first in the node.
func arrived(s story.Step) bool {
	t := s.Turn
	return t.Depth == 0 || t.Input.Jump != "" || t.Taken != nil && strings.TrimSpace(s.Alternative.Text) == ""
}

// label makes of the player's words what a choice can show: braces that would be
// filled in become parentheses. Empty where nothing can be made of them.
func (m *maker) label(words string) string {
	if m.holds(words) == nil {
		return words
	}
	words = strings.NewReplacer("{", "(", "}", ")").Replace(words)
	if m.holds(words) != nil {
		return ""
	}
	return words
}

// visit is the condition of a first or a later visit.
func visit(n int) condition {
	src := "visits > 1"
	if n == 1 {
		src = "visits == 1"
	}
	return condition{src: src, why: Note{WhyVisit, []string{src}}}
}

func cut(id string) string { return id[strings.IndexByte(id, '.')+1:] }

// choice makes of the player's words an exit that stays, there once.
func (m *maker) choice(t story.Turn, l *Line, label string, conds []condition) {
	id := m.Numbers[export.Utterance{Turn: t.ID}]
	x := &exit{id: "says_" + strings.ReplaceAll(strings.TrimPrefix(id, "player."), ".", "_"), lang: m.Branch.Language, text: label}
	taken := fmt.Sprintf("exit(%q)", l.Node+"."+x.id)
	all := append([]condition{{src: "not " + taken, why: Note{Code: WhyOnce}}}, conds...)
	x.when, x.why = join(all)
	if label != t.Input.Text {
		x.why = append(x.why, Note{Code: WhyBraces})
	}
	l.exit, l.At, m.after = x, "exit:"+x.id, taken
	var own []condition
	for _, c := range conds {
		if c.own {
			own = append(own, c)
		}
	}
	m.write(l, own)
}

func (m *maker) write(l *Line, conds []condition) {
	when, why := join(conds)
	l.When, l.Why = when, append(l.Why, why...)
}

// disjunction finds the one operator that binds less than `and`.
var disjunction = regexp.MustCompile(`\bor\b`)

// join writes conditions as one, each once.
func join(conds []condition) (string, []Note) {
	var parts []string
	var why []Note
	for _, c := range conds {
		part := c.src
		if len(conds) > 1 && disjunction.MatchString(part) {
			part = "(" + part + ")"
		}
		if !slices.Contains(parts, part) {
			parts, why = append(parts, part), append(why, c.why)
		}
	}
	return strings.Join(parts, " and "), why
}
