// Package qa writes what quality assurance reads: every turn of a branch with
// all that is known of it.
//
//	transcript.jsonl  a turn a line
//	transcript.md     for reading
//	junit.xml         a case a turn, for CI
//	report.html       one page that needs no network: tree, findings, latency, coverage
//	manifest.yaml     what it was made of; 'fabula replay --manifest' plays it again
package qa

import (
	"bytes"
	"encoding/json"
	"fmt"

	"fabula/story/export"
	"fabula/story/plot"
)

// Files gives the folder of the selected branches.
func Files(in export.Input) ([]export.File, error) {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	for _, b := range in.Branches {
		before := plot.State{} // nothing was before the opening
		for _, step := range b.Steps {
			if err := enc.Encode(newRecord(in, b, step, before)); err != nil {
				return nil, fmt.Errorf("%s: %w", b.At(step.Turn), err)
			}
			before = step.Alternative.State
		}
	}
	results, err := junitXML(in)
	if err != nil {
		return nil, err
	}
	report, err := reportHTML(in)
	if err != nil {
		return nil, err
	}
	files := []export.File{
		{Name: "transcript.jsonl", Data: lines.Bytes()},
		{Name: "transcript.md", Data: markdown(in)},
		{Name: "junit.xml", Data: results},
		{Name: "report.html", Data: report},
	}
	return append(files, export.File{Name: "manifest.yaml", Data: manifest(in, files)}), nil
}
