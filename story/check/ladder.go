package check

import (
	"time"

	"fabula/personas"
	"fabula/story/plot"
)

// Tally is how the ladder does on labelled sentences.
type Tally struct {
	Beat     string // "node.beat"; "" for all
	Language string // of the sentences; "" for all
	Positive int    // sentences in which the beat happens
	Negative int    // in which it does not
	Right    int    // happened, and was noticed
	False    int    // did not happen, and was noticed
	Unsure   int    // shown to a person instead
	Took     time.Duration
	Longest  time.Duration
	Wrong    []Miss
}

// Miss is a sentence on which ladder and label differ.
type Miss struct {
	Text     string
	Happened bool // says the label
	Verdict  plot.Verdict
	Evidence plot.Evidence
}

// Precision is the share of what was noticed that happened; 1 of nothing.
func (t Tally) Precision() float64 { return share(t.Right, t.Right+t.False) }

// Recall is the share of what happened that was noticed; 1 of nothing.
func (t Tally) Recall() float64 { return share(t.Right, t.Positive) }

// Abstained is the share of sentences that were left to a person.
func (t Tally) Abstained() float64 {
	if n := t.Positive + t.Negative; n > 0 {
		return float64(t.Unsure) / float64(n)
	}
	return 0
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Ladder tries the ladder on the labelled sentences of a script: a tally for
// each beat and language, those for all beats last. judge gives who is asked in
// a language, nil where nobody is.
func Ladder(s *plot.Script, judge func(language string) plot.Judge) []Tally {
	var out []Tally
	all := map[string]*Tally{}
	for _, lang := range s.Languages {
		all[lang] = &Tally{Language: lang}
	}
	for _, l := range s.Labels {
		b := s.Beat(l.Beat)
		if b == nil {
			continue
		}
		for _, lang := range s.Languages {
			t := Tally{Beat: l.Beat, Language: lang}
			var asked plot.Judge
			if judge != nil {
				asked = judge(lang)
			}
			try := func(texts []personas.Text, happened bool) {
				for _, text := range texts {
					if sentence, ok := text.By[lang]; ok {
						t.take(b, sentence, happened, asked)
					}
				}
			}
			try(l.Fires, true)
			try(l.Not, false)
			try(l.Near, false)
			if t.Positive+t.Negative > 0 {
				out = append(out, t)
				all[lang].add(t)
			}
		}
	}
	for _, lang := range s.Languages {
		if t := all[lang]; t.Positive+t.Negative > 0 {
			out = append(out, *t)
		}
	}
	return out
}

func (t *Tally) take(b *plot.Beat, sentence string, happened bool, judge plot.Judge) {
	start := time.Now()
	v, e := b.Notice(t.Beat, sentence, judge)
	took := time.Since(start)
	t.Took += took
	t.Longest = max(t.Longest, took)
	if happened {
		t.Positive++
	} else {
		t.Negative++
	}
	switch {
	case v == plot.Unsure:
		t.Unsure++
	case v == plot.Happened && happened:
		t.Right++
	case v == plot.Happened:
		t.False++
	}
	if (v == plot.Happened) != happened {
		t.Wrong = append(t.Wrong, Miss{sentence, happened, v, e})
	}
}

func (t *Tally) add(o Tally) {
	t.Positive, t.Negative, t.Right, t.False, t.Unsure = t.Positive+o.Positive, t.Negative+o.Negative, t.Right+o.Right, t.False+o.False, t.Unsure+o.Unsure
	t.Took, t.Longest = t.Took+o.Took, max(t.Longest, o.Longest)
}
