package flow

import (
	"strconv"
	"strings"
	"unicode"
)

// reserved are the words that ink, Yarn or SugarCube would read as their own.
var reserved = strings.Fields(`
	not true false else VAR CONST LIST EXTERNAL INCLUDE TODO temp return ref function and or mod has hasnt
	CHOICE_COUNT TURNS TURNS_SINCE READ_COUNT RANDOM SEED_RANDOM MIN MAX POW FLOOR CEILING INT FLOAT
	LIST_VALUE LIST_COUNT LIST_MIN LIST_MAX LIST_ALL LIST_INVERT LIST_RANDOM LIST_RANGE END DONE
	if elseif endif set to declare jump detour stop wait once enum case when is eq neq gt lt gte lte xor null as
	call local func string number bool visited visited_count random random_range dice round
	StoryTitle StoryData StoryInit Start def ndef undefined`)

// names gives every scene and variable an identifier of its own, the same for
// the same input.
type names struct {
	taken   map[string]bool
	given   map[string]string // "kind id" → identifier
	renamed []Renamed
}

func newNames() *names {
	n := &names{taken: map[string]bool{}, given: map[string]string{}}
	for _, word := range reserved {
		n.taken[word] = true
	}
	return n
}

// of gives the identifier of a thing, wanted if it is free; named is how the
// author calls it.
func (n *names) of(kind, named, wanted string) string {
	key := kind + " " + named
	if id, ok := n.given[key]; ok {
		return id
	}
	id := identifier(wanted)
	for i := 2; n.taken[id]; i++ {
		id = identifier(wanted) + "_" + strconv.Itoa(i)
	}
	n.taken[id] = true
	n.given[key] = id
	if id != wanted && kind != "turn" && kind != "branch" {
		n.renamed = append(n.renamed, Renamed{key, id})
	}
	return id
}

// identifier keeps ASCII letters, digits and _; it starts with a letter.
func identifier(s string) string {
	out := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, s)
	if out == "" || !unicode.IsLetter(rune(out[0])) {
		out = "x_" + out
	}
	return out
}
