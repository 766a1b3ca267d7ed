package tensorrt

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
	"strings"
	"time"

	"fabula/engine"
	"fabula/engine/safefile"
	"fabula/engine/tensorrt/bridge"
	"fabula/engine/tensorrt/graph"
)

// Plans lists the built engines of a folder, by name; none where there is no folder.
// The folder's own name is no pattern, as it would be to filepath.Glob.
func Plans(dir string) []string {
	plans, _ := fs.Glob(os.DirFS(dir), "*.engine") // the pattern is well-formed
	for i, name := range plans {
		plans[i] = filepath.Join(dir, name)
	}
	return plans
}

// layout numbers what this package builds and expects; a manifest of another
// number is of another program.
const layout = 2

// Manifest says what a plan is: enough to know without reading it whether this
// machine may load it.
type Manifest struct {
	Layout    int       `json:"layout"`
	Model     string    `json:"model"` // in its author's words
	BaseHash  string    `json:"base_hash"`
	Family    string    `json:"family"`
	GraphHash string    `json:"graph_hash"`
	Precision string    `json:"precision"`         // FP16, BF16; of quantised products INT8 and the scheme
	Compute   string    `json:"compute,omitempty"` // FP16 or BF16, of what is not quantised; "" = Precision
	Int8      *Int8     `json:"int8,omitempty"`
	Attention Attention `json:"attention"`

	Sizes    Sizes           `json:"sizes"`
	Context  int             `json:"context"`
	Chunk    int             `json:"chunk"`
	Batch    int             `json:"batch"`
	Profiles []graph.Profile `json:"profiles"`

	Library bridge.Version `json:"library"` // that made it
	Card    bridge.Card    `json:"card"`    // that it was made for; empty without one
	Built   time.Time      `json:"built"`
	Seconds float64        `json:"seconds"` // that the build took
	Level   int            `json:"level"`
	Peak    int64          `json:"peak_bytes,omitempty"` // of memory that the build took at most, without files that are mapped

	Plan     File      `json:"plan"`
	Few      *File     `json:"few,omitempty"` // plan of steps of a few tokens, if there is one
	SelfTest *SelfTest `json:"self_test,omitempty"`
}

// Sizes of the model that running it needs.
type Sizes struct {
	Layers   int `json:"layers"`
	KeyHeads int `json:"key_heads"`
	Head     int `json:"head"`
	Vocab    int `json:"vocab"`
}

// File identifies the bytes of a plan.
type File struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Head   string `json:"head"` // its first bytes in hexadecimal, which tell a foreign file at once
}

// otherFlavour is what to do where engines can be built but not run.
const otherFlavour = "build this program with headers of TensorRT 10 or 11, which serve GeForce cards too: see 'Use your NVIDIA card' in the README"

// Runs says whether this version can run such a plan; the error, which wraps
// engine.ErrUnavailable, says why not and what to do.
func (m *Manifest) Runs() error {
	switch {
	case m.Attention == Own:
		return nil
	case m.Library.RTX:
		return fmt.Errorf("%w: engines of %s are built but not run by this version: %s", engine.ErrUnavailable, m.Library, otherFlavour)
	}
	return fmt.Errorf("%w: engines of heads of %d elements are built but not run by this version: the CPU engine serves this model", engine.ErrUnavailable, m.Sizes.Head)
}

// headBytes is how many bytes File.Head holds.
const headBytes = 16

// Name is the name that a plan of this manifest has: model, layout, library and
// precision, such as smollm2-135m-instruct-r2-trt10.6-fp16.engine; a quantised one
// names its scheme, its calibration set and what else it was made by.
func (m *Manifest) Name() string {
	precision := strings.ToLower(m.Precision)
	if m.Int8 != nil {
		precision = m.Int8.name()
	}
	return fmt.Sprintf("%s-r%d-%s-%s.engine", slug(m.Model), m.Layout, m.Library.Short(), precision)
}

// bf16 says which type what is not quantised has.
func (m *Manifest) bf16() bool { return m.Precision == "BF16" || m.Compute == "BF16" }

// slug keeps letters, digits and dots, and one dash for the rest.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if s := strings.Trim(b.String(), "-."); s != "" {
		return s
	}
	return "model"
}

// manifestOf is where the manifest of a plan lies.
func manifestOf(plan string) string { return plan + ".json" }

// ReadManifest reads the manifest of a plan. Errors wrap engine.ErrIncompatible.
func ReadManifest(plan string) (*Manifest, error) {
	raw, err := os.ReadFile(manifestOf(plan))
	if err != nil {
		return nil, fmt.Errorf("plan %s: %w: no manifest: %w", filepath.Base(plan), engine.ErrIncompatible, err)
	}
	var m Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("plan %s: %w: its manifest: %w", filepath.Base(plan), engine.ErrIncompatible, err)
	}
	if m.Layout != layout {
		return nil, fmt.Errorf("plan %s: %w: it has layout %d, this program makes and reads %d: build it again", filepath.Base(plan), engine.ErrIncompatible, m.Layout, layout)
	}
	return &m, nil
}

// write puts the manifest beside its plan, whole or not at all.
func (m *Manifest) write(plan string) error {
	raw, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	if err := safefile.Replace(manifestOf(plan), append(raw, '\n')); err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	return nil
}

// Fits holds the manifest against a library and a card. A plan is made for one
// version and one kind of card, and TensorRT is not to be asked about others. The
// error wraps engine.ErrIncompatible and names both sides of every difference.
func (m *Manifest) Fits(library bridge.Version, card bridge.Card) error {
	var faults []error
	differs := func(what string, have, want any) {
		if have != want {
			faults = append(faults, fmt.Errorf("it was built for %s %v, this is %v", what, want, have))
		}
	}
	differs("the library", library, m.Library)
	differs("the card", card.Name, m.Card.Name)
	differs("compute capability", fmt.Sprintf("%d.%d", card.Major, card.Minor), fmt.Sprintf("%d.%d", m.Card.Major, m.Card.Minor))
	differs("processors", card.Processors, m.Card.Processors)
	differs("CUDA", card.Driver/1000, m.Card.Driver/1000)
	if faults == nil {
		return nil
	}
	return fmt.Errorf("%w: %w; build it again", engine.ErrIncompatible, errors.Join(faults...))
}

// identify reads a plan and says what its manifest must say of it.
func identify(plan string) (File, error) {
	f, err := os.Open(plan)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return File{}, err
	}
	sum := sha256.New()
	sum.Write(head[:n])
	rest, err := io.Copy(sum, f)
	if err != nil {
		return File{}, err
	}
	return File{int64(n) + rest, hex.EncodeToString(sum.Sum(nil)), hex.EncodeToString(head[:n])}, nil
}

// fewOf is where the plan of steps of a few tokens lies.
func fewOf(plan string) string { return plan + ".few" }

// Intact holds the bytes of the plan's files against the manifest: length and
// beginning first, then all of it. The error wraps engine.ErrIncompatible.
func (m *Manifest) Intact(plan string) error {
	if err := m.Plan.intact(plan); err != nil || m.Few == nil {
		return err
	}
	return m.Few.intact(fewOf(plan))
}

func (f File) intact(plan string) error {
	name := filepath.Base(plan)
	info, err := os.Stat(plan)
	switch {
	case err != nil:
		return fmt.Errorf("plan %s: %w: %w", name, engine.ErrIncompatible, err)
	case info.Size() < f.Bytes:
		return fmt.Errorf("plan %s: %w: truncated: %d of %d bytes", name, engine.ErrIncompatible, info.Size(), f.Bytes)
	case info.Size() > f.Bytes:
		return fmt.Errorf("plan %s: %w: %d bytes, not the %d of its manifest: another file", name, engine.ErrIncompatible, info.Size(), f.Bytes)
	}
	have, err := identify(plan)
	switch {
	case err != nil:
		return fmt.Errorf("plan %s: %w: %w", name, engine.ErrIncompatible, err)
	case have.Head != f.Head:
		return fmt.Errorf("plan %s: %w: another file than its manifest tells of", name, engine.ErrIncompatible)
	case have != f:
		return fmt.Errorf("plan %s: %w: its bytes were changed", name, engine.ErrIncompatible)
	}
	return nil
}

// Quarantine puts a plan that must not be loaded out of the way, under the name
// with .bad, and returns that.
func Quarantine(plan string) (string, error) {
	bad := plan + ".bad"
	if err := os.Rename(plan, bad); err != nil {
		return "", fmt.Errorf("plan %s: %w", filepath.Base(plan), err)
	}
	return bad, nil
}
