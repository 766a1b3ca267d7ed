package story_test

import (
	"context"
	"embed"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fabula/engine"
	"fabula/engine/scripted"
	"fabula/personas"
	"fabula/personas/source"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/store"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(playerEnv); dir != "" {
		if err := playForEver(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m)
}

//go:embed testdata/ferry
var ferry embed.FS

// ferryScript is the world that these tests play. change may alter a file.
func ferryScript(t testing.TB, change func(file, text string) string) *plot.Script {
	t.Helper()
	s, err := loadFerry(change)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func loadFerry(change func(file, text string) string) (*plot.Script, error) {
	s := &plot.Script{ID: "ferry", Languages: []string{"en", "zh"}, Hash: "h1",
		Player: plot.Player{Name: personas.Text{By: map[string]string{"en": "stranger", "zh": "客官"}}},
		Cues:   plot.Cues{Action: []string{"nod", "sigh"}},
		Vars: []*plot.Variable{
			{ID: "day", Kind: plot.Int, Max: 9, Default: plot.IntValue(0)}, {ID: "herbs", Kind: plot.Int, Max: 3, Default: plot.IntValue(0)},
			{ID: "trust", Kind: plot.Int, Max: 5, Default: plot.IntValue(0)}, {ID: "sold", Kind: plot.Bool, Default: plot.BoolValue(false)},
			{ID: "warm", Kind: plot.Bool, Default: plot.BoolValue(false)}}}
	read := func(name string) source.File {
		data, _ := ferry.ReadFile("testdata/ferry/" + name)
		if change != nil {
			data = []byte(change(name, string(data)))
		}
		return source.File{Name: name, Data: data}
	}
	var faults []source.Fault
	for _, id := range []string{"adu", "cui", "qin"} {
		p, f := personas.Load(read(id + ".yaml"))
		s.Personas, faults = append(s.Personas, p), append(faults, f...)
	}
	nodes, f := plot.Load(read("plot.yaml"))
	s.Nodes, s.Start = nodes, nodes[0].ID
	faults = append(append(faults, f...), plot.Compile(s)...)
	if len(faults) > 0 {
		return nil, fmt.Errorf("the ferry does not load: %+v", faults)
	}
	return s, nil
}

// rungs is a ladder.
type rungs []engine.Rung

func (r rungs) Rungs(engine.Ask) iter.Seq[engine.Rung] { return slices.Values(r) }

// plays is a ladder of one scripted engine; without text it has a reply that
// no rule of the plot notices.
func plays(t testing.TB, script string) rungs {
	t.Helper()
	if script == "" {
		script = "reply\nprefill 10 5\nsay \"Look at the water.\"\n"
	}
	e, err := scripted.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return rungs{{Engine: e, Step: "full"}}
}

// game is a session on a store of its own.
type game struct {
	*story.Session
	t      testing.TB
	dir    string
	store  *store.Store
	branch story.Branch
	config story.Config
}

func newGame(t testing.TB, engines story.Engines) *game {
	t.Helper()
	g := &game{t: t, dir: t.TempDir(), config: story.Config{Script: ferryScript(t, nil), Engines: engines}}
	g.open()
	t.Cleanup(func() { _ = g.Close() })
	return g
}

func (g *game) open() {
	g.t.Helper()
	var err error
	if g.store, err = store.Open(g.dir); err != nil {
		g.t.Fatal(err)
	}
	g.config.Store = g.store
	if g.Session, err = story.New(g.config); err != nil {
		g.t.Fatal(err)
	}
}

// begun is a game that stands at the landing.
func begun(t testing.TB, engines story.Engines, set ...string) *game {
	t.Helper()
	g := newGame(t, engines)
	g.begin(story.Start{Set: pairs(set)})
	return g
}

func pairs(set []string) map[string]string {
	out := map[string]string{}
	for _, s := range set {
		name, value, _ := strings.Cut(s, "=")
		out[name] = value
	}
	return out
}

func (g *game) begin(start story.Start) story.Step {
	g.t.Helper()
	b, step, err := g.Begin(start)
	if err != nil {
		g.t.Fatal(err)
	}
	g.branch = b
	return step
}

// say takes a turn to its end, and follows a new branch.
func (g *game) say(in story.Input) (story.Step, []story.Event) {
	g.t.Helper()
	r, err := g.Say(context.Background(), g.branch.ID, in, story.Options{})
	if err != nil {
		g.t.Fatalf("say %+v: %v", in, err)
	}
	return g.wait(r)
}

func (g *game) wait(r *story.Running) (story.Step, []story.Event) {
	g.t.Helper()
	b, step, err := r.Wait()
	if err != nil {
		g.t.Fatalf("wait: %v", err)
	}
	g.branch = b
	return step, r.Events(0)
}

// refused expects an error and that nothing at all was stored.
func (g *game) refused(in story.Input) error {
	g.t.Helper()
	before, _ := g.store.Stats()
	_, err := g.Say(context.Background(), g.branch.ID, in, story.Options{})
	if err == nil {
		g.t.Fatalf("say %+v was not refused", in)
	}
	if after, _ := g.store.Stats(); after.Writes != before.Writes {
		g.t.Errorf("say %+v was refused and %d Updates made", in, after.Writes-before.Writes)
	}
	return err
}

// kinds gives the kinds of events in order, runs of tokens as one.
func kinds(events []story.Event) string {
	var all []string
	for _, e := range events {
		if e.Kind == story.TokenEvent && len(all) > 0 && all[len(all)-1] == "token" {
			continue
		}
		all = append(all, string(e.Kind))
	}
	return strings.Join(all, " ")
}

func texts(lines []plot.Played) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.By+": "+l.Text)
	}
	return strings.Join(all, " | ")
}

func vars(st plot.State) string {
	return fmt.Sprintf("day=%v herbs=%v trust=%v sold=%v warm=%v", st.Vars["day"], st.Vars["herbs"], st.Vars["trust"], st.Vars["sold"], st.Vars["warm"])
}

// spy is an engine that notes its requests and answers as told.
type spy struct {
	requests []engine.Request
	answer   func(context.Context, engine.Request) (engine.Stream, error)
	info     engine.Info
}

func (s *spy) Info() engine.Info { return s.info }
func (s *spy) Close() error      { return nil }
func (s *spy) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	s.requests = append(s.requests, r)
	return s.answer(ctx, r)
}

func says(words ...string) func(context.Context, engine.Request) (engine.Stream, error) {
	return func(context.Context, engine.Request) (engine.Stream, error) {
		var events []engine.Event
		for i, w := range words {
			events = append(events, engine.Token{ID: int32(i), Text: w, At: time.Duration(i+1) * time.Millisecond})
		}
		return &listed{append(events, engine.Done{Reason: engine.Stop})}, nil
	}
}

// listed is a stream of given events.
type listed struct{ left []engine.Event }

func (e *listed) Next() (engine.Event, error) {
	ev := e.left[0]
	e.left = e.left[1:]
	return ev, nil
}
