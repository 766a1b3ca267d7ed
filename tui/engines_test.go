package tui_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fabula/engine"
	"fabula/tui/screen/engines"
)

// shelf is a keeper of engines that exist in this test only.
type shelf struct {
	mu     sync.Mutex
	stock  engines.Stock
	used   []string
	refuse error
	ends   chan error // of Pull and Build
}

func (s *shelf) Stock(string) (engines.Stock, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stock, s.refuse
}

func (s *shelf) Use(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name == "worn" {
		return errors.New("worn: its file is gone")
	}
	s.used = append(s.used, name)
	s.stock.Past = append([]engines.Change{{At: time.Date(2026, 3, 1, 19, 30, 0, 0, time.UTC), Did: "use " + name}}, s.stock.Past...)
	s.stock.Chosen = map[bool]string{false: name}[name == engines.Default]
	return nil
}

// Pull and Build stand for work that a test cannot do: they go on until it is told
// how they end, or they are cancelled.
func (s *shelf) Pull(ctx context.Context, from string, report engines.Report) error {
	report(40, 400, "MiB")
	return s.work(ctx, "pull "+from)
}

func (s *shelf) Build(ctx context.Context, name string, report engines.Report) error {
	report(7, 100, "tactics")
	return s.work(ctx, "build "+name)
}

func (s *shelf) work(ctx context.Context, what string) error {
	s.mu.Lock()
	s.used = append(s.used, what)
	s.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-s.ends:
		return err
	}
}

func (s *shelf) Rollback() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	did := s.stock.Past[0].Did
	s.stock.Past, s.stock.Chosen = s.stock.Past[1:], ""
	return did, nil
}

// stocked gives a keeper of every sort of engine, the scripted one serving.
func stocked() *shelf {
	at := time.Date(2026, 3, 1, 19, 59, 30, 0, time.UTC)
	return &shelf{ends: make(chan error), stock: engines.Stock{
		Free: 3 << 30,
		Entries: []engines.Entry{
			{Kind: engine.Scripted, Name: "lamplighter", Use: "scripted:lamp", Model: "Lamplighter", Licence: "CC0-1.0", Precision: "Q4_1", Size: 92 << 20, Needs: 400 << 20, Window: 8192, Languages: []string{"en"}, Toy: true, Hash: strings.Repeat("9f31", 16), Origin: "example.org/lamp@1"},
			{Kind: engine.GGUF, Name: "qwen2.5-3b-instruct-q4_k_m", Use: "qwen2.5-3b-instruct-q4_k_m", Model: "Qwen2.5 3B Instruct", Precision: "Q4_K_M", Size: 2 << 30, Languages: []string{"zh", "en"}, Licence: "qwen-research",
				Why: "crashed", Args: []string{"qwen2.5-3b-instruct-q4_k_m"}, Detail: "died: signal: killed", Since: at, Check: at.Add(time.Minute)},
			{Kind: engine.TensorRT, Name: "lamp", Use: "tensorrt", Precision: "FP16", Size: 4 << 30, Why: "not_built"},
			{Kind: engine.GGUF, Name: "worn", Use: "worn", Precision: "Q8_0", Size: 1 << 30},
			{Kind: engine.Recall, Name: "recall", Use: "recall"},
		},
		Ladder: []engines.Rung{
			{Name: "qwen2.5-3b-instruct-q4_k_m", Why: "crashed", Args: []string{"qwen2.5-3b-instruct-q4_k_m"}},
			{Kind: engine.Scripted, Name: "lamplighter", Step: engine.StepFull},
			{Kind: engine.Recall, Name: "recall", Step: engine.StepRecall},
		},
		Serving: engines.Serving{
			Info: engine.Info{Kind: engine.Scripted, Name: "lamplighter", Context: 4096, Kept: engine.Kept{Prompts: 4, Bytes: 96 << 20}, Build: engine.Build{Runtime: "script 1, 12 of 31 layers on a card"}},
			Step: engine.StepFull, Load: 3200 * time.Millisecond,
		},
		Past: []engines.Change{{At: at.AddDate(0, 0, -1), Did: "use recall"}},
	}}
}

// took gives the last reply in the store the stamps of a reply whose first token
// came after first and whose n tokens were gap apart.
func (b *bench) took(t *testing.T, name string, ago, first, gap time.Duration, n int) {
	t.Helper()
	path := b.steps(t)
	a := path[len(path)-1].Alternative
	reply := *a.Reply
	reply.Engine.Name, reply.Prefill = name, engine.Prefill{Computed: 90, At: first}
	reply.Stats = engine.Stats{Prefill: first, Tokens: n}
	reply.Tokens = nil
	for i := range n {
		reply.Tokens = append(reply.Tokens, engine.Token{ID: 1, Text: "a", At: first + time.Duration(i)*gap})
	}
	a.Reply, a.Made = &reply, b.clock.Now().Add(-ago)
	if err := b.tree.PutAlternative(a); err != nil {
		t.Fatal(err)
	}
}

// Ensure that too few gaps give a maximum in place of a p95, and that replies
// from before this session are not counted as its own.
func TestEnginesLatency(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40, keeper: stocked()})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.took(t, "lamplighter", time.Hour, 198*time.Millisecond, 31*time.Millisecond, 59) // 58 gaps
	b.Press("f8")
	b.Wait("all stored replies  replies: 1")
	b.Wait("gap ms       p50 31     max 31     n=58")
	if b.Row("this session") != "" {
		t.Errorf("an old reply is of this session:\n%s", b.Plain())
	}
	b.Press("f5")
	b.say("where is she", "")
	b.took(t, "lamplighter", 0, 20*time.Millisecond, 10*time.Millisecond, 3)
	b.Press("f8")
	b.Wait("all stored replies  replies: 2")
	b.Wait("gap ms       p50 31     p95 31     max 31     n=60")
	b.Wait("this session  replies: 1")
	b.Wait("gap ms       max 10     n=2")
	b.Press("z")
	b.Wait("30-40")
}

// Ensure that an engine is chosen and the choice taken back, that what cannot be
// says why, and that an error is shown.
func TestEnginesAreChosen(t *testing.T) {
	t.Parallel()
	k := stocked()
	b := open(t, setting{w: 120, h: 40, keeper: k})
	b.Wait("Adu")
	b.Press("f8")
	b.Wait("serves now: the model that was wanted")
	b.Press("j", "enter") // not trusted: it answers once it is again
	b.Wait("qwen2.5-3b-instruct-q4_k_m is chosen; for now it does not serve: qwen2.5-3b-instruct-q4_k_m crashed")
	b.Press("enter")
	b.Wait("nobody is chosen any more")
	b.Press("u")
	b.Wait("taken back: use default")
	b.Press("j", "enter")
	b.Wait("this build") // has no TensorRT
	b.Press("w")
	b.Wait("only the engine that serves can be warmed up")
	b.Press("c")
	b.Wait("mark another engine first")
	b.Press("j", "enter")
	b.Wait("worn: its file is gone")
	b.Press("G", " ", "g", "c")
	b.Wait("Latency recall")
	if got := strings.Join(k.used, " "); got != "qwen2.5-3b-instruct-q4_k_m default" {
		t.Errorf("chosen: %s", got)
	}
	k.mu.Lock()
	k.stock.Outranked = "gguf"
	k.mu.Unlock()
	b.Press("r")
	b.Settle()
	b.Press("enter")
	b.Wait("outranks a choice")
	b.Exact(120, 40)
}

// Ensure that without a keeper the screen says so, and that an engine which only
// stored replies know is listed.
func TestEnginesUnknown(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Press("f8")
	b.Wait("Nothing is known of engines here")
	b.Press("enter")
	b.Exact(80, 24)
	b = open(t, setting{keeper: stocked()})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.took(t, "lost", 0, 10*time.Millisecond, time.Millisecond, 3)
	b.Press("f8", "G")
	b.Settle()
	b.Press("G", "i")
	b.Wait("not installed any more")
	b.Press("enter")
	b.Wait("not installed any more")
}

// Ensure that a model is fetched and an engine built as tasks: with how far they
// are, cancelled when the person asks twice, and looked at anew when they are done.
func TestEnginesAreFetchedAndBuilt(t *testing.T) {
	t.Parallel()
	k := stocked()
	b := open(t, setting{w: 120, h: 40, keeper: k})
	b.Wait("Adu")
	b.Press("f8")
	b.Wait("worn")
	b.Press("n")
	b.Wait("owner/repo:precision")
	b.Type("acme/lamp:Q4_K_M")
	b.Press("enter")
	b.Wait("fetch acme/lamp:Q4_K_M")
	b.Wait("40/400")
	b.Exact(120, 40)
	b.Press("ctrl+x", "ctrl+x")
	b.Wait("cancelled: fetch acme/lamp")
	b.Press("N")
	b.Wait("select a model file")
	b.Press("j", "N")
	b.Wait("7/100")
	k.mu.Lock()
	k.stock.Entries = append(k.stock.Entries, engines.Entry{Kind: engine.TensorRT, Name: "freshly-built", Use: "fresh"})
	k.mu.Unlock()
	k.ends <- nil
	b.Wait("done: build qwen2.5-3b")
	b.Wait("freshly-built")
	k.mu.Lock()
	k.stock.NoBuild = "this build has no TensorRT"
	k.mu.Unlock()
	b.Press("r", "N")
	b.Wait("no engine can be built here: this build has no TensorRT")
}
