package drift

import (
	"cmp"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/story/lab/sets"
)

// group is the samples of one NPC in one language, in the order of reading.
type group struct {
	persona, language string
	samples           []sets.Sample
}

func (g group) name() string { return g.persona + " " + g.language }

// divide makes groups, by persona and language.
func divide(samples []sets.Sample) []group {
	var out []group
	for _, s := range samples {
		i := slices.IndexFunc(out, func(g group) bool { return g.persona == s.Persona && g.language == s.Language })
		if i < 0 {
			i = len(out)
			out = append(out, group{persona: s.Persona, language: s.Language})
		}
		out[i].samples = append(out[i].samples, s)
	}
	slices.SortStableFunc(out, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.persona, b.persona), cmp.Compare(a.language, b.language))
	})
	for i := range out {
		out[i].samples = ordered(out[i].samples)
	}
	return out
}

// run is how many samples of one node are read in a row: what stands before the
// player's line is then computed once for them.
const run = 6

// ordered puts those with the same first message together, the most frequent
// first, and of each so many of one node in turn, so that a limit cuts no part
// of the plot off. Within a node the order is that of their hashes: the same
// samples are read whatever order they came in.
func ordered(samples []sets.Sample) []sets.Sample {
	system, hash := map[string]int{}, map[string]string{}
	for _, s := range samples {
		system[first(s)]++
		hash[s.ID] = s.Hash()
	}
	var nodes []string
	for _, s := range samples {
		if !slices.Contains(nodes, s.Node) {
			nodes = append(nodes, s.Node)
		}
	}
	rank := map[string]int{} // by id: the round in which a sample is read
	sorted := slices.Clone(samples)
	slices.SortFunc(sorted, func(a, b sets.Sample) int {
		return cmp.Or(cmp.Compare(system[first(b)], system[first(a)]), strings.Compare(first(a), first(b)), strings.Compare(hash[a.ID], hash[b.ID]))
	})
	seen := map[string]int{}
	for _, s := range sorted {
		rank[s.ID] = seen[first(s)+s.Node] / run
		seen[first(s)+s.Node]++
	}
	slices.SortStableFunc(sorted, func(a, b sets.Sample) int {
		return cmp.Or(cmp.Compare(system[first(b)], system[first(a)]), strings.Compare(first(a), first(b)), cmp.Compare(rank[a.ID], rank[b.ID]),
			cmp.Compare(slices.Index(nodes, a.Node), slices.Index(nodes, b.Node)))
	})
	return sorted
}

// first is the text of the first message, where it is the system's.
func first(s sets.Sample) string {
	if s.Messages[0].Role != engine.System {
		return ""
	}
	return strings.Join(s.Messages[0].Parts, "")
}
