// Package qa writes what quality assurance reads: every turn of a branch with
// all that is known of it, as JSON lines and as Markdown.
package qa

import (
	"bytes"
	"encoding/json"
	"fmt"

	"fabula/story/export"
	"fabula/story/plot"
)

// Files gives transcript.jsonl and transcript.md of the selected branches.
func Files(in export.Input) ([]export.File, error) {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	for _, b := range in.Branches {
		before := plot.State{} // nothing was before the opening
		for _, step := range b.Steps {
			if err := enc.Encode(newRecord(in, b, step, before)); err != nil {
				return nil, fmt.Errorf("branch %s turn %s: %w", b.Name, step.Turn.ID, err)
			}
			before = step.Alternative.State
		}
	}
	return []export.File{
		{Name: "transcript.jsonl", Data: lines.Bytes()},
		{Name: "transcript.md", Data: markdown(in)},
	}, nil
}
