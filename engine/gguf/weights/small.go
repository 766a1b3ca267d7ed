package weights

import "encoding/binary"

// The formats of 32 elements a block. Byte j of the codes holds element j in
// its low four bits and element j+16 in its high ones; a fifth bit is in a word
// of 32 bits, bit i for element i.

func expandQ4_0(dst []float32, raw []byte) {
	scale := half(raw)
	for j, code := range raw[2:18] {
		dst[j] = scale * float32(int(code&15)-8)
		dst[j+16] = scale * float32(int(code>>4)-8)
	}
}

func expandQ4_1(dst []float32, raw []byte) {
	scale, least := half(raw), half(raw[2:])
	for j, code := range raw[4:20] {
		dst[j] = scale*float32(code&15) + least
		dst[j+16] = scale*float32(code>>4) + least
	}
}

func expandQ5_0(dst []float32, raw []byte) {
	scale, fifth := half(raw), binary.LittleEndian.Uint32(raw[2:])
	for j, code := range raw[6:22] {
		dst[j] = scale * float32(int(code&15)+bit16(fifth, j)-16)
		dst[j+16] = scale * float32(int(code>>4)+bit16(fifth, j+16)-16)
	}
}

func expandQ5_1(dst []float32, raw []byte) {
	scale, least, fifth := half(raw), half(raw[2:]), binary.LittleEndian.Uint32(raw[4:])
	for j, code := range raw[8:24] {
		dst[j] = scale*float32(int(code&15)+bit16(fifth, j)) + least
		dst[j+16] = scale*float32(int(code>>4)+bit16(fifth, j+16)) + least
	}
}

// bit16 is 16 where bit i is set.
func bit16(word uint32, i int) int { return int(word>>i&1) << 4 }

func expandQ8_0(dst []float32, raw []byte) {
	scale := half(raw)
	for j, code := range raw[2:34] {
		dst[j] = scale * float32(int8(code))
	}
}

// nonlinear are the values of the codes of IQ4_NL and IQ4_XS.
func nonlinear(code byte) float32 {
	return [16]float32{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}[code]
}

func expandIQ4_NL(dst []float32, raw []byte) {
	scale := half(raw)
	for j, code := range raw[2:18] {
		dst[j] = scale * nonlinear(code&15)
		dst[j+16] = scale * nonlinear(code>>4)
	}
}

// expandIQ4_XS: scale, a word of the scales' high two bits, four bytes of their
// low four bits, and eight runs of 32 elements coded as in IQ4_NL.
func expandIQ4_XS(dst []float32, raw []byte) {
	scale, high := half(raw), binary.LittleEndian.Uint16(raw[2:])
	for run := range 8 {
		low := raw[4+run/2] >> (4 * (run % 2)) & 15
		s := scale * float32(int(low)|int(high>>(2*run)&3)<<4-32)
		for j, code := range raw[8+16*run : 24+16*run] {
			dst[32*run+j] = s * nonlinear(code&15)
			dst[32*run+j+16] = s * nonlinear(code>>4)
		}
	}
}
