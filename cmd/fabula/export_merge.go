package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"fabula/story/export"
	"fabula/story/export/plottree"
)

// merged is our plot tree with those of other writers. Conflicts are listed,
// and then nothing is written.
func (f *exportFlags) merged(c *cobra.Command, language string, in export.Input, ids *export.Ledger) ([]export.File, error) {
	doc, err := plottree.Build(in)
	if err != nil {
		return nil, err
	}
	found := false
	for _, name := range f.merge {
		theirs, err := loadPlotTree(name)
		if err != nil {
			return nil, err
		}
		merged, conflicts, renumbered, err := plottree.Merge(doc, theirs, ids)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, x := range conflicts {
			printSaid(c.ErrOrStderr(), language, "%s: %s %s differs from ours: settle it in the world's files, then export both again", name, x.Kind, x.ID)
			found = true
		}
		for _, x := range renumbered {
			printSaid(c.ErrOrStderr(), language, "%s: its line %s is called %s here from now on: %s was given to another", name, x.Old, x.New, x.Old)
		}
		doc = merged
	}
	if found {
		return nil, errReported
	}
	data, err := plottree.Encode(doc)
	return []export.File{{Name: "plottree.json", Data: data}}, err
}

func loadPlotTree(name string) (*plottree.Document, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	doc, err := plottree.Load(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return doc, nil
}
