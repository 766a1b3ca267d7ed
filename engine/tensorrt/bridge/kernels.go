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

// HasKernels says whether Attend can take heads of a size.
func HasKernels(size int) bool {
	for _, s := range headSizes {
		if s == size {
			return true
		}
	}
	return false
}

// kernels gives the PTX texts for a size of heads and a type.
func kernels(size int, bf16 bool) (attention, linear string, err error) {
	kind := "f16"
	if bf16 {
		kind = "bf16"
	}
	first, err := texts.ReadFile(fmt.Sprintf("kernels/attention_%s_%d.ptx", kind, size))
	if err != nil {
		return "", "", fmt.Errorf("%w: no kernel for heads of %d in %s", engine.ErrIncompatible, size, kind)
	}
	second, err := texts.ReadFile(fmt.Sprintf("kernels/linear_%s.ptx", kind))
	return string(first), string(second), err
}

// overlapped turns the marks of a PTX text into the instructions of sm_90.
func overlapped(text string) string {
	return strings.NewReplacer(
		".target sm_80", ".target sm_90", "//@launch", "griddepcontrol.launch_dependents;", "//@wait", "griddepcontrol.wait;",
	).Replace(text)
}
