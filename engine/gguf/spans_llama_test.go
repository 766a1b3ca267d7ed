//go:build llama

package gguf_test

import (
	"slices"
	"strings"
	"testing"

	"fabula/engine"
)

// Ensure that a real vocabulary, whose tokens cross the marks, is held to the
// given directions, that the model still gives some, and that without spans it
// gives others: else there would be nothing to see.
func TestSpansOfARealModel(t *testing.T) {
	c := start(t, 0)
	texts := []string{"nod", "sigh", "pour_tea", "点头"}
	directions := func(spans []engine.Span) (given, others int) {
		for seed := range uint64(8) {
			r := say("You are an actor. Begin every sentence with a stage direction between asterisks, like *sigh* or *nod*.", "*nod* Hello! *sigh* What do you do now? *nod*", seed, 60)
			r.Sampling.Temperature, r.Spans = 1, spans
			text := generate(t, c, r).text
			parts := strings.Split(text, "*")
			for i := 1; i < len(parts)-1; i += 2 {
				if slices.Contains(texts, parts[i]) {
					given++
				} else {
					others++
				}
			}
		}
		return given, others
	}
	given, others := directions([]engine.Span{{Open: "*", Close: "*", Texts: texts}})
	if others > 0 || given == 0 {
		t.Errorf("%d directions as given, %d others", given, others)
	}
	free, loose := directions(nil)
	t.Logf("with spans %d given, %d others; without %d given, %d others", given, others, free, loose)
}
