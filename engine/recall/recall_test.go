package recall_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/latency"
	"fabula/engine/recall"
)

func adu() []engine.Candidate {
	return []engine.Candidate{
		{ID: "adu.sample.1", Cue: "Will you take me across?", Text: "Look at the water."},
		{ID: "adu.sample.2", Cue: "Where is the salt hidden?", Text: "Don't know.", Keys: []string{"盐在哪？"}},
		{ID: "adu.sample.3", Cue: "Do you have a brother?", Text: "One. He coughs."},
		{ID: "adu.sample.4", Text: "Hm."},
		{ID: "adu.sample.5", Text: "River's high."},
		{ID: "adu.landing.asks", Text: "Three qian of herbs.", Prior: 0.5},
		{ID: "adu.greeting", Text: "Boat?", Prior: -0.25},
	}
}

func chinese() []engine.Candidate {
	return []engine.Candidate{
		{ID: "1", Cue: "过河吗？", Text: "看水。"},
		{ID: "2", Cue: "盐藏在哪里？", Text: "不知道。"},
		{ID: "3", Cue: "你有兄弟吗？", Text: "有一个，咳嗽。"},
		{ID: "4", Text: "嗯。"},
	}
}

// play asks for one line and checks that the stream keeps the contract.
func play(t *testing.T, r engine.Request) (string, engine.Done) {
	t.Helper()
	s, err := recall.New().Generate(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for {
		ev, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		switch ev := ev.(type) {
		case engine.Token:
			text.WriteString(ev.Text)
		case engine.Done:
			if _, err := s.Next(); err != io.EOF {
				t.Errorf("after Done: %v", err)
			}
			return text.String(), ev
		}
	}
}

func heard(lines ...string) []engine.Message {
	var ms []engine.Message
	for _, l := range lines {
		ms = append(ms, engine.Message{Role: engine.User, Parts: []string{"?"}}, engine.Message{Role: engine.Assistant, Parts: []string{l + "\n"}})
	}
	return ms
}

// Ensure that the nearest line answers, in both scripts and across languages,
// and that a remark stands in where none is near.
func TestChoice(t *testing.T) {
	tests := map[string]struct {
		cs    []engine.Candidate
		query string
		want  string
	}{
		"same words":                {adu(), "Where is the salt hidden?", "adu.sample.2"},
		"inflected":                 {adu(), "Who is hiding salts?", "adu.sample.2"},
		"case and width":            {adu(), "ＡＮＹ ＢＲＯＴＨＥＲＳ?", "adu.sample.3"},
		"short cue, long speech":    {adu(), "I came over the pass last night and my boots are wet through, so tell me, will you take me across now?", "adu.sample.1"},
		"a key of another language": {adu(), "盐在哪", "adu.sample.2"},
		"words of the line itself":  {adu(), "Herbs? Which herbs?", "adu.landing.asks"},
		"nothing near":              {adu(), "Tell me about dragons", "adu.landing.asks"},
		"nothing said":              {adu(), "", "adu.landing.asks"},
		"chinese":                   {chinese(), "盐在哪儿藏着", "2"},
		"chinese, other order":      {chinese(), "这河能过吗", "1"},
		"chinese, nothing near":     {chinese(), "龙长什么样子", "4"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			text, done := play(t, engine.Request{Query: tc.query, Candidates: tc.cs})
			if done.Detail != tc.want {
				t.Errorf("%q: got %s %q, want %s", tc.query, done.Detail, text, tc.want)
			}
			if done.Reason != engine.Stop || done.Stats.Tokens != 0 {
				t.Errorf("done %+v", done)
			}
			for _, c := range tc.cs {
				if c.ID == done.Detail && c.Text != text {
					t.Errorf("text %q is not the line's %q", text, c.Text)
				}
			}
		})
	}
}

// Ensure that what was said is not said again while something else is left.
func TestFresh(t *testing.T) {
	tests := map[string]struct {
		said []string
		seed uint64
		want string
	}{
		"first the line of the place": {nil, 0, "adu.landing.asks"},
		"then remarks":                {[]string{"Three qian of herbs."}, 0, "adu.sample.4"},
		"another seed, another":       {[]string{"Three qian of herbs."}, 1, "adu.sample.5"},
		"then the other":              {[]string{"Three qian of herbs.", "Hm."}, 1, "adu.sample.5"},
		"then the greeting":           {[]string{"Three qian of herbs.", "Hm.", "River's high."}, 0, "adu.greeting"},
		"then the oldest":             {[]string{"Three qian of herbs.", "Hm.", "River's high.", "Boat?"}, 1, "adu.sample.4"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, done := play(t, engine.Request{Query: "dragons", Candidates: adu(), Messages: heard(tc.said...), Seed: tc.seed})
			if done.Detail != tc.want {
				t.Errorf("got %s, want %s", done.Detail, tc.want)
			}
		})
	}
	twins := []engine.Candidate{{ID: "a", Cue: "Any news?", Text: "None."}, {ID: "b", Cue: "Any news?", Text: "Rain."}, {ID: "c", Text: "Hm."}}
	if _, done := play(t, engine.Request{Query: "Any news?", Candidates: twins, Messages: heard("None.")}); done.Detail != "b" {
		t.Errorf("an equal answer that is fresh: got %s", done.Detail)
	}
	if _, done := play(t, engine.Request{Query: "Any news?", Candidates: twins, Seed: 1}); done.Detail != "b" {
		t.Errorf("the seed among equals: got %s", done.Detail)
	}
	few := []engine.Candidate{{ID: "anchor", Text: "Mind the step.", Prior: 1}, {ID: "sample", Cue: "Any news?", Text: "None."}}
	if _, done := play(t, engine.Request{Query: "dragons", Candidates: few, Messages: heard("Mind the step.")}); done.Detail != "sample" {
		t.Errorf("a line of the plot was said again: got %s", done.Detail)
	}
	if _, done := play(t, engine.Request{Query: "Any news?", Candidates: twins, Messages: heard("None.", "Rain.")}); done.Detail == "c" {
		t.Error("a worn answer is still better than none")
	}
}

// Ensure that the same request gives the same line, in whatever order the
// candidates come.
func TestDeterministic(t *testing.T) {
	cs := adu()
	for seed := range uint64(5) {
		_, want := play(t, engine.Request{Query: "the river", Candidates: cs, Seed: seed})
		for range 3 {
			cs[0], cs[3], cs[5] = cs[3], cs[5], cs[0]
			if _, got := play(t, engine.Request{Query: "the river", Candidates: cs, Seed: seed}); got.Detail != want.Detail {
				t.Errorf("seed %d: %s, then %s", seed, want.Detail, got.Detail)
			}
		}
	}
}

// Ensure that without a line nothing starts, and that the error says what to do.
func TestNothingToSay(t *testing.T) {
	_, err := recall.New().Generate(context.Background(), engine.Request{Query: "hi", Language: "zh"})
	if !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "style_samples") || !strings.Contains(err.Error(), `"zh"`) {
		t.Errorf("got %v", err)
	}
}

// Ensure that cancelling ends the stream, and that a line grows by words and
// characters and never by torn ones.
func TestStream(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s, err := recall.New().Generate(ctx, engine.Request{Candidates: []engine.Candidate{{ID: "x", Text: "The fox, 狐狸。 Gone."}}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 5 {
		ev, _ := s.Next()
		got = append(got, ev.(engine.Token).Text)
	}
	if diff := cmp.Diff([]string{"The ", "fox, ", "狐", "狸", "。 "}, got); diff != "" {
		t.Error(diff)
	}
	cancel()
	if ev, _ := s.Next(); ev.(engine.Done).Reason != engine.Cancelled {
		t.Errorf("got %+v", ev)
	}
	if _, err := s.Next(); err != io.EOF {
		t.Errorf("got %v", err)
	}
}

// Ensure that a recalled reply carries no model speed (CASES R53).
func TestNoSpeed(t *testing.T) {
	r := latency.New(recall.New().Info().Kind)
	s, _ := recall.New().Generate(context.Background(), engine.Request{Candidates: adu()})
	for {
		ev, err := s.Next()
		if err != nil {
			break
		}
		r.Add(ev)
	}
	if got := r.Timing(); !got.Recalled || got.Rate != 0 || got.Tokens != 0 || got.Gaps != nil || got.TTFT <= 0 {
		t.Errorf("got %+v", got)
	}
}
