//go:build tensorrt

package bridge

/*
#include <stdlib.h>
#include "bridge.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unsafe"
)

// Span gives the sizes that one input takes in a profile.
type Span struct {
	Input              string
	Least, Tuned, Most []int64
}

// Profile adds a profile. TensorRT checks it at once.
func (n *Network) Profile(spans []Span) error {
	p := C.ft_profile(n.c)
	for _, s := range spans {
		name := C.CString(s.Input)
		rank, least := sizes(s.Least)
		_, tuned := sizes(s.Tuned)
		_, most := sizes(s.Most)
		if p >= 0 {
			C.ft_profile_input(n.c, p, name, rank, least, tuned, most)
		}
		C.free(unsafe.Pointer(name))
	}
	if err := n.Err(); err != nil {
		return err
	}
	if !bool(C.ft_profile_valid(n.c, p)) {
		return errors.New("the profile is not valid")
	}
	return nil
}

// Event is one step of a build.
type Event struct {
	Phase, Parent string
	Kind          EventKind
	Steps         int // of the phase at its beginning, the number of the step made at a step
}

// EventKind says what happened to a phase.
type EventKind int

// The kinds of events.
const (
	Began EventKind = iota + 1
	Stepped
	Ended
)

// BuildOptions say how a plan is made.
type BuildOptions struct {
	Workspace int64  // bytes that tactics may use, 0 = the library's choice
	Level     int    // 0..5, -1 = the library's choice
	Timing    []byte // timing cache of earlier builds; one of another card is ignored
	Plan      string // file that is written
	TimingTo  string // file for the timing cache, "" = none
}

// Build makes the plan. progress, if not nil, is called on the caller's goroutine
// for every event. When ctx ends the build is cancelled at its next step and the
// error is ctx's.
func (n *Network) Build(ctx context.Context, o BuildOptions, progress func(Event)) error {
	done := make(chan error, 1)
	go func() { done <- n.build(o) }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	stop := ctx.Done()
	for {
		select {
		case err := <-done:
			n.events(progress)
			if err != nil && ctx.Err() != nil {
				err = fmt.Errorf("build: %w", ctx.Err())
			}
			return err
		case <-stop:
			C.ft_cancel(n.c)
			stop = nil
		case <-tick.C:
			n.events(progress)
		}
	}
}

func (n *Network) events(progress func(Event)) {
	var e C.ft_event
	for bool(C.ft_next_event(n.c, &e)) {
		if progress != nil {
			progress(Event{C.GoString(&e.phase[0]), C.GoString(&e.parent[0]), EventKind(e.kind), int(e.steps)})
		}
	}
}

func (n *Network) build(o BuildOptions) error {
	c := (*C.ft_options)(C.calloc(1, C.size_t(unsafe.Sizeof(C.ft_options{}))))
	defer C.free(unsafe.Pointer(c))
	c.workspace, c.level = C.int64_t(o.Workspace), C.int(o.Level)
	if len(o.Timing) > 0 {
		c.timing, c.timing_size = C.CBytes(o.Timing), C.size_t(len(o.Timing))
		defer C.free(unsafe.Pointer(c.timing))
	}
	c.plan = C.CString(o.Plan)
	defer C.free(unsafe.Pointer(c.plan))
	if o.TimingTo != "" {
		c.timing_path = C.CString(o.TimingTo)
		defer C.free(unsafe.Pointer(c.timing_path))
	}
	var f C.ft_fault
	if !bool(C.ft_build(n.c, c, &f)) {
		return fault(&f)
	}
	return nil
}
