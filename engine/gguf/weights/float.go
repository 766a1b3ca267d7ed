package weights

import "math"

// fromF16 widens an IEEE half.
func fromF16(h uint16) float32 {
	sign, exp, frac := uint32(h&0x8000)<<16, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exp {
	case 0:
		v := float32(frac) * (1.0 / (1 << 24)) // zero or subnormal
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// toF16 narrows to the nearest half, ties to even; false if the value is finite
// and its half would not be. Infinities and NaN stay what they are.
func toF16(v float32) (uint16, bool) {
	bits := math.Float32bits(v)
	sign, rest := uint16(bits>>16&0x8000), bits&0x7fffffff
	switch {
	case rest > 0x7f800000:
		return sign | 0x7e00, true
	case rest == 0x7f800000:
		return sign | 0x7c00, true
	case rest >= 0x477ff000: // rounds to 65536
		return sign | 0x7c00, false
	case rest < 0x38800000: // below the smallest normal half
		scaled := math.RoundToEven(float64(math.Float32frombits(rest)) * (1 << 24))
		return sign | uint16(scaled), true
	}
	rest += 0xfff + rest>>13&1
	return sign | uint16((rest-(127-15)<<23)>>13), true
}

// toBF16 narrows to the nearest bfloat16, ties to even.
func toBF16(v float32) uint16 {
	bits := math.Float32bits(v)
	if bits&0x7fffffff > 0x7f800000 {
		return uint16(bits>>16) | 0x40 // keeps a NaN one
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// Bits gives an element of the two-byte types; beyond the range of FP16 that is
// an infinity.
func (t Type) Bits(v float32) uint16 {
	if t == F16 {
		h, _ := toF16(v)
		return h
	}
	return toBF16(v)
}

// Round gives the value that an element of the type holds after v was stored;
// beyond the range of FP16 that is an infinity.
func (t Type) Round(v float32) float32 {
	switch t {
	case F16:
		h, _ := toF16(v)
		return fromF16(h)
	case BF16:
		return math.Float32frombits(uint32(toBF16(v)) << 16)
	}
	return v
}

// Floats reads little-endian elements of the type, for code that computes on
// the processor.
func (t Type) Floats(raw []byte) []float32 {
	values := make([]float32, len(raw)/t.Size())
	switch t {
	case F16:
		expandF16(values, raw)
	case BF16:
		expandBF16(values, raw)
	default:
		expandF32(values, raw)
	}
	return values
}
