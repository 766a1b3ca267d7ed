package judge

import (
	"context"
	"fmt"
	"strings"

	"fabula/engine"
	"fabula/engine/score"
	"fabula/personas"
	"fabula/story/golden"
	"fabula/story/plot"
)

// Judge asks a model.
type Judge struct {
	script *plot.Script
	model  engine.Scorer
	// Asked counts questions, Computed the tokens that were run for them.
	Asked, Computed int
}

// New asks e about the NPCs of a script. What is asked without the matter, to know
// how much the model likes each label anyway, is asked once.
func New(script *plot.Script, e engine.Scorer) *Judge {
	return &Judge{script: script, model: &remembering{Scorer: e, known: map[string][]engine.Scored{}}}
}

// remembering keeps the answers to neutral questions, which come again and again.
type remembering struct {
	engine.Scorer
	known map[string][]engine.Scored
}

// mostKnown bounds how many are kept.
const mostKnown = 4096

// Score gives what is known, else asks.
func (r *remembering) Score(ctx context.Context, q engine.ScoreRequest) ([]engine.Scored, error) {
	var key strings.Builder
	for _, m := range q.Messages {
		key.WriteString(strings.Join(m.Parts, "\x00"))
	}
	key.WriteString("\x00" + strings.Join(q.Texts, "\x00"))
	if found, ok := r.known[key.String()]; ok {
		return found, nil
	}
	found, err := r.Scorer.Score(ctx, q)
	if err == nil && len(r.known) < mostKnown {
		free := make([]engine.Scored, len(found)) // asked again, it costs nothing
		for i, s := range found {
			free[i] = engine.Scored{Tokens: s.Tokens}
		}
		r.known[key.String()] = free
	}
	return found, err
}

// Verdict is the opinion about one flaw of one reply.
type Verdict struct {
	golden.Flaw
	Yes bool    `json:"yes"`
	P   float64 `json:"p"` // of yes
	// Steady: every order of the options gives the same.
	Steady bool `json:"steady"`
}

func (j *Judge) choose(ctx context.Context, options []string, orders int, ask func(list string, neutral bool) string) (score.Answer, error) {
	a, err := score.Choose(ctx, j.model, score.Question{Options: options, Orders: orders, Priority: engine.Background,
		Ask: func(list string, neutral bool) []engine.Message {
			return []engine.Message{{Role: engine.User, Parts: []string{ask(list, neutral)}}}
		}})
	j.Asked++
	j.Computed += a.Computed
	return a, err
}

// said is the matter of a question, or what stands for it where there is none.
func said(s string, neutral bool) string {
	if neutral {
		return "…"
	}
	return s
}

// Flaw asks whether a reply has a flaw. It has only if every order of the answers
// says so: a judge that takes the first label finds none.
func (j *Judge) Flaw(ctx context.Context, i Item, f golden.Flaw) (Verdict, error) {
	p := j.script.Persona(i.Persona)
	w, rubric, name := wordsIn(i.Language), Rubric(j.script, p, i.Language), j.name(p, i.Language)
	question := w.flaws[f.Code]
	if strings.Contains(question, "%s") {
		question = fmt.Sprintf(question, name)
	}
	a, err := j.choose(ctx, []string{w.yes, w.no}, 2, func(list string, neutral bool) string {
		return rubric + fmt.Sprintf(w.said, said(quoted(i.Player), neutral), name, said(quoted(i.Reply), neutral)) + fmt.Sprintf(w.list, question, list)
	})
	if err != nil {
		return Verdict{}, err
	}
	return Verdict{f, a.Best == 0 && a.Agree(), a.P[0], a.Agree()}, nil
}

func (j *Judge) name(p *personas.Persona, lang string) string {
	return line(p.Name.In(lang, j.script.Languages...))
}

// Guess is who a judge takes for the speaker of a line, its names taken out.
type Guess struct {
	Who    string  `json:"who"` // id of a persona
	Right  bool    `json:"right"`
	P      float64 `json:"p"` // of the right one
	Among  int     `json:"among"`
	Steady bool    `json:"steady"`
}

// mostSpeakers bounds among how many NPCs a speaker is guessed.
const mostSpeakers = 6

// Speaker asks who of the world's NPCs says a line. A world of one NPC gives no
// question: Among is then 0.
func (j *Judge) Speaker(ctx context.Context, i Item) (Guess, error) {
	var ids, options []string
	at := 0
	for _, p := range j.speakers(i.Persona) {
		if p.ID == i.Persona {
			at = len(ids)
		}
		ids = append(ids, p.ID)
		options = append(options, fmt.Sprintf("%s, %s", j.name(p, i.Language), line(p.Brief.In(i.Language, j.script.Languages...))))
	}
	if len(ids) < 2 {
		return Guess{}, nil
	}
	w := wordsIn(i.Language)
	reply := masked(j.script, quoted(i.Reply))
	a, err := j.choose(ctx, options, min(len(options), 3), func(list string, neutral bool) string {
		return fmt.Sprintf(w.identity, said(reply, neutral), list)
	})
	if err != nil {
		return Guess{}, err
	}
	return Guess{ids[a.Best], a.Best == at, a.P[at], len(ids), a.Agree()}, nil
}

// speakers are the candidates: the one who spoke, and others in script order.
func (j *Judge) speakers(who string) []*personas.Persona {
	var out []*personas.Persona
	others := 0
	for _, p := range j.script.Personas {
		if p.ID != who {
			others++
		}
		if p.ID == who || others < mostSpeakers {
			out = append(out, p)
		}
	}
	return out
}

// Preference says which of two lines a judge finds more in character.
type Preference struct {
	Winner int     `json:"winner"`      // 1 or 2; 0 = a tie: the orders disagree
	P      float64 `json:"p"`           // of the first
	First  float64 `json:"first_place"` // share that went to what was listed first, 0.5 = no liking of places
}

// even is how far a share may be from one half and still be no preference.
const even = 0.02

// Pair asks which of two replies is more in character, in both orders. Less what
// the labels have without the persona, so that a text which is likelier anyway
// does not win by that.
func (j *Judge) Pair(ctx context.Context, i Item) (Preference, error) {
	p := j.script.Persona(i.Persona)
	w, rubric, name := wordsIn(i.Language), Rubric(j.script, p, i.Language), j.name(p, i.Language)
	x, y := quoted(i.Reply), quoted(i.Against)
	var orders [2][]float64 // of first and second as listed
	for k, pair := range [][]string{{x, y}, {y, x}} {
		shares, err := j.listed(ctx, pair, func(list string, neutral bool) string {
			return said(rubric, neutral) + fmt.Sprintf(w.pair, said(quoted(i.Player), neutral), said(name, neutral), list)
		})
		if err != nil {
			return Preference{}, err
		}
		orders[k] = shares
	}
	out := Preference{P: (orders[0][0] + orders[1][1]) / 2, First: (orders[0][0] + orders[1][0]) / 2}
	switch {
	case orders[0][0] > 0.5+even && orders[1][1] > 0.5+even:
		out.Winner = 1
	case orders[0][1] > 0.5+even && orders[1][0] > 0.5+even:
		out.Winner = 2
	}
	return out, nil
}

// listed gives the shares of two options in one order.
func (j *Judge) listed(ctx context.Context, options []string, ask func(list string, neutral bool) string) ([]float64, error) {
	labels := []string{"A", "B"}
	list := fmt.Sprintf("A: %s\nB: %s\n", options[0], options[1])
	var logits [2][]float64
	for k, neutral := range []bool{false, true} {
		scored, err := j.model.Score(ctx, engine.ScoreRequest{Messages: []engine.Message{{Role: engine.User, Parts: []string{ask(list, neutral)}}}, Texts: labels, Priority: engine.Background})
		if err != nil {
			return nil, err
		}
		for _, s := range scored {
			logits[k] = append(logits[k], s.Logprob()/float64(max(len(s.Tokens), 1)))
			j.Computed += s.Computed
		}
	}
	j.Asked++
	return score.Softmax([]float64{logits[0][0] - logits[1][0], logits[0][1] - logits[1][1]}), nil
}
