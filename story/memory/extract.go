package memory

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"fabula/engine/terms"
)

// Point is one sentence of a summary.
type Point struct {
	Turn  string `json:"turn,omitempty"` // where it is from; empty: from the segment as a whole
	Depth int    `json:"n,omitempty"`
	Text  string `json:"text"`
	Event bool   `json:"event,omitempty"` // something that happened, not only talk
}

// Summary is what a segment comes to. It is kept under the hash of the segment,
// and never changes.
type Summary struct {
	Hash   string   `json:"hash"`
	Of     []string `json:"of,omitempty"` // alternatives of its turns
	By     string   `json:"by,omitempty"` // engine; empty: by the turns' own words
	Points []Point  `json:"points"`       // in order of time
}

const (
	// turnsPerPoint is how many turns one sentence of talk stands for.
	turnsPerPoint = 3
	// longestPoint bounds a sentence, in characters.
	longestPoint = 120
	// covered is the share of a sentence's meaning from which on it says nothing
	// new beside the sentences that were taken.
	covered = 0.7
)

// Extract sums turns up by their own words: all that happened, and of the talk
// the sentences that hold most of what the segment is about, in order of time.
// names are those of people and places; who and what is named matters.
//
// Method: sentences are ranked by the weight of their terms in the segment, as
// in SumBasic (Nenkova and Vanderwende, 2005), and passed over once the sentences
// before say the same.
func Extract(turns []Heard, names []string) []Point {
	var events []Point
	for _, t := range turns {
		for _, what := range t.Happened {
			events = append(events, Point{t.Turn, t.Depth, shortened(what), true})
		}
	}
	all := candidates(turns, names)
	slices.SortStableFunc(all, func(x, y candidate) int { return cmp.Compare(y.score, x.score) })
	told := weightsOf(events)
	var talk []candidate
	for _, c := range all {
		if len(talk) == (len(turns)+turnsPerPoint-1)/turnsPerPoint {
			break
		}
		if share(c.terms, told) >= covered {
			continue
		}
		for t := range c.terms {
			told[t] = 1
		}
		talk = append(talk, c)
	}
	slices.SortFunc(talk, func(x, y candidate) int { return cmp.Compare(x.place, y.place) })
	out := events
	for _, c := range talk {
		out = append(out, c.Point)
	}
	slices.SortStableFunc(out, func(x, y Point) int { return cmp.Compare(x.Depth, y.Depth) })
	return out
}

type candidate struct {
	Point
	place int                // among all
	terms map[string]float64 // strength of each
	score float64
}

// fewestTerms is how many telling terms a sentence has that says anything.
const fewestTerms = 2

func candidates(turns []Heard, names []string) []candidate {
	var all []candidate
	often := map[string]float64{}
	for _, t := range turns {
		for _, u := range t.Said {
			for _, sentence := range Sentences(u.Text) {
				c := candidate{Point: Point{Turn: t.Turn, Depth: t.Depth, Text: shortened(u.told(sentence))}, place: len(all), terms: strengths(sentence)}
				if len(c.terms) < fewestTerms {
					continue
				}
				for term, strength := range c.terms {
					often[term] += strength
				}
				c.score = bearing(sentence, names, t.Event)
				all = append(all, c)
			}
		}
	}
	for i := range all {
		sum := 0.0
		for term, strength := range all[i].terms {
			sum += strength * math.Log1p(often[term])
		}
		all[i].score *= sum / math.Sqrt(float64(len(all[i].terms)))
	}
	return all
}

// bearing says how much a sentence matters by what it is: one of a turn in which
// something happened, or with a name or a number, more; a question less.
func bearing(sentence string, names []string, event bool) float64 {
	w := 1.0
	if event {
		w *= 1.5
	}
	if strings.ContainsFunc(sentence, unicode.IsDigit) || slices.ContainsFunc(names, func(n string) bool { return Names(sentence, n) }) {
		w *= 1.3
	}
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？") {
		w *= 0.6
	}
	return w
}

// told gives a sentence with who said it.
func (u Utterance) told(sentence string) string {
	switch {
	case u.Name == "":
		return sentence
	case strings.ContainsFunc(sentence, terms.Unspaced):
		return u.Name + "：" + sentence
	}
	return u.Name + ": " + sentence
}

// Sentences cuts a text at the marks that end one, in both scripts.
func Sentences(text string) []string {
	var out []string
	from := 0
	rs := []rune(text)
	add := func(to int) {
		if s := strings.TrimSpace(string(rs[from:to])); s != "" {
			out = append(out, s)
		}
		from = to
	}
	for i, r := range rs {
		switch {
		case strings.ContainsRune("。！？\n", r):
		case strings.ContainsRune(".!?", r) && (i+1 == len(rs) || unicode.IsSpace(rs[i+1])):
		default:
			continue
		}
		if i+1 == len(rs) || !strings.ContainsRune("。！？.!?\"”’」』", rs[i+1]) {
			add(i + 1)
		}
	}
	add(len(rs))
	return out
}

func shortened(s string) string {
	if r := []rune(s); len(r) > longestPoint {
		return string(r[:longestPoint]) + "…"
	}
	return s
}

// strengths gives the terms that say what a text is about; of scripts without
// blanks only pairs count, since one character is in much.
func strengths(text string) map[string]float64 {
	out := map[string]float64{}
	for _, t := range terms.Of(text) {
		rs := []rune(t)
		if s := terms.Strength(t); s >= telling && (len(rs) > 1 || !terms.Unspaced(rs[0])) {
			out[t] = s
		}
	}
	return out
}

func weightsOf(points []Point) map[string]float64 {
	out := map[string]float64{}
	for _, p := range points {
		for t := range strengths(p.Text) {
			out[t] = 1
		}
	}
	return out
}

// share is how much of the meaning of terms is among others.
func share(of, among map[string]float64) float64 {
	all, held := 0.0, 0.0
	for t, s := range of {
		all += s
		if among[t] > 0 {
			held += s
		}
	}
	if all == 0 {
		return 0
	}
	return held / all
}

// Alike is how much of the meaning of one text is in another, from 0 to 1.
func Alike(text, other string) float64 { return share(strengths(text), strengths(other)) }

// Names reports whether a text holds a name, whole words in scripts that set
// them apart.
func Names(text, name string) bool {
	if strings.ContainsFunc(name, terms.Unspaced) {
		return strings.Contains(text, name)
	}
	want := terms.Of(name)
	if len(want) == 0 {
		return false
	}
	have := terms.Of(text)
	for i := 0; i+len(want) <= len(have); i++ {
		if slices.Equal(have[i:i+len(want)], want) {
			return true
		}
	}
	return false
}
