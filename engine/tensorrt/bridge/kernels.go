package bridge

import (
	"embed"
	"fmt"
	"strings"

	"fabula/engine"
)

//go:embed kernels/*.ptx
var texts embed.FS

// Sizes of heads that there are kernels for.
var headSizes = []int{64, 96, 128}

// MostFew is how many tokens of a step our products take.
const MostFew = 64

// PromptPiece is what a session fills prompts up to multiples of, in tokens: a context
// of its own and a CUDA graph then serve each size.
const PromptPiece = 256

// HasKernels says whether Attend can take heads of a size.
func HasKernels(size int) bool {
	for _, s := range headSizes {
		if s == size {
			return true
		}
	}
	return false
}

// kernelTexts are the PTX texts that a card loads.
type kernelTexts struct{ attention, linear, few, best, linearCodes, fewCodes string }

// kernels gives the PTX texts for a size of heads and a type.
func kernels(size int, bf16 bool) (kernelTexts, error) {
	kind := "f16"
	if bf16 {
		kind = "bf16"
	}
	if !HasKernels(size) {
		return kernelTexts{}, fmt.Errorf("%w: no kernel for heads of %d in %s", engine.ErrIncompatible, size, kind)
	}
	var t kernelTexts
	for name, to := range map[string]*string{
		fmt.Sprintf("attention_%s_%d", kind, size): &t.attention, "linear_" + kind: &t.linear, "few_" + kind: &t.few, "best": &t.best,
		"linear_codes_" + kind: &t.linearCodes, "few_codes_" + kind: &t.fewCodes,
	} {
		raw, err := texts.ReadFile("kernels/" + name + ".ptx")
		if err != nil {
			return t, fmt.Errorf("kernels: %w: %w", engine.ErrUnavailable, err)
		}
		*to = string(raw)
	}
	return t, nil
}

// overlapped turns the marks of the texts into the instructions of sm_90.
func (t kernelTexts) overlapped() kernelTexts {
	r := strings.NewReplacer(".target sm_80", ".target sm_90", "//@launch", "griddepcontrol.launch_dependents;", "//@wait", "griddepcontrol.wait;")
	return kernelTexts{
		r.Replace(t.attention), r.Replace(t.linear), r.Replace(t.few), r.Replace(t.best), r.Replace(t.linearCodes), r.Replace(t.fewCodes),
	}
}
