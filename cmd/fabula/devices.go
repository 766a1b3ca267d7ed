package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"fabula/engine/catalog"
	"fabula/engine/gguf"
	"fabula/engine/gguf/memory"
	"fabula/engine/recommended"
)

// driverTime is how long graphics drivers may take to say what there is.
const driverTime = 20 * time.Second

// devices asks for the graphics cards that this build's llama.cpp can use, in a
// process of its own since a broken driver may end it; once, and not at all in a
// build for processors.
var devices = sync.OnceValues(func() ([]gguf.Device, error) {
	if gguf.Accelerator() == "" {
		return nil, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find own program: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), driverTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, self, "worker", "--devices").Output()
	if err != nil {
		return nil, fmt.Errorf("graphics cards: %w", err)
	}
	var list []gguf.Device
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, fmt.Errorf("graphics cards: %w", err)
	}
	return list, nil
})

// printDevices is the other end.
func printDevices(w io.Writer) error {
	list := gguf.Devices()
	if list == nil {
		list = []gguf.Device{}
	}
	return json.NewEncoder(w).Encode(list)
}

// room is how many bytes models may take, with the cards' memory; 0 = unknown.
func room() int64 {
	list, _ := devices() // doctor tells what went wrong
	return gguf.Room(list)
}

// here is this machine as models are held against it: what a card holds whole is
// swift, the rest is as swift as the processor.
func here(cat *catalog.Catalog) recommended.Machine {
	on := recommended.Processor(runtime.NumCPU(), cat.FreeMemory())
	list, _ := devices() // doctor tells what went wrong
	var cards int64
	for _, d := range list {
		cards += d.Free
	}
	on.Swift = max(on.Swift, cards)
	return on
}

// deviceLine is one object of `engines list --json` and `engines info --json`.
type deviceLine struct {
	Event   string `json:"event"`
	Backend string `json:"backend"`
	gguf.Device
}

func printCards(w io.Writer, asJSON bool) error {
	list, err := devices()
	if err != nil {
		_, err = fmt.Fprintf(w, "! %s\n", printable(err.Error()))
		return err
	}
	for _, d := range list {
		if asJSON {
			err = writeJSON(w, deviceLine{"device", gguf.Accelerator(), d})
		} else {
			_, err = fmt.Fprintln(w, cardWords(d))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func cardWords(d gguf.Device) string {
	return fmt.Sprintf("%-8s %-32s %s  %s of %s free", gguf.Accelerator(), printable(d.Name), printable(d.Model), memory.Size(d.Free), memory.Size(d.Total))
}

// examineAccelerator tells of the cards that llama.cpp itself can use.
func examineAccelerator() []examined {
	if gguf.Accelerator() == "" {
		return nil
	}
	list, err := devices()
	switch {
	case err != nil:
		return []examined{{Name: "card", Is: note, What: err.Error(), Do: "models run on the processor; update the graphics driver"}}
	case len(list) == 0:
		return []examined{{Name: "card", Is: note, What: "no card for " + gguf.Accelerator() + ": models run on the processor"}}
	}
	var found []examined
	for _, d := range list {
		found = append(found, examined{Name: "card", Is: good, What: fmt.Sprintf("%s %s: %s, %s of %s free", gguf.Accelerator(), d.Name, d.Model, memory.Size(d.Free), memory.Size(d.Total))})
	}
	return found
}
