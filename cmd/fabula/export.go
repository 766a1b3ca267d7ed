package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/card"
	"fabula/story/export/csv"
	"fabula/story/export/ink"
	"fabula/story/export/jsonl"
	"fabula/story/export/picture"
	"fabula/story/export/plottree"
	"fabula/story/export/qa"
	"fabula/story/export/sillytavern"
	"fabula/story/export/table"
	"fabula/story/export/twee"
	"fabula/story/export/xliff"
	"fabula/story/export/yarn"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// exportNeed says how much of a world a format reads; each holds the ones before.
type exportNeed int

const (
	needsWorld    exportNeed = iota // authored files alone
	needsBranches                   // and the selected branches
)

// exportFormat is one row of `export --format`.
type exportFormat struct {
	name, what string
	writes     []string // its main files
	needs      exportNeed
	files      func(export.Input) ([]export.File, error)
	omits      func(b export.Branch, named bool) bool // branches that are left out; nil = none
}

// exportFormats are the formats that export writes, in the order in which help lists them.
var exportFormats = []exportFormat{
	{"plottree", "the shipping plot tree (see 'schema plottree')", []string{"plottree.json"}, needsBranches, plottree.Files, nil},
	{"ink", "the plot and the recorded branches for ink", []string{"story.ink", "played.json"}, needsBranches, ink.Files, nil},
	{"yarn", "the same for Yarn Spinner, with a test plan", []string{"story.yarn", "story.testplan"}, needsBranches, yarn.Files, nil},
	{"twee", "the same for Twine (Twee 3, SugarCube)", []string{"story.twee"}, needsBranches, twee.Files, nil},
	{"dot", "a picture of the plot for Graphviz", []string{"plot.dot"}, needsBranches, picture.Dot, nil},
	{"mermaid", "a picture of the plot for Mermaid", []string{"plot.mmd"}, needsBranches, picture.Mermaid, nil},
	{"qa", "every turn with all that is known of it; report.html needs nothing but a browser",
		[]string{"transcript.jsonl", "transcript.md", "junit.xml", "report.html", "manifest.yaml"}, needsBranches, qa.Files, nil},
	{"csv", "texts for translators, lines for actors, by RFC 4180", []string{"strings.LANG.csv", "voice.LANG.csv"}, needsBranches, csv.Files, table.Omits},
	{"csv-excel", "the same for spreadsheets; no cell is taken for a formula", []string{"excel/"}, needsBranches, csv.Excel, table.Omits},
	{"xliff", "texts for translation tools, a file for each pair of languages", []string{"xliff12/", "xliff20/"}, needsBranches, xliff.Files, table.Omits},
	{"jsonl", "training data, and starred or edited replies against the rest", []string{"jsonl/openai", "sharegpt", "preference.jsonl"}, needsBranches, jsonl.Files, jsonl.Omits},
	{"card", "character cards of the personas, V2 and V3", []string{"card/ID.LANG.png", ".v2.json", ".v3.json"}, needsWorld, card.Files, nil},
	{"sillytavern", "chats whose swipes are the alternatives", []string{"sillytavern/BRANCH.jsonl"}, needsBranches, sillytavern.Files, nil},
}

// exportFlags are what a person asks of an export.
type exportFlags struct {
	formats, branches []string
	dir               string
	all, approved     bool
	redact            bool
	merge             []string // plot trees of other writers
}

func newExport(sh *shell) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:     "export WORLD --format F[,F] --out DIR [--branch B…|--all]",
		Short:   "Write the plot tree and the transcripts for other tools",
		Long:    "Write files for other tools. Formats:\n\n" + formatTable{}.in("en"),
		Example: "  fabula export fox_lantern --format plottree,qa --out build --branch hall-1",
		Args:    exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			formats, err := f.check()
			if err != nil {
				return err
			}
			if err := guard("--out", f.dir); err != nil {
				return err
			}
			in, ids, err := f.collect(args[0], formats)
			if err != nil {
				return err
			}
			told := map[string]bool{} // some formats share a file
			for _, x := range formats {
				if x.name == "plottree" && len(f.merge) > 0 {
					x.files = func(in export.Input) ([]export.File, error) { return f.merged(c, sh.lang, in, ids) }
				}
				files, err := f.render(x, in)
				if err != nil {
					return fmt.Errorf("export %s: %w", x.name, err)
				}
				if err := ids.Save(); err != nil { // no file has an id that could be given again
					return err
				}
				if err := export.Write(f.dir, files); err != nil {
					return err
				}
				for _, file := range files {
					if told[file.Name] {
						continue
					}
					told[file.Name] = true
					printSaid(c.OutOrStdout(), sh.lang, "%s/%s  %d bytes", strings.TrimRight(f.dir, "/"), file.Name, len(file.Data))
				}
			}
			return nil
		},
	}
	c.Flags().StringSliceVar(&f.formats, "format", nil, "formats, comma separated")
	c.Flags().StringVar(&f.dir, "out", "", "folder to write to; files there are replaced")
	c.Flags().StringArrayVar(&f.branches, "branch", nil, "only these branches (repeatable)")
	c.Flags().BoolVar(&f.redact, "redact", redacts(), "mask the texts of the personas' secrets; FABULA_REDACT=1 does it always")
	c.Flags().BoolVar(&f.all, "all", false, "all branches (the default)")
	c.Flags().StringArrayVar(&f.merge, "merge", nil, "plottree.json of another writer, to be added to ours (repeatable); 3 where both changed the same thing")
	c.Flags().BoolVar(&f.approved, "approved-only", false, "only approved lines, no recorded ones")
	return c
}

// render makes the files of a format, without secrets where that is asked for. The
// report for QA has nothing of the world's own, and hashes of its files.
func (f *exportFlags) render(x exportFormat, in export.Input) ([]export.File, error) {
	if !f.redact {
		return x.files(in)
	}
	r := export.NewRedactor(in.Script)
	files, err := x.files(r.Input(in))
	if err != nil {
		return nil, err
	}
	if x.name != "qa" {
		files = r.Files(files)
	}
	return files, r.Check(files)
}

// check refuses words that would write nothing or the wrong thing, and gives
// the rows that were asked for, each once.
func (f *exportFlags) check() ([]exportFormat, error) {
	if len(f.formats) == 0 || f.dir == "" {
		return nil, usage("export needs --format and --out; formats:\n%s", formatTable{})
	}
	for _, name := range f.formats {
		if !slices.ContainsFunc(exportFormats, func(x exportFormat) bool { return x.name == name }) {
			return nil, usage("--format %s: no such format; formats:\n%s", name, formatTable{})
		}
	}
	if f.all && len(f.branches) > 0 {
		return nil, usage("--all and --branch exclude each other")
	}
	if len(f.merge) > 0 && !slices.Contains(f.formats, "plottree") {
		return nil, usage("--merge adds to a plot tree: --format plottree")
	}
	var asked []exportFormat
	for _, x := range exportFormats {
		if slices.Contains(f.formats, x.name) {
			asked = append(asked, x)
		}
	}
	return asked, nil
}

// collect reads as much of a world as the formats need, and the ids of lines
// that were given before.
func (f *exportFlags) collect(ref string, formats []exportFormat) (export.Input, *export.Ledger, error) {
	need := needsWorld
	for _, x := range formats {
		need = max(need, x.needs)
	}
	if need == needsWorld && len(f.branches) == 0 {
		w, err := worlds.Open(ref)
		if err != nil {
			return export.Input{}, nil, err
		}
		return export.Input{Script: w.Script, ApprovedOnly: f.approved, Cards: cardsOf(w)}, export.NewLedger(), nil
	}
	w, r, closer, err := openReader(ref)
	if err != nil {
		return export.Input{}, nil, err
	}
	defer closer.Close()
	ids, err := export.OpenLedger(w.StateDir())
	if err != nil {
		return export.Input{}, nil, err
	}
	in, err := f.read(r, w, ids)
	return in, ids, err
}

// read collects the selected branches of a world.
func (f *exportFlags) read(r story.Reader, w *worlds.World, ids *export.Ledger) (export.Input, error) {
	for _, b := range f.branches {
		if _, err := findBranch(r, b); err != nil {
			return export.Input{}, err
		}
	}
	in, err := export.CollectNumbered(r, w.Script, f.branches, ids)
	in.ApprovedOnly, in.Cards = f.approved, cardsOf(w)
	in.Word = func(code, finding string, args []string) string { return lang.For(code).Finding(finding, args) }
	return in, err
}

// cardsOf gives what personas were imported from.
func cardsOf(w *worlds.World) map[string]export.Card {
	out := map[string]export.Card{}
	for id, c := range w.Cards() {
		out[id] = export.Card(c)
	}
	return out
}

// formatTable lists the formats, one a line.
type formatTable struct{}

func (formatTable) in(language string) string {
	var b strings.Builder
	for _, f := range exportFormats {
		fmt.Fprintf(&b, "  %-11s %s: %s\n", f.name, strings.Join(f.writes, ", "), lang.Said(f.what, language))
	}
	return b.String()
}
