package picture_test

import (
	"bytes"
	"image/png"
	"testing"

	"fabula/engine"
	"fabula/engine/score"
	"fabula/story/lab/drift"
	"fabula/story/lab/drift/picture"
)

// Ensure that every NPC is drawn in its colour, also one without any
// divergence, and that an empty report is drawn.
func TestPNG(t *testing.T) {
	r := &drift.Report{World: "w", A: engine.Info{Name: "a"}, B: engine.Info{Name: "b"}, Limits: drift.Default}
	for i, persona := range []string{"jin", "ling"} {
		row := drift.Row{Persona: persona, Language: "en", Divergence: score.Divergence{Mean: 0.02}}
		for at := range 12 {
			row.Positions = append(row.Positions, drift.Place{At: at, N: 3, Mean: float64(i) * 0.003 * float64(at)})
		}
		r.Rows = append(r.Rows, row)
	}
	raw, err := picture.PNG(r)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	first, second := 0, 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			switch r, g, b, _ := img.At(x, y).RGBA(); [3]uint32{r >> 8, g >> 8, b >> 8} {
			case [3]uint32{0, 114, 178}:
				first++
			case [3]uint32{213, 94, 0}:
				second++
			}
		}
	}
	if first < 100 || second < 100 {
		t.Errorf("%d dots of the first, %d of the second", first, second)
	}
	if _, err := picture.PNG(&drift.Report{}); err != nil {
		t.Error(err)
	}
}
