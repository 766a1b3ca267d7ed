package check

import (
	"slices"

	"fabula/story/plot"
)

// examples tries the sentences of each beat on what it detects.
func examples(c *checker) {
	for _, n := range c.s.Nodes {
		for _, b := range n.Beats {
			allow := slices.Concat(n.Allow, b.Allow)
			for _, t := range b.Fires {
				for _, sentence := range t.All() {
					if v, _ := b.Notice(n.ID+"."+b.ID, sentence, nil); v != plot.Happened {
						c.warn(allow, t.Pos, CodeExampleSilent, n.ID+"."+b.ID, sentence)
					}
				}
			}
			for _, t := range b.Not {
				for _, sentence := range t.All() {
					if v, hit := b.Notice(n.ID+"."+b.ID, sentence, nil); v == plot.Happened {
						c.warn(allow, t.Pos, CodeExampleFires, n.ID+"."+b.ID, sentence, hit.Quote)
					}
				}
			}
		}
	}
}
