package prompt

import (
	"fmt"
	"strconv"
	"strings"
)

// dropped lists what is left out: history as one entry, samples that were
// dropped for one reason as one.
func (p *plan) dropped() []Dropped {
	out := []Dropped{}
	if p.from > 0 {
		first, last := p.in.History[0].Turn, p.in.History[p.from-1].Turn
		d := Dropped{What: fmt.Sprintf("history %s..%s (%d turns)", first, last, p.from), Why: WhyWindow}
		for _, turn := range p.turns[:p.from] {
			for _, it := range turn {
				d.Tokens += it.tokens()
			}
		}
		out = append(out, d)
	}
	out = append(out, p.left...)
	for _, items := range [][]item{p.stable, p.past, p.last} {
		out = append(out, droppedOf(items)...)
	}
	return out
}

func droppedOf(items []item) []Dropped {
	var out []Dropped
	samples := map[string]int{} // why → place in out
	past := -1                  // place of the summary, which can have very many sentences, in out
	for _, it := range items {
		if it.Kind == Summary && it.dropped != "" {
			if past < 0 {
				past = len(out)
				out = append(out, Dropped{What: string(Summary), Why: it.dropped})
			}
			if it.dropped == WhyWindow { // then its share was not to be had
				out[past].Why = WhyWindow
			}
			out[past].Tokens += it.tokens()
			continue
		}
		switch i, seen := samples[it.dropped]; {
		case it.dropped == "":
		case it.Kind == Sample && seen:
			out[i].What = joined(out[i].What, it.Source)
			out[i].Tokens += it.tokens()
		default:
			if it.Kind == Sample {
				samples[it.dropped] = len(out)
			}
			out = append(out, Dropped{What: it.Source, Why: it.dropped, Tokens: it.tokens()})
		}
	}
	return out
}

// joined adds the number of a sample to a list: adu.sample.3 and adu.sample.4
// are adu.sample.3-4, with adu.sample.7 adu.sample.3-4,7.
func joined(list, source string) string {
	number := source[strings.LastIndexByte(source, '.')+1:]
	end := list[strings.LastIndexAny(list, ".,-")+1:]
	last, errLast := strconv.Atoi(end)
	n, err := strconv.Atoi(number)
	switch {
	case errLast != nil || err != nil:
		return list + " " + source
	case n != last+1:
		return list + "," + number
	case strings.HasSuffix(list, "-"+end):
		return list[:len(list)-len(end)] + number
	}
	return list + "-" + number
}

// tokens is the measured size, or an estimate for what was never measured.
func (it item) tokens() int {
	if it.Tokens > 0 {
		return it.Tokens
	}
	return estimate(it.Text)
}
