package tui_test

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/ladder"
	"fabula/engine/recall"
	"fabula/engine/scripted"
	"fabula/tui"
)

// trusted is one engine under the catalogue's guard, and recall below it.
type trusted struct {
	engine engine.Engine
	health *ladder.Health
	limits ladder.Limits
}

func newTrusted(t *testing.T, script string, limits ladder.Limits) *trusted {
	t.Helper()
	e, err := scripted.Parse([]byte("engine lamplighter\n" + script))
	if err != nil {
		t.Fatal(err)
	}
	return &trusted{e, ladder.New(ladder.Policy{}, nil, nil), limits}
}

func (l *trusted) Rungs(engine.Ask) iter.Seq[engine.Rung] {
	all := []engine.Rung{{Engine: recall.New(), Step: engine.StepRecall}}
	if r, up := l.health.Up("lamplighter"); up {
		all = append([]engine.Rung{{Engine: l.engine, Step: engine.StepFull,
			Guard: &ladder.Watch{Health: l.health, Key: "lamplighter", Name: "lamplighter", Limits: l.limits}}}, all...)
	} else {
		all[0].Why, all[0].Args = r.Code, r.Args
	}
	return slices.Values(all)
}

// status is what the catalogue would say.
func (l *trusted) status() tui.Status {
	if r, up := l.health.Up("lamplighter"); !up {
		return tui.Status{Name: "recall", Recall: true, Degraded: true, Why: r.Code, Args: r.Args}
	}
	return tui.Status{Name: "lamplighter"}
}

// Ensure that the screen says in words, in both languages, that another engine
// answers and why, rings once for each change, and that the player's line stays.
func TestDegradingIsSaidAndRungOnce(t *testing.T) {
	for _, c := range []struct{ lang, here, fell, again string }{
		{"en", "Adu", "degraded: recall answers: lamplighter gave no first token within 60 ms", "lamplighter answers again"},
		{"zh", "阿渡", "已降级，由 recall 作答：lamplighter 没能在 60 毫秒内给出第一个词元", "重新由 lamplighter 作答"},
	} {
		t.Run(c.lang, func(t *testing.T) {
			t.Parallel()
			l := newTrusted(t, "reply\nmatch \"late\"\nhang\nreply\nsay \"Here I am.\" 1ms", ladder.Limits{FirstToken: 60 * time.Millisecond})
			var rung atomic.Int32
			rings := func(want int32) {
				t.Helper()
				if got := rung.Load(); got != want {
					t.Fatalf("rung %d times, want %d", got, want)
				}
			}
			b := open(t, setting{w: 120, h: 30, lang: c.lang, engines: l, serves: l.status, bell: func() { rung.Add(1) }})
			b.Wait(c.here)
			b.say("hello", "Here I am.")
			rings(0)
			for range 3 { // the second moves it down; the third does not ask it
				b.say("late", c.fell)
				b.Until("an answer", func() bool { return !tui.Busy(b.model) })
				b.Settle()
			}
			rings(1)
			if step := b.steps(t); step[len(step)-1].Turn.Input.Text != "late" || step[len(step)-1].Alternative.Reply.Step != engine.StepRecall {
				t.Errorf("last step %+v", step[len(step)-1])
			}
			l.health.Checked("lamplighter", nil)
			l.health.Checked("lamplighter", nil)
			b.Press("f2")
			b.Wait(c.again)
			b.Press("f5")
			b.say("hello", "Here I am.")
			b.Settle()
			rings(2)
		})
	}
}

// switched is one engine at a time.
type switched struct {
	mu  sync.Mutex
	now engine.Engine
}

func (s *switched) use(e engine.Engine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = e
}

func (s *switched) Rungs(engine.Ask) iter.Seq[engine.Rung] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Values([]engine.Rung{{Engine: s.now, Step: engine.StepFull}})
}

// Ensure that an engine chosen elsewhere answers the next line of an open
// workbench, that the old one finishes its reply, and that this is no alarm.
func TestSwitchingInAnOpenWorkbench(t *testing.T) {
	t.Parallel()
	old := newTrusted(t, "reply\nsay \"Slowly I come to an end.\" 40ms", ladder.Limits{}).engine
	fresh := newTrusted(t, "reply\nsay \"Freshly made.\" 1ms", ladder.Limits{}).engine
	s := &switched{now: old}
	var rung atomic.Int32
	b := open(t, setting{engines: s, bell: func() { rung.Add(1) }})
	b.Wait("Adu")
	b.Type("hello")
	b.Press("enter")
	b.Wait("Slowly")
	s.use(fresh)
	b.Wait("to an end.")
	b.idle()
	b.say("and now", "Freshly made.")
	if rung.Load() != 0 {
		t.Error("a choice rang the bell")
	}
}
