package main

import (
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/choice"
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
	if err := printChoices(out, asJSON); err != nil {
		return err
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

// choiceLine is one choice of a person.
type choiceLine struct {
	Event   string `json:"event"`
	Use     string `json:"use"`
	World   string `json:"world,omitempty"`   // id; empty = everywhere
	Persona string `json:"persona,omitempty"` // id; empty = everyone
}

// printChoices tells what 'engines use' chose, the most general first.
func printChoices(out io.Writer, asJSON bool) error {
	content, err := choice.Open(choicesFile()).Read()
	if err != nil {
		return err
	}
	lines := choiceLines("", content.Settings)
	for _, id := range slices.Sorted(maps.Keys(content.Worlds)) {
		lines = append(lines, choiceLines(id, content.Worlds[id])...)
	}
	for _, l := range lines {
		if asJSON {
			err = writeJSON(out, l)
		} else {
			_, err = fmt.Fprintln(out, printable("chosen   "+l.Use+pin{persona: l.Persona}.words(l.World)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func choiceLines(world string, s choice.Settings) []choiceLine {
	var lines []choiceLine
	if s.Use != "" {
		lines = append(lines, choiceLine{Event: "choice", Use: s.Use, World: world})
	}
	for _, id := range slices.Sorted(maps.Keys(s.Personas)) {
		lines = append(lines, choiceLine{"choice", s.Personas[id], world, id})
	}
	return lines
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
	return fmt.Sprintf("process %d: %s  ! %s (%s)", l.PID, printable(l.Name), printable(t.Why(l.Why, l.Args...)), l.Since.Local().Format(time.TimeOnly))
}
