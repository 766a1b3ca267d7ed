package main

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/tui/text/lang"
)

// rungLine is one rung of `engines list --json`: how the ladder stands, best
// first, for nobody in particular.
type rungLine struct {
	Event string `json:"event"`
	At    int    `json:"at"` // from 1
	catalog.Standing
}

// trustLine is an engine that a running fabula does not trust for now.
type trustLine struct {
	Event string `json:"event"`
	PID   int    `json:"pid"`
	distrust
}

// printLadder tells how the ladder stands here, and what running programs know.
func printLadder(out io.Writer, t *lang.Strings, asJSON bool) error {
	standings, err := standings(engine.Ask{})
	if err != nil {
		return err
	}
	for i, s := range standings {
		l := rungLine{"rung", i + 1, s}
		if asJSON {
			err = writeJSON(out, l)
		} else {
			_, err = fmt.Fprintln(out, l.words(t))
		}
		if err != nil {
			return err
		}
	}
	for _, p := range readTrust() {
		for _, d := range p.Down {
			l := trustLine{"distrust", p.PID, d}
			if asJSON {
				err = writeJSON(out, l)
			} else {
				_, err = fmt.Fprintln(out, l.words(t))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// standings tells how the ladder stands, without opening anything.
func standings(a engine.Ask) ([]catalog.Standing, error) {
	log := slog.New(slog.DiscardHandler)
	w, err := newWishes(nil, log)
	if err != nil {
		return nil, err
	}
	cat, err := openCatalog("", w.wish, log)
	if err != nil {
		return nil, err
	}
	return cat.Ladder(a), cat.Close()
}

func (l rungLine) words(t *lang.Strings) string {
	step := l.Step
	if step == "" {
		step = "-"
	}
	s := fmt.Sprintf("rung %d   %-8s %s", l.At, step, printable(l.Name))
	if l.Why != "" {
		s += "  ! " + printable(t.Why(string(l.Why), l.Args...))
	}
	return s
}

func (l trustLine) words(t *lang.Strings) string {
	s := fmt.Sprintf("process %d: %s  ! %s (%s", l.PID, printable(l.Name), printable(t.Why(l.Why, l.Args...)), l.Since.Local().Format(time.TimeOnly))
	if !l.Check.IsZero() {
		s += " … " + l.Check.Local().Format(time.TimeOnly)
	}
	return s + ")"
}
