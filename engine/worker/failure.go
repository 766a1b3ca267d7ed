package worker

import (
	"errors"
	"fmt"

	"fabula/engine"
)

// TooLong says by how much a prompt misses the window. errors.Is(err,
// engine.ErrTooLong) holds.
type TooLong struct{ Prompt, Reply, Window int } // tokens

// Error gives the three sizes.
func (e *TooLong) Error() string {
	return fmt.Sprintf("%v: prompt %d + reply %d tokens, window %d", engine.ErrTooLong, e.Prompt, e.Reply, e.Window)
}

// Unwrap makes errors.Is find engine.ErrTooLong.
func (e *TooLong) Unwrap() error { return engine.ErrTooLong }

// failure is an error on its way through the pipe.
type failure struct {
	Code  string // "unavailable", "incompatible", "unsupported", "too_long", "shortage", "memory" or ""
	Text  string
	Long  TooLong
	Short engine.Shortage
}

func newFailure(err error) *failure {
	f := &failure{Text: err.Error()}
	var long *TooLong
	var short *engine.Shortage
	switch {
	case errors.As(err, &short):
		f.Code, f.Short = "shortage", *short
	case errors.Is(err, engine.ErrMemory):
		f.Code = "memory"
	case errors.As(err, &long):
		f.Code, f.Long = "too_long", *long
	case errors.Is(err, engine.ErrUnavailable):
		f.Code = "unavailable"
	case errors.Is(err, engine.ErrIncompatible):
		f.Code = "incompatible"
	case errors.Is(err, engine.ErrUnsupported):
		f.Code = "unsupported"
	}
	return f
}

// err restores an error that errors.Is tells apart as in the child.
func (f *failure) err() error {
	switch f.Code {
	case "too_long":
		return &f.Long
	case "shortage":
		return &workerError{text: f.Text, is: &f.Short}
	case "memory":
		return &workerError{text: f.Text, is: engine.ErrMemory}
	case "unavailable":
		return &workerError{text: f.Text, is: engine.ErrUnavailable}
	case "incompatible":
		return &workerError{text: f.Text, is: engine.ErrIncompatible}
	case "unsupported":
		return &workerError{text: f.Text, is: engine.ErrUnsupported}
	}
	return errors.New(f.Text)
}

// workerError keeps the text that the child wrote and the sentinel it meant.
type workerError struct {
	text string
	is   error
}

func (e *workerError) Error() string { return e.text }
func (e *workerError) Unwrap() error { return e.is }
