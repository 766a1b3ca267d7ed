package plot

import "math/bits"

// Rung is how a beat was noticed, cheap to dear.
type Rung string

// The rungs of the ladder.
const (
	ByHand   Rung = "hand"     // a person said so
	Always   Rung = "state"    // the state alone decides
	Keywords Rung = "keywords" // its words were said
	Intents  Rung = "intent"   // its act was done on its object
	Examples Rung = "examples" // it was said much like an example
	Judged   Rung = "judge"    // a judging model says so
)

// Verdict is what the ladder makes of a text.
type Verdict string

// The verdicts. Unsure is shown to a person, who may decide; it changes nothing.
const (
	Happened Verdict = "happened"
	Unsure   Verdict = "unsure"
	Not      Verdict = "not"
)

// How near a text has to be to an example.
const (
	unsureAt = 0.6  // from here on it may have happened
	margin   = 0.15 // by which it has to be nearer to one that fires than to one that must not
)

// Judge is asked about a beat that words alone do not decide: has it happened
// in this text? Unsure keeps what the words say.
type Judge func(b *Beat, key, text string) (Verdict, Evidence)

// Notice is what the ladder makes of a text for one beat: words and intent
// decide; examples propose, and decide where the beat says how alike is enough;
// the judge, if there is one, confirms what is proposed.
func (b *Beat) Notice(key, text string, judge Judge) (Verdict, Evidence) {
	return b.notice(folds(text), key, text, judge)
}

func (b *Beat) notice(f folded, key, text string, judge Judge) (Verdict, Evidence) {
	d := b.Detect
	if d.vetoed(f) {
		return Not, Evidence{}
	}
	if e, ok := d.match(f, text); ok {
		return Happened, e
	}
	v, e := b.resembles(text)
	if said, ok := d.words(f, text); ok && v == Not {
		said.Score = 0.5
		v, e = Unsure, said // it was named, but not asserted
	}
	if judge != nil && !d.Judge.Empty() && (v != Not || len(b.Fires) == 0) {
		if said, why := judge(b, key, text); said != Unsure {
			return said, why
		}
		if v == Not {
			v, e = Unsure, Evidence{End: len(text), Quote: text, Rung: Judged}
		}
	}
	return v, e
}

// resembles compares a text with the beat's examples. A denied or supposed
// sentence shares most words with the real one, so it is at best unsure.
func (b *Beat) resembles(text string) (Verdict, Evidence) {
	if len(b.Fires) == 0 {
		return Not, Evidence{}
	}
	l := b.near(text)
	e := Evidence{End: len(text), Quote: text, Rule: "like: " + l.example, Rung: Examples, Score: l.fires, Against: l.not}
	switch least := b.Like; {
	case least > 0 && l.fires >= least && l.fires-l.not >= margin && !doubtful(text):
		return Happened, e
	case l.fires >= unsureAt && l.fires > l.not:
		return Unsure, e
	}
	return Not, Evidence{}
}

// doubtful reports whether some sentence asks, supposes or denies.
func doubtful(text string) bool {
	f := folds(text)
	if f.idle() {
		return true
	}
	for i := range f.Runes {
		if f.negated(i) {
			return true
		}
	}
	return false
}

// remembered is in how many of the last turns something may have been seen, and
// needed how many of them it takes.
const remembered, needed = 3, 2

// steady reports whether a beat that examples or a judge noticed fires now: one
// that can be taken back has to be seen in two of the last three turns.
func (b *Beat) steady(st *State, key string, v Verdict, e Evidence) bool {
	weak := e.Rung == Examples || e.Rung == Judged
	seen := st.Seen[key] << 1
	if v == Happened && weak {
		seen |= 1
	}
	if seen &= 1<<remembered - 1; seen == 0 {
		delete(st.Seen, key)
	} else {
		if st.Seen == nil {
			st.Seen = map[string]int{}
		}
		st.Seen[key] = seen
	}
	if v != Happened {
		return false
	}
	return !weak || b.Irreversible || bits.OnesCount(uint(seen)) >= needed
}
