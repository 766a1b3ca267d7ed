package catalog

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"fabula/engine"
	"fabula/engine/gguf/memory"
	"fabula/engine/ladder"
	"fabula/engine/scripted"
)

// opening is how models of one kind are opened.
type opening struct {
	open func(Model) (engine.Engine, error)
	kind string // before the names of those that take the same files: "tensorrt:"
}

// key names a model, opened so, in the ladder's health.
func (o opening) key(m Model) string { return o.kind + m.Name }

// slot is what became of a model or script that was to be opened.
type slot struct {
	key  string // in health
	name string // for people
	how  opening

	// Guarded by Catalog.mu.
	model   Model
	engine  engine.Engine   // nil: not open
	stamp   stamp           // of the file when it was opened
	replies int             // in flight, and checks
	used    time.Time       // when it was handed out or answered last
	last    *engine.Request // that it failed at
	calls   int             // checks in a row that replies called off
}

// guard watches over the replies of a slot.
func (c *Catalog) guard(s *slot, limits ladder.Limits) *ladder.Watch {
	c.mu.Lock()
	s.used = time.Now()
	c.mu.Unlock()
	return &ladder.Watch{Health: c.health, Key: s.key, Name: s.name, Limits: limits,
		Began: func() { c.answers(s, 1) }, Over: func() { c.answers(s, -1) },
		Failed: func(r engine.Request) {
			c.mu.Lock()
			defer c.mu.Unlock()
			s.last = &r
		}}
}

// answers counts the replies in flight. One that begins calls off a check: it
// would take the processor from it.
func (c *Catalog) answers(s *slot, n int) {
	c.busy(s, n)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replies += n
	if n > 0 && c.callOff != nil {
		c.callOff()
	}
}

func (c *Catalog) busy(s *slot, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.replies += n
	s.used = time.Now()
}

// slot gives the open engine of a model, and opens it if it is not open and is
// trusted. No engine: the report says why not, or the catalogue is closed.
func (c *Catalog) slot(m Model, how opening) (*slot, engine.Engine, ladder.Report) {
	c.opening.Lock()
	defer c.opening.Unlock()
	key := how.key(m)
	s, e, ok := c.known(m, how)
	if !ok {
		return nil, nil, ladder.Report{Up: true}
	}
	if report, up := c.health.Up(key); !up {
		return s, nil, report
	}
	var f *engine.Failure
	if e != nil {
		f = gaveUp(s.name, e)
	} else {
		e, f = c.start(m, how)
	}
	if f != nil {
		e = nil
	}
	c.put(s, e)
	if f == nil {
		return s, e, ladder.Report{Up: true}
	}
	c.health.Fault(key, f)
	report, _ := c.health.Up(key)
	return s, nil, report
}

// known gives the slot of a model, a new one if there is none; ok is false once
// the catalogue is closed. A file that was replaced is trusted anew.
func (c *Catalog) known(m Model, how opening) (s *slot, e engine.Engine, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, now := how.kind+m.File, c.files[m.File].stamp
	if s = c.slots[at]; s == nil {
		s = &slot{key: how.key(m), name: m.Name, how: how, stamp: now}
		c.slots[at] = s
	}
	if s.engine == nil && s.stamp != now {
		c.health.Forget(s.key)
		s.stamp = now
	}
	s.model = m
	return s, s.engine, !c.closed
}

// put notes which engine is open.
func (c *Catalog) put(s *slot, e engine.Engine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.engine, s.used = e, time.Now()
}

// start opens a model that fits into memory.
func (c *Catalog) start(m Model, how opening) (engine.Engine, *engine.Failure) {
	if f := c.fits(m, how); f != nil {
		return nil, f
	}
	e, err := how.open(c.hashed(m))
	if err == nil && e == nil {
		err = errors.New("it was opened to nothing")
	}
	if err != nil {
		return nil, ladder.Loading(m.Name, err)
	}
	return e, nil
}

// fits refuses a model that memory does not suffice for now. A model in the
// memory of a card is the card's to judge.
func (c *Catalog) fits(m Model, how opening) *engine.Failure {
	var err error
	switch {
	case how.kind != "":
		return nil
	case c.o.Fits != nil:
		err = c.o.Fits(m)
	default:
		_, err = m.Memory.Plan(0, c.FreeMemory())
	}
	if err != nil {
		return ladder.Loading(m.Name, err)
	}
	return nil
}

// FreeMemory is how many bytes models may take now, 0 = unknown.
func (c *Catalog) FreeMemory() int64 {
	if c.o.FreeMemory != nil {
		return c.o.FreeMemory()
	}
	return memory.Free()
}

// gaveUp closes an engine that will not answer any more, and gives why.
func gaveUp(name string, e engine.Engine) *engine.Failure {
	l, ok := e.(loader)
	if !ok {
		return nil
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	err := l.Ready(over)
	if err == nil || errors.Is(err, context.Canceled) {
		return nil
	}
	return ladder.Loading(name, errors.Join(err, e.Close()))
}

// script opens a script once.
func (c *Catalog) script(key, file string) (*slot, engine.Engine, error) {
	return c.made(key, func() (engine.Engine, error) { return scripted.Open(file) })
}

// scriptCalled gives the entry of a script that is open by the name of its engine,
// which its replies hold; any other name as it is.
func (c *Catalog) scriptCalled(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, s := range c.slots {
		if s.name == name && strings.HasPrefix(key, string(engine.Scripted)+":") {
			return key
		}
	}
	return name
}

// made makes once what is neither opened anew nor closed before Close: scripts
// and clients of servers.
func (c *Catalog) made(key string, open func() (engine.Engine, error)) (*slot, engine.Engine, error) {
	c.opening.Lock()
	defer c.opening.Unlock()
	c.mu.Lock()
	s, closed := c.slots[key], c.closed
	c.mu.Unlock()
	switch {
	case closed:
		return nil, nil, errors.New("the catalogue is closed")
	case s != nil:
		return s, s.engine, nil
	}
	e, err := open()
	if err != nil {
		return nil, nil, err
	}
	s = &slot{key: key, name: e.Info().Name, engine: e}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slots[key] = s
	return s, e, nil
}

// idle is how long an engine stays open that nobody asks for.
const idle = 5 * time.Minute

// retire closes engines that nobody asked for of late and that answer nobody:
// what a person switched from, what stood in for another.
func (c *Catalog) retire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return // Close closes all
	}
	for _, s := range c.slots {
		if s.engine == nil || s.replies > 0 || s.how.open == nil || time.Since(s.used) < cmp.Or(c.o.Idle, idle) {
			continue
		}
		old := s.engine
		s.engine = nil
		c.work.Go(func() { _ = old.Close() })
	}
}

// hashAtOnce is the largest file that is hashed when it is first opened, in
// bytes: about two seconds. Larger ones have their hash from Add or Pull.
const hashAtOnce = 2 << 30

// hashed fills in the hash of a model that has none and keeps it in the
// sidecar. A folder that cannot be written costs the hash next time again.
func (c *Catalog) hashed(m Model) Model {
	if m.SHA256 != "" || m.Size > hashAtOnce {
		return m
	}
	if sum, err := hash(m.File); err == nil {
		m.SHA256 = sum
		_ = noteHash(m.File, sum, nil)
	}
	return m
}
