// Package picture draws a report of package bench as a PNG: the first token
// above, the gaps between tokens below, both over the size of the prompt.
//
// It is drawn by gonum.org/v1/plot, the plot library that the gonum project
// keeps: pure Go, with its fonts inside. Those have no Chinese, so the words of
// the picture are English. Non-goals: other formats, other pictures.
package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"fabula/engine"
	"fabula/engine/bench"
)

// Size of the picture.
const (
	width  = 9 * vg.Inch
	height = 8 * vg.Inch
)

// colours tell engines apart, also for eyes that see few (Okabe and Ito).
var colours = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {86, 180, 233, 255}, {230, 159, 0, 255},
}

// PNG draws a report. Engines without a size have nothing to draw.
func PNG(r *bench.Report) ([]byte, error) {
	ttft, gaps := axes("Time to first token", "ms"), axes("Time between tokens", "ms")
	for i := range r.Engines {
		e := &r.Engines[i]
		c := colours[i%len(colours)]
		name := label(e)
		err := firstError(
			add(ttft, name+", cold", e, c, nil, func(z bench.Size) float64 { return middle(z.Cold.P50, z.Cold.Max) }),
			add(ttft, name+", cached", e, c, dashed, func(z bench.Size) float64 { return middle(z.Cached.P50, z.Cached.Max) }),
			add(gaps, name+", p50", e, c, nil, func(z bench.Size) float64 { return only(z.Gaps.P50) }),
			add(gaps, name+", p95", e, c, dashed, func(z bench.Size) float64 { return only(z.Gaps.P95) }),
			add(gaps, name+", max", e, c, dotted, func(z bench.Size) float64 { return milliseconds(z.Gaps.Max) }),
		)
		if err != nil {
			return nil, fmt.Errorf("picture: %w", err)
		}
	}
	ttft.Title.Text = fmt.Sprintf("%s · %s · %d cores", r.Date.Format("2006-01-02"), r.Machine.Processor, r.Machine.Cores)
	return render(ttft, gaps)
}

// label names an engine, and a fake one as a fake.
func label(e *bench.Result) string {
	name := e.Engine.Name
	if e.Engine.Kind == engine.TensorRT {
		name += " (tensorrt)"
	}
	if e.Fake {
		name += " (a fake)"
	}
	return name
}

func axes(y, unit string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text = "prompt, tokens (of recall: lines)"
	p.Y.Label.Text = y + ", " + unit
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	return p
}

var (
	dashed = []vg.Length{vg.Points(6), vg.Points(3)}
	dotted = []vg.Length{vg.Points(1.5), vg.Points(3)}
)

// add draws one line; sizes without the figure are left out.
func add(p *plot.Plot, name string, e *bench.Result, c color.RGBA, dashes []vg.Length, of func(bench.Size) float64) error {
	var points plotter.XYs
	for _, z := range e.Sizes {
		x := z.Prompt
		if x == 0 {
			x = z.Asked
		}
		if y := of(z); y > 0 && x > 0 {
			points = append(points, plotter.XY{X: math.Log2(float64(x)), Y: math.Log10(y)})
		}
	}
	if len(points) == 0 {
		return nil
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, line.Width, line.Dashes = c, vg.Points(1.5), dashes
	dots.Color, dots.Shape = c, draw.CircleGlyph{}
	p.Add(line, dots)
	p.Legend.Add(name, line)
	return nil
}

// middle is the median, or where there are too few the longest.
func middle(p50 *time.Duration, longest time.Duration) float64 {
	if p50 == nil {
		return milliseconds(longest)
	}
	return milliseconds(*p50)
}

func only(p *time.Duration) float64 {
	if p == nil {
		return 0
	}
	return milliseconds(*p)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// render lays the plots one below the other. Both axes are logarithmic: the
// points are logarithms, the ticks say what of.
func render(plots ...*plot.Plot) ([]byte, error) {
	for _, p := range plots {
		p.X.Tick.Marker = ticks{base: 2, step: 1}
		p.Y.Tick.Marker = ticks{base: 10, step: 1}
		p.X.Min, p.X.Max = bounds(p.X.Min, p.X.Max)
		p.Y.Min, p.Y.Max = bounds(p.Y.Min, p.Y.Max)
		p.Y.Max += (p.Y.Max - p.Y.Min) * 0.35 // room for the legend
	}
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(110))
	grid := make([][]*plot.Plot, len(plots))
	for i, p := range plots {
		grid[i] = []*plot.Plot{p}
	}
	tiles := draw.Tiles{Rows: len(plots), Cols: 1, PadX: vg.Points(8), PadY: vg.Points(12), PadTop: vg.Points(8), PadBottom: vg.Points(8), PadRight: vg.Points(16), PadLeft: vg.Points(8)}
	for i, row := range plot.Align(grid, tiles, draw.New(canvas)) {
		plots[i].Draw(row[0])
	}
	var out bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&out); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return out.Bytes(), nil
}

// bounds are whole and not empty, also of a plot without a point.
func bounds(low, high float64) (float64, float64) {
	if math.IsInf(low, 0) || math.IsInf(high, 0) || low > high {
		return 0, 1
	}
	low, high = math.Floor(low), math.Ceil(high)
	if low == high {
		high++
	}
	return low, high
}

// ticks stand at whole logarithms and say their powers.
type ticks struct {
	base float64
	step int
}

// Ticks implements plot.Ticker.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	var all []plot.Tick
	for at := math.Floor(low); at <= high && len(all) < 64; at += float64(t.step) {
		all = append(all, plot.Tick{Value: at, Label: fmt.Sprintf("%g", math.Pow(t.base, at))})
	}
	return all
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
