package story_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/ladder"
	"fabula/engine/recall"
	"fabula/engine/scripted"
	"fabula/story"
)

// guarded is a ladder of scripts under the guard that the catalogue uses, then
// recall.
type guarded struct {
	health *ladder.Health
	limits ladder.Limits

	mu      sync.Mutex
	engines []engine.Engine
}

func newGuarded(t testing.TB, limits ladder.Limits, scripts ...string) *guarded {
	t.Helper()
	g := &guarded{health: ladder.New(ladder.Policy{}, nil, nil), limits: limits}
	for _, s := range scripts {
		e, err := scripted.Parse([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		g.engines = append(g.engines, e)
	}
	return g
}

func (g *guarded) use(e ...engine.Engine) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.engines = e
}

func (g *guarded) Rungs(engine.Ask) iter.Seq[engine.Rung] {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []engine.Rung
	for i, e := range g.engines {
		name := e.Info().Name
		if _, up := g.health.Up(name); !up {
			continue
		}
		step := engine.StepSmaller
		if i == 0 {
			step = engine.StepFull
		}
		all = append(all, engine.Rung{Engine: e, Step: step, Guard: &ladder.Watch{Health: g.health, Key: name, Name: name, Limits: g.limits}})
	}
	return slices.Values(append(all, engine.Rung{Engine: recall.New(), Step: engine.StepRecall}))
}

// Ensure that every fault before a token has the next engine answer the same
// turn, saying why, that one after a token keeps what came and is marked, and
// that the player's line is there whatever happens.
func TestEveryFaultOnTheLadder(t *testing.T) {
	const small = "engine small\nreply\nsay \"The small one speaks.\" 1ms\n"
	for name, c := range map[string]struct {
		full, small   string
		step, why     string
		text          string // begins with; "" = whatever recall says
		fault         string
		neverAskedTwo bool
	}{
		"sound":                {"reply\nsay \"The full one.\" 1ms", small, "full", "", "The full one.", "", true},
		"late first token":     {"reply\nhang", small, "smaller", "first_token", "The small", "", false},
		"not loaded":           {"load 1ms \"gone\"\nreply", small, "smaller", "load", "The small", "", false},
		"no memory to load":    {"load 1ms memory\nreply", small, "smaller", "memory", "The small", "", false},
		"out of memory":        {"reply\nmemory", small, "smaller", "out_of_memory", "The small", "", false},
		"crash":                {"reply\nkill", small, "smaller", "crashed", "The small", "", false},
		"fault at once":        {"reply\nfault \"device lost\"", small, "smaller", "fault", "The small", "", false},
		"refused":              {"reply\nrefuse \"busy\"", small, "smaller", "unavailable", "The small", "", false},
		"nothing":              {"reply", small, "smaller", "nothing", "The small", "", false},
		"both fail":            {"reply\nkill", "engine small\nreply\nmemory", "recall", "out_of_memory", "", "", false},
		"fault after tokens":   {"reply\nsay \"Half a\" 1ms\nfault \"device lost\"", small, "full", "", "Half a", "fault", true},
		"gap after tokens":     {"reply\nsay \"Half a\" 1ms\nhang", small, "full", "", "Half a", "gap", true},
		"memory after tokens":  {"reply\nsay \"Half a\" 1ms\nmemory", small, "full", "", "Half a", "out_of_memory", true},
		"crashed after tokens": {"reply\nsay \"Half a\" 1ms\nkill", small, "full", "", "Half a", "crashed", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var limits ladder.Limits
			if strings.Contains(c.full, "hang") { // a busy machine must not make the others late
				limits = ladder.Limits{FirstToken: time.Second, Gap: time.Second}
			}
			g := begun(t, newGuarded(t, limits, "engine full\n"+c.full, c.small))
			step, events := g.say(story.Input{Text: "Is anybody there?"})
			r := step.Alternative.Reply
			if r.Step != c.step || r.Why != c.why || r.Fault != c.fault || !strings.HasPrefix(step.Alternative.Text, c.text) || step.Alternative.Text == "" {
				t.Errorf("step %q, why %q, fault %q, text %q", r.Step, r.Why, r.Fault, step.Alternative.Text)
			}
			if told := strings.Contains(kinds(events), "degraded"); told == c.neverAskedTwo {
				t.Errorf("told of degrading: %v", told)
			}
			done := events[len(events)-1].Done
			if done.Step != r.Step || done.Why != r.Why || done.Fault != r.Fault {
				t.Errorf("done says %+v", done)
			}
			path, err := g.Reader().Path(g.branch.Leaf)
			if err != nil || path[len(path)-1].Turn.Input.Text != "Is anybody there?" {
				t.Errorf("the player's line is lost: %v", err)
			}
		})
	}
}

// Ensure that an engine which failed again and again is not asked any more, and
// that it is once it is trusted again.
func TestTrustIsLostAndWonBack(t *testing.T) {
	l := newGuarded(t, ladder.Limits{}, "engine full\nreply\nkill\nreply\nkill\nreply\nsay \"Well again.\" 1ms", "engine small\nreply\nsay \"Small.\" 1ms")
	g := begun(t, l)
	var steps []string
	for range 4 {
		step, _ := g.say(story.Input{Text: "Hello"})
		steps = append(steps, step.Alternative.Reply.Step)
	}
	l.health.Checked("full", nil)
	l.health.Checked("full", nil)
	step, _ := g.say(story.Input{Text: "Hello"})
	steps = append(steps, step.Alternative.Text)
	if diff := cmp.Diff([]string{"smaller", "smaller", "smaller", "smaller", "Well again."}, steps); diff != "" {
		t.Error(diff)
	}
}

// Ensure that a reply which streams is finished by the engine it began with when
// another one is chosen, and that the next reply comes from the other.
func TestSwitchWhileAReplyStreams(t *testing.T) {
	l := newGuarded(t, ladder.Limits{}, "engine old\nreply\nsay \"I speak slowly and to the end.\" 20ms", "engine new\nreply\nsay \"I am new.\" 1ms")
	old, fresh := l.engines[0], l.engines[1]
	l.use(old)
	g := begun(t, l)
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hello"}, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r.Snapshot().Text == "" {
		<-r.Changed()
	}
	l.use(fresh)
	first, _ := g.wait(r)
	second, _ := g.say(story.Input{Text: "And now?"})
	got := []string{first.Alternative.Reply.Engine.Name, first.Alternative.Text, second.Alternative.Reply.Engine.Name, second.Alternative.Text}
	if diff := cmp.Diff([]string{"old", "I speak slowly and to the end.", "new", "I am new."}, got); diff != "" {
		t.Error(diff)
	}
}

// only gives the one engine that was asked for.
type only map[string]engine.Engine

func (o only) Rungs(a engine.Ask) iter.Seq[engine.Rung] {
	return slices.Values([]engine.Rung{{Engine: o[a.Only], Step: engine.StepFull}})
}

// Ensure that engines which are compared answer one turn each, from one seed,
// and that asking for too many is refused.
func TestEnginesCompared(t *testing.T) {
	pair := newGuarded(t, ladder.Limits{}, "engine a\nreply\nsay \"A.\" 1ms", "engine b\nreply\nsay \"B.\" 1ms").engines
	g := begun(t, only{"a": pair[0], "b": pair[1]})
	r, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hello"}, story.Options{Engines: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	seeds := map[uint64]bool{}
	for _, b := range r.Beside() {
		_, step, err := b.Wait()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, step.Alternative.Reply.Engine.Name+" "+step.Alternative.Text)
		seeds[step.Alternative.Reply.Seed] = true
	}
	if diff := cmp.Diff([]string{"a A.", "b B."}, got); diff != "" || len(seeds) != 1 {
		t.Errorf("%s, %d seeds", diff, len(seeds))
	}
	turn, err := g.Reader().Turn(r.Snapshot().Turn.ID)
	if err != nil || len(turn.Children) != 2 {
		t.Errorf("%d alternatives, %v", len(turn.Children), err)
	}
	if _, err := g.Say(context.Background(), g.branch.ID, story.Input{Text: "Hello"}, story.Options{Engines: make([]string, 9)}); err == nil {
		t.Error("nine at once were not refused")
	}
}
