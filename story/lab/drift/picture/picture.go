// Package picture draws a report of package drift as a PNG: the mean KL by place
// in the reply, a line for every NPC, with the limit and the noise of the
// reference itself.
//
// It is drawn by gonum.org/v1/plot, whose fonts have no Chinese, so the words of
// the picture are English. Non-goals: other formats, other pictures.
package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"fabula/story/lab/drift"
)

// Size of the picture.
const (
	width  = 9 * vg.Inch
	height = 5 * vg.Inch
)

// colours tell NPCs apart, also for eyes that see few (Okabe and Ito).
var colours = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {86, 180, 233, 255}, {230, 159, 0, 255},
}

// lowest is where a KL of nothing is drawn: the axis is logarithmic.
const lowest = 1e-5

// PNG draws a report.
func PNG(r *drift.Report) ([]byte, error) {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s against %s, %s", r.B.Name, r.A.Name, r.World)
	p.X.Label.Text = "token of the reply"
	p.Y.Label.Text = "mean KL, nats"
	p.Y.Tick.Marker = plot.TickerFunc(powers)
	p.Y.Min, p.Y.Max = math.Log10(lowest), 0
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	longest := 1.0
	for i, row := range r.Rows {
		n, err := line(p, row, colours[i%len(colours)])
		if err != nil {
			return nil, fmt.Errorf("picture: %w", err)
		}
		longest = max(longest, n)
	}
	p.X.Min, p.X.Max = 1, longest+1
	for _, level := range []struct {
		name string
		at   float64
	}{{"limit of the mean", r.Limits.Mean}, {"noise of " + r.A.Name, noise(r)}} {
		if err := across(p, level.name, level.at, longest+1); err != nil {
			return nil, fmt.Errorf("picture: %w", err)
		}
	}
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(110))}
	p.Draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return out.Bytes(), nil
}

// noise is the largest mean of the reference against itself.
func noise(r *drift.Report) float64 {
	most := 0.0
	for _, row := range r.Floor {
		most = max(most, row.Mean)
	}
	return most
}

// line draws one NPC and gives the last place.
func line(p *plot.Plot, row drift.Row, c color.RGBA) (last float64, err error) {
	var points plotter.XYs
	for _, at := range row.Positions {
		last = float64(at.At + 1)
		points = append(points, plotter.XY{X: last, Y: math.Log10(max(at.Mean, lowest))})
	}
	if len(points) == 0 {
		return last, nil
	}
	l, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return last, err
	}
	l.Color, l.Width, dots.Color = c, vg.Points(1.5), c
	p.Add(l, dots)
	p.Legend.Add(row.Persona+" "+row.Language, l)
	return last, nil
}

// across draws a level as a dashed line.
func across(p *plot.Plot, name string, at, to float64) error {
	y := math.Log10(max(at, lowest))
	l, err := plotter.NewLine(plotter.XYs{{X: 1, Y: y}, {X: to, Y: y}})
	if err != nil {
		return err
	}
	l.Color, l.Dashes = color.Gray{96}, []vg.Length{vg.Points(6), vg.Points(3)}
	if at <= lowest {
		l.Dashes = []vg.Length{vg.Points(1.5), vg.Points(3)}
	}
	p.Add(l)
	p.Legend.Add(fmt.Sprintf("%s: %.2g", name, at), l)
	return nil
}

// powers of ten, as an axis of logarithms has them.
func powers(low, high float64) []plot.Tick {
	var all []plot.Tick
	for at := math.Floor(low); at <= high && len(all) < 32; at++ {
		all = append(all, plot.Tick{Value: at, Label: fmt.Sprintf("%g", math.Pow(10, at))})
	}
	return all
}
