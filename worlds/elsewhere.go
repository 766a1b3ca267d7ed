package worlds

import (
	"slices"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/plot"
)

// elsewhere says of a key that its own kind of file does not know, but another
// one does, where it belongs: `anchors` of a persona is a key of a node.
func elsewhere(faults []source.Fault) []source.Fault {
	for i, f := range faults {
		if f.Code != source.CodeUnknownKey || f.Args[1] != "" {
			continue
		}
		key, of := f.Args[0], f.Args[2]
		for _, h := range owners() {
			if h.kind != of && slices.Contains(h.keys, key) {
				faults[i].Code, faults[i].Args = source.CodeMisplacedKey, []string{key, of, h.kind, h.place}
				break
			}
		}
	}
	return faults
}

// owner is a kind of object that authors write, and where.
type owner struct {
	kind, place string
	keys        []string
}

func owners() []owner {
	all := []owner{
		{"persona", personaDir + "/*.yaml", personas.PersonaType().Keys()},
		{"world", manifestFile, manifest().Keys()},
		{"lore", loreDir + "/*.yaml", personas.LoreType().Keys()},
	}
	for _, kind := range plot.Kinds() {
		all = append(all, owner{kind, plotDir + "/*.yaml", plot.Keys(kind)})
	}
	return all
}
