package worker

import (
	"io"
	"maps"
	"slices"

	"fabula/engine"
)

// ReadFrames reads frames until the first error, io.EOF included.
func ReadFrames(r io.Reader) (n int, err error) {
	for fr := newFrameReader(r); ; n++ {
		if _, err = fr.read(); err != nil {
			return n, err
		}
	}
}

// WriteSample writes a few frames of both directions.
func WriteSample(w io.Writer) error {
	fw := newFrameWriter(w)
	for _, f := range []frame{
		{Kind: kindLoad, Load: &Load{Model: "m.gguf", Context: 4096}},
		{Kind: kindPrepare, ID: 1, Request: &engine.Request{Messages: []engine.Message{{Role: engine.User, Parts: []string{"Who lit the lamp?"}}}}},
		{Kind: kindRun, ID: 1},
		{Kind: kindToken, ID: 1, Token: &engine.Token{ID: 7, Text: "The", Top: []engine.TopToken{{ID: 7, Text: "\xf0\x9f"}}}},
		{Kind: kindDone, ID: 1, Done: &done{Reason: engine.Fault, Failure: &failure{Text: "broken"}}},
		{Kind: kindPing},
	} {
		if err := fw.write(f); err != nil {
			return err
		}
	}
	return nil
}

// PID is the process of the living child, 0 without one.
func (c *Client) PID() int {
	return c.Status().PID
}

// Stopped says whether the child was told to stop a reply, or it is over.
func (c *Client) Stopped(s engine.Stream) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range append(slices.Collect(maps.Values(c.running)), c.queue...) {
		if w.stream == s {
			return w.cancelled
		}
	}
	return true
}

// Pieces remembers what split gave.
func Pieces(split func(text string, control bool) ([]int32, error)) func(text string, control bool) ([]int32, error) {
	return (&pieces{split: split}).of
}
