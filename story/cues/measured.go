package cues

import (
	_ "embed"
	"encoding/json"
	"sync"

	"fabula/personas/lint"
)

//go:embed measured.json
var measuredJSON []byte

var measured = sync.OnceValue(func() map[string]lint.Measured {
	all := map[string]lint.Measured{}
	_ = json.Unmarshal(measuredJSON, &all) // a test compares it with what the cases give
	return all
})

// MeasuredBy gives how a rule about directions did on its cases when it was last
// measured; ok is false for a rule of another package.
func MeasuredBy(code string) (m lint.Measured, ok bool) {
	m, ok = measured()[code]
	return m, ok
}
