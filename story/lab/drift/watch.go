package drift

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fabula/engine"
	"fabula/story/lab/sets"
)

// The kinds of watched words.
const (
	Taboo = "taboo" // what the persona never says
	Slang = "slang" // today's register
)

// Words are words that a persona is not to say in a language.
type Words struct {
	Persona, Language, Kind string
	List                    []string
}

// Mass is the probability of beginning a watched word, the mean over all places
// of the replies, before any luck of sampling. Tokens that the authored replies
// begin with as well say nothing and are left out; so are words whose first
// token is less than a character or than two letters.
type Mass struct {
	Kind    string  `json:"kind"`
	A       float64 `json:"a"`
	B       float64 `json:"b"`
	Ratio   float64 `json:"ratio"`   // B over A, of masses that are both kept above a floor
	Words   int     `json:"words"`   // watched
	Unwatch int     `json:"unwatch"` // that cannot be with this vocabulary
	// Places are those where B's mass grew most.
	Places []MassPlace `json:"places,omitempty"`
}

// MassPlace is a place where a watched word came nearer.
type MassPlace struct {
	Sample string  `json:"sample"`
	At     int     `json:"at"`
	Before string  `json:"before"`
	Word   string  `json:"word"` // one that begins with the token which grew most
	A      float64 `json:"a"`
	B      float64 `json:"b"`
}

// leastMass is the mean probability below which a mass is as good as none: one
// token in ten thousand. The ratio of two such is 1.
const leastMass = 1e-4

// watched is a token that begins words of a kind.
type watched struct {
	id    int32
	kind  string
	words []string
}

// tokenise finds the first token of every watched word of a group, at the
// beginning of a reply and within it. Words that cannot be told are kept with
// the id −1.
func tokenise(ctx context.Context, e Engine, g group, all []Words) ([]watched, error) {
	var forms []string
	var of []Words
	for _, w := range all {
		if w.Persona != g.persona || w.Language != g.language {
			continue
		}
		for _, word := range w.List {
			for _, form := range written(word) {
				forms = append(forms, form)
				of = append(of, Words{Kind: w.Kind, List: []string{word}})
			}
		}
	}
	if len(forms) == 0 {
		return nil, nil
	}
	scored, err := e.Score(ctx, engine.ScoreRequest{Messages: []engine.Message{{Role: engine.User, Parts: []string{"."}}}, Texts: forms, First: 1,
		Priority: engine.Background})
	if err != nil {
		return nil, fmt.Errorf("tokens of watched words: %w", err)
	}
	var out []watched
	for i, s := range scored {
		id := int32(-1)
		if len(s.Tokens) > 0 && telling(s.Tokens[0].Text) {
			id = s.Tokens[0].ID
		}
		at := slices.IndexFunc(out, func(w watched) bool { return w.id == id && w.kind == of[i].Kind })
		if at < 0 {
			at = len(out)
			out = append(out, watched{id: id, kind: of[i].Kind})
		}
		if word := of[i].List[0]; !slices.Contains(out[at].words, word) {
			out[at].words = append(out[at].words, word)
		}
	}
	return out, nil
}

// written gives the ways in which a word can stand: where a script has blanks,
// at the beginning of a reply and behind one.
func written(word string) []string {
	r, size := utf8.DecodeRuneInString(word)
	if !unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek) {
		return []string{word}
	}
	upper := string(unicode.ToUpper(r)) + word[size:]
	return []string{" " + word, upper}
}

// telling reports whether a token tells something of a word: a whole character
// of a script without blanks, or two letters.
func telling(token string) bool {
	token = strings.TrimSpace(token)
	letters := 0
	for _, r := range token {
		switch {
		case r == utf8.RuneError:
			return false
		case r >= 0x2e80:
			return true
		}
		letters++
	}
	return letters >= 2
}

// masses gathers the probabilities of watched tokens.
type masses struct {
	words  []watched
	said   map[int32]bool // tokens of the authored replies
	places []massAt
}

// massAt is a place with the probabilities of the watched tokens, as words.
type massAt struct {
	sample, before string
	at             int
	a, b           []float64
}

func (m *masses) add(s sets.Sample, a, b engine.Scored) {
	if len(m.words) == 0 {
		return
	}
	if m.said == nil {
		m.said = map[int32]bool{}
	}
	for k := range a.Tokens {
		m.said[a.Tokens[k].ID] = true
		p := massAt{sample: s.ID, at: k, before: ending(a.Tokens[:k]), a: make([]float64, len(m.words)), b: make([]float64, len(m.words))}
		for i, w := range m.words {
			if w.id >= 0 {
				p.a[i], p.b[i] = probability(a.Tokens[k], w.id), probability(b.Tokens[k], w.id)
			}
		}
		m.places = append(m.places, p)
	}
}

// close pools the masses by kind.
func (m *masses) close() []Mass {
	var out []Mass
	for _, kind := range []string{Taboo, Slang} {
		if slices.ContainsFunc(m.words, func(w watched) bool { return w.kind == kind }) && len(m.places) > 0 {
			out = append(out, m.kind(kind))
		}
	}
	return out
}

func (m *masses) kind(kind string) Mass {
	x := Mass{Kind: kind}
	on, off := map[string]bool{}, map[string]bool{}
	use := make([]bool, len(m.words))
	for i, w := range m.words {
		use[i] = w.kind == kind && w.id >= 0 && !m.said[w.id]
		for _, word := range w.words {
			if use[i] {
				on[word] = true
			} else if w.kind == kind {
				off[word] = true
			}
		}
	}
	for word := range on {
		delete(off, word)
	}
	x.Words, x.Unwatch = len(on), len(off)
	for _, p := range m.places {
		at := MassPlace{Sample: p.sample, At: p.at, Before: p.before}
		most := 0.0
		for i := range m.words {
			if !use[i] {
				continue
			}
			at.A += p.a[i]
			at.B += p.b[i]
			if grown := p.b[i] - p.a[i]; grown > most {
				most, at.Word = grown, m.words[i].words[0]
			}
		}
		x.A += at.A / float64(len(m.places))
		x.B += at.B / float64(len(m.places))
		if at.B > at.A && at.Word != "" {
			x.Places = append(x.Places, at)
		}
	}
	x.Ratio = max(x.B, leastMass) / max(x.A, leastMass)
	slices.SortStableFunc(x.Places, func(a, b MassPlace) int { return cmp.Compare(b.B-b.A, a.B-a.A) })
	x.Places = x.Places[:min(len(x.Places), spots)]
	return x
}

func exp(x float64) float64 { return math.Exp(x) }
