package story_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/story"
	"fabula/story/plot"
)

// listener is an engine with a small window that notes its prompts.
type listener struct {
	window int
	asks   []engine.Request
}

func (l *listener) Info() engine.Info {
	return engine.Info{Kind: engine.GGUF, Name: "listener", Context: l.window}
}
func (l *listener) Close() error { return nil }
func (l *listener) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	l.asks = append(l.asks, r)
	return says("Look at the water.")(ctx, r)
}

// marker is a word that no other turn holds.
func marker(n int) string { return fmt.Sprintf("mark%dx", n) }

// Ensure that what no longer fits as history comes back when it is spoken of,
// says when it was and why it came, and that the place where the history begins is known.
func TestRecollection(t *testing.T) {
	e := &listener{window: 1200}
	g := begun(t, rungs{{Engine: e}})
	g.say(story.Input{Text: "I carried a jade comb across the pass for you."})
	for i := range 60 {
		g.say(story.Input{Text: fmt.Sprintf("The rain goes on and on over the river, for the %dth day in a row.", i)})
	}
	step, _ := g.say(story.Input{Text: "Do you remember the comb?"})
	last := flat(e.asks[len(e.asks)-1])
	if !strings.Contains(last, "turns ago): stranger: I carried a jade comb") {
		t.Errorf("the comb is forgotten:\n%s", last)
	}
	horizon := step.Alternative.Reply.Horizon()
	path, _ := g.Reader().Path(g.branch.Leaf)
	if horizon == "" || horizon == path[1].Turn.ID {
		t.Errorf("history begins at %q", horizon)
	}
	p, err := g.Preview(context.Background(), g.branch.ID, story.Input{Text: "And the comb?"})
	if err != nil {
		t.Fatal(err)
	}
	because := ""
	for _, s := range p.Segments {
		because += strings.Join(s.Because, " ")
	}
	if because != "comb" || p.Tokens > 1200 {
		t.Errorf("recalled because of %q, in %d tokens", because, p.Tokens)
	}
	if step, _ := g.say(story.Input{Text: "Hm."}); strings.Contains(flat(e.asks[len(e.asks)-1]), "jade comb") || step.Alternative.Text == "" {
		t.Error("the comb comes back unasked")
	}
}

// Ensure that on any tree no prompt ever holds a word of another branch, and
// that every word of its own path can come back.
func TestNoBranchRemembersAnother(t *testing.T) {
	checks := flag.Lookup("rapid.checks").Value
	before := checks.String()
	_ = checks.Set("20") // every turn is synced to the disk
	defer func() { _ = checks.Set(before) }()
	rapid.Check(t, func(rt *rapid.T) {
		e := &listener{window: rapid.SampledFrom([]int{700, 800, 2500}).Draw(rt, "window")}
		g := begun(t, rungs{{Engine: e}})
		defer g.Close()
		leaves := []story.ID{g.branch.Leaf}
		words := map[story.ID]string{leaves[0]: ""}
		for n := range rapid.IntRange(3, 12).Draw(rt, "turns") {
			from := leaves[rapid.IntRange(max(0, len(leaves)-4), len(leaves)-1).Draw(rt, "from")]
			b, err := g.BranchAt(from, "")
			if err != nil {
				rt.Fatal(err)
			}
			g.branch = b
			asked := words[from]
			line := fmt.Sprintf("%s is a word of its own, says the rain. Who said %s?", marker(n), asked)
			step, _ := g.say(story.Input{Text: line})
			words[step.Alternative.ID] = words[from] + " " + marker(n)
			leaves = append(leaves, step.Alternative.ID)
			sent := flat(e.asks[len(e.asks)-1])
			g.remembersOnly(rt, step.Alternative.ID, words[step.Alternative.ID], n+1)
			for i := range n {
				if mine := strings.Contains(asked+" ", " "+marker(i)+" "); strings.Contains(sent, marker(i)) != mine {
					rt.Fatalf("turn %d below %q: %s in the prompt: %v", n, asked, marker(i), !mine)
				}
			}
		}
	})
}

// remembersOnly expects the facts and summaries of a path to hold its own markers
// and none of another's, of those up to most.
func (g *game) remembersOnly(t *rapid.T, leaf story.ID, own string, most int) {
	for _, npc := range []string{"", "adu"} {
		m, err := g.Memories(leaf, npc, "")
		if err != nil {
			t.Fatal(err)
		}
		var facts, past strings.Builder
		for _, f := range m.Facts {
			facts.WriteString(f.Text + "\n")
		}
		for _, d := range m.Past {
			for _, p := range d.Points {
				past.WriteString(p.Text + "\n")
			}
		}
		for i := range most {
			mine := strings.Contains(own+" ", " "+marker(i)+" ")
			if strings.Contains(facts.String(), marker(i)) != mine {
				t.Fatalf("%s among the facts below %q: %v", marker(i), own, !mine)
			}
			if !mine && strings.Contains(past.String(), marker(i)) {
				t.Fatalf("%s in a summary below %q", marker(i), own)
			}
		}
	}
}

// Ensure that the facts of a path tell who was there and who was told, that only
// those come to an NPC's mind, and that a pinned one comes back unasked until it
// is freed.
func TestFactsAndPins(t *testing.T) {
	e := &listener{window: 1200}
	g := begun(t, rungs{{Engine: e}}, "herbs=1")
	g.say(story.Input{Text: "Here are the herbs. I carried a jade comb too."})
	m, err := g.Memories(g.branch.Leaf, "", "")
	if err != nil {
		t.Fatal(err)
	}
	said, kinds := "", map[string]string{}
	for _, f := range m.Facts {
		kinds[string(f.Kind)] = fmt.Sprint(f.Who, f.Witnesses, f.Told, f.Depth, f.Confidence > 0 && f.Confidence <= 1)
		if strings.Contains(f.Text, "jade comb") && f.Kind == "said" {
			said = f.ID
		}
	}
	if said == "" || !strings.HasPrefix(kinds["beat"], "player[adu") || !strings.HasSuffix(kinds["beat"], "1 true") {
		t.Fatalf("facts %+v", m.Facts)
	}
	if absent, err := g.Memories(g.branch.Leaf, "cui", "comb"); err != nil || len(absent.Recalled) > 0 || slices.ContainsFunc(absent.Facts, func(f story.Fact) bool { return f.Kind == "said" }) {
		t.Errorf("one who was not there: %+v, %v", absent, err)
	}
	if err := g.Pin(g.branch.ID, "nothing.said", true); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("a fact that is not there: %v", err)
	}
	if err := g.Pin(g.branch.ID, said, true); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		g.say(story.Input{Text: fmt.Sprintf("The rain goes on and on over the river, for the %dth day in a row.", i)})
	}
	if last := flat(e.asks[len(e.asks)-1]); !strings.Contains(last, "turns ago): stranger: Here are the herbs. I carried a jade comb") {
		t.Errorf("what was pinned is forgotten:\n%s", last)
	}
	g.Close()
	g.open() // pins are stored
	if err := g.Pin(g.branch.ID, said, false); err != nil {
		t.Fatal(err)
	}
	g.say(story.Input{Text: "Hm."})
	if last := flat(e.asks[len(e.asks)-1]); strings.Contains(last, "turns ago): stranger: Here are the herbs") {
		t.Error("what was freed comes back unasked")
	}
}

// Ensure that who stands where a way leads does not know which was chosen, and
// who stood where it was chosen does.
func TestWhoSawTheChoice(t *testing.T) {
	g := begun(t, plays(t, ""))
	var moved *story.Step
	for _, o := range g.Script().Offers(moveFrom(t, g), "en") {
		if o.Open && o.To != "" {
			step, _ := g.say(story.Input{Choose: o.ID})
			moved = &step
			break
		}
	}
	if moved == nil {
		t.Fatal("no way leads on")
	}
	m, err := g.Memories(g.branch.Leaf, "", "")
	if err != nil {
		t.Fatal(err)
	}
	there := g.Script().Cast(moved.Turn.Before)
	for _, f := range m.Facts {
		if f.Kind != "exit" {
			continue
		}
		if !slices.Contains(f.Witnesses, "adu") {
			t.Errorf("adu, who stood there, did not see %+v", f)
		}
		for _, c := range there {
			if c.NPC != "adu" && slices.Contains(f.Witnesses, c.NPC) {
				t.Errorf("%s saw a choice that was made elsewhere: %+v", c.NPC, f)
			}
		}
	}
}

func moveFrom(t *testing.T, g *game) plot.State {
	t.Helper()
	a, err := g.Reader().Alternative(g.branch.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	return a.State
}
