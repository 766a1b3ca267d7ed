package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"fabula/engine"
	"fabula/engine/bench"
	"fabula/engine/latency"
	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// printBench prints a report for people: what each engine is, one table of all,
// what its signs mean, and how two engines compare.
func printBench(w io.Writer, t *lang.Bench, r *bench.Report) error {
	var b strings.Builder
	for _, e := range r.Engines {
		b.WriteString(headOf(t, r, e))
	}
	b.WriteByte('\n')
	rows := [][]string{{t.Engine, t.Prompt, t.Prefill, t.Decode, t.Cold, t.Cached, t.Gap}}
	for _, e := range r.Engines {
		for _, z := range e.Sizes {
			rows = append(rows, rowOf(t, e, z))
		}
	}
	writeTable(&b, rows)
	fmt.Fprintf(&b, "\n"+t.Legend+"\n", latency.FewestP50, latency.FewestP95, latency.FewestP99)
	b.WriteString(ratios(t, r))
	_, err := io.WriteString(w, b.String())
	return err
}

// headOf is what is said of an engine apart from sizes, and what a reader must
// know of its figures.
func headOf(t *lang.Bench, r *bench.Report, e bench.Result) string {
	about := []string{string(e.Engine.Kind), e.Engine.Model, e.Engine.Build.Precision, e.Engine.Build.Runtime}
	facts := []string{}
	if e.Load > 0 {
		facts = append(facts, fmt.Sprintf(t.Load, short(e.Load)))
	}
	facts = append(facts, fmt.Sprintf(t.WarmUp, short(e.WarmUp)))
	if e.Memory > 0 {
		facts = append(facts, fmt.Sprintf(t.Memory, float64(e.Memory)/1e6))
	}
	if e.Reads > 0 {
		reads := fmt.Sprintf(t.Reads, e.Reads/1e9)
		if e.Share > 0 {
			reads += ", " + fmt.Sprintf(t.Share, 100*e.Share, r.Machine.Bandwidth/1e9)
		}
		facts = append(facts, reads)
	}
	lines := []string{printable(e.Engine.Name) + "  " + printable(joined(about, ", ")), "  " + joined(facts, " · ")}
	for _, n := range warnings(t, r, e) {
		lines = append(lines, "  ! "+printable(n))
	}
	return strings.Join(lines, "\n") + "\n"
}

// busyFrom is the load a core from which other work bends figures.
const busyFrom = 0.5

func warnings(t *lang.Bench, r *bench.Report, e bench.Result) []string {
	var all []string
	switch e.Engine.Kind {
	case engine.Scripted:
		all = append(all, t.Fake)
	case engine.Recall:
		all = append(all, t.Lines)
	case engine.Remote:
		all = append(all, t.Remote)
	}
	for _, z := range e.Sizes {
		if z.PerEvent > 1.05 {
			all = append(all, fmt.Sprintf(t.Chunks, z.PerEvent))
			break
		}
	}
	if m := r.Machine; !e.Fake && m.Load > busyFrom*float64(m.Cores) {
		all = append(all, fmt.Sprintf(t.Busy, m.Load, m.Cores))
	}
	if e.Fault != "" {
		all = append(all, fmt.Sprintf(t.Fault, e.Fault))
	}
	return all
}

func rowOf(t *lang.Bench, e bench.Result, z bench.Size) []string {
	prompt := z.Prompt
	if prompt == 0 {
		prompt = z.Asked
	}
	row := []string{printable(e.Engine.Name), fmt.Sprint(prompt)}
	if z.Note != "" {
		return append(row, fmt.Sprintf(t.LeftOut, z.Note))
	}
	return append(row, rateOf(z.Prefill), rateOf(z.Decode), spreadOf(z.Cold), spreadOf(z.Cached), spreadOf(z.Gaps))
}

func rateOf(r float64) string {
	if r <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", r)
}

// spreadOf writes p50 / p95 / p99 / max (count); – where too few were counted.
func spreadOf(s latency.Spread) string {
	if s.N == 0 {
		return "–"
	}
	parts := make([]string, 0, 4)
	for _, p := range []*time.Duration{s.P50, s.P95, s.P99, &s.Max} {
		if p == nil {
			parts = append(parts, "–")
		} else {
			parts = append(parts, milliseconds(*p))
		}
	}
	return fmt.Sprintf("%s (%d)", strings.Join(parts, " / "), s.N)
}

// milliseconds keeps three digits.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return fmt.Sprintf("%.0f", ms)
	case ms >= 10:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.2f", ms)
}

func short(d time.Duration) string { return d.Round(time.Millisecond).String() }

// joined leaves out what is empty.
func joined(parts []string, with string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, with)
}

// writeTable aligns columns by how wide their characters are shown.
func writeTable(b *strings.Builder, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if len(row) == len(rows[0]) {
				widths[i] = max(widths[i], text.Width(cell))
			}
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", max(widths[i]-text.Width(cell), 0))
			if i > 0 && i < 4 {
				line += pad + cell + "  " // numbers end alike
			} else {
				line += cell + pad + "  "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// ratios compares the first two engines of a report that were asked the same.
func ratios(t *lang.Bench, r *bench.Report) string {
	if len(r.Engines) != 2 || r.Engines[1].Engine.Kind != engine.Remote {
		return ""
	}
	var b strings.Builder
	few := false
	for i, z := range r.Engines[0].Sizes {
		if i >= len(r.Engines[1].Sizes) {
			break
		}
		other := r.Engines[1].Sizes[i]
		decode, first := bench.Compare(z.Rates(), other.Rates()), bench.Compare(z.First(), other.First())
		if decode.Of == 0 || first.Of == 0 {
			continue
		}
		few = few || first.High == 0
		fmt.Fprintf(&b, t.Ratio+"\n", z.Asked, decode.Of, interval(t, decode), first.Of, interval(t, first))
	}
	if few {
		fmt.Fprintf(&b, t.NoInterval+"\n", bench.FewestForRatio)
	}
	return b.String()
}

func interval(t *lang.Bench, r bench.Ratio) string {
	if r.High == 0 {
		return ""
	}
	return fmt.Sprintf(t.Interval, r.Low, r.High)
}
