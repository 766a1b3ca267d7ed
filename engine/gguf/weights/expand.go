package weights

import (
	"encoding/binary"
	"math"

	"fabula/engine/gguf/header"
)

// expander turns whole blocks of raw into len(dst) numbers.
type expander func(dst []float32, raw []byte)

// expand finds the expander of a storage format, nil if there is none.
func expand(t header.Type) expander {
	switch t.String() {
	case "F32":
		return expandF32
	case "F16":
		return expandF16
	case "BF16":
		return expandBF16
	case "Q4_0":
		return blocks(32, 18, expandQ4_0)
	case "Q4_1":
		return blocks(32, 20, expandQ4_1)
	case "Q5_0":
		return blocks(32, 22, expandQ5_0)
	case "Q5_1":
		return blocks(32, 24, expandQ5_1)
	case "Q8_0":
		return blocks(32, 34, expandQ8_0)
	case "Q2_K":
		return blocks(256, 84, expandQ2_K)
	case "Q3_K":
		return blocks(256, 110, expandQ3_K)
	case "Q4_K":
		return blocks(256, 144, expandQ4_K)
	case "Q5_K":
		return blocks(256, 176, expandQ5_K)
	case "Q6_K":
		return blocks(256, 210, expandQ6_K)
	case "IQ4_NL":
		return blocks(32, 18, expandIQ4_NL)
	case "IQ4_XS":
		return blocks(256, 136, expandIQ4_XS)
	}
	return nil
}

// blocks walks over blocks of so many elements and bytes.
func blocks(elements, bytes int, one func(dst []float32, raw []byte)) expander {
	return func(dst []float32, raw []byte) {
		for len(dst) > 0 {
			one(dst[:elements:elements], raw[:bytes:bytes])
			dst, raw = dst[elements:], raw[bytes:]
		}
	}
}

func expandF32(dst []float32, raw []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
}

func expandF16(dst []float32, raw []byte) {
	for i := range dst {
		dst[i] = half(raw[2*i:])
	}
}

func expandBF16(dst []float32, raw []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(raw[2*i:])) << 16)
	}
}

func half(raw []byte) float32 { return fromF16(binary.LittleEndian.Uint16(raw)) }
