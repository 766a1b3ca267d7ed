package lint

import (
	"cmp"
	"slices"

	"fabula/personas"
)

// Input is a reply with what it is checked against.
type Input struct {
	Persona    *personas.Persona
	WorldTaboo []personas.Text
	Taboos     *Taboos           // of world and persona, compiled; nil = compiled here
	Locked     []personas.Secret // of the persona, locked when it spoke
	Watch      *Watch            // over Locked and perhaps more, compiled; nil = compiled here
	Language   string            // that it was to speak
	Text       string
	Before     []string         // what the persona said before, the latest last
	Player     []string         // names of the player's role
	Others     []string         // names of the other NPCs
	Absent     []string         // those of them who are not there
	Scene      []Tag            // what the scene says of weather and time
	Year       *int             // in which the world plays; nil = unknown
	Allow      []personas.Allow // of world and node; the persona's own always count
	Off        []string         // rules that the world switched off
}

type (
	sample = personas.Sample
)

// reading is an input made comparable, once for all rules.
type reading struct {
	Input
	strict folded
	hits   []hit   // of the lexicon
	bare   *folded // without punctuation
	locked *Watch
	// bareWords is the text without what is quoted.
	bareWords *string
}

func newReading(in Input) *reading {
	if in.Persona == nil {
		in.Persona = &personas.Persona{}
	}
	if in.Taboos == nil {
		in.Taboos = NewTaboos(in.WorldTaboo, in.Persona.Taboo)
	}
	r := &reading{Input: in, strict: folds(in.Text, false)}
	r.hits = words().in(r.strict, in.Text)
	return r
}

// loose is the text without punctuation.
func (in *reading) loose() folded {
	if in.bare == nil {
		f := folds(in.Text, true)
		in.bare = &f
	}
	return *in.bare
}

func (in *reading) watch() *Watch {
	if in.locked == nil {
		in.locked = in.Watch
	}
	if in.locked == nil {
		in.locked = NewWatch(in.Locked)
	}
	return in.locked
}

// Reply checks a reply against every rule that judges one reply. Findings come
// in order of their place, those about the whole first. A rule that an author
// allowed, or that the world switched off, is silent.
func Reply(in Input) []Finding {
	return run(in, func(r Rule) bool { return !r.Rate })
}

// All is Reply with the rules that only make sense as a rate over many replies.
func All(in Input) []Finding { return run(in, func(Rule) bool { return true }) }

func run(in Input, which func(Rule) bool) []Finding {
	r := newReading(in)
	var out []Finding
	for _, rule := range rules {
		if rule.check != nil && which(rule.Rule) {
			out = append(out, rule.check(r)...)
		}
	}
	return sorted(slices.DeleteFunc(out, func(f Finding) bool {
		return r.Allows(f.Code)
	}))
}

func sorted(fs []Finding) []Finding {
	slices.SortStableFunc(fs, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Span[0], y.Span[0]), cmp.Compare(x.Span[1], y.Span[1]))
	})
	return fs
}

// Allows reports whether findings of a rule are accepted or switched off here.
func (in Input) Allows(code string) bool {
	f := Finding{Code: code}
	return in.Persona != nil && allowed(in.Persona.Allow, f) || allowed(in.Allow, f) || slices.Contains(in.Off, code)
}

func allowed(list []personas.Allow, f Finding) bool {
	return slices.ContainsFunc(list, func(a personas.Allow) bool { return a.Finding == f.Code })
}
