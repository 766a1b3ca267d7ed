package main

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/gguf"
	"fabula/engine/gguf/memory"
	"fabula/engine/ladder"
	"fabula/engine/tensorrt"
	"fabula/engine/worker"
	"fabula/tui/text/lang"
)

// openCatalog opens the installed engines. choice is --engine and outranks wish,
// which says what a person and a world want; nil = the default ladder. Moves of
// trust are logged, and told to others.
func openCatalog(choice string, wish func(engine.Ask) catalog.Wish, log *slog.Logger, others ...func(ladder.Move)) (*catalog.Catalog, error) {
	return openCatalogIn(modelsDir(), choice, wish, log, others...)
}

// openCatalogIn is openCatalog with the models of another folder.
func openCatalogIn(dir, choice string, wish func(engine.Ask) catalog.Wish, log *slog.Logger, others ...func(ladder.Move)) (*catalog.Catalog, error) {
	if _, err := promptMemory(); err != nil { // asked for wrongly: said now, not by every model that loads
		return nil, err
	}
	servers, err := remotes(log)
	if err != nil {
		return nil, err
	}
	var c *catalog.Catalog
	o := catalog.Options{
		Dir: dir, Choice: choice, Wish: wish, Remotes: servers, RemotesFile: remotesFile(),
		Hub: os.Getenv("HF_ENDPOINT"), HubToken: os.Getenv("HF_TOKEN"), FreeMemory: room,
		Moved: func(m ladder.Move) {
			noteMove(log, m)
			noteTrust(log, c.Health())
			for _, tell := range others {
				tell(m)
			}
		},
	}
	if gguf.Runtime() != "" {
		o.OpenModel = openModel(log, engine.GGUF)
		o.Unable = gguf.Available()
		if tensorrt.Available() == nil {
			o.OpenGPU = openModel(log, engine.TensorRT)
		}
	}
	if c, err = catalog.Open(o); err != nil {
		return nil, fmt.Errorf("%w; see 'fabula engines list'", err)
	}
	return c, nil
}

// noteMove logs every change of trust in an engine.
func noteMove(log *slog.Logger, m ladder.Move) {
	if m.Up {
		log.Info("engine serves again", "engine", m.Name)
		return
	}
	log.Warn("engine not trusted for now", "engine", m.Name, "why", m.Why.Code, "error", m.Why.Error())
}

// openModel starts a worker process on a model: this very program, so that a
// fault of native code never takes the terminal or the store.
func openModel(log *slog.Logger, kind engine.Kind) func(catalog.Model) (engine.Engine, error) {
	return func(m catalog.Model) (engine.Engine, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find own program: %w", err)
		}
		log.Info("load model", "engine", kind, "model", m.Name, "file", m.File)
		info := m.Info()
		info.Kind = kind
		options := worker.Options{
			Command: func() *exec.Cmd {
				c := exec.Command(self, "worker", "--engine", string(kind))
				c.Args[0] = os.Args[0]
				return c
			},
			Model: m.File, Info: info,
			Died: func(why string) { log.Warn("engine process ended", "model", m.Name, "why", why) },
		}
		if options.Memory, err = promptMemory(); err != nil {
			return nil, err
		}
		if out := openNativeLog(log); out != nil {
			options.Log = out
		}
		client, err := worker.Start(options)
		if err != nil {
			return nil, err
		}
		return client, nil
	}
}

// promptMemory is what prompts kept ready may take, in bytes; 0 = by what is free.
func promptMemory() (int64, error) {
	v := os.Getenv("FABULA_CACHE_MIB")
	if v == "" {
		return 0, nil
	}
	mib, err := strconv.ParseInt(v, 10, 32)
	if err != nil || mib < 1 {
		return 0, usage("FABULA_CACHE_MIB=%s: write how many MiB of memory prompts kept ready may take, from 1", v)
	}
	return mib << 20, nil
}

// engineLine is one object of `engines list --json`.
type engineLine struct {
	Event     string      `json:"event"`
	Kind      engine.Kind `json:"kind"`
	Name      string      `json:"name"`
	Model     string      `json:"model,omitempty"`
	Precision string      `json:"precision,omitempty"`
	Languages []string    `json:"languages,omitempty"`
	Toy       bool        `json:"toy,omitempty"`
	Why       catalog.Why `json:"why,omitempty"`
	WhyArgs   []string    `json:"why_args,omitempty"`
	Detail    string      `json:"detail,omitempty"`
	Note      string      `json:"note,omitempty"` // how it would serve with what memory is free
	Version   string      `json:"version,omitempty"`
	Hash      string      `json:"base_hash,omitempty"` // SHA-256 of the weights
	Licence   string      `json:"licence,omitempty"`
	Size      int64       `json:"size,omitempty"`  // bytes of the file
	Needs     int64       `json:"needs,omitempty"` // bytes of memory for the usual window
	Free      int64       `json:"free,omitempty"`  // bytes of memory free now
	Runtime   string      `json:"runtime,omitempty"`
}

func newEngines(sh *shell) *cobra.Command {
	c := &cobra.Command{Use: "engines", Short: "What can answer on this machine"}
	var asJSON bool
	list := &cobra.Command{
		Use:     "list",
		Short:   "List the engines that --engine can name, and why one cannot serve",
		Example: "  fabula engines list --json",
		Args:    atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			lines, err := engineLines()
			if err != nil {
				return err
			}
			for _, l := range lines {
				if asJSON {
					err = writeJSON(c.OutOrStdout(), l)
				} else {
					_, err = fmt.Fprintln(c.OutOrStdout(), l.words(lang.For(sh.lang)))
				}
				if err != nil {
					return err
				}
			}
			if err := printCards(c.OutOrStdout(), asJSON); err != nil {
				return err
			}
			return printLadder(c.OutOrStdout(), lang.For(sh.lang), asJSON)
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	c.AddCommand(list, newEnginesBuild(), newEnginesInfo(sh), newEnginesVerify(), newEnginesKey(), newEnginesMeasure(), newEnginesMeasured(), newEnginesUse(sh), newEnginesRollback(sh))
	c.RunE = list.RunE
	return c
}

func engineLines() ([]engineLine, error) {
	cat, err := openCatalog("", nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer cat.Close()
	models, err := cat.List()
	if err != nil {
		return nil, err
	}
	free := cat.FreeMemory()
	var lines []engineLine
	for _, m := range models {
		lines = append(lines, engineLine{
			Event: "engine", Kind: engine.GGUF, Name: m.Name, Model: m.Title, Precision: m.Precision, Languages: m.Languages, Toy: m.Toy,
			Why: m.Why, WhyArgs: m.WhyArgs, Detail: m.Detail, Note: m.Note, Version: m.Version, Hash: m.SHA256, Licence: m.Licence,
			Size: m.Size, Needs: m.Needs, Free: free, Runtime: gguf.Runtime(),
		})
	}
	lines = append(lines, planLines()...)
	servers, err := remoteLines()
	if err != nil {
		return nil, err
	}
	lines = append(lines, servers...)
	return append(lines, engineLine{Event: "engine", Kind: engine.Recall, Name: string(engine.Recall), Model: "authored lines"}), nil
}

// planLines tells of the engines that were built for a graphics card. --engine
// tensorrt takes the one of the best model.
func planLines() []engineLine {
	var lines []engineLine
	for _, plan := range tensorrt.Plans(enginesDir()) {
		l := engineLine{Event: "engine", Kind: engine.TensorRT, Name: string(engine.TensorRT), Detail: filepath.Base(plan)}
		m, err := tensorrt.ReadManifest(plan)
		switch {
		case err != nil:
			l.Why, l.Detail = catalog.WhyUnreadable, err.Error()
		case tensorrt.Available() != nil:
			l.Model, l.Precision, l.Why = m.Model, m.Precision, catalog.WhyNotBuilt
		case m.Runs() != nil:
			l.Model, l.Precision, l.Why, l.Detail = m.Model, m.Precision, catalog.WhyFailed, m.Runs().Error()
		case m.SelfTest == nil || !m.SelfTest.Passed:
			l.Model, l.Precision, l.Why = m.Model, m.Precision, catalog.WhyFailed
		default:
			l.Model, l.Precision = m.Model, m.Precision
		}
		lines = append(lines, l)
	}
	return lines
}

func (l engineLine) words(t *lang.Strings) string {
	parts := []string{fmt.Sprintf("%-8s %-32s %s", l.Kind, printable(l.Name), printable(l.Model)), l.Precision, strings.Join(l.Languages, " ")}
	if l.Toy {
		parts = append(parts, t.Toy(l.Languages))
	}
	if l.Why != "" {
		parts = append(parts, "! "+t.Why(string(l.Why), l.WhyArgs...))
	}
	if l.Detail != "" {
		parts = append(parts, "("+printable(l.Detail)+")")
	}
	if l.Needs > 0 {
		room := needs(l.Needs)
		if l.Free > 0 {
			room += ", " + memory.Size(l.Free) + " free"
		}
		parts = append(parts, printable(l.Licence), room, printable(l.Note))
	}
	return strings.Join(nonempty(parts), "  ")
}
