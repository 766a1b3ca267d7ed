package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/story/export"
	"fabula/story/export/plottree"
	"fabula/story/export/qa"
)

// exportFormat is one row of `export --format`.
type exportFormat struct {
	name, what string
	files      func(export.Input) ([]export.File, error)
}

// exportFormats are the formats that export writes.
var exportFormats = []exportFormat{
	{"plottree", "plottree.json, the shipping plot tree (see 'schema plottree')", plottree.Files},
	{"qa", "transcript.jsonl and transcript.md", qa.Files},
}

func newExport(*shell) *cobra.Command {
	var formats, branches []string
	var dir string
	var all, approved bool
	c := &cobra.Command{
		Use:     "export WORLD --format F[,F] --out DIR [--branch B…|--all]",
		Short:   "Write the plot tree and the transcripts for other tools",
		Long:    "Write files for other tools. Formats:\n\n" + formatList(),
		Example: "  fabula export fox_lantern --format plottree,qa --out build --branch hall-1",
		Args:    exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkExport(formats, branches, dir, all); err != nil {
				return err
			}
			w, r, closer, err := openReader(args[0])
			if err != nil {
				return err
			}
			defer closer.Close()
			for _, b := range branches {
				if _, err := findBranch(r, b); err != nil {
					return err
				}
			}
			in, err := export.Collect(r, w.Script, branches)
			if err != nil {
				return err
			}
			in.ApprovedOnly = approved
			for _, f := range exportFormats {
				if !slices.Contains(formats, f.name) {
					continue
				}
				files, err := f.files(in)
				if err != nil {
					return err
				}
				if err := export.Write(dir, files); err != nil {
					return err
				}
				for _, file := range files {
					fmt.Fprintf(c.OutOrStdout(), "%s/%s  %d bytes\n", strings.TrimRight(dir, "/"), file.Name, len(file.Data))
				}
			}
			return nil
		},
	}
	c.Flags().StringSliceVar(&formats, "format", nil, "formats, comma separated")
	c.Flags().StringVar(&dir, "out", "", "folder to write to; files there are replaced")
	c.Flags().StringArrayVar(&branches, "branch", nil, "only these branches (repeatable)")
	c.Flags().BoolVar(&all, "all", false, "all branches (the default)")
	c.Flags().BoolVar(&approved, "approved-only", false, "only approved lines, no recorded ones")
	return c
}

// checkExport refuses words that would write nothing or the wrong thing.
func checkExport(formats, branches []string, dir string, all bool) error {
	if len(formats) == 0 || dir == "" {
		return usage("export needs --format and --out; formats:\n%s", formatList())
	}
	for _, f := range formats {
		if !slices.ContainsFunc(exportFormats, func(x exportFormat) bool { return x.name == f }) {
			return usage("--format %s: no such format; formats:\n%s", f, formatList())
		}
	}
	if all && len(branches) > 0 {
		return usage("--all and --branch exclude each other")
	}
	return nil
}

func formatList() string {
	var b strings.Builder
	for _, f := range exportFormats {
		fmt.Fprintf(&b, "  %-9s %s\n", f.name, f.what)
	}
	return b.String()
}
