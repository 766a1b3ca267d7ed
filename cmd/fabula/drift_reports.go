package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"fabula/engine"
	"fabula/engine/choice"
	"fabula/engine/safefile"
	"fabula/story/lab/drift"
	"fabula/tui/text/lang"
)

// driftDir is where the last drift report of every engine lies, by world.
func driftDir() string { return filepath.Join(xdg.DataHome, "fabula", "drift") }

func driftFile(world, name string) string { return filepath.Join(driftDir(), world, name+".json") }

// keepReport writes the last report of an engine in a world.
func keepReport(r *drift.Report) error {
	file := driftFile(r.World, r.B.Name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("keep report: %w", err)
	}
	var b bytes.Buffer
	if err := writeJSON(&b, r); err != nil {
		return err
	}
	if err := safefile.Replace(file, b.Bytes()); err != nil {
		return fmt.Errorf("keep report: %w", err)
	}
	return nil
}

// lastReports reads the last reports of an engine: of one world, or of all where
// world is empty.
func lastReports(world, name string) ([]*drift.Report, error) {
	var out []*drift.Report
	files, _ := fs.Glob(os.DirFS(driftDir()), "*/*.json") // the pattern is well-formed
	for _, file := range files {
		if in, of := path.Split(file); world != "" && in != world+"/" || !strings.EqualFold(of, name+".json") {
			continue
		}
		file = filepath.Join(driftDir(), file)
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var r drift.Report
		if err == nil {
			err = json.Unmarshal(data, &r)
		}
		if err != nil {
			return nil, fmt.Errorf("drift report %s: %w", file, err)
		}
		out = append(out, &r)
	}
	return out, nil
}

// gateEngines refuses engines whose last drift report is missing, is of other
// weights, or missed a limit, and says why. Engines that own no model have
// nothing that could drift.
func gateEngines(w io.Writer, t *lang.Drift, use, world string) error {
	lines, err := engineLines()
	if err != nil {
		return err
	}
	refused := false
	for _, name := range choice.Names(use) {
		at := slices.IndexFunc(lines, func(l engineLine) bool { return strings.EqualFold(l.Name, name) })
		if at < 0 || lines[at].Kind != engine.GGUF && lines[at].Kind != engine.TensorRT {
			continue
		}
		reports, err := lastReports(world, lines[at].Name)
		if err != nil {
			return err
		}
		for _, why := range whyRefused(t, lines[at], reports) {
			refused = true
			fmt.Fprintf(w, "fabula: %s: %s\n", printable(name), printable(why))
		}
	}
	if !refused {
		return nil
	}
	fmt.Fprintf(w, "    %s\n", t.Override)
	return errReported
}

// whyRefused says why an engine does not pass, nothing if it does.
func whyRefused(t *lang.Drift, l engineLine, reports []*drift.Report) []string {
	if len(reports) == 0 {
		return []string{t.NoReport}
	}
	var out []string
	for _, r := range reports {
		if l.Hash != "" && r.B.Build.BaseHash != "" && l.Hash != r.B.Build.BaseHash {
			out = append(out, fmt.Sprintf(t.OtherWeights, r.World, r.Made.Local().Format("2006-01-02 15:04")))
			continue
		}
		if few, least := r.TooFew(); len(few) > 0 {
			out = append(out, fmt.Sprintf(t.NotEnoughIn, r.World, r.Made.Local().Format("2006-01-02 15:04"), r.A.Name, fewNPCs(few), least))
		}
		for _, g := range r.Gates {
			if !g.Passed {
				out = append(out, fmt.Sprintf(t.MissedIn, r.World, r.Made.Local().Format("2006-01-02 15:04"), r.A.Name,
					t.GateNames[g.Name], figure(g.Name, g.Value), g.Persona, figure(g.Name, g.Limit)))
			}
		}
	}
	return out
}
