package cues

import (
	"slices"

	"fabula/engine"
	"fabula/story/plot"
)

// Spans lets a model write between asterisks nothing but the world's cues: by
// their ids, as the prompt asks, or by their words in a language.
func Spans(known plot.Cues, lang string) []engine.Span {
	var texts []string
	for _, id := range slices.Concat(known.Emotion, known.Action, known.Environment) {
		texts = append(texts, id)
		for _, t := range known.More[id].Words {
			if word, ok := t.By[lang]; ok {
				texts = append(texts, word)
			}
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return []engine.Span{{Open: "*", Close: "*", Texts: texts}}
}
