package check

import "slices"

// examples tries the sentences of each beat on what it detects.
func examples(c *checker) {
	for _, n := range c.s.Nodes {
		for _, b := range n.Beats {
			allow := slices.Concat(n.Allow, b.Allow)
			for _, t := range b.Fires {
				for _, sentence := range t.All() {
					if _, hit := b.Detect.Match(sentence); !hit {
						c.warn(allow, t.Pos, CodeExampleSilent, n.ID+"."+b.ID, sentence)
					}
				}
			}
			for _, t := range b.Not {
				for _, sentence := range t.All() {
					if hit, yes := b.Detect.Match(sentence); yes {
						c.warn(allow, t.Pos, CodeExampleFires, n.ID+"."+b.ID, sentence, hit.Quote)
					}
				}
			}
		}
	}
}
