package tensorrt

import (
	_ "embed"
	"math/rand/v2"
	"strings"
)

//go:embed testdata/selftest.txt
var prose string

// Prose is text for tests and measurements: sentences of a tale, told once in
// order and then again and again in orders that chance, always the same, chose.
func Prose(sentences int) string {
	var tale []string
	for _, s := range strings.Split(prose, "\n") {
		if s = strings.TrimSpace(s); s != "" {
			tale = append(tale, s)
		}
	}
	r := rand.New(rand.NewPCG(7, 11))
	all := append([]string{}, tale...)
	for len(all) < sentences {
		r.Shuffle(len(tale), func(i, j int) { tale[i], tale[j] = tale[j], tale[i] })
		all = append(all, tale...)
	}
	return strings.Join(all[:max(sentences, 0)], " ")
}
