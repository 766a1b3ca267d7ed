package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fabula/story"
	"fabula/story/playtest"
	"fabula/tui"
	"fabula/tui/style"
	"fabula/worlds"
)

// demoWorld opens when nothing was opened before.
const demoWorld = "fox_lantern"

// workbench makes the root command open the screen.
func workbench(root *cobra.Command, sh *shell) {
	var f playFlags
	var branch, theme string
	var ascii, mouse bool
	root.RunE = func(c *cobra.Command, args []string) error {
		if theme != "" && !slices.Contains(style.Names(), theme) {
			return usage("--theme %s: no such theme; there are %s", theme, strings.Join(style.Names(), ", "))
		}
		ref := lastWorld()
		if len(args) == 1 {
			ref = args[0]
		}
		return openWorkbench(c, sh, ref, f, tui.Options{Branch: branch, Theme: theme, ASCII: ascii, Mouse: mouse})
	}
	f.register(root)
	f.registerMetrics(root)
	root.Flags().StringVar(&branch, "branch", "", "branch to show")
	root.Flags().StringVar(&theme, "theme", "", "dark, light or none (default: by the environment)")
	root.Flags().BoolVar(&ascii, "ascii", false, "draw lines in ASCII")
	root.Flags().BoolVar(&mouse, "mouse", false, "wheel and clicks; shift+drag then selects")
	root.Version = versionText() // --version = version
	root.SetVersionTemplate("{{.Version}}")
}

func openWorkbench(c *cobra.Command, sh *shell, ref string, f playFlags, o tui.Options) (err error) {
	place, err := worlds.Find(ref)
	if near := nearCommand(c.Root(), ref); errors.Is(err, worlds.ErrNotFound) && near != "" {
		return fmt.Errorf("%w; did you mean 'fabula %s'?", err, near)
	}
	if err != nil {
		return err
	}
	if !sh.plain && !(term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))) {
		return errors.New("the workbench needs a terminal; --plain and 'fabula say' work without")
	}
	if os.Getenv("EDITOR") == "" {
		os.Setenv("EDITOR", editorName()) // the only name that editors are started by
	}
	o.Name, o.Dir, o.StateDir = ref, place.Dir, place.StateDir() // also of a world that does not load
	o.Tour = place.Dir == "" && ref == demoWorld
	o.Export = exporter(ref)
	o.Playtests = func() ([]*playtest.Playtest, error) {
		w, err := worlds.Open(ref)
		if err != nil {
			return nil, err
		}
		if len(w.Faults) > 0 {
			return w.Playtests, &worlds.LoadError{World: w.Name, Faults: w.Faults}
		}
		return w.Playtests, nil
	}
	o.Lang, o.Plain, o.Speak = sh.lang, sh.plain, f.speak
	if o.Keys, o.KeyFaults, err = ownKeys(); err != nil {
		return err
	}
	figures, err := f.serveMetrics()
	if err != nil {
		return err
	}
	defer figures.Close()
	board, keeper := newBoard(), &keeper{given: f.engine}
	var opening *opened
	o.Status, o.Engines, o.Engine = board.status, keeper, keeper.check
	o.Open = func() (*story.Session, error) {
		next, err := openWorld(ref, sh, f)
		if err != nil {
			return nil, err
		}
		opening = next
		board.watch(next.catalog)
		keeper.watch(next.catalog)
		rememberWorld(ref, place)
		return next.session, nil
	}
	defer func() {
		if opening != nil {
			err = firstError(err, opening.Close())
		}
	}()
	o.Session, o.Err = o.Open()
	var load *worlds.LoadError
	if o.Err != nil && !errors.As(o.Err, &load) {
		return o.Err
	}
	return tui.Run(c.Context(), o)
}

func lastFile() string { return filepath.Join(stateDir(), "last") }

// lastWorld is the world opened last, if it is still there; else the demo.
func lastWorld() string {
	data, err := os.ReadFile(lastFile())
	ref := strings.TrimSpace(string(data))
	if err != nil || ref == "" {
		return demoWorld
	}
	if filepath.IsAbs(ref) {
		if _, err := os.Stat(ref); err != nil {
			return demoWorld
		}
	}
	return ref
}

// rememberWorld keeps which world to open next time. Failing to is no reason
// to stop: the demo opens instead.
func rememberWorld(ref string, at worlds.Place) {
	if at.Dir != "" {
		if abs, err := filepath.Abs(at.Dir); err == nil {
			ref = abs
		}
	}
	if os.MkdirAll(stateDir(), 0o700) == nil {
		_ = os.WriteFile(lastFile(), []byte(ref+"\n"), 0o600)
	}
}
