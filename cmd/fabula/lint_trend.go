package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"fabula/story"
	"fabula/story/voice"
	"fabula/tui/text/lang"
)

// changeLine is one object of `lint --baseline --json`.
type changeLine struct {
	Event string `json:"event"` // trend
	voice.Change
	What string `json:"what"`
}

// writeBaseline keeps what the rules find now.
func writeBaseline(notes io.Writer, file string, report voice.Report, now voice.Baseline, words *lang.Strings) error {
	err := writeTo(file, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", " ")
		return enc.Encode(now)
	})
	if err == nil {
		fmt.Fprintf(notes, words.Trend.Wrote+"\n", printable(file), report.Replies)
	}
	return err
}

// trend prints what is worse than a baseline, which is exit code 3.
func trend(out io.Writer, file string, r story.Reader, now voice.Baseline, words *lang.Strings, asJSON bool) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return coded{exitUsage, err}
	}
	var was voice.Baseline
	if err := json.Unmarshal(data, &was); err != nil || len(was.Rules) == 0 {
		return usage("--baseline %s: it is no baseline; 'fabula lint WORLD --write-baseline FILE' writes one", file)
	}
	changes := now.Against(was, func(id story.ID) bool {
		_, err := r.Alternative(id)
		return err == nil
	})
	for _, c := range changes {
		what := trendWords(c, words)
		if asJSON {
			err = writeJSON(out, changeLine{"trend", c, what})
		} else {
			_, err = fmt.Fprintln(out, what)
		}
		if err != nil {
			return err
		}
	}
	if len(changes) > 0 {
		return errReported
	}
	if !asJSON {
		_, err = fmt.Fprintln(out, words.Trend.Same)
	}
	return err
}

func trendWords(c voice.Change, words *lang.Strings) string {
	rule := words.Rule(c.Rule)
	switch c.Code {
	case voice.RuleGone:
		return fmt.Sprintf(words.Trend.Rule, rule, c.N)
	case voice.HitsLost:
		return fmt.Sprintf(words.Trend.Lost, rule, c.N)
	}
	return fmt.Sprintf(words.Trend.Worse, rule, c.Persona, 100*c.Was.Rate, 100*c.Is.Rate)
}
