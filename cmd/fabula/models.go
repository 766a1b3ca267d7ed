package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/engine/catalog"
	"fabula/engine/gguf/memory"
	"fabula/tui/text/lang"
)

func newModels(sh *shell) *cobra.Command {
	c := &cobra.Command{
		Use:   "models",
		Short: "List, fetch and add model files (GGUF)",
		Example: `  fabula models
  fabula models list --recommended --speak zh
  fabula models pull Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M
  fabula models pull https://example.org/qwen2.5-3b-instruct-q4_k_m.gguf --sha256 6f1a…
  fabula models add ~/Downloads/model.gguf`,
	}
	list := newModelsList(sh)
	c.RunE = list.RunE
	c.AddCommand(list, newModelsPull(sh), newModelsAdd(sh))
	return c
}

func newModelsList(sh *shell) *cobra.Command {
	var asJSON, advise bool
	var speak string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the models in the data folder, or those worth fetching",
		Example: `  fabula models list --json
  fabula models list --recommended --speak zh`,
		Args: atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			return withCatalog(func(cat *catalog.Catalog) error {
				if f := c.Flag("lang"); speak == "" && f != nil && f.Changed {
					speak = sh.lang
				}
				if advise {
					return listRecommended(c.OutOrStdout(), cat, speak, asJSON)
				}
				return listModels(c, cat, sh.lang, speak, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	c.Flags().BoolVar(&advise, "recommended", false, "list models worth fetching, and which fit this machine")
	c.Flags().StringVar(&speak, "speak", "", "only models that speak this language, such as zh (--lang does it too)")
	return c
}

func listModels(c *cobra.Command, cat *catalog.Catalog, language, speak string, asJSON bool) error {
	models, err := cat.List()
	if err != nil {
		return err
	}
	if len(models) == 0 {
		printSaid(c.ErrOrStderr(), language, "no models in %s; 'make model' fetches the toy one, 'fabula models list --recommended' names real ones", modelsDir())
	}
	for _, m := range models {
		if !m.Speaks(speak) {
			continue
		}
		if err := printModel(c.OutOrStdout(), m, language, asJSON); err != nil {
			return err
		}
	}
	return nil
}

func newModelsPull(sh *shell) *cobra.Command {
	var sum, precision string
	var asJSON bool
	c := &cobra.Command{
		Use:   "pull ID|URL",
		Short: "Fetch a GGUF model and check its SHA-256; a fetch that broke off goes on where it was",
		Long: `Fetch a GGUF model into the data folder, by its id on the hub of models
(owner/repo[@revision][:file or precision]; without one Q4_K_M) or by an https address.

The hub tells size and SHA-256, which the file is checked against; for an address
give --sha256. A broken connection is taken up again, and after Ctrl+C the same
command goes on with what is there. HF_ENDPOINT names another hub, HF_TOKEN opens
models behind a licence.` + exitStatus,
		Example: `  fabula models pull Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M
  fabula models pull bartowski/Llama-3.2-3B-Instruct-GGUF:Llama-3.2-3B-Instruct-Q5_K_M.gguf
  fabula models pull https://example.org/model.gguf --sha256 6f1a…`,
		Args: exactly("ID|URL"),
		RunE: func(c *cobra.Command, args []string) error {
			from, err := inPrecision(args[0], precision)
			if err != nil {
				return err
			}
			return withCatalog(func(cat *catalog.Catalog) error {
				m, err := cat.Pull(c.Context(), from, sum, progressOn(c.ErrOrStderr()))
				if errors.Is(err, context.Canceled) {
					fmt.Fprintf(c.ErrOrStderr(), "\n%s\n", printable(err.Error())) // how much is kept
				}
				if err != nil {
					return err
				}
				if sum == "" && strings.Contains(args[0], "://") {
					printSaid(c.ErrOrStderr(), sh.lang, "no --sha256 was given; compare this one with the publisher's: %s", m.SHA256)
				}
				return printModel(c.OutOrStdout(), m, sh.lang, asJSON)
			})
		},
	}
	c.Flags().StringVar(&sum, "sha256", "", "the hash the file must have")
	c.Flags().StringVar(&precision, "precision", "", "with an ID: which file of it, such as int8 (Q8_0), q4_k (Q4_K_M), q8_0 or fp16")
	c.Flags().BoolVar(&asJSON, "json", false, "print the model as a JSON object")
	return c
}

// inPrecision names the file of a precision behind the id of a model.
func inPrecision(id, precision string) (string, error) {
	switch {
	case precision == "":
		return id, nil
	case strings.Contains(id, ":"):
		return "", usage("--precision %s: %s names its file already", precision, id)
	}
	return id + ":" + precision, nil
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
	parts := []string{printable(m.Name), printable(m.Title), printable(m.Version), m.Precision, fmt.Sprintf("%.0f MB", float64(m.Size)/1e6), speaks}
	if m.Toy {
		parts = append(parts, lang.For(language).Toy(m.Languages))
	}
	parts = append(parts, printable(m.Licence), provenance(m), needs(m.Needs), printable(m.Note))
	if m.Why != "" {
		parts = append(parts, "! "+lang.For(language).Why(string(m.Why), m.WhyArgs...), printable(m.Detail))
	}
	_, err := fmt.Fprintln(w, strings.Join(nonempty(parts), "  "))
	return err
}

// provenance is the start of a model's hash, and where it was fetched.
func provenance(m catalog.Model) string {
	var parts []string
	if len(m.SHA256) >= 12 {
		parts = append(parts, "sha256 "+m.SHA256[:12])
	}
	if m.Origin != "" {
		parts = append(parts, "from "+printable(m.Origin))
	}
	return strings.Join(parts, " ")
}

func needs(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return "needs " + memory.Size(bytes)
}

func nonempty(list []string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
