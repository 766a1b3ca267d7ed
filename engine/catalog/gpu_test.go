package catalog_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/gguf/header/sample"
)

// TestTheCardComesFirstWhereALadderSaysSo has one model that both engines could run:
// the card's until it fails, then the processor's.
func TestTheCardComesFirstWhereALadderSaysSo(t *testing.T) {
	gpu, cpu := &opener{}, &opener{}
	dir := pool(t, map[string]sample.File{"m": sample.Model("M", 64)})
	c := open(t, catalog.Options{Dir: dir, OpenModel: cpu.open, OpenGPU: gpu.open, Ladder: []string{"tensorrt", "gguf", "recall"}})
	for r := range c.Rungs(engine.Ask{Language: "en"}) {
		if r.Step != engine.StepFull || r.Why != "" {
			t.Errorf("first %+v", r)
		}
		break // so that the processor's is not opened
	}
	if len(gpu.opened["m"]) != 1 || len(cpu.opened["m"]) != 0 {
		t.Fatalf("opened on the card %d times, on the processor %d", len(gpu.opened["m"]), len(cpu.opened["m"]))
	}
	gpu.opened["m"][0].finish(errors.New("no engine of this model"))
	if diff := cmp.Diff([]string{"m smaller load", "recall recall failed"}, steps(rungs(c, "en"))); diff != "" {
		t.Error(diff)
	}
	if len(cpu.opened["m"]) != 1 {
		t.Error("the processor did not take over")
	}
	chosen := open(t, catalog.Options{Dir: dir, OpenModel: cpu.open, OpenGPU: gpu.open, Choice: "tensorrt"})
	if diff := cmp.Diff([]string{"m full ", "recall recall failed"}, steps(rungs(chosen, "en"))); diff != "" {
		t.Error("chosen:", diff)
	}
}
