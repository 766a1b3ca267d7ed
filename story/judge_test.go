package story_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/personas"
	"fabula/story"
	"fabula/story/plot"
)

// scorer is an engine that prefers the label of one option, wherever it is
// listed, if the matter holds a word.
type scorer struct {
	*spy
	word, option string
	asked        int
}

func (s *scorer) Score(_ context.Context, r engine.ScoreRequest) ([]engine.Scored, error) {
	s.asked++
	all := strings.Join(r.Messages[0].Parts, "")
	var out []engine.Scored
	for _, label := range r.Texts {
		p := 0.1
		if strings.Contains(all, s.word) && strings.Contains(all, label+": "+s.option) {
			p = 0.8
		}
		out = append(out, engine.Scored{Tokens: []engine.ScoredToken{{Text: label, Logprob: math.Log(p)}}})
	}
	return out, nil
}

// Ensure that a beat which only resembles its examples is put to a judge, in
// several orders, that its choice decides and is stored with its odds, and that
// it is not asked about anything else.
func TestBeatIsJudged(t *testing.T) {
	for option, fired := range map[string]int{"yes, it happens": 1, "it is only mentioned": 0} {
		e := &scorer{spy: &spy{answer: says("Look at the water.")}, word: "bundle", option: option}
		g := newGame(t, rungs{{Engine: e, Step: "full"}})
		b := g.Script().Beat("landing.gives_herbs")
		b.Detect.Judge, b.Irreversible = personas.Text{Plain: "the player hands over herbs"}, true
		b.Fires = append(b.Fires, personas.Text{Plain: "I hand the herbs over to you"})
		g.begin(story.Start{Set: map[string]string{"herbs": "1"}})
		if step, _ := g.say(story.Input{Text: "It rains."}); e.asked != 0 || len(step.Turn.Fired) != 0 {
			t.Errorf("asked %d times about the rain", e.asked)
		}
		step, _ := g.say(story.Input{Text: "I hand you over the bundle and herbs"})
		var got []plot.Fired
		for _, f := range step.Turn.Fired {
			if f.Beat == "landing.gives_herbs" {
				got = append(got, f)
			}
		}
		if len(got) != fired || e.asked == 0 {
			t.Errorf("%s: fired %+v, doubts %+v, asked %d times", option, step.Turn.Fired, step.Turn.Doubts, e.asked)
		}
		if fired == 1 && (got[0].Evidence.Rung != plot.Judged || got[0].Evidence.Score < 0.75) {
			t.Errorf("evidence %+v", got[0].Evidence)
		}
	}
}
