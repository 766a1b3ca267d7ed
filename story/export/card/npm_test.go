//go:build npm

package card_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fabula/story/export/card"
	"fabula/story/export/npm"
	"fabula/story/export/played"
)

// Ensure that @risuai/ccardlib and character-card-utils take the cards of the
// demo and of 2,000 generated hostile texts.
func TestOthersTakeTheCards(t *testing.T) {
	all, demo := map[string][]json.RawMessage{"v2": {}, "v3": {}}, played.Demo(t)
	add := func(texts []string) {
		files, err := card.Files(hostile(demo, texts))
		if err != nil {
			return // refused by name; the texts of another case are carried
		}
		for _, f := range files {
			for _, v := range []string{"v2", "v3"} {
				if strings.HasSuffix(f.Name, "."+v+".json") {
					all[v] = append(all[v], f.Data)
				}
			}
		}
	}
	texts, step := played.Hostile(2400), 6
	for at := 0; at+step <= len(texts); at += step {
		add(texts[at : at+step])
	}
	files, err := card.Files(in(demo))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, v := range []string{"v2", "v3"} {
			if strings.HasSuffix(f.Name, "."+v+".json") {
				all[v] = append(all[v], f.Data)
			}
		}
	}
	var wrong []string
	npm.Run(t, "testdata/check.cjs", all, &wrong)
	for _, w := range wrong[:min(len(wrong), 10)] {
		t.Error(w)
	}
	t.Logf("%d V2 and %d V3 cards, %d texts in each", len(all["v2"]), len(all["v3"]), step)
	if len(all["v2"])*step < 2000 {
		t.Errorf("only %d cards were written", len(all["v2"]))
	}
}
