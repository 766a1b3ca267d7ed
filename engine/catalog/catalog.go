// Package catalog knows which engines are installed and which of them answers:
// GGUF files in one folder, authored lines always, scripts and servers by request.
//
// A ladder is a list of engines, best first, that ends in recall. For models it
// means: the largest one that is no toy and speaks the language, then the next,
// then toys. A model that cannot be opened is passed over, with a reason, until
// its file changes.
//
// The catalogue starts no process itself; how a model is opened is handed in.
// Non-goals: building GPU engines, watching the folder.
package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"fabula/engine"
	"fabula/engine/ladder"
	"fabula/engine/recall"
	"fabula/engine/remote"
)

// Options say where models are and who opens them.
type Options struct {
	// Dir is the folder of models; it need not exist.
	Dir string
	// Choice is what a person asked for: a kind ("gguf", "recall",
	// "scripted:FILE") or the name of a model, or several with commas between,
	// best first. Empty: the ladder decides.
	Choice string
	// Ladder lists kinds and names, best first; empty = models, then recall.
	Ladder []string
	// Wish says what is to answer whom; asked for every ladder, so that a change
	// of mind is effective at once. It must be quick. nil = Ladder, for everyone.
	Wish func(engine.Ask) Wish
	// OpenModel starts an engine on a model; it should return at once and load
	// in the background. nil: this build runs no models. An engine with a
	// method Ready(context.Context) error, which says when loading is over or
	// has failed, is watched by it.
	OpenModel func(Model) (engine.Engine, error)
	// Unable says why this machine cannot run models, nil if it can.
	Unable error
	// OpenGPU starts the engine of a model that was built for the graphics card, as
	// OpenModel does. nil: this build has none.
	OpenGPU func(Model) (engine.Engine, error)
	// Remotes are the configured servers, best first. None is asked before a reply
	// is wanted of it; RemotesFile is where a person configures them.
	Remotes     []remote.Options
	RemotesFile string
	// Fits refuses a model that memory does not suffice for now, before it is
	// opened; nil = by its size, its window and FreeMemory.
	Fits func(Model) error
	// FreeMemory is how many bytes models may take, 0 = unknown; nil = what the
	// system says.
	FreeMemory func() int64
	// Policy says how trust in an engine is lost and won back.
	Policy ladder.Policy
	// Moved is told when an engine is no longer trusted, and when it is again;
	// nil = nobody.
	Moved func(ladder.Move)
	// Idle is how long an engine stays open that nobody asks for; 0 = 5 min.
	Idle time.Duration
	// Client fetches models; nil = a client of our own.
	Client *http.Client
	// Hub is the library of models that ids are looked up in, "" =
	// hub.DefaultEndpoint; HubToken opens those behind a licence.
	Hub, HubToken string
	// Pause is how long to wait before another connection when so many in a row
	// brought nothing; nil = 1 s, 2 s, 4 s …
	Pause func(empty int) time.Duration
	// FreeDisk is how many bytes fit into a folder; nil = what the system says.
	FreeDisk func(dir string) (int64, error)
}

// Catalog hands out engines. It is safe for concurrent use.
type Catalog struct {
	o      Options
	recall engine.Engine

	health  *ladder.Health
	work    sync.WaitGroup // checks, and engines that are being closed
	done    chan struct{}
	checks  chan struct{} // there may be something to check
	opening sync.Mutex    // one opening at a time
	mu      sync.Mutex    // guards what follows
	files   map[string]file
	slots   map[string]*slot // by path
	checker bool             // runs
	replies int              // in flight
	callOff func()           // ends the check that runs, nil = none, or it is not to be called off
	reasons []Reason
	closed  bool
}

// Open reads the folder. A Choice that cannot be had is an error: one that
// names nothing, or that this machine or build cannot run (it then wraps
// engine.ErrUnavailable).
func Open(o Options) (*Catalog, error) {
	c := &Catalog{o: o, recall: recall.New(), files: map[string]file{}, slots: map[string]*slot{},
		done: make(chan struct{}), checks: make(chan struct{}, 1)}
	c.health = ladder.New(o.Policy, nil, c.moved)
	if o.Choice == "" {
		return c, nil
	}
	for _, name := range strings.Split(o.Choice, ",") {
		if err := c.Check(name); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Close closes every engine that was opened. Rungs then has recall only.
func (c *Catalog) Close() error {
	c.mu.Lock()
	if !c.closed {
		close(c.done)
	}
	c.closed = true
	c.mu.Unlock()
	c.work.Wait() // a check may be opening an engine
	c.opening.Lock()
	defer c.opening.Unlock()
	c.mu.Lock()
	slots := c.slots
	c.slots = map[string]*slot{}
	c.mu.Unlock()
	var errs []error
	for path, s := range slots {
		if s.engine == nil {
			continue
		}
		if err := s.engine.Close(); err != nil {
			errs = append(errs, fmt.Errorf("close %s: %w", path, err))
		}
	}
	return errors.Join(errs...)
}

// List tells of every model in the folder, by name; unreadable files too, with
// the reason.
func (c *Catalog) List() ([]Model, error) {
	models, err := c.scan()
	if err != nil {
		return nil, err
	}
	free := c.FreeMemory()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range models {
		m := &models[i]
		s := c.slots[m.File]
		m.InUse = s != nil && s.engine != nil
		if s != nil && m.Why == "" {
			if report, up := c.health.Up(s.key); !up {
				m.Why, m.Detail, m.WhyArgs = Why(report.Code), report.Detail, report.Args
			}
		}
		if why, detail := c.unable(); why != "" && m.Why == "" {
			m.Why, m.Detail = why, detail
		}
		if m.Why == "" && !m.InUse {
			m.squeeze(free)
		}
	}
	return models, nil
}

// unable says why no model can run here.
func (c *Catalog) unable() (Why, string) {
	switch {
	case c.o.OpenModel == nil:
		return WhyNotBuilt, "this build has no llama.cpp: run make build"
	case c.o.Unable != nil:
		return WhyUnable, c.o.Unable.Error()
	}
	return "", ""
}

// Reasons tells why the engines above the one of the last Rungs were passed
// over, best first.
func (c *Catalog) Reasons() []Reason {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Reason(nil), c.reasons...)
}

// Ready waits until the first engine for somebody can answer. If a person
// chose an engine and another one would serve, or it fails to load, that is an
// error that wraps engine.ErrUnavailable.
func (c *Catalog) Ready(ctx context.Context, a engine.Ask) error {
	var err error
	for range maxFailures {
		first := c.first(a)
		if gone, ok := first.Engine.(absent); ok {
			return gone.Ready(ctx)
		}
		if first.Step == engine.StepRecall && c.o.Choice != "" && c.o.Choice != string(engine.Recall) {
			return fmt.Errorf("engine %s: %w: %s", c.o.Choice, engine.ErrUnavailable, c.why())
		}
		loading, ok := first.Engine.(loader)
		if !ok {
			return nil
		}
		if err = loading.Ready(ctx); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

func (c *Catalog) first(a engine.Ask) engine.Rung {
	for r := range c.Rungs(a) {
		return r
	}
	return engine.Rung{} // never: recall is always there
}

// maxFailures bounds how many models Ready sees fail.
const maxFailures = 100

// why gives the first reason of the last Rungs in the words of what failed.
func (c *Catalog) why() string {
	reasons := c.Reasons()
	if len(reasons) == 0 {
		return string(WhyNoModel)
	}
	return cmp.Or(reasons[0].Detail, string(reasons[0].Why))
}

// loader is an engine that takes its time to load.
type loader interface {
	// Ready returns nil once the engine can answer, an error when it never will
	// or ctx ends.
	Ready(ctx context.Context) error
}

// stamp tells whether a file changed.
type stamp struct {
	size     int64
	modified int64 // nanoseconds since 1970
}

func stampOf(info os.FileInfo) stamp { return stamp{info.Size(), info.ModTime().UnixNano()} }
