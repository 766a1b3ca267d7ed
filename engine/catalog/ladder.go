package catalog

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/engine/scripted"
)

// Why is a plain code for why an engine does not serve; the program words it.
type Why string

// Reasons for passing an engine over.
const (
	WhyNoModel    Why = "no_model"   // the folder holds none
	WhyLanguage   Why = "language"   // it does not speak the language of the playthrough
	WhyFailed     Why = "failed"     // it could not be opened, or the one above failed to answer
	WhyUnreadable Why = "unreadable" // the file is broken, or no whole model
	WhyNotBuilt   Why = "not_built"  // this build runs no models
	WhyUnable     Why = "unable"     // this machine runs no models
	WhyNotYet     Why = "not_yet"    // an engine of a later version
	WhyUnknown    Why = "unknown"    // a ladder names what is not installed
)

// Reason says why one engine was passed over.
type Reason struct {
	Engine string `json:"engine"` // kind or name
	Why    Why    `json:"why"`
	Detail string `json:"detail,omitempty"` // in the words of what failed
}

// Rungs gives the engines that may answer, best first: models and scripts, then
// recall. A model is opened when it is asked for, if it is not open yet; one
// that fails is passed over. The Why of a rung is a code of this package;
// Reasons tells more.
//
// A model chosen by a person serves in every language.
func (c *Catalog) Rungs(a engine.Ask) iter.Seq[engine.Rung] {
	return func(yield func(engine.Rung) bool) {
		up := &climb{c: c, ask: a, chosen: c.o.Choice != "" || a.Only != "", yield: yield}
		for _, entry := range c.entries(a) {
			if entry == string(engine.Recall) {
				break
			}
			if !up.entry(entry) {
				return
			}
		}
		if a.Only == "" || a.Only == string(engine.Recall) {
			up.last()
		}
	}
}

// entries lists kinds and names, best first.
func (c *Catalog) entries(a engine.Ask) []string {
	switch {
	case a.Only != "":
		return []string{a.Only}
	case c.o.Choice != "":
		return strings.Split(c.o.Choice, ",")
	case len(c.o.Ladder) > 0:
		return c.o.Ladder
	}
	return []string{string(engine.GGUF)}
}

// climb goes down one ladder for one request.
type climb struct {
	c      *Catalog
	ask    engine.Ask
	chosen bool // by a person: the language does not matter
	yield  func(engine.Rung) bool
	given  int // rungs so far
	passed []Reason
}

func (u *climb) pass(r Reason) { u.passed = append(u.passed, r) }

// give hands out a rung; false when no more are wanted.
func (u *climb) give(e engine.Engine) bool {
	r := engine.Rung{Engine: e, Step: engine.StepFull}
	switch i := slices.IndexFunc(u.passed, func(r Reason) bool { return r.Why != WhyLanguage }); {
	case u.given > 0:
		r.Step, r.Why = engine.StepSmaller, string(WhyFailed)
	case i >= 0:
		r.Step, r.Why, r.Args = engine.StepSmaller, string(u.passed[i].Why), []string{u.passed[i].Engine}
	}
	u.given++
	u.note()
	return u.yield(r)
}

// last hands out recall.
func (u *climb) last() {
	r := engine.Rung{Engine: u.c.recall, Step: engine.StepRecall}
	switch {
	case u.given > 0:
		r.Why = string(WhyFailed)
	case len(u.passed) > 0:
		r.Why, r.Args = string(u.passed[0].Why), []string{u.passed[0].Engine}
	}
	u.note()
	u.yield(r)
}

// note keeps the reasons for Reasons.
func (u *climb) note() {
	u.c.mu.Lock()
	defer u.c.mu.Unlock()
	u.c.reasons = slices.Clone(u.passed)
}

// entry gives every engine that an entry of a ladder stands for, best first;
// false when no more are wanted.
func (u *climb) entry(name string) bool {
	if file, ok := strings.CutPrefix(name, string(engine.Scripted)+":"); ok {
		return u.script(name, file)
	}
	switch kind := engine.Kind(name); kind {
	case engine.TensorRT:
		return u.gpu()
	case engine.Remote:
		u.pass(Reason{name, WhyNotYet, notYet(kind)})
		return true
	case engine.Scripted:
		u.pass(Reason{name, WhyUnknown, "a script is named by scripted:FILE"})
		return true
	}
	models, err := u.c.models(name)
	if err != nil {
		u.pass(Reason{name, WhyFailed, err.Error()})
		return true
	}
	if len(models) == 0 {
		u.pass(u.c.nothing(name))
		return true
	}
	if why, detail := u.c.unable(); why != "" {
		u.pass(Reason{name, why, detail})
		return true
	}
	return u.models(models, u.c.o.OpenModel, "")
}

// gpu gives the models that an engine was built of. Which ones those are the
// engine itself finds out; a model without one is passed over.
func (u *climb) gpu() bool {
	const name = string(engine.TensorRT)
	if u.c.o.OpenGPU == nil {
		u.pass(Reason{name, WhyNotBuilt, noTensorRT})
		return true
	}
	models, err := u.c.models(string(engine.GGUF))
	switch {
	case err != nil:
		u.pass(Reason{name, WhyFailed, err.Error()})
	case len(models) == 0:
		u.pass(u.c.nothing(string(engine.GGUF)))
	}
	return u.models(models, u.c.o.OpenGPU, name+":")
}

// models opens one model after the other.
func (u *climb) models(models []Model, opener func(Model) (engine.Engine, error), kind string) bool {
	for _, m := range models {
		e, reason := u.c.model(m, u, opener, kind)
		if reason.Why != "" {
			u.pass(reason)
		} else if !u.give(e) {
			return false
		}
	}
	return true
}

// script gives the fake that plays a file.
func (u *climb) script(name, file string) bool {
	e, err := u.c.script(file)
	if err != nil {
		u.pass(Reason{name, WhyFailed, err.Error()})
		return true
	}
	return u.give(e)
}

// script opens a script once.
func (c *Catalog) script(file string) (engine.Engine, error) {
	c.opening.Lock()
	defer c.opening.Unlock()
	c.mu.Lock()
	e, closed := c.scripts[file], c.closed
	c.mu.Unlock()
	if e != nil || closed {
		return e, errClosed(closed)
	}
	e, err := scripted.Open(file)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scripts[file] = e
	return e, nil
}

func errClosed(closed bool) error {
	if closed {
		return errors.New("the catalogue is closed")
	}
	return nil
}

const noTensorRT = "this build has no TensorRT; gguf and recall serve"

func (c *Catalog) nothing(name string) Reason {
	if name == string(engine.GGUF) {
		return Reason{name, WhyNoModel, "no model in " + c.o.Dir}
	}
	return Reason{name, WhyUnknown, "no model of this name in " + c.o.Dir}
}

func notYet(kind engine.Kind) string {
	return fmt.Sprintf("this version has no %s engine; gguf and recall serve", kind)
}

// models gives those that an entry names, best first.
func (c *Catalog) models(name string) ([]Model, error) {
	all, err := c.scan()
	if err != nil {
		return nil, err
	}
	if name != string(engine.GGUF) {
		all = slices.DeleteFunc(all, func(m Model) bool { return !m.named(name) })
	}
	slices.SortFunc(all, rank)
	return all, nil
}

// named says whether a person means the model by name; .gguf may be left out.
func (m Model) named(name string) bool {
	return strings.EqualFold(m.Name, name) || strings.EqualFold(m.Name+extension, name)
}

// model opens one model, or says why it does not serve. kind tells the slots of
// engines that take the same files apart.
func (c *Catalog) model(m Model, u *climb, opener func(Model) (engine.Engine, error), kind string) (engine.Engine, Reason) {
	switch {
	case m.Why != "":
		return nil, Reason{m.Name, m.Why, m.Detail}
	case !m.Speaks(u.ask.Language) && !u.chosen:
		return nil, Reason{m.Name, WhyLanguage, "speaks " + strings.Join(m.Languages, ", ")}
	}
	s := c.slot(m, opener, kind+m.File)
	if s == nil {
		return nil, Reason{m.Name, WhyFailed, "the catalogue is closed"}
	}
	if s.err != nil {
		return nil, Reason{m.Name, WhyFailed, s.err.Error()}
	}
	return s.engine, Reason{}
}

// slot opens a model that is not open, unless it failed as it is now. nil after
// Close.
func (c *Catalog) slot(m Model, opener func(Model) (engine.Engine, error), key string) *slot {
	c.opening.Lock()
	defer c.opening.Unlock()
	c.mu.Lock()
	s, closed, now := c.slots[key], c.closed, c.files[m.File].stamp
	c.mu.Unlock()
	if closed {
		return nil
	}
	if s != nil && s.engine != nil {
		s = watched(s, now)
	}
	if s == nil || s.err != nil && s.stamp != now {
		s = &slot{stamp: now}
		s.engine, s.err = opener(c.hashed(m))
		if s.err == nil && s.engine == nil {
			s.err = errors.New("it was opened to nothing")
		}
	}
	c.mu.Lock()
	c.slots[key] = s
	c.mu.Unlock()
	return s
}

// watched closes an engine that gave up.
func watched(s *slot, now stamp) *slot {
	l, ok := s.engine.(loader)
	if !ok {
		return s
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	err := l.Ready(over)
	if err == nil || errors.Is(err, context.Canceled) {
		return s
	}
	return &slot{err: errors.Join(err, s.engine.Close()), stamp: now}
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
		_ = noteHash(m.File, sum)
	}
	return m
}

// choose checks a person's choice as far as it can be without opening a model.
func (c *Catalog) choose(choice string) error {
	if file, ok := strings.CutPrefix(choice, string(engine.Scripted)+":"); ok {
		_, err := c.script(file)
		return err
	}
	switch kind := engine.Kind(choice); kind {
	case engine.Recall:
		return nil
	case engine.Scripted:
		return errors.New("which script? scripted:FILE")
	case engine.TensorRT:
		if c.o.OpenGPU == nil {
			return fmt.Errorf("%w: %s", engine.ErrUnavailable, noTensorRT)
		}
		return nil
	case engine.Remote:
		return fmt.Errorf("%w: %s", engine.ErrUnavailable, notYet(kind))
	}
	models, err := c.models(choice)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	case len(models) == 0 && choice != string(engine.GGUF):
		return fmt.Errorf("%w: no such engine; there are %s", ErrUnknown, strings.Join(c.names(), ", "))
	case len(models) == 0:
		return fmt.Errorf("%w: no model in %s: fetch one with %s, or add one with fabula models add FILE",
			engine.ErrUnavailable, c.o.Dir, DefaultHint)
	}
	if why, detail := c.unable(); why != "" {
		return fmt.Errorf("%w: %s", engine.ErrUnavailable, detail)
	}
	if i := slices.IndexFunc(models, func(m Model) bool { return m.Why == "" }); i < 0 {
		return fmt.Errorf("%w: %s: %s", engine.ErrUnavailable, models[0].Name, models[0].Detail)
	}
	return nil
}

// ErrUnknown: a choice names no engine.
var ErrUnknown = errors.New("unknown engine")

// names lists what may be chosen.
func (c *Catalog) names() []string {
	names := []string{string(engine.GGUF), string(engine.Recall), string(engine.Scripted) + ":FILE"}
	models, _ := c.scan() // an unreadable folder has no names to offer
	for _, m := range models {
		names = append(names, m.Name)
	}
	return names
}
