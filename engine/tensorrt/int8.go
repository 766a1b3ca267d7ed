package tensorrt

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/engine/tensorrt/graph"
)

// Alpha is how much of the spread of activations moves into weights where nobody says.
const Alpha = 0.5

// Int8 says which products of an engine take eight bits.
type Int8 struct {
	Scheme graph.Scheme `json:"scheme"`
	Skip   []int        `json:"skip,omitempty"` // layers that stay as they are
	Head   bool         `json:"head_apart,omitempty"`
	Tokens bool         `json:"by_token,omitempty"` // a scale for each token, found as it comes
	Alpha  float64      `json:"alpha"`
	// Calibration is the set that activations were measured over, nil = none.
	Calibration *Calibrated `json:"calibration,omitempty"`
}

// Calibrated names a calibration set and what was taken of it.
type Calibrated struct {
	ID     string `json:"id"`
	Texts  int    `json:"texts"`
	Tokens int    `json:"tokens"`
}

// calibrated says whether texts are needed to find scales.
func (i Int8) calibrated() bool {
	return i.Scheme != "" && i.Scheme != graph.OfWeights && (!i.Tokens || i.Alpha > 0)
}

// check refuses what cannot be, before anything is read.
func (i Int8) check(calibration string, c graph.Config) error {
	if i.Scheme == "" {
		return nil
	}
	if !slices.Contains(graph.Schemes, i.Scheme) {
		return fmt.Errorf("int8 %q: %w: all, attention, mlp and weights can be built", i.Scheme, engine.ErrIncompatible)
	}
	for _, layer := range i.Skip {
		if layer < 0 || layer >= c.Layers {
			return fmt.Errorf("int8: %w: layer %d is to stay as it is, the model has 0 to %d", engine.ErrIncompatible, layer, c.Layers-1)
		}
	}
	if i.calibrated() && calibration == "" {
		return fmt.Errorf("int8 %s: %w: activations of eight bits need texts to find their scales: make a set with 'fabula calibrate' and name it by --calibration, or take --int8 weights",
			i.Scheme, engine.ErrUnavailable)
	}
	return nil
}

func (i Int8) recipe(columns func(string) ([]float32, error)) graph.Recipe {
	return graph.Recipe{Scheme: i.Scheme, Skip: i.Skip, Head: i.Head, Tokens: i.Tokens, Alpha: i.Alpha, Columns: columns}
}

// name is int8, the scheme, the beginning of the calibration's id, and of a hash of what
// differs from the usual way.
func (i Int8) name() string {
	name := "int8-" + string(i.Scheme)
	if i.Calibration != nil {
		id := strings.TrimPrefix(i.Calibration.ID, "cal-")
		name += "-" + slug(id[:min(8, len(id))])
	}
	usual := Int8{Scheme: i.Scheme, Alpha: Alpha, Calibration: i.Calibration}
	raw, _ := json.Marshal(i) // numbers and words can be written
	if same, _ := json.Marshal(usual); string(same) != string(raw) {
		sum := sha256.Sum256(raw)
		name += "-" + hex.EncodeToString(sum[:2])
	}
	return name
}
