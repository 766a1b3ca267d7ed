package scripted_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/scripted"
)

// played is a reply as a reader saw it.
type played struct {
	Text   string
	Tokens []string
	Reason engine.Reason
	Detail string
}

func play(t *testing.T, e engine.Engine, r engine.Request) (played, []engine.Event) {
	t.Helper()
	s, err := e.Generate(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return drain(t, s)
}

func drain(t *testing.T, s engine.Stream) (played, []engine.Event) {
	t.Helper()
	var p played
	var events []engine.Event
	for {
		ev, err := s.Next()
		if err == io.EOF {
			return p, events
		}
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, ev)
		switch ev := ev.(type) {
		case engine.Token:
			p.Tokens = append(p.Tokens, ev.Text)
			p.Text += ev.Text
		case engine.Done:
			p.Text += ev.Tail
			p.Reason, p.Detail = ev.Reason, ev.Detail
		}
	}
}

func parse(t *testing.T, src string) engine.Engine {
	t.Helper()
	e, err := scripted.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Ensure that stop strings never show, false alarms are released, torn
// characters wait, and every way to end a reply ends it so (CASES R18, R19).
func TestReplies(t *testing.T) {
	stop := []string{"\nPlayer:"}
	tests := map[string]struct {
		steps string
		req   engine.Request
		want  played
	}{
		"stop over three tokens": {`text "Yes."` + "\n" + `text "\nPl"` + "\n" + `text "ayer"` + "\n" + `text ": hi"`,
			engine.Request{Stop: stop},
			played{"Yes.", []string{"Yes.", "", "", ""}, engine.Stop, "\nPlayer:"}},
		"false alarm": {`text "a\nPl"` + "\n" + `text "an"`, engine.Request{Stop: stop},
			played{"a\nPlan", []string{"a", "\nPlan"}, engine.Stop, ""}},
		"held text at the end": {`text "a\nPlay"`, engine.Request{Stop: stop},
			played{"a\nPlay", []string{"a"}, engine.Stop, ""}},
		"one stop begins another": {`text "a##"` + "\n" + `text "#b"`, engine.Request{Stop: []string{"###", "##"}},
			played{"a", []string{"a"}, engine.Stop, "##"}},
		"stop inside a character's bytes": {"bytes 61e5\nbytes 819c62", engine.Request{Stop: []string{"停"}},
			played{"a", []string{"a", ""}, engine.Stop, "停"}},
		"emoji in three tokens": {"bytes f09f\nbytes 98\nbytes 80", engine.Request{},
			played{"😀", []string{"", "", "😀"}, engine.Stop, ""}},
		"lone invalid byte": {"bytes 61ff62", engine.Request{},
			played{"a\ufffdb", []string{"a\ufffdb"}, engine.Stop, ""}},
		"torn tail is dropped": {`text "a"` + "\nbytes f09f98", engine.Request{},
			played{"a", []string{"a", ""}, engine.Stop, ""}},
		"most tokens": {`text "a" times=9`, engine.Request{Sampling: engine.Sampling{MaxTokens: 3}},
			played{"aaa", []string{"a", "a", "a"}, engine.Length, ""}},
		"exactly the most": {`text "a" times=3`, engine.Request{Sampling: engine.Sampling{MaxTokens: 3}},
			played{"aaa", []string{"a", "a", "a"}, engine.Stop, ""}},
		"fault after two": {`text "a" times=2` + "\n" + `fault "device lost"`, engine.Request{},
			played{"aa", []string{"a", "a"}, engine.Fault, "device lost"}},
		"kill":           {"kill", engine.Request{}, played{"", nil, engine.Fault, "engine process: signal: killed"}},
		"asked end":      {`text "a"` + "\nend length", engine.Request{}, played{"a", []string{"a"}, engine.Length, ""}},
		"nothing":        {"", engine.Request{}, played{"", nil, engine.Stop, ""}},
		"words of a say": {`say "The fox, 狐狸。 ok"`, engine.Request{}, played{"The fox, 狐狸。 ok", []string{"The", " fox,", " ", "狐", "狸", "。", " ok"}, engine.Stop, ""}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, _ := play(t, parse(t, "reply\n"+tc.steps), tc.req)
			if tc.want.Tokens == nil {
				got.Tokens = nil
			}
			if !utf8.ValidString(got.Text) {
				t.Errorf("text is not UTF-8: %q", got.Text)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Ensure that replies are chosen by match, else in order, round and round.
func TestChoice(t *testing.T) {
	e, err := scripted.Open(filepath.Join("testdata", "demo.script"))
	if err != nil {
		t.Fatal(err)
	}
	queries := []string{"Hi", "Who lit the LAMP?", "and now?", "谁点的灯", "more"}
	want := []string{"Ask me about the lamp.", "The fox lit it.", "灯还亮着。", "The fox lit it.", "Ask me about the lamp."}
	for i, q := range queries {
		got, _ := play(t, e, engine.Request{Messages: []engine.Message{{Role: engine.User, Parts: []string{"before", q}}}})
		if got.Text != want[i] {
			t.Errorf("%q: got %q, want %q", q, got.Text, want[i])
		}
	}
}

// Ensure that the figures are those of the file, to the nanosecond.
func TestFigures(t *testing.T) {
	e, err := scripted.Open(filepath.Join("testdata", "stall.script"))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	_, events := play(t, e, engine.Request{})
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("played in %v, faster than the script", took)
	}
	ms := time.Millisecond
	want := []time.Duration{650 * ms, 750 * ms, 850 * ms, 950 * ms, 1650 * ms, 1750 * ms, 1850 * ms, 1950 * ms, 2050 * ms, 2150 * ms}
	var got []time.Duration
	for _, ev := range events {
		if tok, ok := ev.(engine.Token); ok {
			got = append(got, tok.At)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(engine.Prefill{Computed: 120, Reused: 30, At: 550 * ms}, events[0]); diff != "" {
		t.Error(diff)
	}
	stats := events[len(events)-1].(engine.Done).Stats
	if diff := cmp.Diff(engine.Stats{Load: 300 * ms, Queue: 50 * ms, Prefill: 200 * ms, PromptTokens: 150, ControlTokens: 4, Tokens: 10}, stats); diff != "" {
		t.Error(diff)
	}
	if s, _ := e.Generate(context.Background(), engine.Request{}); s != nil {
		if ev, _ := s.Next(); ev.(engine.Prefill).At != 250*ms {
			t.Errorf("the second request waited for the load again: %+v", ev)
		}
	}
}

// Ensure that cancelling ends a wait of an hour, wherever the stream waits.
func TestCancel(t *testing.T) {
	for name, src := range map[string]string{
		"load": "load 1h\nreply", "prefill": "reply\nprefill 1 0 1h", "token": "reply\ntext \"a\" 1h", "hang": "reply\nhang",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			s, err := parse(t, src).Generate(ctx, engine.Request{})
			if err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(20*time.Millisecond, cancel)
			if got, _ := drain(t, s); got.Reason != engine.Cancelled {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// Ensure that refusals happen before anything starts.
func TestRefusals(t *testing.T) {
	if _, err := parse(t, "reply\nrefuse \"no memory\"").Generate(context.Background(), engine.Request{}); !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "no memory") {
		t.Errorf("got %v", err)
	}
	if _, err := parse(t, "reply\nmatch \"x\"").Generate(context.Background(), engine.Request{Query: "y"}); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	e := parse(t, "reply")
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Generate(context.Background(), engine.Request{}); err == nil {
		t.Error("a closed engine started a reply")
	}
	if _, err := scripted.Open(filepath.Join("testdata", "absent.script")); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

// Ensure that a fault in the file names its line and what to write.
func TestSyntax(t *testing.T) {
	tests := map[string]string{
		"":                               `script:1: no reply`,
		"repply":                         `script:1: unknown setting "repply"`,
		"window lots\nreply":             `script:1: expected a whole number`,
		"reply\n\n  txt \"a\"":           `script:3: unknown step "txt"`,
		"reply\ntext \"a":                `script:2: text that is not closed`,
		"reply\ntext \"a\" soon":         `script:2: expected a time`,
		"reply\ntext \"a\" ids=1":        `script:2: unknown option "ids"`,
		"reply\nbytes 0g":                `script:2: expected bytes in hex`,
		"reply\nend never":               `script:2: unknown reason "never"`,
		"reply\nend stop\ntext \"a\"":    `script:3: "text" after the end`,
		"reply\ntext \"a\"\nrefuse \"\"": `script:3: refuse needs a reason`,
		"reply\nprefill 1":               `script:2: 1 words given; write`,
		"reply\nsay \"\"":                `script:2: nothing to say`,
		"reply\ntext \"a\" times=0":      `script:2: expected times from 1`,
	}
	for src, want := range tests {
		_, err := scripted.Parse([]byte(src))
		var syntax *scripted.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", src, err, want)
		}
	}
}

// FuzzParse looks for files that break the parser or the player.
func FuzzParse(f *testing.F) {
	f.Add([]byte("engine x\nreply\n match \"a\"\n text \"b\" id=3\n bytes ff\n end length"), "\nP")
	f.Add([]byte("reply\nprefill 1 2\nsay \"a 狐\"\nfault \"x\""), "狐")
	f.Fuzz(func(t *testing.T, data []byte, stop string) {
		e, err := scripted.Parse(data)
		if err != nil {
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		s, err := e.Generate(ctx, engine.Request{Stop: []string{stop}})
		if err != nil {
			return
		}
		if got, _ := drain(t, s); got.Reason != engine.Cancelled {
			t.Errorf("cancelled reply ended as %q", got.Reason)
		}
	})
}

// What a request gives stands in place of as many tokens of the reply.
func TestBegin(t *testing.T) {
	e := parse(t, "reply\n say \"the keeper lit it\" 1ms\n end stop\nreply\n match \"other\"\n text \" sea\" id=9\n")
	r := engine.Request{Begin: []int32{1, 9}, Sampling: engine.Sampling{MaxTokens: 3}}
	p, events := play(t, e, r)
	if p.Text != "the sea lit" || p.Reason != engine.Length {
		t.Errorf("%+v", p)
	}
	var given []bool
	for _, ev := range events {
		if tok, ok := ev.(engine.Token); ok {
			given = append(given, tok.Given)
		}
	}
	if done := events[len(events)-1].(engine.Done); !cmp.Equal(given, []bool{true, true, false}) || done.Stats.Tokens != 1 || done.Stats.PromptTokens != done.Stats.ControlTokens+2 {
		t.Errorf("given %v, %+v", given, done.Stats)
	}
	r.Begin = []int32{77}
	if _, err := e.Generate(t.Context(), r); !errors.Is(err, engine.ErrUnsupported) {
		t.Errorf("a token that the script lacks: %v", err)
	}
}
