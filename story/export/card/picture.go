package card

import (
	"bytes"
	"crypto/sha256"
	"image"
	"image/color"
	"image/png"
)

// blank draws the picture of a persona that has none: a plain gradient in a
// colour of its own, the same for the same id.
func blank(id string) []byte {
	const width, height = 200, 300
	sum := sha256.Sum256([]byte(id))
	img := image.NewPaletted(image.Rect(0, 0, width, height), shades(sum))
	for y := range height {
		for x := range width {
			img.SetColorIndex(x, y, uint8(y*64/height))
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil { // into memory it cannot fail
		panic(err)
	}
	return out.Bytes()
}

func shades(sum [32]byte) color.Palette {
	p := make(color.Palette, 64)
	for i := range p {
		part := func(c byte) uint8 { return uint8((int(c)/2 + 64) * (96 - i) / 96) }
		p[i] = color.RGBA{part(sum[0]), part(sum[1]), part(sum[2]), 255}
	}
	return p
}
