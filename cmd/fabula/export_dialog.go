package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fabula/story"
	"fabula/story/export"
	"fabula/tui/screen"
	"fabula/worlds"
)

// redacts reports whether the environment asks for secrets to be masked always.
func redacts() bool { return os.Getenv("FABULA_REDACT") != "" }

// exporter gives the workbench what `fabula export` does.
func exporter(ref string) screen.Exporter {
	e := screen.Exporter{Folder: filepath.Join("out", filepath.Base(ref)), Redact: redacts()}
	for _, x := range exportFormats {
		e.Formats = append(e.Formats, x.name)
	}
	e.Render = func(r story.Reader, ask screen.ExportAsk) (screen.Exported, error) { return renderExport(ref, r, ask) }
	return e
}

// renderExport makes the files of one format, as `fabula export` would.
func renderExport(ref string, r story.Reader, ask screen.ExportAsk) (screen.Exported, error) {
	at := slices.IndexFunc(exportFormats, func(x exportFormat) bool { return x.name == ask.Format })
	if at < 0 {
		return screen.Exported{}, fmt.Errorf("no format %q", ask.Format)
	}
	w, err := worlds.Open(ref)
	if err != nil {
		return screen.Exported{}, err
	}
	ids, err := export.OpenLedger(w.StateDir())
	if err != nil {
		return screen.Exported{}, err
	}
	f := exportFlags{branches: ask.Branches, approved: ask.Approved, redact: ask.Redact}
	in, err := f.read(r, w, ids)
	if err != nil {
		return screen.Exported{}, err
	}
	files, err := f.render(exportFormats[at], in)
	return screen.Exported{Files: files, Warnings: exportWarnings(exportFormats[at], in, files), Keep: ids.Save}, err
}

// exportWarnings says what a person should know before the files leave the house.
func exportWarnings(x exportFormat, in export.Input, files []export.File) []screen.ExportWarning {
	var all []screen.ExportWarning
	add := func(code string, names []string) {
		if len(names) > 0 {
			all = append(all, screen.ExportWarning{Code: code, Arg: strings.Join(names, ", ")})
		}
	}
	add(screen.WarnSecrets, export.NewRedactor(in.Script).Found(files))
	var robots, left []string
	for _, b := range in.Branches {
		if x.omits != nil && x.omits(b, in.Named) {
			left = append(left, b.Name)
		} else if slices.Contains(b.Tags, story.SimulatedTag) {
			robots = append(robots, b.Name)
		}
	}
	add(screen.WarnSimulated, robots)
	add(screen.WarnLeftOut, left)
	if len(in.Branches) == 0 {
		add(screen.WarnEmpty, []string{in.Script.ID})
	}
	return all
}
