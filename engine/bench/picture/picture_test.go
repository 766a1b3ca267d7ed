package picture_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"
	"time"

	"fabula/engine"
	"fabula/engine/bench"
	"fabula/engine/bench/picture"
	"fabula/engine/latency"
)

func report() *bench.Report {
	r := &bench.Report{Date: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	r.Machine.Processor = "test"
	for i, name := range []string{"one", "two"} {
		e := bench.Result{Engine: engine.Info{Name: name, Kind: engine.GGUF}}
		for n := 64; n <= 4096; n *= 4 {
			ds := make([]time.Duration, 300)
			for j := range ds {
				ds[j] = time.Duration((j+1)*(i+1)*n) * time.Microsecond
			}
			s := latency.SpreadOf(ds)
			e.Sizes = append(e.Sizes, bench.Size{Asked: n, Prompt: n, Cold: s, Cached: s, Gaps: s})
		}
		r.Engines = append(r.Engines, e)
	}
	return r
}

func draw(t *testing.T, r *bench.Report) image.Image {
	t.Helper()
	raw, err := picture.PNG(r)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// count tells how many dots have the colour of an engine's lines.
func count(img image.Image, r, g, b uint32) int {
	n := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if cr, cg, cb, _ := img.At(x, y).RGBA(); cr>>8 == r && cg>>8 == g && cb>>8 == b {
				n++
			}
		}
	}
	return n
}

// Ensure that every engine is drawn in its colour, and that the same report
// gives the same picture.
func TestPicture(t *testing.T) {
	img := draw(t, report())
	if b := img.Bounds(); b.Dx() < 800 || b.Dy() < 700 {
		t.Errorf("size %v", b)
	}
	if count(img, 0, 114, 178) < 200 || count(img, 213, 94, 0) < 200 {
		t.Errorf("%d dots of the first, %d of the second", count(img, 0, 114, 178), count(img, 213, 94, 0))
	}
	first, _ := picture.PNG(report())
	again, _ := picture.PNG(report())
	if !bytes.Equal(first, again) {
		t.Error("two pictures of one report differ")
	}
}

// Ensure that a report with nothing to draw is drawn.
func TestEmpty(t *testing.T) {
	r := report()
	r.Engines = r.Engines[:1]
	r.Engines[0].Sizes = []bench.Size{{Asked: 64}}
	if img := draw(t, r); count(img, 0, 114, 178) != 0 {
		t.Error("something was drawn")
	}
	draw(t, &bench.Report{})
}
