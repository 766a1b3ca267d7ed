package tensorrt

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"fabula/engine"
	"fabula/engine/chat"
	"fabula/engine/gguf"
	"fabula/engine/gguf/ranges"
)

// mostTokens bounds what is measured, in tokens: about a minute on a processor.
const mostTokens = 24 << 10

// Calibration is a set of prompts with replies over which activations are measured.
type Calibration struct {
	ID      string // of its draw in the manifest, else a hash of its samples
	samples []calibrated
}

// calibrated is a line of samples.jsonl; what else stands in it is of no use here.
type calibrated struct {
	Messages []engine.Message `json:"messages"`
	Reply    string           `json:"reply"`
}

// ReadCalibration reads a file of samples, an object with messages and reply a line, or
// samples.jsonl in a folder, and the id that manifest.json beside it gives that file, if
// there is one. Errors wrap engine.ErrIncompatible and name the line.
func ReadCalibration(path string) (*Calibration, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "samples.jsonl")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("calibration: %w: %w", engine.ErrUnavailable, err)
	}
	defer f.Close()
	c := &Calibration{}
	sum := sha256.New()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		sum.Write(lines.Bytes())
		var s calibrated
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("%s:%d: %w: %w", path, n, engine.ErrIncompatible, err)
		}
		if len(s.Messages) == 0 || s.Reply == "" {
			return nil, fmt.Errorf("%s:%d: %w: no messages or no reply", path, n, engine.ErrIncompatible)
		}
		c.samples = append(c.samples, s)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, engine.ErrIncompatible, err)
	}
	if len(c.samples) == 0 {
		return nil, fmt.Errorf("%s: %w: no samples", path, engine.ErrIncompatible)
	}
	if c.ID, err = drawn(path); err != nil {
		return nil, err
	}
	if c.ID == "" {
		c.ID = hex.EncodeToString(sum.Sum(nil))
	}
	return c, nil
}

// drawn gives the id of a file of samples in the manifest beside it, "" if none does.
func drawn(path string) (string, error) {
	var manifest struct {
		Draws []struct {
			ID   string `json:"id"`
			File string `json:"file"`
		} `json:"draws"`
	}
	err := readInto(filepath.Join(filepath.Dir(path), "manifest.json"), &manifest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("calibration: %w: %w", engine.ErrIncompatible, err)
	}
	for _, d := range manifest.Draws {
		if d.File == filepath.Base(path) {
			return d.ID, nil
		}
	}
	return "", nil
}

// Len is the number of samples.
func (c *Calibration) Len() int { return len(c.samples) }

// Ranges lets the CPU engine compute samples of the set, drawn by chance that is always
// the same, up to some tokens, and gives how far the inputs of products reach.
func (c *Calibration) Ranges(ctx context.Context, model string) (map[string][]float32, *Calibrated, error) {
	v, err := gguf.OpenVocabulary(model)
	if err != nil {
		return nil, nil, fmt.Errorf("calibration: %w", err)
	}
	texts, err := c.texts(v)
	if err := errors.Join(err, v.Close()); err != nil {
		return nil, nil, fmt.Errorf("calibration: %w", err)
	}
	found, n, err := ranges.Observe(ctx, model, texts)
	return found, &Calibrated{c.ID, n.Texts, n.Tokens}, err
}

// texts gives prompts and replies as the model reads them.
func (c *Calibration) texts(v *gguf.Vocabulary) ([][]int32, error) {
	f := v.Facts()
	template, err := chat.New(f.Template, f.BOS, f.EOS)
	if err != nil {
		return nil, err
	}
	var texts [][]int32
	left := mostTokens
	for _, i := range rand.New(rand.NewPCG(3, 5)).Perm(len(c.samples)) {
		pieces, err := template.Render(c.samples[i].Messages)
		if err != nil {
			return nil, err
		}
		var ids []int32
		for _, p := range append(pieces, chat.Piece{Text: c.samples[i].Reply}) {
			more, err := v.Tokens(p.Text, p.Control)
			if err != nil {
				return nil, err
			}
			ids = append(ids, more...)
		}
		if len(ids) > left {
			break
		}
		texts, left = append(texts, ids), left-len(ids)
	}
	if texts == nil {
		return nil, fmt.Errorf("%w: the first sample alone has more than %d tokens", engine.ErrIncompatible, mostTokens)
	}
	return texts, nil
}
