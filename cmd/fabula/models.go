package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fabula/engine/catalog"
	"fabula/tui/text/lang"
)

func newModels(sh *shell) *cobra.Command {
	c := &cobra.Command{
		Use:   "models",
		Short: "List, fetch and add model files (GGUF)",
		Example: `  fabula models
  fabula models pull https://example.org/qwen2.5-3b-instruct-q4_k_m.gguf --sha256 6f1a…
  fabula models add ~/Downloads/model.gguf`,
	}
	list := newModelsList(sh)
	c.RunE = list.RunE
	c.AddCommand(list, newModelsPull(sh), newModelsAdd(sh))
	return c
}

func newModelsList(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the models in the data folder",
		Args:  atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			return withCatalog(func(cat *catalog.Catalog) error {
				models, err := cat.List()
				if err != nil {
					return err
				}
				if len(models) == 0 {
					fmt.Fprintf(c.ErrOrStderr(), "no models in %s; 'make model' fetches the toy one, 'fabula models pull URL' a real one\n", modelsDir())
				}
				for _, m := range models {
					if err := printModel(c.OutOrStdout(), m, sh.lang, asJSON); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func newModelsPull(sh *shell) *cobra.Command {
	var sum string
	c := &cobra.Command{
		Use:     "pull URL",
		Short:   "Fetch a GGUF model over https and check its SHA-256",
		Example: "  fabula models pull https://example.org/model.gguf --sha256 6f1a…",
		Args:    exactly("URL"),
		RunE: func(c *cobra.Command, args []string) error {
			return withCatalog(func(cat *catalog.Catalog) error {
				m, err := cat.Pull(c.Context(), args[0], sum, progressOn(c.ErrOrStderr()))
				if err != nil {
					return err
				}
				if sum == "" {
					fmt.Fprintf(c.ErrOrStderr(), "no --sha256 was given; compare this one with the publisher's: %s\n", m.SHA256)
				}
				return printModel(c.OutOrStdout(), m, sh.lang, false)
			})
		},
	}
	c.Flags().StringVar(&sum, "sha256", "", "the hash the file must have")
	return c
}

func newModelsAdd(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:     "add FILE",
		Short:   "Copy a GGUF file into the data folder",
		Example: "  fabula models add ~/Downloads/model.gguf",
		Args:    exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			return withCatalog(func(cat *catalog.Catalog) error {
				m, err := cat.Add(c.Context(), args[0], progressOn(c.ErrOrStderr()))
				if err != nil {
					return err
				}
				return printModel(c.OutOrStdout(), m, sh.lang, false)
			})
		},
	}
}

func withCatalog(do func(*catalog.Catalog) error) error {
	cat, err := openCatalog("", nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return firstError(do(cat), cat.Close())
}

func printModel(w io.Writer, m catalog.Model, language string, asJSON bool) error {
	if asJSON {
		return writeJSON(w, struct {
			Event string `json:"event"`
			catalog.Model
		}{"model", m})
	}
	speaks := strings.Join(m.Languages, " ")
	if speaks == "" {
		speaks = "languages not stated"
	}
	parts := []string{printable(m.Name), printable(m.Title), m.Precision, fmt.Sprintf("%.0f MB", float64(m.Size)/1e6), speaks}
	if m.Toy {
		parts = append(parts, lang.For(language).Toy(m.Languages))
	}
	if m.Why != "" {
		parts = append(parts, "! "+lang.For(language).Why(string(m.Why), m.WhyArgs...), printable(m.Detail))
	}
	_, err := fmt.Fprintln(w, strings.Join(parts, "  "))
	return err
}

// progressOn reports a download on one line of a terminal, and not at all
// elsewhere.
func progressOn(w io.Writer) catalog.Progress {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	var last time.Time
	return func(done, total int64) {
		if time.Since(last) < 100*time.Millisecond && done != total {
			return
		}
		last = time.Now()
		if total > 0 {
			fmt.Fprintf(w, "\r%5.1f%%  %d of %d MB ", 100*float64(done)/float64(total), done/1e6, total/1e6)
		} else {
			fmt.Fprintf(w, "\r%d MB ", done/1e6)
		}
		if done == total {
			fmt.Fprintln(w)
		}
	}
}
