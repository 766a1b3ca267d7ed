package prompt

import (
	"strings"
	"testing"

	"fabula/personas/lint"
)

// Ensure that the rules know the headings of our own prompts: small models
// recite them, and a player must not read them.
func TestRecitedHeadingsAreFound(t *testing.T) {
	for _, p := range []phrases{english("English"), chinese()} {
		for _, heading := range []string{p.samples, p.sampleNow, p.stay} {
			if heading = strings.TrimSpace(heading); heading == english("").stay[:len(english("").stay)-1] {
				continue // an order that an NPC may give as well
			}
			found := false
			for _, f := range lint.All(lint.Input{Text: heading + " …", Language: "en"}) {
				found = found || f.Code == lint.CodeMeta
			}
			if !found {
				t.Errorf("%q passes as a reply", heading)
			}
		}
	}
}
