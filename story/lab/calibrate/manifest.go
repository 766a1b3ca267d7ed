package calibrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fabula/engine/safefile"
	"fabula/story/lab/sets"
)

// ManifestFile describes the set of a folder.
const ManifestFile = "manifest.json"

// Format names the layout of a folder: manifest.json, samples.jsonl (the first
// draw), samples-2.jsonl …, holdout.jsonl.
const Format = "fabula-calibration/1"

// Manifest says what a set is and where it came from. An engine that was
// calibrated with a draw carries the draw's id.
type Manifest struct {
	Format  string    `json:"format"`
	World   string    `json:"world"`
	Hash    string    `json:"world_hash"`
	Fabula  string    `json:"fabula"` // version of the program that assembled the prompts
	Seed    uint64    `json:"seed"`
	Model   string    `json:"model,omitempty"` // whose tokenizer and template the next two are of
	Tokens  string    `json:"tokenizer,omitempty"`
	Chat    string    `json:"chat_template,omitempty"`
	Sources Counts    `json:"sources"` // samples to choose from
	Left    Counts    `json:"left"`    // out of them, by why
	Draws   []File    `json:"draws"`
	Holdout File      `json:"holdout"`
	Strata  []Stratum `json:"strata"`
}

// Counts are numbers by name.
type Counts map[string]int

// File is one file of samples.
type File struct {
	ID       string `json:"id"` // calibration id: of the samples' hashes
	File     string `json:"file"`
	SHA256   string `json:"sha256"`
	Samples  int    `json:"samples"`
	Seed     uint64 `json:"seed,omitempty"`
	Frequent int    `json:"frequent,omitempty"`
	Diverse  int    `json:"diverse,omitempty"`
	Hard     int    `json:"hard,omitempty"`
	// Lengths of the prompts and of the replies in characters: least, median, most.
	Prompts Lengths `json:"prompt_chars"`
	Replies Lengths `json:"reply_chars"`
}

// ErrExists: the folder holds another set.
var ErrExists = errors.New("a set is there already")

// Write writes a set into a folder, files first, the manifest last, and fills
// the files into m. Another set that is there is replaced only with force.
func (s *Set) Write(dir string, m *Manifest, force bool) error {
	old, err := Read(dir)
	if !force && (err == nil && old.Draws[0].ID != id(s.Draws[0].Samples) || err != nil && !errors.Is(err, fs.ErrNotExist)) {
		return fmt.Errorf("calibrate: %s: %w", dir, ErrExists)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	m.Format, m.Strata, m.Left, m.Draws = Format, s.Strata, s.Left, nil
	for i, d := range s.Draws {
		name := sets.SamplesFile
		if i > 0 {
			name = strings.TrimSuffix(name, ".jsonl") + fmt.Sprintf("-%d.jsonl", i+1)
		}
		f, err := file(dir, name, d.Samples)
		if err != nil {
			return err
		}
		f.Seed, f.Frequent, f.Diverse, f.Hard = d.Seed, d.Frequent, d.Diverse, d.Hard
		m.Draws = append(m.Draws, f)
	}
	if m.Holdout, err = file(dir, sets.HoldoutFile, s.Holdout); err != nil {
		return err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	return replace(filepath.Join(dir, ManifestFile), append(data, '\n'))
}

// Read reads the manifest of a folder.
func Read(dir string) (*Manifest, error) {
	data, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		return nil, fmt.Errorf("calibration set: %w", err)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("calibration set: %s: %w", filepath.Join(dir, ManifestFile), err)
	}
	if m.Format != Format || len(m.Draws) == 0 {
		return nil, fmt.Errorf("calibration set: %s: format %q, not %s", dir, m.Format, Format)
	}
	return &m, nil
}

// file writes samples and describes what was written.
func file(dir, name string, samples []sets.Sample) (File, error) {
	var b bytes.Buffer
	if err := sets.Write(&b, samples); err != nil {
		return File{}, err
	}
	f := File{ID: id(samples), File: name, Samples: len(samples)}
	sum := sha256.Sum256(b.Bytes())
	f.SHA256 = hex.EncodeToString(sum[:])
	var prompts, replies []int
	for _, s := range samples {
		p, r := s.Chars()
		prompts, replies = append(prompts, p), append(replies, r)
	}
	f.Prompts, f.Replies = lengths(prompts), lengths(replies)
	return f, replace(filepath.Join(dir, name), b.Bytes())
}

// id is short enough for the name of an engine.
func id(samples []sets.Sample) string {
	h := sha256.New()
	for _, s := range samples {
		h.Write([]byte(s.Hash()))
	}
	return "cal-" + hex.EncodeToString(h.Sum(nil))[:12]
}

func replace(path string, data []byte) error {
	if err := safefile.Replace(path, data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
