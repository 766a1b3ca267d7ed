package story

import (
	"regexp"
	"strings"
	"sync"

	"fabula/story/memory"
	"fabula/story/plot"
)

// Promise is something that somebody said they would do.
type Promise struct {
	By   string `json:"by"` // player or a persona id
	N    int    `json:"n"`  // of the turn
	Turn ID     `json:"turn"`
	Text string `json:"text"` // the sentence
}

// answered is the share of a promise's meaning in something that happened later
// from which on that may be what was promised.
const answered = 0.3

// OpenPromises lists what was promised on a path and nothing that happened later
// has the words of: no beat, no way that was taken. Promises are known by words of
// promising and of meaning to do something; whether one was kept in other words
// cannot be told without a model, so this says what to look at, not what is wrong.
func OpenPromises(script *plot.Script, path []Step, lang string) []Promise {
	var open []Promise
	for i := range path {
		step := &path[i]
		for _, f := range stepFacts(script, step, lang) {
			if f.Kind == memory.Beat || f.Kind == memory.Exit {
				open = unanswered(open, f.Text)
			}
		}
		for _, said := range []struct{ by, text string }{{"player", step.Turn.Input.Text}, {step.Alternative.Speaker, step.Alternative.Text}} {
			for _, sentence := range memory.Sentences(said.text) {
				if promises(sentence) {
					open = append(open, Promise{said.by, step.Turn.Depth, step.Turn.ID, sentence})
				}
			}
		}
	}
	return open
}

// unanswered leaves out the promises that an event may have answered.
func unanswered(open []Promise, event string) []Promise {
	var out []Promise
	for _, p := range open {
		if memory.Alike(p.Text, event) < answered {
			out = append(out, p)
		}
	}
	return out
}

// promises reports whether a sentence promises something.
func promises(sentence string) bool {
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？") {
		return false
	}
	if _, sworn := (plot.Detect{Intent: &plot.Intent{Act: "promise"}}).Match(sentence); sworn {
		return true
	}
	return meaning().MatchString(sentence) && !supposing().MatchString(sentence)
}

// meaning are words of meaning to do something for somebody.
var (
	meaning = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\bI(?:'ll| will| shall|’ll) (?:\w+ ){0,2}(?:bring|be back|come back|return|find|help|pay|repay|tell you|keep|send|fetch|get you|give you|save|protect|look after|take care)\b` +
			`|我(?:一定|定|必|必定|会|就|这就|明天|改日)*(?:替你|帮你|给你|为你|还你|回来|送来|带来|报答)|包在我身上|我一定`)
	})
	supposing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:if|unless|maybe|perhaps|won't|not)\b|如果|要是|也许|不会|不能`)
	})
)
