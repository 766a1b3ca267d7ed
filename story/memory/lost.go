package memory

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Loss is something of a segment that its summary does not hold.
type Loss struct {
	Kind  string `json:"kind"` // said, event, name, number
	What  string `json:"what"` // the event, name or number; of what was said, who and its first sentence
	Turn  string `json:"turn"` // the first that has it
	Depth int    `json:"n"`
}

// The kinds of losses.
const (
	LostSaid   = "said"   // most of what somebody said
	LostEvent  = "event"  // something that happened
	LostName   = "name"   // a name that was said
	LostNumber = "number" // a number that was said
)

// The share of the meaning of what was said, or happened, in a summary from which
// on it counts as held: a model words it otherwise.
const (
	keptSaid  = 0.34
	keptEvent = 0.5
)

// Lost lists what points leave out of the turns that they sum up, in order of
// time: what was said and little is left of, events, names and numbers. Names are
// looked for among those given.
func Lost(turns []Heard, points []Point, names []string) []Loss {
	var all strings.Builder
	for _, p := range points {
		all.WriteString(p.Text + "\n")
	}
	summary := all.String()
	l := losses{held: strengths(summary), seen: map[string]bool{}}
	for _, n := range names {
		l.seen[n] = Names(summary, n)
	}
	for _, n := range numbers(summary) {
		l.seen[n] = true
	}
	for _, t := range turns {
		l.turn(t, names)
	}
	order := []string{LostSaid, LostEvent, LostName, LostNumber}
	slices.SortStableFunc(l.out, func(x, y Loss) int {
		return cmp.Or(cmp.Compare(x.Depth, y.Depth), cmp.Compare(slices.Index(order, x.Kind), slices.Index(order, y.Kind)))
	})
	return l.out
}

type losses struct {
	held map[string]float64 // terms of the summary
	seen map[string]bool    // names and numbers that are in it, or listed already
	out  []Loss
}

func (l *losses) turn(t Heard, names []string) {
	add := func(kind, what string) { l.out = append(l.out, Loss{kind, what, t.Turn, t.Depth}) }
	for _, what := range t.Happened {
		if share(strengths(what), l.held) < keptEvent {
			add(LostEvent, what)
		}
	}
	var text strings.Builder
	for _, u := range t.Said {
		text.WriteString(u.Text + "\n")
		if meant := strengths(u.Text); len(meant) >= fewestTerms && share(meant, l.held) < keptSaid {
			add(LostSaid, shortened(u.told(Sentences(u.Text)[0])))
		}
	}
	said := text.String()
	for _, n := range names {
		if !l.seen[n] && Names(said, n) {
			l.seen[n] = true
			add(LostName, n)
		}
	}
	for _, n := range numbers(said) {
		if !l.seen[n] {
			l.seen[n] = true
			add(LostNumber, n)
		}
	}
}

// numbers lists the runs of digits of a text.
func numbers(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
}

// Founded gives the sentences of a text about turns that name nobody and count
// nothing which the turns do not: a model that sums up may invent. A last
// sentence without an end was cut off.
func Founded(text string, turns []Heard, names []string) []Point {
	var b strings.Builder
	for _, t := range turns {
		for _, u := range t.Said {
			b.WriteString(u.Name + " " + u.Text + "\n")
		}
		b.WriteString(strings.Join(t.Happened, "\n") + "\n")
	}
	source := b.String()
	var parts []string // "Judge Qin" may be called Qin
	for _, n := range names {
		parts = append(append(parts, n), strings.Fields(n)...)
	}
	counted := numbers(source)
	last := turns[len(turns)-1]
	var out []Point
	for _, sentence := range Sentences(text) {
		strange := slices.ContainsFunc(parts, func(n string) bool { return strings.Contains(sentence, n) && Names(sentence, n) && !Names(source, n) }) ||
			slices.ContainsFunc(numbers(sentence), func(n string) bool { return !slices.Contains(counted, n) })
		if !strange && strings.ContainsAny(sentence[len(sentence)-min(len(sentence), 4):], ".!?。！？\"”") {
			out = append(out, Point{Depth: last.Depth, Text: shortened(sentence)})
		}
	}
	return out
}
