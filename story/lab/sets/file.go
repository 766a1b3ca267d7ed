package sets

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fabula/engine"
)

// Names of the files of a set.
const (
	SamplesFile = "samples.jsonl" // a sample a line
	HoldoutFile = "holdout.jsonl" // the same, disjoint from samples
)

// ErrSample marks a line that is no sample.
var ErrSample = errors.New("not a sample")

// longestLine bounds a line of a file in bytes.
const longestLine = 16 << 20

// Write writes samples as JSON lines.
func Write(w io.Writer, samples []Sample) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, s := range samples {
		if err := enc.Encode(s); err != nil {
			return fmt.Errorf("write samples: %w", err)
		}
	}
	return nil
}

// Read reads samples, a JSON object a line; name is used in errors. Each needs
// an id, a persona, messages and a reply, and no id comes twice. Errors wrap
// ErrSample and name the line.
func Read(r io.Reader, name string) ([]Sample, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	var out []Sample
	seen := map[string]int{}
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var s Sample
		err := json.Unmarshal(lines.Bytes(), &s)
		if err == nil {
			err = s.check()
		}
		if first := seen[s.ID]; err == nil && first > 0 {
			err = fmt.Errorf("its id %q is that of line %d", s.ID, first)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w: %w", name, n, ErrSample, err)
		}
		seen[s.ID] = n
		out = append(out, s)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

func (s Sample) check() error {
	switch {
	case s.ID == "":
		return errors.New("no id")
	case s.Persona == "":
		return errors.New("no persona")
	case len(s.Messages) == 0:
		return errors.New("no messages")
	case s.Reply == "":
		return errors.New("no reply")
	}
	for i, m := range s.Messages {
		if m.Role != engine.System && m.Role != engine.User && m.Role != engine.Assistant {
			return fmt.Errorf("message %d has the role %q", i+1, m.Role)
		}
	}
	return nil
}

// Holdout reads the hold-out of a set: a folder that `calibrate` wrote, or a
// file of samples.
func Holdout(path string) ([]Sample, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, HoldoutFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("hold-out: %w", err)
	}
	defer f.Close()
	return Read(f, path)
}
