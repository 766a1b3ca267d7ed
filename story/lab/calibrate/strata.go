package calibrate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"fabula/story/lab/sets"
)

// Key is what strata are told apart by.
type Key struct {
	Persona  string `json:"persona"`
	Stage    string `json:"stage"` // third of the plot: early, middle, late
	Depth    string `json:"depth"` // opening, talk (to 7 exchanges), long
	Language string `json:"language"`
	Length   string `json:"length"`  // of the reply: short, medium, long
	Special  string `json:"special"` // cue, number, name, or plain
}

// Bands of depth and length: up to the first, up to the second, and beyond.
// Lengths are in characters, of Chinese in a third of them.
const (
	talkFrom, longFrom     = 1, 8
	mediumFrom, lengthFrom = 40, 120
	wideAs                 = 3
)

func keyOf(s sets.Sample, nodes []string) Key {
	k := Key{Persona: s.Persona, Language: s.Language, Stage: "late", Depth: "long", Length: "long", Special: special(s.Reply)}
	switch at := slices.Index(nodes, s.Node); {
	case at < (len(nodes)+2)/3:
		k.Stage = "early"
	case at < (2*len(nodes)+2)/3:
		k.Stage = "middle"
	}
	switch {
	case s.Depth < talkFrom:
		k.Depth = "opening"
	case s.Depth < longFrom:
		k.Depth = "talk"
	}
	n := 0
	for _, r := range s.Reply {
		if n++; r >= 0x2e80 {
			n += wideAs - 1
		}
	}
	switch {
	case n < mediumFrom:
		k.Length = "short"
	case n < lengthFrom:
		k.Length = "medium"
	}
	return k
}

// special names what a reply has that activations seldom see.
func special(reply string) string {
	switch {
	case strings.Count(reply, "*") > 1:
		return "cue"
	case strings.ContainsFunc(reply, func(r rune) bool {
		return unicode.IsNumber(r) || strings.ContainsRune("一二三四五六七八九十百千万两", r)
	}):
		return "number"
	case named(reply):
		return "name"
	}
	return "plain"
}

// named reports whether a word within a sentence begins with a capital, but "I".
func named(reply string) bool {
	words := strings.Fields(reply)
	for i, w := range words {
		r := []rune(w)
		if i > 0 && len(r) > 1 && unicode.IsUpper(r[0]) && unicode.IsLetter(r[1]) && !strings.ContainsAny(words[i-1], ".!?:\"“") {
			return true
		}
	}
	return false
}

// Stratum is one row of the table of a manifest.
type Stratum struct {
	Key
	Had  int   `json:"had"`  // to choose from, the hold-out left out
	Held int   `json:"held"` // in the hold-out
	Draw []int `json:"draw"` // of each draw
}

type stratum struct {
	key  Key
	all  []*candidate // by their hash
	held int
}

// stratify puts candidates into strata, by key.
func stratify(all []*candidate) []*stratum {
	at := map[Key]*stratum{}
	var out []*stratum
	for _, c := range all {
		x := at[c.key]
		if x == nil {
			x = &stratum{key: c.key}
			at[c.key] = x
			out = append(out, x)
		}
		x.all = append(x.all, c)
	}
	slices.SortFunc(out, func(a, b *stratum) int {
		x, y := a.key, b.key
		return cmp.Or(cmp.Compare(x.Persona, y.Persona), cmp.Compare(x.Language, y.Language), cmp.Compare(x.Stage, y.Stage),
			cmp.Compare(x.Depth, y.Depth), cmp.Compare(x.Length, y.Length), cmp.Compare(x.Special, y.Special))
	})
	for _, x := range out {
		slices.SortFunc(x.all, func(a, b *candidate) int { return cmp.Compare(a.order, b.order) })
	}
	return out
}

// table counts what became of a stratum.
func (x *stratum) table(draws []Draw) Stratum {
	ids := map[string]bool{}
	for _, c := range x.all {
		ids[c.ID] = true
	}
	s := Stratum{Key: x.key, Had: len(x.all), Held: x.held}
	for _, d := range draws {
		n := 0
		for _, c := range d.Samples {
			if ids[c.ID] {
				n++
			}
		}
		s.Draw = append(s.Draw, n)
	}
	return s
}
