package tui_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/engine"
	"fabula/story"
	"fabula/tui/screen"
)

// river streams as many tokens as its last line asks for, a few milliseconds
// apart, or one at once.
type river struct{ long bool }

func (r *river) Info() engine.Info {
	return engine.Info{Kind: engine.GGUF, Name: "river", Context: 1 << 20, Build: engine.Build{BaseHash: "r"}}
}
func (r *river) Close() error { return nil }

func (r *river) Generate(ctx context.Context, _ engine.Request) (engine.Stream, error) {
	f := &flow{ctx: ctx, left: 1}
	if r.long {
		f.left, f.every = 600, 5*time.Millisecond
	}
	return f, nil
}

// flow is one reply of a river.
type flow struct {
	ctx   context.Context
	left  int
	every time.Duration
	at    time.Duration
}

func (f *flow) Next() (engine.Event, error) {
	switch {
	case f.left < 0:
		return nil, io.EOF
	case f.left == 0:
		f.left--
		return engine.Done{Reason: engine.Stop}, nil
	}
	f.left--
	select {
	case <-time.After(f.every):
	case <-f.ctx.Done():
		f.left = -1
		return engine.Done{Reason: engine.Cancelled}, nil
	}
	f.at += 5 * time.Millisecond
	return engine.Token{ID: int32(f.left), Text: fmt.Sprintf("灯%d ", f.left), At: f.at}, nil
}

// clocked measures what the loop would do for every message: Update, then View.
type clocked struct {
	tea.Model
	took []time.Duration
}

// Update passes a message on and draws, as bubbletea does.
func (m *clocked) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	start := time.Now()
	_, cmd := m.Model.Update(msg)
	_ = m.Model.View()
	m.took = append(m.took, time.Since(start))
	return m, cmd
}

// BenchmarkStreamingFrame is Update and View of the whole workbench at 200×60
// while a reply of 600 tokens streams below 500 turns; the bar is 4 ms for 99 of
// 100 messages.
func BenchmarkStreamingFrame(b *testing.B) {
	r, m := &river{}, &clocked{}
	w := open(b, setting{w: 200, h: 60, engine: r, wrap: func(inner tea.Model) tea.Model { m.Model = inner; return m }})
	w.Wait("Adu")
	all, err := w.session.Reader().Branches()
	if err != nil {
		b.Fatal(err)
	}
	for i := range 500 {
		run, err := w.session.Say(context.Background(), all[0].ID, story.Input{Text: fmt.Sprintf("第%d句", i)}, story.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := run.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	w.Send(screen.GoTo{Branch: all[0].ID})
	w.Wait("第499句")
	r.long, m.took = true, nil
	for b.Loop() {
		w.Phrase("再说")
		w.Press("enter")
		w.idle()
	}
	slices.Sort(m.took)
	n := len(m.took)
	b.ReportMetric(float64(m.took[n/2].Microseconds())/1000, "ms/p50")
	b.ReportMetric(float64(m.took[n*99/100].Microseconds())/1000, "ms/p99")
	b.ReportMetric(float64(n)/float64(b.N), "messages")
}
