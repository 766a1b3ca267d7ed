package prompt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fabula/personas"
	"fabula/story/plot"
)

// mostCalls bounds how far lore calls lore. An entry is called once at most, so
// that entries which name each other come to an end anyway.
const mostCalls = 4

// Why an entry of lore is not in a prompt, beside the reasons of parts that are
// left out.
const (
	WhyUnknown   = "not_known"    // the speaker does not know it
	WhyCondition = "condition"    // its `when` does not hold
	WhyNoKey     = "no_key"       // no key was named
	WhyNotAll    = "not_all"      // not all of its keys were
	WhySecondary = "no_secondary" // a key was named, and none of `secondary`
)

// Traced tells of one entry of lore whether it was called, and by what.
type Traced struct {
	Entry    string   `json:"entry"`
	Fired    bool     `json:"fired"`         // something called it
	In       bool     `json:"in"`            // it stands in the prompt
	Why      string   `json:"why,omitempty"` // why not
	Constant bool     `json:"constant,omitempty"`
	When     string   `json:"when,omitempty"` // its condition
	By       string   `json:"by,omitempty"`   // the entry whose text called it; empty: what was said
	Round    int      `json:"round,omitempty"`
	Hits     []KeyHit `json:"hits"`
	Priority int      `json:"priority"`
	Tokens   int      `json:"tokens,omitempty"`

	lore *personas.Lore
}

// KeyHit is a key where it was found.
type KeyHit struct {
	Key       string `json:"key"` // the wording that was found
	Secondary bool   `json:"secondary,omitempty"`
	Where     string `json:"where"` // line, opening, a turn id, or lore.ENTRY
	Start     int    `json:"start"` // bytes of that text
	End       int    `json:"end"`
	Rune      int    `json:"rune"` // Start in characters
	Quote     string `json:"quote"`
}

// always says that an entry is in every prompt, whatever the state is.
func (t *Traced) always() bool { return t.lore.Constant && t.lore.When.Empty() }

// loreCalled traces every entry, in file order: constants and what is said call
// first, then, round by round, the texts of entries that are recursive.
func (a *author) loreCalled() []Traced {
	if a.traced != nil {
		return a.traced
	}
	all := make([]Traced, len(a.in.Script.Lore))
	talks := map[int][]spokenAt{} // by depth
	for i, l := range a.in.Script.Lore {
		if _, ok := talks[l.Depth]; !ok {
			talks[l.Depth] = a.spokenOf(l.Depth)
		}
		all[i] = a.trace(l, talks[l.Depth])
	}
	for round := 1; round <= mostCalls; round++ {
		if !a.callOn(all, round) {
			break
		}
	}
	a.traced = all
	return all
}

// trace says whether what was said calls an entry.
func (a *author) trace(l *personas.Lore, talk []spokenAt) Traced {
	t := Traced{Entry: l.ID, Constant: l.Constant, When: l.When.Src, Priority: l.Priority, Hits: []KeyHit{}, lore: l}
	switch {
	case !knownTo(l.KnownTo, a.in.Speaker.ID):
		t.Why = WhyUnknown
	case !l.When.Empty() && !a.holds(l.When):
		t.Why = WhyCondition
	case l.Constant:
		t.Fired = true
	default:
		t.Hits, t.Why = keysIn(l, talk)
		t.Fired = t.Why == ""
	}
	return t
}

// callOn has the entries that were called in the round before call others;
// false where none does any more.
func (a *author) callOn(all []Traced, round int) bool {
	var from []spokenAt
	for i := range all {
		if t := &all[i]; t.Fired && t.Round == round-1 && t.lore.Recursive && !a.in.without(Segment{Kind: Lore, Source: loreSource(t.Entry)}) {
			if text := a.text(t.lore.Text); !a.betrays(text) {
				from = append(from, spokenAt{loreSource(t.Entry), plot.NewTalk(text), text})
			}
		}
	}
	any := false
	for i := range all {
		t := &all[i]
		if t.Fired || t.Why == WhyUnknown || t.Why == WhyCondition {
			continue
		}
		if hits, why := keysIn(t.lore, from); why == "" {
			t.Fired, t.Why, t.Hits, t.Round, any = true, "", hits, round, true
			t.By = strings.TrimPrefix(hits[0].Where, loreSource(""))
		}
	}
	return any
}

// keysIn looks for the keys of an entry and says why they do not call it.
func keysIn(l *personas.Lore, talk []spokenAt) (hits []KeyHit, why string) {
	hits = []KeyHit{}
	named := 0
	for _, k := range l.Keys {
		if h, ok := keyIn(k, talk); ok {
			hits = append(hits, h)
			named++
		}
	}
	switch {
	case named == 0:
		return hits, WhyNoKey
	case l.Match == "all" && named < len(l.Keys):
		return hits, WhyNotAll
	case len(l.Secondary) == 0:
		return hits, ""
	}
	why = WhySecondary
	for _, k := range l.Secondary {
		if h, ok := keyIn(k, talk); ok {
			h.Secondary, why = true, ""
			hits = append(hits, h)
		}
	}
	return hits, why
}

func keyIn(key personas.Text, talk []spokenAt) (KeyHit, bool) {
	for _, s := range talk {
		if word, e, ok := s.talk.Find(key); ok {
			return KeyHit{Key: word, Where: s.where, Start: e.Start, End: e.End, Rune: utf8.RuneCountInString(s.text[:e.Start]), Quote: e.Quote}, true
		}
	}
	return KeyHit{}, false
}

// spokenAt is an utterance, prepared for the search.
type spokenAt struct {
	where string
	talk  plot.Talk
	text  string
}

// spokenOf gives the utterances of this turn and of depth turns before it, the
// player's line first.
func (a *author) spokenOf(depth int) []spokenAt {
	var talk []spokenAt
	add := func(where, text string) {
		if text != "" {
			talk = append(talk, spokenAt{where, plot.NewTalk(text), text})
		}
	}
	add("line", a.in.Line)
	for _, o := range a.in.Opening {
		add("opening", o.Text)
	}
	for _, x := range slices.Backward(a.in.History[max(0, len(a.in.History)-max(depth, 0)):]) {
		for _, l := range x.Lines {
			add(x.Turn, l.Text)
		}
	}
	return talk
}

// traces gives what was traced with what became of each entry in the prompt.
func (p *plan) traces(a *author) []Traced {
	out := slices.Clone(a.loreCalled())
	for i := range out {
		t := &out[i]
		for _, items := range [][]item{p.stable, p.last} {
			for _, it := range items {
				if it.Kind == Lore && it.Source == loreSource(t.Entry) {
					t.In, t.Why, t.Tokens = it.dropped == "", it.dropped, it.tokens()
				}
			}
		}
	}
	return out
}
