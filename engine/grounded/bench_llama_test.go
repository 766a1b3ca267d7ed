//go:build llama

package grounded_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/gguf"
	"fabula/engine/grounded"
	"fabula/engine/recall"
	"fabula/engine/worker"
	"fabula/story/prompt"
	"fabula/worlds"
)

// TestMain is the worker as well.
func TestMain(m *testing.M) {
	if os.Getenv("FABULA_TEST_CHILD") != "" {
		os.Exit(worker.Main(gguf.Open))
	}
	os.Exit(m.Run())
}

// start opens the default model.
func start(b *testing.B) *worker.Client {
	b.Helper()
	log, err := os.Create(b.TempDir() + "/worker.log")
	if err != nil {
		b.Fatal(err)
	}
	c, err := worker.Start(worker.Options{Model: os.Getenv("FABULA_MODEL"), Log: log, Command: func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "FABULA_TEST_CHILD=1")
		return cmd
	}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = c.Close()
		_ = log.Close()
	})
	if err := c.Ready(context.Background()); err != nil {
		b.Fatal(err)
	}
	return c
}

// paraphrase is a line of a player with the numbers of the samples that answer
// it: judged by hand, few words in common with their cues.
type paraphrase struct {
	Say    string
	Answer []int
}

// verdicts counts what was said.
type verdicts struct{ right, wrong, remark int }

func (v *verdicts) add(id string, p paraphrase, cues map[string]string) {
	n, err := strconv.Atoi(id[strings.LastIndexByte(id, '.')+1:])
	switch {
	case err == nil && slices.Contains(p.Answer, n):
		v.right++
	case cues[id] == "":
		v.remark++
	default:
		v.wrong++
	}
}

// BenchmarkChoice says how often the innkeeper of the demo world answers 50
// paraphrases, by words alone and with the model's choice, and what a choice
// costs. Run it by make figures.
func BenchmarkChoice(b *testing.B) {
	var said []paraphrase
	text, err := os.ReadFile("testdata/paraphrases.json")
	if err == nil {
		err = json.Unmarshal(text, &said)
	}
	if err != nil {
		b.Fatal(err)
	}
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		b.Fatal(err)
	}
	state := w.Script.Initial()
	w.Script.Enter(&state, "hall", "en")
	lines := prompt.Candidates(prompt.Input{Script: w.Script, State: state, Speaker: w.Script.Persona("laozhou"), Language: "en"})
	cues := map[string]string{}
	for _, l := range lines {
		cues[l.ID] = l.Cue
	}
	model, _ := grounded.New().On(start(b))
	words := recall.New()
	for b.Loop() {
		var byWords, byModel verdicts
		var took []time.Duration
		computed := 0
		for _, p := range said {
			r := engine.Request{Query: p.Say, Candidates: lines, Language: "en"}
			s, err := words.Generate(context.Background(), r)
			if err != nil {
				b.Fatal(err)
			}
			_, _, done := drain(b, s)
			byWords.add(done.Detail, p, cues)
			begun := time.Now()
			if s, err = model.Generate(context.Background(), r); err != nil {
				b.Fatal(err)
			}
			odds, prefill, _ := drain(b, s)
			took = append(took, time.Since(begun))
			computed += prefill.Computed
			byModel.add(odds.Lines[odds.Said].ID, p, cues)
		}
		slices.Sort(took)
		b.Logf("of %d: words %+v, model %+v; a choice takes p50 %v, p95 %v, max %v, %d tokens computed in the mean",
			len(said), byWords, byModel, took[len(took)/2].Round(time.Millisecond), took[len(took)*95/100].Round(time.Millisecond),
			took[len(took)-1].Round(time.Millisecond), computed/len(said))
	}
}

func drain(b *testing.B, s engine.Stream) (odds engine.Odds, prefill engine.Prefill, done engine.Done) {
	b.Helper()
	for {
		ev, err := s.Next()
		if err == io.EOF {
			return odds, prefill, done
		}
		if err != nil {
			b.Fatal(err)
		}
		switch ev := ev.(type) {
		case engine.Odds:
			odds = ev
		case engine.Prefill:
			prefill = ev
		case engine.Done:
			done = ev
		}
	}
}
