package grounded

import (
	"golang.org/x/text/language"

	"fabula/engine"
)

// words is how a model is asked to put a sentence in other words. The prompt
// is short and its head never changes, so that it stays in the cache.
type words struct {
	rule    string
	shown   [2][2]string // sentences and the same in other words
	neutral string       // a sentence that means nothing
}

// wording gives the words in the language of the reply: Chinese, and English
// for every other.
func wording(lang string) words {
	if base, _ := language.Make(lang).Base(); base.String() == "zh" {
		return words{rule: "你把别人说的话换一种说法。", neutral: "……",
			shown: [2][2]string{{"把你的名字告诉我。", "你叫什么？"}, {"雨下得很大。", "好大的雨！"}}}
	}
	return words{rule: "You rephrase what a traveller says.", neutral: "...",
		shown: [2][2]string{{"Tell me your name.", "What are you called?"}, {"It's raining hard.", "What a downpour!"}}}
}

// prompt asks for another wording of a sentence.
func (w words) prompt(sentence string) []engine.Message {
	say := func(role engine.Role, text string) engine.Message {
		return engine.Message{Role: role, Parts: []string{text}}
	}
	out := []engine.Message{say(engine.System, w.rule)}
	for _, pair := range w.shown {
		out = append(out, say(engine.User, pair[0]), say(engine.Assistant, pair[1]))
	}
	return append(out, say(engine.User, sentence))
}
