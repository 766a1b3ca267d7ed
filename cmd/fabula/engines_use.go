package main

import (
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/engine/choice"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// byDefault takes a choice back.
const byDefault = "default"

// pin says for whom an engine is chosen.
type pin struct{ persona, world string }

func newEnginesUse(sh *shell) *cobra.Command {
	var p pin
	var gate bool
	c := &cobra.Command{
		Use:   "use NAME",
		Short: "Choose who answers from now on, also in a workbench that is open",
		Long: `Choose who answers: a kind or a name from 'engines list', or several with
commas between, best first; '` + byDefault + `' takes the choice back. Below them stand
smaller models and authored lines. --engine outranks the choice.

A workbench that is open takes it up with the next reply; one that streams is
finished by the engine it began with.

With --gate an engine is refused, with exit status 3, whose last drift report is
missing, is of other weights or missed a limit: of --world, else of every world
that it was measured in.`,
		Example: `  fabula engines use qwen2.5-3b-instruct-q4_k_m
  fabula engines use recall --world fox_lantern --persona laozhou
  fabula engines use int8 --gate
  fabula engines use default`,
		Args: exactly("NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			use, err := usable(args[0])
			if err != nil {
				return err
			}
			id, err := p.check()
			if err != nil {
				return err
			}
			if gate {
				if err := gateEngines(c.ErrOrStderr(), &lang.For(sh.lang).Drift, use, id); err != nil {
					return err
				}
			}
			f := choice.Open(choicesFile())
			did := "use " + args[0] + p.words(id)
			if err := f.Change(did, func(c *choice.Content) { c.Pin(id, p.persona, use) }); err != nil {
				return err
			}
			printSaid(c.ErrOrStderr(), sh.lang, "%s; 'fabula engines rollback' takes it back", printable(did))
			return warn(c.ErrOrStderr(), use, sh.lang)
		},
	}
	c.Flags().StringVar(&p.persona, "persona", "", "only for this character, by id")
	c.Flags().StringVar(&p.world, "world", "", "only in this world")
	c.Flags().BoolVar(&gate, "gate", false, "refuse what no drift report speaks for")
	return c
}

// usable checks that an engine could answer, and gives it as it is stored.
func usable(name string) (string, error) {
	if name == byDefault {
		return "", nil
	}
	names := choice.Names(name)
	for i, n := range names {
		if file, ok := strings.CutPrefix(n, string(engine.Scripted)+":"); ok { // another folder is current later
			if abs, err := filepath.Abs(file); err == nil {
				names[i] = string(engine.Scripted) + ":" + abs
			}
		}
	}
	if len(names) == 0 {
		return "", usage("engines use needs a name; see 'fabula engines list'")
	}
	use := strings.Join(names, ",")
	cat, err := openCatalog(use, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return "", err
	}
	return use, cat.Close()
}

// warn says where a chosen engine would not serve just now, as for want of memory.
func warn(w io.Writer, use, language string) error {
	if use == "" {
		return nil
	}
	cat, err := openCatalog(use, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	for _, s := range cat.Ladder(engine.Ask{}) {
		if s.Why != "" {
			printSaid(w, language, "for now it does not serve: %s", printable(lang.For(language).Why(string(s.Why), s.Args...)))
		}
	}
	return cat.Close()
}

// check gives the id of the world, "" for all, and refuses a character that it
// does not have.
func (p pin) check() (id string, err error) {
	if p.world == "" {
		return "", nil
	}
	w, err := worlds.Open(p.world)
	if err != nil {
		return "", err
	}
	if p.persona != "" && w.Script.Persona(p.persona) == nil {
		var there []string
		for _, q := range w.Script.Personas {
			there = append(there, q.ID)
		}
		slices.Sort(there)
		return "", usage("--persona %s: %s has no such character; there are %s", p.persona, w.Name, strings.Join(there, ", "))
	}
	return w.Script.ID, nil
}

func (p pin) words(world string) string {
	words := ""
	if p.persona != "" {
		words += " for " + p.persona
	}
	if world != "" {
		words += " in " + world
	}
	return words
}

func newEnginesRollback(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:     "rollback",
		Short:   "Take back the last 'engines use'; again for the one before",
		Example: "  fabula engines rollback",
		Args:    atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			undone, err := choice.Open(choicesFile()).Rollback()
			if errors.Is(err, choice.ErrNoPast) {
				return usage("no change of engines to take back")
			}
			if err != nil {
				return err
			}
			printSaid(c.ErrOrStderr(), sh.lang, "taken back: %s (%s)", printable(undone.Did), undone.At.Local().Format("2006-01-02 15:04"))
			return nil
		},
	}
}
