package ladder

import (
	"errors"
	"strconv"
	"strings"

	"fabula/engine"
)

// Codes of what befalls a rung, with their arguments. The first argument of
// each is the engine's name.
const (
	LateFirst    = "first_token"   // no token within the deadline: ms
	LateNext     = "gap"           // tokens came, then none within the deadline: ms
	NoMemory     = "memory"        // refused before it was loaded: MiB needed, MiB free
	OutOfMemory  = "out_of_memory" // while it was loaded or answered
	LoadFailed   = "load"          // the model could not be loaded
	StillLoading = "loading"       // a lower rung was not loaded in time; no fault
	Crashed      = "crashed"       // its process ended
	Killed       = "killed"        // its process was ended by the system: most often for want of memory
	Incompatible = "incompatible"  // it or its model was made for something else
	Unavailable  = "unavailable"   // it refused, in its own words
	Broke        = "fault"         // anything else
	Unsupported  = "unsupported"   // it cannot do what was asked; no fault
	NoLine       = "no_line"       // nothing is authored for it to say; no fault
)

// Failure gives an error of an engine a code. A prompt that is too long and a
// reply that was called off have none: they are never given here.
func Failure(name string, err error) *engine.Failure {
	var known *engine.Failure
	var short *engine.Shortage
	f := func(code string, args ...string) *engine.Failure {
		return &engine.Failure{Code: code, Args: append([]string{name}, args...), Err: err}
	}
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &short):
		return f(NoMemory, mib(short.Need), mib(short.Free))
	case errors.Is(err, engine.ErrMemory) && errors.Is(err, engine.ErrCrashed):
		return f(Killed)
	case errors.Is(err, engine.ErrMemory) || starved(err):
		return f(OutOfMemory)
	case errors.Is(err, engine.ErrCrashed):
		return f(Crashed)
	case errors.Is(err, engine.ErrNoLine):
		return f(NoLine)
	case errors.Is(err, engine.ErrUnsupported):
		return f(Unsupported)
	case errors.Is(err, engine.ErrIncompatible):
		return f(Incompatible)
	case errors.Is(err, engine.ErrUnavailable):
		return f(Unavailable)
	}
	return f(Broke)
}

func mib(bytes int64) string { return strconv.FormatInt(bytes>>20, 10) }

// starved knows what CUDA, TensorRT, ggml and the C library say when memory does
// not suffice: their words reach us as text.
func starved(err error) bool {
	said := strings.ToLower(err.Error())
	for _, words := range []string{"out of memory", "outofmemory", "failed to allocate", "cannot allocate memory", "bad_alloc", "unable to allocate"} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

// grave failures repeat themselves: one is enough to move a rung down.
func grave(code string) bool {
	switch code {
	case NoMemory, OutOfMemory, LoadFailed, Incompatible, Unavailable:
		return true
	}
	return false
}
