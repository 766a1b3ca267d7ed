package tensorrt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Gather puts together what measure.sh left in a folder: a report in every NN-*.json, in
// the order of their names, torch.json of the script beside it, what llama-bench said in
// llama.json and our bench in bench.json, the events of turns in turns.jsonl and
// ladder.jsonl, and one note a line in notes.txt. Only a report must be there.
func Gather(dir string) (*Measured, error) {
	m := &Measured{}
	files, err := fs.Glob(os.DirFS(dir), "[0-9][0-9]-*.json")
	if err != nil {
		return nil, fmt.Errorf("gather: %w", err)
	}
	for _, file := range files {
		r := &Report{}
		if err := readInto(filepath.Join(dir, file), r); err != nil {
			return nil, fmt.Errorf("gather: %w", err)
		}
		m.Reports = append(m.Reports, r)
	}
	if m.Reports == nil {
		return nil, fmt.Errorf("gather: no reports in %s", dir)
	}
	torch := &Torch{}
	switch err := readInto(filepath.Join(dir, "torch.json"), torch); {
	case err == nil:
		m.Torch = torch
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("gather: %w", err)
	}
	if err := readInto(filepath.Join(dir, "llama.json"), &m.Llama); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("gather: %w", err)
	}
	if m.Turns, err = turns(filepath.Join(dir, "turns.jsonl")); err != nil {
		return nil, fmt.Errorf("gather: %w", err)
	}
	if m.Ladder, err = turns(filepath.Join(dir, "ladder.jsonl")); err != nil {
		return nil, fmt.Errorf("gather: %w", err)
	}
	if m.Bench, err = os.ReadFile(filepath.Join(dir, "bench.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("gather: %w", err)
	}
	notes, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("gather: %w", err)
	}
	for line := range strings.Lines(string(notes)) {
		if line = strings.TrimSpace(line); line != "" {
			m.Notes = append(m.Notes, line)
		}
	}
	return m, nil
}

func readInto(file string, to any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	return nil
}

// turns keeps the events that end a reply.
func turns(file string) ([]map[string]any, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []map[string]any
	for s := bufio.NewScanner(bytes.NewReader(raw)); s.Scan(); {
		var event map[string]any
		if err := json.Unmarshal(s.Bytes(), &event); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
		if event["event"] == "done" {
			list = append(list, event)
		}
	}
	return list, nil
}
