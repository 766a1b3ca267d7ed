package chat_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/muesli/termenv"

	"fabula/engine"
	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/screen"
	"fabula/tui/screen/chat"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

var inn = fstest.MapFS{
	"world.yaml":         {Data: []byte("world: inn\nlanguages: [zh]\nstart: hall\nstate:\n  trust: {type: int, min: 0, max: 9, default: 0}\ncues:\n  action: [nod]\n")},
	"personas/zhou.yaml": {Data: []byte("persona: zhou\nname: 老周\nvoice: short\n")},
	"plot/a.yaml":        {Data: []byte("nodes:\n  - node: hall\n    title: 前堂\n    cast: [zhou]\n    exits:\n      - exit: stays\n        stay: true\n        choice: 坐下\n      - exit: waits\n        stay: true\n        when: trust > 3\n        choice: 上楼\n")},
}

func newChat(t testing.TB) (*chat.Chat, *plot.Script) {
	t.Helper()
	w, err := worlds.OpenFS(inn, "inn")
	if err != nil {
		t.Fatal(err)
	}
	s, err := story.New(story.Config{Script: w.Script})
	if err != nil {
		t.Fatal(err)
	}
	th := style.For(style.Choice{}, termenv.TrueColor, "")
	env := &screen.Env{Theme: &th, Text: lang.For("zh"), Session: s, Now: time.Now,
		Status: func(string) screen.Status { return screen.Status{Name: "bench"} }}
	return chat.New(context.Background(), env), w.Script
}

const said = "灯？这镇上的灯，都是狐狸点的，客官信么？"

// long makes a path of n turns that was never stored.
func long(script *plot.Script, n int) []story.Step {
	st := script.Initial()
	script.Enter(&st, script.Start, "zh")
	var path []story.Step
	for i := range n {
		id := story.ID(fmt.Sprintf("%026d", i))
		reply := &story.Reply{Engine: engine.Info{Kind: engine.GGUF, Name: "bench", Context: 4096}, Reason: engine.Stop,
			Tokens: []engine.Token{{Text: "灯", At: time.Second}, {Text: "？", At: 2 * time.Second}}}
		path = append(path, story.Step{
			Turn:        story.Turn{ID: id, Depth: i, Input: story.Input{Text: "老周，昨夜那盏灯是谁点的？"}, Before: st, Speaker: "zhou", Children: []story.ID{id}},
			Alternative: story.Alternative{ID: id, Turn: id, Speaker: "zhou", Text: strings.Repeat(said, 4), State: st, Reply: reply},
		})
	}
	return path
}

// BenchmarkStreaming is Update and View of the chat while a reply of up to 300
// tokens streams into a transcript of 500 turns, with the inspector beside it
// where there is room. The budget is 2 ms at 120×40, and 4 ms for the slowest of a
// hundred at 200×60.
func BenchmarkStreaming(b *testing.B) {
	for _, size := range []struct{ w, h int }{{120, 40}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(b *testing.B) { streaming(b, size.w, size.h-2) })
	}
}

func streaming(b *testing.B, w, h int) {
	c, script := newChat(b)
	path := long(script, 500)
	c.SetPath(story.Playthrough{Language: "zh"}, path)
	c.SetSize(w, h)
	snap := story.Snapshot{Phase: story.Streaming, Speaker: "zhou", Prefill: &engine.Prefill{Computed: 900, Reused: 300},
		Turn:   story.Turn{ID: "live", Parent: path[499].Alternative.ID, Input: story.Input{Text: "讲给我听"}, Before: path[499].Alternative.State},
		Engine: engine.Info{Kind: engine.GGUF, Name: "bench", Context: 4096}}
	whole := strings.Repeat(said, 15)
	var took []time.Duration
	b.ReportAllocs()
	for i := 0; b.Loop(); i = (i + 1) % 300 {
		snap.Text = whole[:3*i]
		snap.Tokens = append(snap.Tokens[:i:i], engine.Token{ID: 1, Text: "灯", At: time.Duration(i) * 30 * time.Millisecond})
		start := time.Now()
		c.Progress(snap)
		_ = strings.Join(c.View(), "\n")
		c.Cursor()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkOpen is the first look at a transcript of 2,000 turns.
func BenchmarkOpen(b *testing.B) {
	c, script := newChat(b)
	path := long(script, 2000)
	c.SetSize(120, 38)
	for b.Loop() {
		c.SetPath(story.Playthrough{Language: "zh"}, path)
		c.View()
	}
}

// Ensure that a look at a streaming reply draws exactly the screen.
func TestStreamingFrameIsExact(t *testing.T) {
	for _, size := range []struct{ w, h int }{{60, 14}, {80, 22}, {120, 38}, {200, 58}} {
		c, script := newChat(t)
		path := long(script, 20)
		c.SetPath(story.Playthrough{Language: "zh"}, path)
		c.SetSize(size.w, size.h)
		for n := 0; n < len(said); n += 3 {
			c.Progress(story.Snapshot{Phase: story.Streaming, Speaker: "zhou", Text: said[:n],
				Turn: story.Turn{ID: "live", Parent: path[19].Alternative.ID, Before: path[19].Alternative.State}})
			rows := c.View()
			if len(rows) != size.h {
				t.Fatalf("%v: %d rows", size, len(rows))
			}
			for _, r := range rows {
				if text.Width(r) != size.w {
					t.Fatalf("%v: row of %d columns: %q", size, text.Width(r), text.Strip(r))
				}
			}
		}
	}
}
