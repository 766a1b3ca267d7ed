package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fabula/engine"
	"fabula/engine/recommended"
	"fabula/story/lab/drift"
	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// driftPrinter prints a report, for people or for programs.
type driftPrinter struct {
	w io.Writer
	t *lang.Drift
	r *drift.Report
}

// The objects of `drift --json`, in their order: one head, a row a line of the
// floor and of the measurement, the gates, one verdict.
type (
	driftHead struct {
		Event string `json:"event"` // drift
		*drift.Report
		Floor []drift.Row  `json:"floor,omitempty"` // lines of their own
		Rows  []drift.Row  `json:"rows,omitempty"`
		Gates []drift.Gate `json:"gates,omitempty"`
	}
	driftRow struct {
		Event string `json:"event"` // floor, row
		drift.Row
	}
	driftGate struct {
		Event string `json:"event"` // gate
		drift.Gate
	}
	driftVerdict struct {
		Event   string        `json:"event"` // verdict
		Passed  bool          `json:"passed"`
		Missed  int           `json:"missed"`
		Verdict drift.Verdict `json:"verdict"` // passed, missed, not_enough
	}
)

func (p driftPrinter) json() error {
	err := writeJSON(p.w, driftHead{Event: "drift", Report: p.r})
	for _, row := range p.r.Floor {
		err = firstError(err, writeJSON(p.w, driftRow{"floor", row}))
	}
	for _, row := range p.r.Rows {
		err = firstError(err, writeJSON(p.w, driftRow{"row", row}))
	}
	for _, g := range p.r.Gates {
		err = firstError(err, writeJSON(p.w, driftGate{"gate", g}))
	}
	return firstError(err, writeJSON(p.w, driftVerdict{"verdict", p.r.Passed, missed(p.r.Gates), p.r.Verdict}))
}

func missed(gates []drift.Gate) int {
	n := 0
	for _, g := range gates {
		if !g.Passed {
			n++
		}
	}
	return n
}

func (p driftPrinter) print() error {
	var b strings.Builder
	p.head(&b)
	p.table(&b)
	p.gates(&b)
	p.spots(&b)
	b.WriteByte('\n')
	for _, l := range p.t.Legend {
		b.WriteString(l + "\n")
	}
	p.notes(&b)
	fmt.Fprintf(&b, "\n%s\n", p.verdict())
	_, err := io.WriteString(p.w, b.String())
	return err
}

func (p driftPrinter) head(b *strings.Builder) {
	r, tokens := p.r, 0
	for _, row := range r.Rows {
		tokens += row.Tokens
	}
	how := p.t.Whole
	if r.Top > 0 {
		how = fmt.Sprintf(p.t.Few, r.Top)
	}
	fmt.Fprintf(b, p.t.Head+"; %s\n", printable(r.World), r.Read, r.Samples, tokens, r.ComputedA, how)
	fmt.Fprintf(b, p.t.Engine+"\n", "A", aboutEngine(r.A))
	fmt.Fprintf(b, p.t.Engine+"\n", "B", aboutEngine(r.B))
	if r.A.Name == r.B.Name && r.A.Build == r.B.Build {
		b.WriteString("  " + p.t.Self + "\n")
	}
	worst := r.Rows[0]
	fmt.Fprintf(b, "\n"+p.t.Headline+"\n\n", printable(worst.Persona), worst.Language, nats(worst.Mean), percent(worst.SameTop))
}

func aboutEngine(i engine.Info) string {
	hash := i.Build.BaseHash
	return printable(joined([]string{i.Name, string(i.Kind), i.Build.Precision, hash[:min(len(hash), 12)], i.Build.Runtime}, "  "))
}

func (p driftPrinter) table(b *strings.Builder) {
	t := p.t
	rows := [][]string{p.columns()}
	for _, row := range p.r.Floor {
		rows = append(rows, p.row(fmt.Sprintf(t.Floor, label(row)), row))
	}
	for _, row := range p.r.Rows {
		rows = append(rows, p.row(label(row), row))
	}
	alignRight(b, rows)
}

func (p driftPrinter) columns() []string {
	t := p.t
	return []string{t.Persona, t.Replies, t.Tokens, t.Same, t.Mean, t.P99, t.Ratio, t.First, t.Taboo, t.Slang, t.End}
}

func label(r drift.Row) string { return printable(r.Persona) + " " + r.Language }

func (p driftPrinter) row(name string, r drift.Row) []string {
	first := p.t.Never
	if r.Differs >= 0 {
		first = fmt.Sprint(r.Differs + 1)
	}
	return []string{name, fmt.Sprint(r.Replies), fmt.Sprint(r.Tokens), percent(r.SameTop), nats(r.Mean), nats(r.P99),
		fmt.Sprintf("%.4f ± %.4f", r.Ratio, r.Error), first, massOf(r, drift.Taboo), massOf(r, drift.Slang),
		percent(r.End.AtA) + " → " + percent(r.End.AtB)}
}

func massOf(r drift.Row, kind string) string {
	for _, m := range r.Masses {
		if m.Kind == kind && m.Words > 0 {
			return fmt.Sprintf("%.2f", m.Ratio)
		}
	}
	return "–"
}

// alignRight is a table whose columns after the first end alike.
func alignRight(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], text.Width(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-text.Width(cell))
			if i == 0 {
				line = cell + pad
			} else {
				line += "  " + pad + cell
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func (p driftPrinter) gates(b *strings.Builder) {
	b.WriteString("\n" + p.t.Gates + "\n")
	for _, g := range p.r.Gates {
		word, bound := p.t.Ok, p.t.AtMost
		if !g.Passed {
			word = p.t.Miss
		}
		switch g.Name {
		case drift.GateSameTop:
			bound = p.t.AtLeast
		case drift.GateUnread:
			fmt.Fprintf(b, "  %s  %s: %s\n", word, p.t.GateNames[g.Name], printable(strings.Join(p.r.Unread, ", ")))
			continue
		}
		fmt.Fprintf(b, "  %s  %s %s: %s\n", word, p.t.GateNames[g.Name], fmt.Sprintf(bound, figure(g.Name, g.Limit)),
			fmt.Sprintf(p.t.Worst, figure(g.Name, g.Value), printable(g.Persona), g.Language, figure(g.Name, g.Floor)))
	}
}

// figure writes the value of a gate.
func figure(gate string, v float64) string {
	switch gate {
	case drift.GateSameTop:
		return percent(v) + " %"
	case drift.GateMean, drift.GateP99:
		return nats(v)
	}
	return fmt.Sprintf("%.2f", v)
}

func (p driftPrinter) spots(b *strings.Builder) {
	b.WriteString("\n" + p.t.Furthest + "\n")
	apart := false
	for _, r := range p.r.Rows {
		if len(r.Worst) > 0 && nats(r.Worst[0].KL) != "0" {
			s := r.Worst[0]
			apart = true
			fmt.Fprintf(b, p.t.Spot+"\n", printable(s.Sample), s.At+1, printable(oneLine(s.Before)), p.token(s.A), percent(s.PA)+" %", p.token(s.B), percent(s.PB)+" %", nats(s.KL))
		}
		for _, m := range r.Masses {
			if m.Ratio > 1.05 && len(m.Places) > 0 {
				x := m.Places[0]
				apart = true
				fmt.Fprintf(b, p.t.Nearer+"\n", p.t.Kinds[m.Kind], printable(x.Sample), printable(oneLine(x.Before)), x.Word, percent(x.A)+" %", percent(x.B)+" %")
			}
		}
	}
	if !apart {
		b.WriteString(p.t.Nowhere + "\n")
	}
}

// token shows a token. Some are a part of a character: their bytes are shown.
func (p driftPrinter) token(s string) string {
	if whole := strings.Trim(s, "\uFFFD"); utf8.ValidString(s) && whole == s {
		return strconv.Quote(s)
	}
	return fmt.Sprintf(p.t.Bytes, fmt.Sprintf("% X", s))
}

// fewTokens is how many a 99th percentile wants before it is less than the
// largest: one in a hundred is then two.
const fewTokens = 200

// leftShown bounds how many samples are named that were not read.
const leftShown = 3

func (p driftPrinter) notes(b *strings.Builder) {
	var few, apart []string
	for _, r := range p.r.Rows {
		if r.Tokens < fewTokens {
			few = append(few, fmt.Sprintf("%s %d", label(r), r.Tokens))
		}
		for _, i := range []engine.Info{p.r.A, p.r.B} {
			if len(i.Languages) > 0 && !recommended.Has(i.Languages, r.Language) && !slices.Contains(apart, r.Language) {
				apart = append(apart, r.Language)
			}
		}
	}
	if len(few) > 0 {
		fmt.Fprintf(b, p.t.FewTokens+"\n", strings.Join(few, ", "), fewTokens)
	}
	if len(apart) > 0 {
		fmt.Fprintf(b, p.t.Apart+"\n", strings.Join(apart, ", "))
	}
	p.unwatched(b)
	for i, l := range p.r.Left {
		if i == leftShown {
			fmt.Fprintf(b, p.t.LeftMore+"\n", len(p.r.Left)-leftShown)
			break
		}
		fmt.Fprintf(b, p.t.Left+"\n", printable(l.ID), printable(l.Why))
	}
}

// unwatched says of each kind of words how many could not be watched, of the NPC
// of whom they were most.
func (p driftPrinter) unwatched(b *strings.Builder) {
	for _, kind := range []string{drift.Taboo, drift.Slang} {
		most, of := 0, 0
		for _, r := range p.r.Rows {
			for _, m := range r.Masses {
				if m.Kind == kind && m.Unwatch > most {
					most, of = m.Unwatch, m.Unwatch+m.Words
				}
			}
		}
		if most > 0 {
			fmt.Fprintf(b, p.t.Unwatched+"\n", p.t.Kinds[kind], most, of)
		}
	}
}

// percent writes a share with as many digits as tell it from all and from none.
func percent(share float64) string {
	switch {
	case share > 0.9995 && share < 1, share > 0 && share < 0.001:
		return fmt.Sprintf("%.4f", 100*share)
	}
	return fmt.Sprintf("%.1f", 100*share)
}

// nats writes a divergence with three digits.
func nats(v float64) string {
	if v < 1e-6 {
		return "0"
	}
	return fmt.Sprintf("%.3g", v)
}
