//go:build tensorrt && device

package tensorrt

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"testing"

	"fabula/engine"
	"fabula/engine/worker"
)

// TestMain is the worker's process as well: the test program starts itself.
func TestMain(m *testing.M) {
	if os.Getenv("FABULA_TEST_CHILD") != "" {
		os.Exit(worker.Main(Open(onDevice())))
	}
	os.Exit(m.Run())
}

// onDevice opens the plan of FABULA_MODEL that lies in FABULA_ENGINES.
func onDevice() OpenOptions {
	return OpenOptions{Dir: os.Getenv("FABULA_ENGINES"), Root: os.Getenv("TENSORRT_ROOT")}
}

// TestScoreOnACard has the worker score texts with a plan, and holds every token
// against the plan's own logits, fed one by one.
func TestScoreOnACard(t *testing.T) {
	model := os.Getenv("FABULA_MODEL")
	client, err := worker.Start(worker.Options{Model: model, Log: os.Stderr, Command: func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "FABULA_TEST_CHILD=worker")
		return c
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	texts := []string{"The lamp was lit by the old man at the door.", "老人点了灯。", Prose(12)}
	scored, err := client.Score(t.Context(), engine.ScoreRequest{Texts: texts, Top: 5})
	if err != nil {
		t.Fatal(err)
	}
	m, err := OpenModel(onDevice(), worker.Load{Model: model})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	far, tokens := 0.0, 0
	for i, s := range scored {
		ids := []int32{}
		if len(s.Tokens) == 0 || len(s.Tokens[0].Top) != 5 {
			t.Fatalf("text %d: %d tokens", i, len(s.Tokens))
		}
		all, err := m.Tokens(texts[i], false)
		if err != nil {
			t.Fatal(err)
		}
		if first := m.Facts().First; first >= 0 {
			all = append([]int32{first}, all...)
		}
		ids = append(ids, all[:len(all)-len(s.Tokens)]...)
		for _, token := range s.Tokens {
			at := len(ids) - 1
			list, err := m.Decode([]worker.Run{{At: at, IDs: ids[at:], Want: 1}})
			if err != nil {
				t.Fatal(err)
			}
			far = max(far, math.Abs(float64(list[0].Logits[token.ID])-normaliser(list[0].Logits)-token.Logprob))
			ids = append(ids, token.ID)
			tokens++
		}
	}
	fmt.Printf("card: %d tokens of %d texts scored within %.4f nats of one by one\n", tokens, len(texts), far)
	if far > 0.1 {
		t.Errorf("scores differ by up to %.3f nats from tokens fed one by one", far)
	}
}
