//go:build llama

package gguf_test

import (
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"fabula/engine/gguf"
	"fabula/engine/worker"
)

// How far a card may be from the processor, which rounds what goes into every
// product to 8 bits: SmolLM2's logits span about 40.
const (
	tolerance  = 1.5  // of a logit
	divergence = 0.01 // mean KL of the next token, in nats
)

// TestCard holds the model on a graphics card against the same one on the
// processor, token by token over a prompt and a greedy reply. A build without a
// backend for cards has none and says so.
func TestCard(t *testing.T) {
	devices := gguf.Devices()
	if gguf.Accelerator() == "" {
		if len(devices) > 0 || strings.Contains(gguf.Runtime(), "vulkan") {
			t.Errorf("%s finds %v", gguf.Runtime(), devices)
		}
		return
	}
	if len(devices) == 0 || devices[0].Model == "" || devices[0].Free <= 0 || devices[0].Free > devices[0].Total {
		t.Fatalf("no card for %s: %+v", gguf.Runtime(), devices)
	}
	t.Logf("card: %+v", devices[0])
	card, plain := opened(t, false), opened(t, true)
	if said := card.Facts().Runtime; !strings.HasSuffix(said, " layers on "+devices[0].Model) || !strings.Contains(said, "31 of 31") {
		t.Errorf("runtime %q", said)
	}
	if said := plain.Facts().Runtime; !strings.HasSuffix(said, ", no layer on a card") {
		t.Errorf("runtime %q", said)
	}
	ids, err := plain.Tokens("The fox lit the lantern and said to the ferryman: tonight the river is high, and nobody crosses it", false)
	if err != nil {
		t.Fatal(err)
	}
	const steps = 16
	worst, sum, at := 0.0, 0.0, 0
	for range steps {
		a, b := logits(t, card, at, ids), logits(t, plain, at, ids)
		at += len(ids)
		for i := range a {
			worst = max(worst, math.Abs(float64(a[i]-b[i])))
		}
		sum += kl(b, a)
		first, second := best(b)
		if top, _ := best(a); top != first && float64(b[first]-b[second]) > tolerance {
			t.Errorf("token %d: the card says %d, the processor %d by %.2f", at, top, first, b[first]-b[second])
		}
		ids = []int32{int32(first)}
	}
	t.Logf("over %d tokens: largest difference of a logit %.4f, mean KL %.5f nats", at, worst, sum/steps)
	if worst > tolerance || sum/steps > divergence {
		t.Errorf("logits differ by %.3f (at most %.1f), KL %.5f (at most %.2f)", worst, tolerance, sum/steps, divergence)
	}
}

// kl is the divergence of the distribution that logits q give from that of p.
func kl(p, q []float32) float64 {
	logP, logQ, sum := logsum(p), logsum(q), 0.0
	for i := range p {
		sum += math.Exp(float64(p[i])-logP) * ((float64(p[i]) - logP) - (float64(q[i]) - logQ))
	}
	return sum
}

func logsum(l []float32) float64 {
	top, sum := float64(slices.Max(l)), 0.0
	for _, v := range l {
		sum += math.Exp(float64(v) - top)
	}
	return top + math.Log(sum)
}

// TestCardThatRefuses has a driver that gives no memory after all (a knob of
// ggml's Vulkan backend): the processor takes over, and the engine says so.
func TestCardThatRefuses(t *testing.T) {
	c, err := worker.Start(worker.Options{Model: model(t), Context: 512, Command: func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "FABULA_TEST_CHILD=1", "GGML_VK_FORCE_MAX_BUFFER_SIZE=100000", "GGML_VK_FORCE_MAX_ALLOCATION_SIZE=100000")
		return cmd
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	said, runtime := c.Info().Note, c.Info().Build.Runtime
	if gguf.Accelerator() != "vulkan" {
		if said != "" || strings.Contains(runtime, "card") {
			t.Errorf("without cards: %q, %q", said, runtime)
		}
		return
	}
	if !strings.HasPrefix(said, "no layer on a card: ") || !strings.HasSuffix(runtime, ", no layer on a card") {
		t.Errorf("it says %q, runtime %q", said, runtime)
	}
}

func opened(t *testing.T, noCard bool) worker.Backend {
	t.Helper()
	b, err := gguf.Open(worker.Load{Model: model(t), Context: 512, BaseHash: "known", NoCard: noCard}, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// logits appends ids and gives the scores after the last one.
func logits(t *testing.T, b worker.Backend, at int, ids []int32) []float32 {
	t.Helper()
	scores, err := b.Decode([]worker.Run{{At: at, IDs: ids, Want: 1}})
	if err != nil || len(scores) != 1 {
		t.Fatalf("%d scores, %v", len(scores), err)
	}
	return append([]float32(nil), scores[0].Logits...)
}

// best gives the two largest.
func best(l []float32) (first, second int) {
	for i := range l {
		switch {
		case l[i] > l[first]:
			first, second = i, first
		case second == first || l[i] > l[second] && i != first:
			second = i
		}
	}
	return first, second
}
