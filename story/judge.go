package story

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/text/language"

	"fabula/engine"
	"fabula/engine/score"
	"fabula/story/plot"
)

const (
	// surely is the share of the choice from which on a judge is believed.
	surely = 0.75
	// judgeWithin is how long a turn waits for a judge.
	judgeWithin = 20 * time.Second
)

// Judge gives who is asked about beats that say what a judge has to look for:
// the first engine of the ladder that can tell how likely a text is, and the
// next one where it fails; nobody where there is none. The ladder's guard holds
// it to deadlines and hears of faults, as with replies. A judge that is unsure,
// or fails, leaves it to the words.
//
// Method: choice scoring by log-probability over labels, in two orders, less
// the share that the labels have without the matter (engine/score).
func (s *Session) Judge(lang string) plot.Judge {
	if s.engines == nil {
		return nil
	}
	return func(b *plot.Beat, key, text string) (plot.Verdict, plot.Evidence) {
		ctx, cancel := context.WithTimeout(s.work, judgeWithin)
		defer cancel()
		what := b.Detect.Judge.In(lang, s.Script().Languages...)
		for rung := range s.engines.Rungs(engine.Ask{Language: lang}) {
			if _, ok := rung.Engine.(engine.Scorer); !ok {
				continue
			}
			a, err := score.Choose(ctx, rung, question(lang, what, text))
			if err == nil {
				return verdict(a, what, text)
			}
			s.log.Warn("beat not judged", "beat", key, "engine", rung.Engine.Info().Name, "error", err)
			if !passes(ctx, err) {
				break
			}
		}
		return plot.Unsure, plot.Evidence{}
	}
}

// The options of a judge's question, in this order.
const (
	optionHappened = iota
	optionNot
	optionMentioned
)

// question asks whether something happened in what was said.
func question(lang, what, text string) score.Question {
	ask, options := "Someone says: “%s”\nDoes this happen in it: %s\n%s\nAnswer with one letter.", []string{"yes, it happens", "no", "it is only mentioned, asked, planned, denied or a joke"}
	if base, _ := language.Make(lang).Base(); base.String() == "zh" {
		ask, options = "有人说：“%s”\n这句话里是否发生了这件事：%s\n%s\n只回答一个字母。", []string{"是，发生了", "没有", "只是提到、询问、打算、否认或玩笑"}
	}
	return score.Question{Options: options, Orders: 3, Ask: func(list string, neutral bool) []engine.Message {
		said := text
		if neutral {
			said = "…"
		}
		return []engine.Message{{Role: engine.User, Parts: []string{fmt.Sprintf(ask, said, what, list)}}}
	}}
}

func verdict(a score.Answer, what, text string) (plot.Verdict, plot.Evidence) {
	e := plot.Evidence{End: len(text), Quote: text, Rule: "judge: " + what, Rung: plot.Judged,
		Score: a.P[optionHappened], Against: max(a.P[optionNot], a.P[optionMentioned])}
	switch {
	case !a.Agree():
		return plot.Unsure, e
	case a.P[optionHappened] >= surely:
		return plot.Happened, e
	case a.P[optionNot]+a.P[optionMentioned] >= surely:
		return plot.Not, e
	}
	return plot.Unsure, e
}
