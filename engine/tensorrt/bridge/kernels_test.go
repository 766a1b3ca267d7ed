package bridge_test

import (
	"strings"
	"testing"

	"fabula/engine/tensorrt/bridge"
)

// entries are the kernels that the bridge asks each text for.
var entries = map[string][]string{
	"attention":       {"decode1", "decode2", "decode3", "decode4", "append", "prefill", "span"},
	"linear":          products1,
	"linear of codes": products1,
	"few":             {"few_8_1", "few_8_2", "few_16_1", "few_16_2", "few_32_1", "few_32_2", "few_64_1", "few_64_2", "few_norm_8_1", "few_norm_32_2", "normalise"},
	"few of codes":    {"few_8_1", "few_16_1", "few_32_1", "few_64_1"},
	"best":            {"best"},
}

var products1 = []string{"plain1", "plain2", "norm_plain1", "norm_plain2", "added1", "added2", "norm_gated", "norm_wide1", "norm_wide2"}

// Every text has the kernels that are looked up in it, and waits for others only where
// cards can.
func TestTextsHaveTheirKernels(t *testing.T) {
	for _, size := range []int{64, 96, 128} {
		for _, bf16 := range []bool{false, true} {
			for _, overlap := range []bool{false, true} {
				texts, err := bridge.Texts(size, bf16, overlap)
				if err != nil {
					t.Fatal(err)
				}
				for name, list := range entries {
					for _, entry := range list {
						if !strings.Contains(texts[name], ".entry "+entry+"(") {
							t.Errorf("heads of %d, bf16 %t: %s has no %s", size, bf16, name, entry)
						}
					}
					if waits := strings.Contains(texts[name], "griddepcontrol.wait;"); waits != overlap || waits == strings.Contains(texts[name], ".target sm_80") {
						t.Errorf("%s, overlap %t: waits for others: %t", name, overlap, waits)
					}
				}
				if !strings.Contains(texts["few of codes"], "prmt.b32") {
					t.Error("codes do not become elements in registers")
				}
			}
		}
	}
	if _, err := bridge.Texts(80, false, false); err == nil {
		t.Error("heads of 80 have kernels")
	}
}
