package drift

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"fabula/engine"
	"fabula/story/lab/sets"
)

// measuring is the work on one group.
type measuring struct {
	a, b   Engine
	o      Options
	report *Report
	group  group
	words  []watched
	at, of int // which NPC
	budget int // tokens of A, 0 = no limit

	used       int
	row, floor tally
	read       int
}

// pair is how many samples are read before the next step, so that the floor
// can read them in one batch. The budget is looked at between two of them.
const pair = 2

// run reads samples until the budget is used. One that does not fit a window is
// left out and named.
func (m *measuring) run(ctx context.Context) error {
	m.row, m.floor = newTally(m.words), newTally(m.words)
	compared := 0
	for _, r := range m.report.Rows {
		compared += r.Tokens
	}
	begun := 0
	for at := range slices.Chunk(m.group.samples, pair) {
		if m.o.Step != nil {
			m.o.Step(Step{Persona: m.group.persona, Language: m.group.language, NPC: m.at, NPCs: m.of, Reply: begun + 1, Replies: len(m.group.samples),
				Places: compared + len(m.row.places), Computed: m.report.ComputedA, Limit: m.o.Limit})
		}
		begun += len(at)
		before := m.used
		if err := m.pair(ctx, at); err != nil {
			return err
		}
		if m.budget > 0 && m.used+(m.used-before)/2 > m.budget {
			break
		}
	}
	if m.read == 0 {
		m.report.Unread = append(m.report.Unread, m.group.name())
		return nil
	}
	m.report.Rows = append(m.report.Rows, m.row.close(m.group))
	m.report.Floor = append(m.report.Floor, m.floor.close(m.group))
	return nil
}

// reading is one sample as A read it, A again, and B.
type reading struct {
	sample      sets.Sample
	a, again, b engine.Scored
}

func (m *measuring) pair(ctx context.Context, samples []sets.Sample) error {
	var all []*reading
	for _, s := range samples {
		x := &reading{sample: s}
		var err error
		if x.a, err = m.one(ctx, m.a, s, &m.report.ComputedA); m.passedOver(s, err) {
			continue
		} else if err != nil {
			return err
		}
		m.used += x.a.Computed
		all = append(all, x)
	}
	if err := m.again(ctx, all); err != nil {
		return err
	}
	for _, x := range all {
		var err error
		if x.b, err = m.one(ctx, m.b, x.sample, &m.report.ComputedB); m.passedOver(x.sample, err) {
			continue
		} else if err != nil {
			return err
		}
		if err := m.note(x); err != nil {
			return err
		}
	}
	return nil
}

// passedOver reports whether an error concerns one sample only, and names it.
func (m *measuring) passedOver(s sets.Sample, err error) bool {
	if !errors.Is(err, engine.ErrTooLong) {
		return false
	}
	m.report.Left = append(m.report.Left, Left{s.ID, err.Error()})
	return true
}

// again has A read the samples once more, at once: their prompts are in the
// cache, and they are in one batch.
func (m *measuring) again(ctx context.Context, all []*reading) error {
	var wait sync.WaitGroup
	faults, computed := make([]error, len(all)), make([]int, len(all))
	for i, x := range all {
		wait.Go(func() { x.again, faults[i] = m.one(ctx, m.a, x.sample, &computed[i]) })
	}
	wait.Wait()
	for _, n := range computed {
		m.report.ComputedFloor += n
	}
	return errors.Join(faults...)
}

// one scores the reply of a sample after its prompt, and the end of the turn.
func (m *measuring) one(ctx context.Context, e Engine, s sets.Sample, computed *int) (engine.Scored, error) {
	scored, err := e.Score(ctx, engine.ScoreRequest{Messages: s.Messages, Texts: []string{s.Reply}, End: true,
		Top: max(m.o.Top, shown), Rows: m.o.Top == 0, Priority: engine.Background})
	if err != nil {
		return engine.Scored{}, err
	}
	*computed += scored[0].Computed
	return scored[0], nil
}

// shown is how many likely tokens are asked for beside whole rows, so that a
// place can be shown with what the engines would have said.
const shown = 3

// note compares the readings of a sample and forgets their rows.
func (m *measuring) note(x *reading) error {
	m.read++
	m.report.Read++
	for _, c := range []struct {
		to    *tally
		other engine.Scored
	}{{&m.floor, x.again}, {&m.row, x.b}} {
		if err := c.to.add(x.sample, x.a, c.other); err != nil {
			return err
		}
	}
	return nil
}

// split takes the end of the turn off, the last token of what was scored.
func split(s engine.Scored) (text engine.Scored, end engine.ScoredToken, ok bool) {
	n := len(s.Tokens)
	if n == 0 {
		return s, end, false
	}
	text, end = s, s.Tokens[n-1]
	text.Tokens = s.Tokens[:n-1]
	return text, end, true
}

// probability of a token, given what is known of a place: its row, else its
// likely tokens; 0 where the token is none of those.
func probability(t engine.ScoredToken, id int32) float64 {
	if t.Row != nil && id >= 0 && int(id) < len(t.Row) {
		return math.Exp(float64(t.Row[id]))
	}
	for _, o := range t.Top {
		if o.ID == id {
			return math.Exp(float64(o.Logprob))
		}
	}
	return 0
}
