package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/story/check"
	"fabula/story/plot"
	"fabula/worlds"
)

// tallyLine is one object of `check --beats --json`: how the ladder does on the
// labelled sentences of a beat in a language; without a beat, on all of them.
type tallyLine struct {
	Event     string     `json:"event"`
	Beat      string     `json:"beat,omitempty"`
	Language  string     `json:"language"`
	Sentences int        `json:"sentences"`
	Precision float64    `json:"precision"`
	Recall    float64    `json:"recall"`
	Abstained float64    `json:"abstained"`
	MeanMS    float64    `json:"mean_ms"` // added to a turn
	LongestMS float64    `json:"longest_ms"`
	Wrong     []missLine `json:"wrong,omitempty"`
}

type missLine struct {
	Text     string        `json:"text"`
	Happened bool          `json:"happened"` // says the label
	Verdict  plot.Verdict  `json:"verdict"`
	Evidence plot.Evidence `json:"evidence"`
}

// printBeats measures how beats are noticed, on the world's labels.
func printBeats(out, notes io.Writer, s *plot.Script, judge func(string) plot.Judge, language string, asJSON bool) error {
	if len(s.Labels) == 0 {
		printSaid(notes, language, "no labelled sentences: write labels/*.yaml (fabula schema labels)")
		return nil
	}
	for _, t := range check.Ladder(s, judge) {
		line := tallyOf(t)
		if asJSON {
			if err := writeJSON(out, line); err != nil {
				return err
			}
			continue
		}
		name := line.Beat
		if name == "" {
			name = "all beats"
		}
		fmt.Fprintf(out, "%-24s %s  %3d sentences  precision %.3f  recall %.3f  unsure %4.1f %%  %.3f ms, at most %.3f\n", name, line.Language,
			line.Sentences, line.Precision, line.Recall, 100*line.Abstained, line.MeanMS, line.LongestMS)
	}
	return nil
}

func tallyOf(t check.Tally) tallyLine {
	n := t.Positive + t.Negative
	line := tallyLine{Event: "tally", Beat: t.Beat, Language: t.Language, Sentences: n, Precision: t.Precision(), Recall: t.Recall(),
		Abstained: t.Abstained(), MeanMS: story.Millis(t.Took / time.Duration(max(n, 1))), LongestMS: story.Millis(t.Longest)}
	for _, m := range t.Wrong {
		line.Wrong = append(line.Wrong, missLine(m))
	}
	return line
}

// beats is `check --beats`. Nothing is played, so no store is opened.
func (ck *checking) beats(c *cobra.Command, w *worlds.World, engineName string) error {
	var judge func(string) plot.Judge
	if engineName != "" {
		logger, logs := openLog(c.ErrOrStderr())
		o := &opened{world: w, log: logger, logs: logs}
		defer o.Close()
		var err error
		if o.catalog, err = o.engines(playFlags{engine: engineName}); err != nil {
			return err
		}
		if o.session, err = story.New(story.Config{Script: w.Script, Engines: o.catalog, Log: logger}); err != nil {
			return err
		}
		judge = o.session.Judge
	}
	return printBeats(c.OutOrStdout(), c.ErrOrStderr(), w.Script, judge, ck.language, ck.json)
}
