package tensorrt

import (
	"slices"
	"time"

	"fabula/engine/tensorrt/bridge"
)

// Report is what Measure found, every time in it as it was taken.
type Report struct {
	Date     time.Time   `json:"date"`
	Model    string      `json:"model"`
	Library  string      `json:"library"`
	Headers  string      `json:"headers"`
	Card     bridge.Card `json:"card"`
	Manifest *Manifest   `json:"manifest"`
	Load     float64     `json:"load_seconds"`  // reading, checking and loading the plan
	Device   int64       `json:"session_bytes"` // caches, scratch and buffers on the card
	Captured bool        `json:"cuda_graphs"`
	Variant  string      `json:"variant,omitempty"` // what differs from the usual way to run it
	Series   []Series    `json:"series"`
	Layers   []Layer     `json:"layers,omitempty"`
	Cycles   *Cycles     `json:"cycles,omitempty"`  // loads and unloads
	Cancels  *Cycles     `json:"cancels,omitempty"` // of prompts and replies under way
	Equal    *Equality   `json:"equality,omitempty"`
	Against  *SelfTest   `json:"against_expanded,omitempty"` // the self-test with weights that were expanded
}

// Series is one thing measured several times.
type Series struct {
	Name        string  `json:"name"`
	Nanoseconds []int64 `json:"ns"`
}

// Layer is one line of TensorRT's own profile of a decode step.
type Layer struct {
	Name         string  `json:"name"`
	Microseconds float64 `json:"us"`
}

// Cycles tells what was left over after doing and undoing something many times.
type Cycles struct {
	Count       int     `json:"count"`
	DeviceBytes int64   `json:"device_bytes"` // more in use after the last than after the first 20, which are not counted
	HostBytes   int64   `json:"host_bytes"`   // the same of memory that no file backs
	HeapBytes   int64   `json:"heap_bytes"`   // of it, what the C library says is in use; 0 where it does not tell
	Course      []int64 `json:"course"`       // HostBytes after each twentieth of the cycles
	Seconds     float64 `json:"seconds"`
	Longest     float64 `json:"longest_ms,omitempty"` // from a cancel to the end of what was cancelled
}

// settle is how many cycles are not counted: libraries keep what they need once.
const settle = 20

// Quantile gives the value below which a share q of the times lies, in
// milliseconds.
func (s Series) Quantile(q float64) float64 {
	if len(s.Nanoseconds) == 0 {
		return 0
	}
	sorted := slices.Clone(s.Nanoseconds)
	slices.Sort(sorted)
	return float64(sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]) / 1e6
}
