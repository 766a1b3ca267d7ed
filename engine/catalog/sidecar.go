package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fabula/engine/safefile"
)

// A model may have a sidecar, its file name with .json behind it. A person
// states there what the file does not; the catalogue keeps the file's hash in
// it. Other keys stay as they are.
//
//	{"languages": ["zh", "en"], "toy": false, "licence": "apache-2.0"}
type sidecar struct {
	Languages []string `json:"languages"`
	Toy       *bool    `json:"toy"`
	Licence   string   `json:"licence"`
	Origin    string   `json:"origin"` // where it was fetched, with the revision
	SHA256    string   `json:"sha256"`
	Size      int64    `json:"size"`     // of the file that was hashed
	Modified  int64    `json:"modified"` // its time, nanoseconds since 1970
}

// maxSidecar bounds a sidecar; a model folder may hold anything.
const maxSidecar = 1 << 20

func sidecarOf(path string) string { return path + ".json" }

func sidecarStamp(path string) stamp {
	info, err := os.Stat(sidecarOf(path))
	if err != nil {
		return stamp{}
	}
	return stampOf(info)
}

// readSidecar reads the sidecar of a model; none is an empty one.
func readSidecar(path string) (sidecar, error) {
	var s sidecar
	data, err := sidecarBytes(path)
	if err != nil || data == nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return sidecar{}, fmt.Errorf("sidecar %s: %w", filepath.Base(sidecarOf(path)), err)
	}
	return s, nil
}

func sidecarBytes(path string) ([]byte, error) {
	f, err := os.Open(sidecarOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("sidecar: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSidecar))
	if err != nil {
		return nil, fmt.Errorf("sidecar: %w", err)
	}
	return data, nil
}

// apply lets the sidecar outrank what was found.
func (s sidecar) apply(m *Model, file stamp) {
	if len(s.Languages) > 0 {
		m.Languages, m.Source = s.Languages, "sidecar"
	}
	if s.Toy != nil {
		m.Toy = *s.Toy
	}
	if s.Licence != "" {
		m.Licence = s.Licence
	}
	if (stamp{s.Size, s.Modified}) == file {
		m.SHA256, m.Origin = s.SHA256, s.Origin
	}
}

// noteHash keeps a file's hash in its sidecar, for as long as the file does not
// change, and other notes about where it came from.
func noteHash(path, sum string, notes map[string]any) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("sidecar: %w", err)
	}
	data, err := sidecarBytes(path)
	if err != nil {
		return err
	}
	keys := map[string]any{}
	if data != nil {
		if err := json.Unmarshal(data, &keys); err != nil {
			return fmt.Errorf("sidecar %s: %w", filepath.Base(sidecarOf(path)), err)
		}
	}
	for key, value := range notes {
		if _, said := keys[key]; !said || key == "origin" {
			keys[key] = value
		}
	}
	at := stampOf(info)
	keys["sha256"], keys["size"], keys["modified"] = sum, at.size, at.modified
	out, err := json.MarshalIndent(keys, "", "  ")
	if err != nil {
		return fmt.Errorf("sidecar: %w", err)
	}
	if err := safefile.Replace(sidecarOf(path), append(out, '\n')); err != nil {
		return fmt.Errorf("sidecar: %w", err)
	}
	return nil
}

// hash computes the SHA-256 of a file, in hexadecimal.
func hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("hash: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("hash %s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
