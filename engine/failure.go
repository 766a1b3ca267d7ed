package engine

import (
	"errors"
	"fmt"
)

// Sentinels of what befalls an engine that was sound before, and what does not
// make it unsound.
var (
	// ErrMemory: memory of the machine or of a device does not suffice.
	ErrMemory = errors.New("out of memory")
	// ErrNoLine: an engine that says authored lines only has none for this moment;
	// that is no failure of the engine.
	ErrNoLine = errors.New("no authored line may be said here")
	// ErrCrashed: the process of an engine ended without being asked to.
	ErrCrashed = errors.New("engine crashed")
)

// Failure is an error of an engine that a program can put into words: a code,
// and what the words of that code need.
type Failure struct {
	Code string
	Args []string
	Err  error // the same in the words of what failed
}

// Error gives the words of what failed.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap gives what failed.
func (f *Failure) Unwrap() error { return f.Err }

// Shortage refuses a model that memory does not suffice for, before it is
// loaded. errors.Is finds ErrUnavailable and ErrMemory in it.
type Shortage struct {
	Need, Free int64  // bytes
	Detail     string // both in words, and what takes how much
}

// Error gives the detail.
func (s *Shortage) Error() string { return fmt.Sprintf("%v: %s", ErrUnavailable, s.Detail) }

// Is reports whether target is one of the sentinels that a shortage stands for.
func (s *Shortage) Is(target error) bool { return target == ErrUnavailable || target == ErrMemory }
