package weights

// The formats of 256 elements a block ("K"). Scales are numbers of a few bits
// for runs of 16 or 32 elements, times one half for the block.

// expandQ2_K: 16 bytes (scale in the low four bits, minimum in the high ones)
// for runs of 16, 64 bytes of codes, and the two halves. A byte of codes holds
// elements 32 apart, of one half of the block.
func expandQ2_K(dst []float32, raw []byte) {
	codes, scale, least := raw[16:80], half(raw[80:]), half(raw[82:])
	for i := range dst {
		group, within := i/128, i%128
		code := codes[32*group+within%32] >> (2 * (within / 32)) & 3
		s := raw[i/16]
		dst[i] = scale*float32(s&15)*float32(code) - least*float32(s>>4)
	}
}

// expandQ3_K: 32 bytes of third bits, 64 bytes of codes as in Q2_K, 12 bytes of
// sixteen scales of six bits, and the half. Bit b of byte l of the third bits is
// for element 32·b + l, and means that 4 is not subtracted.
func expandQ3_K(dst []float32, raw []byte) {
	third, codes, packed, scale := raw[:32], raw[32:96], raw[96:108], half(raw[108:])
	var scales [16]float32
	for j := range scales {
		low := packed[j%8] >> (4 * (j / 8)) & 15
		high := packed[8+j%4] >> (2 * (j / 4)) & 3
		scales[j] = scale * float32(int(low|high<<4)-32)
	}
	for i := range dst {
		group, within := i/128, i%128
		code := int(codes[32*group+within%32] >> (2 * (within / 32)) & 3)
		code += int(third[i%32]>>(i/32)&1)<<2 - 4
		dst[i] = scales[i/16] * float32(code)
	}
}

// six gives the scale and the minimum of run j of 32 elements in Q4_K and Q5_K:
// six bits each, those of the first four runs in one byte, the others split.
func six(packed []byte, j int) (scale, least float32) {
	if j < 4 {
		return float32(packed[j] & 63), float32(packed[j+4] & 63)
	}
	return float32(packed[j+4]&15 | packed[j-4]>>6<<4), float32(packed[j+4]>>4 | packed[j]>>6<<4)
}

// expandQ4_K: two halves, 12 bytes of scales and minimums, 128 bytes of codes.
// Each 32 bytes of codes hold one run in their low four bits and the next in
// their high ones.
func expandQ4_K(dst []float32, raw []byte) {
	scale, least, packed, codes := half(raw), half(raw[2:]), raw[4:16], raw[16:144]
	for run := range 8 {
		s, m := six(packed, run)
		s, m = scale*s, least*m
		for l, code := range codes[32*(run/2) : 32*(run/2)+32] {
			dst[32*run+l] = s*float32(code>>(4*(run%2))&15) - m
		}
	}
}

// expandQ5_K is Q4_K with 32 bytes of fifth bits before the codes: bit r of
// byte l for element l of run r.
func expandQ5_K(dst []float32, raw []byte) {
	scale, least, packed, fifth, codes := half(raw), half(raw[2:]), raw[4:16], raw[16:48], raw[48:176]
	for run := range 8 {
		s, m := six(packed, run)
		s, m = scale*s, least*m
		for l, code := range codes[32*(run/2) : 32*(run/2)+32] {
			dst[32*run+l] = s*float32(code>>(4*(run%2))&15|fifth[l]>>run&1<<4) - m
		}
	}
}

// expandQ6_K: 128 bytes of low four bits, 64 bytes of high two bits, 16 signed
// scales for runs of 16, and the half. In each half of the block, byte l of the
// low bits holds elements l and l+64, and byte l of the high bits elements l,
// l+32, l+64 and l+96.
func expandQ6_K(dst []float32, raw []byte) {
	low, high, scales, scale := raw[:128], raw[128:192], raw[192:208], half(raw[208:])
	for i := range dst {
		group, within := i/128, i%128
		code := low[64*group+within%64] >> (4 * (within / 64)) & 15
		code |= high[32*group+within%32] >> (2 * (within / 32)) & 3 << 4
		dst[i] = scale * float32(int8(scales[i/16])) * float32(int(code)-32)
	}
}
