package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"fabula/personas/lint"
	"fabula/story/lab/judge"
	"fabula/tui/text"
)

type scoreLine struct {
	Event string `json:"event"` // score
	judge.Row
	Kappa *float64 `json:"kappa"`
}

type speakerLine struct {
	Event string `json:"event"` // speaker
	judge.Speakers
	Kappa *float64 `json:"kappa"`
}

// scores keeps what a batch that is not void comes to.
func (p *judgePrinter) scores(sum judge.Sum) error {
	for _, row := range sum.Rows() {
		if err := p.keep(scoreLine{"score", row, p.kappa}); err != nil {
			return err
		}
	}
	rows, own := sum.Speakers()
	if own.N > 0 {
		rows = append(rows, judge.Speakers{Engine: "author", Rate: own})
	}
	for _, row := range rows {
		if err := p.keep(speakerLine{"speaker", row, p.kappa}); err != nil {
			return err
		}
	}
	return nil
}

// tell prints a batch for a person.
func (p *judgePrinter) tell(sum judge.Sum) {
	w := p.words.Judge
	fmt.Fprintf(p.out, w.By+"\n", printable(p.head.Judge.Name), shortHash(p.head.Provenance), p.head.Wording, p.head.Seed)
	fmt.Fprintf(p.out, w.Asked+"\n", sum.Items, sum.Controls)
	if p.kin != "" {
		fmt.Fprintf(p.out, w.Kin+"\n", printable(p.kin))
	}
	if sum.Void() {
		fmt.Fprintf(p.out, w.Void+"\n", len(sum.Missed), sum.Controls)
		for _, m := range sum.Missed[:min(len(sum.Missed), mostMissed)] {
			fmt.Fprintf(p.out, w.Missed+"\n", w.Controls[m.Control], m.Persona, text.Line(m.Reply), p.wrong(m))
		}
		fmt.Fprintln(p.out, w.Unjudged)
		return
	}
	p.trust(sum)
	p.flaws(sum)
	p.speakers(sum)
	if pairs := sum.Pairs(); pairs.N > 0 {
		fmt.Fprintf(p.out, w.Pairs+"\n", pairs.N, pairs.First, pairs.Other, pairs.Ties, 100*pairs.Place)
	}
	fmt.Fprintf(p.out, w.Steady+"\n", 100*sum.Steady().Rate)
}

// trust says how far people agree with the judge.
func (p *judgePrinter) trust(sum judge.Sum) {
	w := p.words.Judge
	switch {
	case p.kappa == nil:
		fmt.Fprintln(p.out, w.NoTrust)
	case p.trusted:
		fmt.Fprintf(p.out, w.Trust+"\n", *p.kappa, sum.Labels)
	default:
		fmt.Fprintf(p.out, w.Distrust+"\n", *p.kappa, sum.Labels)
	}
}

// mostMissed bounds how many lines are shown that a judge got wrong.
const mostMissed = 6

// wrong names the flaws that a judge did not find, or found where there are none.
func (p *judgePrinter) wrong(m judge.Judgement) string {
	var out []string
	for _, code := range strings.Split(m.Missed, ", ") {
		if name := p.words.Judge.Flaws[code]; name != "" {
			out = append(out, name)
		} else {
			out = append(out, p.words.Judge.Controls[code])
		}
	}
	return strings.Join(out, p.words.Way.List)
}

func (p *judgePrinter) flaws(sum judge.Sum) {
	w, seen := p.words.Judge, false
	fmt.Fprintln(p.out, "\n"+w.Flaw)
	for _, r := range sum.Rows() {
		if r.Hits > 0 {
			seen = true
			p.grey(fmt.Sprintf("  %-12s %-24s v%d  %d %s  %s", r.Persona, printable(r.Engine), r.Version, r.Severity, text.Fit(w.Flaws[r.Code], 26, "…"), rateWords(r.Rate)))
		}
	}
	if !seen {
		fmt.Fprintln(p.out, "  "+w.NoFlaw)
	}
}

func (p *judgePrinter) speakers(sum judge.Sum) {
	rows, own := sum.Speakers()
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(p.out, "\n"+p.words.Judge.Speaker)
	for _, r := range rows {
		p.grey(fmt.Sprintf("  %-12s %-24s v%d  %s", r.Persona, printable(r.Engine), r.Version, rateWords(r.Rate)))
	}
	fmt.Fprintf(p.out, "  %s  %s\n", text.Fit(p.words.Judge.Own, 41, "…"), rateWords(own))
}

// grey prints a score with how far people agree with the judge; one that nothing
// vouches for is faint on a terminal.
func (p *judgePrinter) grey(line string) {
	if p.kappa != nil {
		line += fmt.Sprintf("  κ %.2f", *p.kappa)
	} else {
		line += "  κ ?"
	}
	if p.trusted {
		fmt.Fprintln(p.out, line)
		return
	}
	if f, ok := p.out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		line = "\x1b[2m" + line + "\x1b[0m"
	}
	fmt.Fprintln(p.out, line)
}

func rateWords(r lint.Rate) string {
	return fmt.Sprintf("%4d/%-4d %5.1f %%  (%.1f–%.1f %%)", r.Hits, r.N, 100*r.Rate, 100*r.Low, 100*r.High)
}

// shortHash is enough of a hash to tell engines apart by eye.
func shortHash(s string) string {
	if len(s) > 12 && !strings.Contains(s, " ") {
		return s[:12]
	}
	return printable(s)
}

// barOf shows on a terminal how many items are done.
type barOf struct {
	out io.Writer
	n   int
}

func (b *barOf) step() {
	b.n++
	if f, ok := b.out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(f, "\r%d", b.n)
	}
}

func (b *barOf) end() {
	if f, ok := b.out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(f, "\r\x1b[K")
	}
}
