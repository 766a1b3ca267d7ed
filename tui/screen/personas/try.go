package personas

import (
	"context"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
)

// seeds is how many replies a tried line gets.
const seeds = 3

// TryTag marks the branches of tried lines.
const TryTag = "try"

// pullEvery bounds how often a reply in flight is drawn.
const pullEvery = 33 * time.Millisecond

// trial is a line that was tried.
type trial struct {
	persona string
	said    string
	begins  bool           // it was asked for, and did not begin yet
	running *story.Running // nil once all replies are there
	replies []story.Snapshot
	done    []story.Alternative
	err     error
}

// begun is a trial whose replies are on their way.
type begun struct {
	trial trial
	err   error
}

// ask tries a line on three seeds: in a playthrough of its own, outside the
// plot, so that nothing that was said before has a say in it.
func (v *Personas) ask(said string) tea.Cmd {
	p, s, ctx, lang := v.selected(), v.env.Session, v.ctx, v.speaks()
	v.try = trial{persona: p.ID, said: said, begins: true}
	return func() tea.Msg {
		t := trial{persona: p.ID, said: said}
		b, _, err := s.Begin(story.Start{Language: lang, Sandbox: true, Tags: []string{TryTag}})
		if err != nil {
			return begun{t, err}
		}
		t.running, err = s.Say(ctx, b.ID, story.Input{Text: said, To: p.ID}, story.Options{Count: seeds})
		return begun{t, err}
	}
}

func (v *Personas) begun(m begun) tea.Cmd {
	v.try = m.trial
	if v.try.err = m.err; m.err != nil {
		return screen.Fail(m.err)
	}
	return pull(m.trial.running)
}

// pulled says how far the replies have come.
type pulled struct {
	running *story.Running
	replies []story.Snapshot
	done    []story.Alternative
	over    bool
	err     error
}

// pull waits for news of the replies, in a command.
func pull(r *story.Running) tea.Cmd {
	return func() tea.Msg {
		m := pulled{running: r}
		time.Sleep(pullEvery)
		m.over = true
		for _, b := range r.Beside() {
			m.replies = append(m.replies, b.Snapshot())
			select {
			case <-b.Done():
				_, step, err := b.Wait()
				if err != nil && !errors.Is(err, context.Canceled) { // esc is no failure
					m.err = err
				}
				m.done = append(m.done, step.Alternative)
			default:
				m.over = false
				m.done = append(m.done, story.Alternative{})
			}
		}
		return m
	}
}

func (v *Personas) pulled(m pulled) tea.Cmd {
	if m.running != v.try.running {
		return nil
	}
	v.try.replies, v.try.done = m.replies, m.done
	if !m.over {
		return pull(m.running)
	}
	v.try.running, v.try.err = nil, m.err
	return func() tea.Msg { return screen.Changed{} }
}
