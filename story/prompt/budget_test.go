package prompt_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/personas"
	"fabula/story/prompt"
)

// byWord counts a blank-separated word as a token, and three control tokens a
// message.
func byWord(ms []engine.Message) (engine.Count, error) {
	c := engine.Count{Control: 3 * len(ms)}
	for _, m := range ms {
		var parts []int
		for _, p := range m.Parts {
			parts = append(parts, len(strings.Fields(p)))
		}
		c.Parts = append(c.Parts, parts)
	}
	return c, nil
}

// talk is a history of n exchanges of about 22 tokens each.
func talk(n int) []prompt.Exchange {
	var h []prompt.Exchange
	for i := range n {
		h = append(h, turn(fmt.Sprintf("t%03d", i), fmt.Sprintf("player>question %d about the ferry and the fog and all", i),
			fmt.Sprintf("adu>answer %d is that the water is high and so are prices", i)))
	}
	return h
}

func asked(t testing.TB, window int, h []prompt.Exchange, line string) prompt.Input {
	s := ferry(t)
	return prompt.Input{
		Script: s, State: at(s), Speaker: s.Persona("adu"), Language: "en", History: h, Line: line,
		Budget: prompt.Budget{Window: window, Reply: 60}, Count: byWord,
	}
}

// Ensure that a prompt fits at every window, that what may not be dropped is
// there, and that all that is missing is listed (CASES R24).
func TestBudget(t *testing.T) {
	full, err := prompt.Assemble(asked(t, 0, talk(60), "Well?"))
	if err != nil {
		t.Fatal(err)
	}
	least := 0
	for window := 100; window < full.Tokens+200; window += 3 {
		p, err := prompt.Assemble(asked(t, window, talk(60), "Well?"))
		if errors.Is(err, engine.ErrTooLong) {
			least = window
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.Tokens > window-60 {
			t.Fatalf("window %d: %d tokens", window, p.Tokens)
		}
		for _, k := range []prompt.Kind{prompt.Rules, prompt.Persona, prompt.Cover, prompt.Goal, prompt.Knows, prompt.Scene, prompt.Anchor, prompt.Line} {
			if !slices.ContainsFunc(p.Segments, func(s prompt.Segment) bool { return s.Kind == k }) {
				t.Fatalf("window %d: no %s", window, k)
			}
		}
		checkSum(t, p)
		if lost := len(full.Segments) - len(p.Segments); lost > 0 != (len(p.Dropped) > 0) {
			t.Fatalf("window %d: %d segments missing, listed %v", window, lost, p.Dropped)
		}
	}
	if least < 200 || least > 600 {
		t.Errorf("refused up to window %d", least)
	}
}

func checkSum(t *testing.T, p prompt.Prompt) {
	t.Helper()
	n := p.Control
	for _, s := range p.Segments {
		n += s.Tokens
	}
	if n != p.Tokens {
		t.Fatalf("%d tokens said, %d counted", p.Tokens, n)
	}
}

// Ensure that the edge is exact: what needs n tokens goes into n and not into
// n − 1.
func TestEdge(t *testing.T) {
	in := asked(t, 0, nil, "Well?")
	p, err := prompt.Assemble(in)
	if err != nil {
		t.Fatal(err)
	}
	in.Budget.Window = 100 * p.Tokens // room enough for every share
	if q, err := prompt.Assemble(in); err != nil || q.Tokens != p.Tokens {
		t.Fatalf("%v, %d tokens of %d", err, q.Tokens, p.Tokens)
	}
	long := strings.Repeat("word ", 500)
	in = asked(t, 700, talk(20), long)
	var tooLong *prompt.TooLong
	if _, err := prompt.Assemble(in); !errors.As(err, &tooLong) || !errors.Is(err, engine.ErrTooLong) {
		t.Fatalf("a line longer than the rest of the window: %v", err)
	}
	for _, want := range []string{"line 5", "persona ", "rules ", "reply 60", "the window holds 700"} {
		if !strings.Contains(tooLong.Error(), want) {
			t.Errorf("%q does not say %q", tooLong, want)
		}
	}
	needs := tooLong.Control + tooLong.Reply
	for _, s := range tooLong.Parts {
		needs += s.Tokens
	}
	in.Budget.Window = needs
	if p, err := prompt.Assemble(in); err != nil || p.Tokens != needs-60 {
		t.Errorf("at the very size: %v, %d of %d", err, p.Tokens, needs)
	}
	in.Budget.Window = needs - 1
	if _, err := prompt.Assemble(in); !errors.As(err, &tooLong) {
		t.Errorf("one less: %v", err)
	}
	in.Budget.Reply = in.Budget.Window + 1
	if _, err := prompt.Assemble(in); !errors.As(err, &tooLong) {
		t.Errorf("a reply longer than the window: %v", err)
	}
}

// Ensure that history is cut in blocks from the oldest: over a long talk the
// start moves seldom and only forward, so that most turns read little anew.
func TestCutInBlocks(t *testing.T) {
	const window, turns = 1200, 150
	moves, reread := 0, 0
	var before []engine.Message
	start := ""
	for n := range turns {
		p, err := prompt.Assemble(asked(t, window, talk(n), "Well, number "+fmt.Sprint(n)+"?"))
		if err != nil {
			t.Fatal(err)
		}
		first := firstTurn(p)
		if first < start {
			t.Fatalf("turn %d: the cut moved back from %s to %s", n, start, first)
		}
		if n > 1 && first != start {
			moves++
		}
		if before != nil && shared(before[:len(before)-1], p.Messages) != "" {
			reread++
		}
		start, before = first, p.Messages
	}
	if moves == 0 || moves > turns/8 || reread > moves {
		t.Errorf("%d cuts in %d turns, %d prompts did not go on", moves, turns, reread)
	}
}

func firstTurn(p prompt.Prompt) string {
	for _, s := range p.Segments {
		if s.Kind == prompt.History && s.Source != "stub" {
			return s.Source
		}
	}
	return ""
}

// Ensure that what is cut is listed with its turns and size.
func TestCutIsListed(t *testing.T) {
	p, err := prompt.Assemble(asked(t, 1000, talk(60), "Well?"))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Dropped) == 0 || !strings.HasPrefix(p.Dropped[0].What, "history t000..t") || p.Dropped[0].Why != prompt.WhyWindow {
		t.Fatalf("dropped %+v", p.Dropped)
	}
	if d := p.Dropped[0]; d.Tokens < 200 || d.Tokens > 60*25 {
		t.Errorf("dropped %+v", d)
	}
}

// Ensure that samples and lore keep to their share, the least important going
// first.
func TestShares(t *testing.T) {
	in := asked(t, 6400, nil, "the tax, the shrine, and what of number 150?")
	p := in.Speaker
	for i := range 200 {
		p.Samples = append(p.Samples, personas.Sample{
			Player: plain(fmt.Sprintf("what of number%d", i)), Reply: plain("nothing at all"), When: cond("trust == 0"),
		}, personas.Sample{Player: plain("and then"), Reply: plain("the same again")})
	}
	got, err := prompt.Assemble(in)
	if err != nil {
		t.Fatal(err)
	}
	stable, volatile := 0, 0
	for _, s := range got.Segments {
		if s.Kind == prompt.Sample && s.Role == engine.System {
			stable += s.Tokens
		} else if s.Kind == prompt.Sample {
			volatile += s.Tokens
		}
	}
	const heading = 6 // words, which go to the first sample that stays
	if stable > 200+heading || stable < 150 || volatile > 100+heading || volatile < 50 {
		t.Errorf("samples: %d stable tokens, %d volatile", stable, volatile)
	}
	if !strings.Contains(whole(got), "the salt tax") || !strings.Contains(whole(got), "Will you cross?") {
		t.Error("lore or the first sample is gone")
	}
	if len(got.Dropped) != 2 || got.Dropped[0].Why != prompt.WhyShare || !strings.HasSuffix(got.Dropped[0].What, ",402,404") {
		t.Errorf("dropped %.300v", got.Dropped)
	}
}

// Ensure that samples in a row are listed as one.
func TestListOfSamples(t *testing.T) {
	in := asked(t, 0, nil, "Well?")
	for i := range 400 {
		in.Speaker.Samples = append(in.Speaker.Samples, personas.Sample{Player: plain(fmt.Sprintf("a rather long question, number %d", i)), Reply: plain("nothing")})
	}
	got, err := prompt.Assemble(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Dropped) != 1 || !strings.HasSuffix(got.Dropped[0].What, "-404") || strings.Count(got.Dropped[0].What, "sample") != 1 {
		t.Errorf("dropped %+v", got.Dropped)
	}
}

// Ensure that the samples nearest to the player's line stay.
func TestNearestSamplesStay(t *testing.T) {
	in := asked(t, 3200, nil, "Tell me of the heron")
	for i := range 50 {
		in.Speaker.Samples = append(in.Speaker.Samples, personas.Sample{Player: plain(fmt.Sprintf("filler %d", i)), Reply: plain("no"), When: cond("trust == 0")})
	}
	in.Speaker.Samples = append(in.Speaker.Samples, personas.Sample{Player: plain("What does the heron eat?"), Reply: plain("Frogs."), When: cond("trust == 0")})
	got, err := prompt.Assemble(in)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(whole(got), "Frogs.") || strings.Contains(whole(got), "filler 49") {
		t.Error(whole(got))
	}
}

// Ensure that for any window and history the budget holds and figures add up.
func TestBudgetOfAnything(t *testing.T) {
	s := ferry(t)
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t, s)
		in.History = anyHistory(t, 40)
		in.Budget = prompt.Budget{Window: rapid.IntRange(1, 1500).Draw(t, "window"), Reply: rapid.IntRange(0, 200).Draw(t, "reply")}
		if rapid.Bool().Draw(t, "counted") {
			in.Count = byWord
		}
		p, err := prompt.Assemble(in)
		if errors.Is(err, engine.ErrTooLong) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.Tokens+in.Budget.Reply > in.Budget.Window || p.Estimated != (in.Count == nil) {
			t.Fatalf("%d tokens and %d in %d", p.Tokens, in.Budget.Reply, in.Budget.Window)
		}
	})
}

func BenchmarkAssemble(b *testing.B) {
	in := asked(b, 4096, talk(2000), "Well?")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := prompt.Assemble(in); err != nil {
			b.Fatal(err)
		}
	}
}
