package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fabula/engine/catalog"
	"fabula/engine/gguf"
	"fabula/engine/gguf/memory"
	"fabula/engine/recommended"
	"fabula/engine/tensorrt"
	"fabula/story/store"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// verdict of one check of doctor: a sign and a word, so that colour and
// symbols are never the only carrier.
type verdict string

const (
	good verdict = "ok"
	note verdict = "note" // works, but worth knowing
	bad  verdict = "fault"
)

// examined is one line of doctor.
type examined struct {
	Event string  `json:"event"`
	Name  string  `json:"name"`
	Is    verdict `json:"verdict"`
	What  string  `json:"what"`
	Do    string  `json:"do,omitempty"`
}

func newDoctor(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "doctor [WORLD]",
		Short:   "Examine this machine: engines, models, terminal, store",
		Example: "  fabula doctor\n  fabula doctor my_world --json",
		Args:    atMost(1, "WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			list := []examined{examineProgram(), examineProcessor(), examineMemory()}
			list = append(list, examineModels()...)
			list = append(list, examineLadder(lang.For(sh.lang).Why)...)
			list = append(list, examineAccelerator()...)
			list = append(list, examineCards()...)
			list = append(list, examineRemotes()...)
			list = append(list, examineTerminal()...)
			list = append(list, examineKeys(sh.lang)...)
			list = append(list, examineFolders())
			if len(args) == 1 {
				list = append(list, examineWorld(args[0])...)
			}
			return printExamined(c.OutOrStdout(), list, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

// printExamined prints the list and fails when it holds a fault.
func printExamined(w io.Writer, list []examined, asJSON bool) error {
	faults := 0
	for _, e := range list {
		if e.Is == bad {
			faults++
		}
		if asJSON {
			e.Event = "examined"
			if err := writeJSON(w, e); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%s %-5s %-10s %s\n", map[verdict]string{good: "✓", note: "!", bad: "✗"}[e.Is], e.Is, e.Name, printable(e.What))
		if e.Do != "" {
			fmt.Fprintf(w, "%20s→ %s\n", "", e.Do)
		}
	}
	if faults > 0 {
		return coded{exitFailure, fmt.Errorf("doctor found %s", plural(faults, "fault"))}
	}
	return nil
}

func examineProgram() examined {
	e := examined{Name: "program", Is: good, What: "fabula " + version + ", " + gguf.Runtime()}
	if gguf.Runtime() == "" {
		e.Is, e.What, e.Do = note, "fabula "+version+" without llama.cpp: authored lines answer", "make build links it"
	}
	return e
}

func examineProcessor() examined {
	e := examined{Name: "processor", Is: good, What: fmt.Sprintf("%s, %s", runtime.GOARCH, plural(runtime.NumCPU(), "core"))}
	if gguf.Runtime() != "" {
		if err := gguf.Available(); err != nil {
			e.Is, e.What, e.Do = note, err.Error(), "authored lines answer; build llama.cpp for this processor with LLAMA_CPP_DIR"
		}
	}
	return e
}

// examineMemory says what is free for models, and which one would suit.
func examineMemory() examined {
	free := room()
	if free == 0 {
		return examined{Name: "memory", Is: note, What: "what is free is not known on this system: nothing is refused for its size"}
	}
	e := examined{Name: "memory", Is: good, What: memory.Size(free) + " free for models"}
	err := withCatalog(func(cat *catalog.Catalog) error {
		table, err := recommended.Load()
		if m, ok := table.Fitting("", here(cat)); ok {
			e.What += fmt.Sprintf("; room and speed for %s (%s)", m.File, memory.Size(m.Demand().Need(0)))
		} else {
			e.Is, e.What = note, e.What+": too little for any recommended one, authored lines answer"
		}
		return err
	})
	if err != nil {
		e.Is, e.What = bad, err.Error()
	}
	return e
}

func examineModels() []examined {
	var list []examined
	err := withCatalog(func(cat *catalog.Catalog) error {
		models, err := cat.List()
		for _, m := range models {
			e := examined{Name: "model", Is: good, What: fmt.Sprintf("%s, %s, %.0f MB, speaks %s", m.Name, m.Precision, float64(m.Size)/1e6, strings.Join(m.Languages, " "))}
			if m.Note != "" {
				e.Is, e.What = note, e.What+", "+m.Note
			}
			if m.Toy {
				e.Is, e.What, e.Do = note, e.What+", a toy", "fabula models list --recommended names real ones"
			}
			if m.Why != "" && m.Why != catalog.WhyNotBuilt {
				e.Is, e.What, e.Do = note, m.Name+": "+m.Detail, "remove or replace "+m.File
			}
			list = append(list, e)
		}
		return err
	})
	if err != nil {
		return []examined{{Name: "models", Is: bad, What: err.Error()}}
	}
	if len(list) == 0 {
		return []examined{{Name: "models", Is: note, What: "none in " + modelsDir() + ": authored lines answer", Do: "make model, or fabula models list --recommended"}}
	}
	return list
}

// examineCards asks what the graphics card needs; without one nothing is wrong.
func examineCards() []examined {
	var list []examined
	for _, f := range tensorrt.Examine(tensorrtRoot()) {
		e := examined{Name: f.Name, Is: good, What: f.What, Do: f.Do}
		if !f.OK {
			e.Is = note
		}
		list = append(list, e)
	}
	return list
}

func examineTerminal() []examined {
	locale := examined{Name: "locale", Is: good, What: localeName()}
	if !strings.Contains(strings.ToLower(localeName()), "utf") {
		locale.Is, locale.Do = note, "set LANG to a UTF-8 locale, or Chinese will not show"
	}
	screen := examined{Name: "terminal", Is: note, What: "standard output is no terminal: the workbench needs one", Do: "say, prompt, export and --plain work without"}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		screen = examined{Name: "terminal", Is: good, What: os.Getenv("TERM")}
		if w, h, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			screen.What += fmt.Sprintf(", %d×%d", w, h)
			if w < 80 || h < 24 {
				screen.Is, screen.Do = note, "the workbench is laid out for 80×24 and more"
			}
		}
	}
	editor := examined{Name: "editor", Is: good, What: editorName()}
	if editor.What == "" {
		editor.Is, editor.What, editor.Do = note, "neither VISUAL nor EDITOR is set", "export EDITOR=…"
	}
	return []examined{locale, screen, editor}
}

// editorName is the program that opens files, "" where none is set.
func editorName() string { return cmp.Or(os.Getenv("EDITOR"), os.Getenv("VISUAL")) }

func localeName() string {
	for _, v := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if s := os.Getenv(v); s != "" {
			return s
		}
	}
	return "C"
}

// examineFolders tries to write where the log and the stores go.
func examineFolders() examined {
	if err := os.MkdirAll(stateDir(), 0o700); err != nil {
		return examined{Name: "folders", Is: bad, What: err.Error(), Do: "make it writable, or set XDG_STATE_HOME"}
	}
	f, err := os.CreateTemp(stateDir(), ".doctor")
	if err != nil {
		return examined{Name: "folders", Is: bad, What: err.Error(), Do: "make it writable, or set XDG_STATE_HOME"}
	}
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return examined{Name: "folders", Is: bad, What: err.Error()}
	}
	return examined{Name: "folders", Is: good, What: "'fabula where' lists them"}
}

func examineWorld(ref string) []examined {
	w, err := worlds.Open(ref)
	var load *worlds.LoadError
	switch {
	case errors.As(err, &load):
		return []examined{{Name: "world", Is: bad, What: ref + " does not load: " + plural(len(load.Faults), "fault"), Do: "fabula check " + ref + " lists them"}}
	case err != nil:
		return []examined{{Name: "world", Is: bad, What: err.Error(), Do: "fabula new " + ref + " makes one"}}
	}
	list := []examined{{Name: "world", Is: good, What: w.Name + ": " + counts(w.Script, "en")}}
	r, closer, err := store.OpenReader(w.StateDir(), store.WithWorld(w.Script.ID))
	if err != nil {
		return append(list, examined{Name: "store", Is: bad, What: err.Error()})
	}
	defer closer.Close()
	branches, err := r.Branches()
	if err != nil {
		return append(list, examined{Name: "store", Is: bad, What: err.Error()})
	}
	return append(list, examined{Name: "store", Is: good, What: fmt.Sprintf("%s, %s", w.StateDir(), plural(len(branches), "branch"))})
}
