package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/ladder"
	"fabula/engine/safefile"
)

// A running fabula notes which engines it does not trust in a file of its own,
// so that 'engines list' and 'doctor' can tell of it from another terminal. The
// file goes with the last trouble, and with the program.

// distrust is one engine that is down.
type distrust struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
	Why   string    `json:"why"` // a code
	Args  []string  `json:"why_args,omitempty"`
}

// distrusting is what one process does not trust.
type distrusting struct {
	PID  int        `json:"pid"`
	Down []distrust `json:"down"`
}

func trustDir() string { return filepath.Join(stateDir(), "trust") }

func trustFile(pid int) string { return filepath.Join(trustDir(), strconv.Itoa(pid)+".json") }

// noteTrust writes what is not trusted now. It is a courtesy to other terminals:
// failing to is only logged.
func noteTrust(log *slog.Logger, reports []ladder.Report) {
	note := distrusting{PID: os.Getpid()}
	for _, r := range reports {
		if !r.Up {
			note.Down = append(note.Down, distrust{r.Name, r.Since, r.Code, r.Args})
		}
	}
	if len(note.Down) == 0 {
		_ = os.Remove(trustFile(note.PID))
		return
	}
	data, err := json.Marshal(note)
	if err == nil {
		err = os.MkdirAll(trustDir(), 0o700)
	}
	if err == nil {
		err = safefile.Replace(trustFile(note.PID), data)
	}
	if err != nil {
		log.Warn("state of engines not noted", "error", err)
	}
}

// readTrust gives what running programs do not trust. What a dead one left is
// swept away.
func readTrust() []distrusting {
	names, _ := fs.Glob(os.DirFS(trustDir()), "*.json") // the pattern is well-formed
	var all []distrusting
	for _, name := range names {
		file := filepath.Join(trustDir(), name)
		var note distrusting
		data, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(data, &note) != nil {
			continue
		}
		pid, err := strconv.Atoi(strings.TrimSuffix(name, ".json"))
		if err != nil || !alive(pid) {
			_ = os.Remove(file)
			continue
		}
		all = append(all, note)
	}
	return all
}

// examineLadder tells which engines answer, best first, and what running
// programs do not trust.
func examineLadder(words func(code string, args ...string) string) []examined {
	rungs, err := standings(engine.Ask{})
	if err != nil {
		return []examined{{Name: "ladder", Is: bad, What: err.Error(), Do: "mend or delete " + choicesFile()}}
	}
	var order, list = []string{}, []examined{}
	for _, r := range rungs {
		if r.Step != "" {
			order = append(order, fmt.Sprintf("%s (%s)", r.Name, r.Step))
			continue
		}
		if r.Why == catalog.WhyUnknown || r.Why == catalog.WhyFailed || !r.Since.IsZero() || len(r.Args) > 0 {
			list = append(list, examined{Name: "ladder", Is: note, What: r.Name + ": " + words(string(r.Why), r.Args...)})
		}
	}
	list = append([]examined{{Name: "ladder", Is: good, What: strings.Join(order, ", then ")}}, list...)
	for _, p := range readTrust() {
		for _, d := range p.Down {
			list = append(list, examined{Name: "ladder", Is: note, What: fmt.Sprintf("process %d does not trust %s since %s: %s",
				p.PID, d.Name, d.Since.Local().Format(time.TimeOnly), words(d.Why, d.Args...))})
		}
	}
	return list
}
