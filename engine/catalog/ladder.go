package catalog

import (
	"context"
	"errors"
	"fmt"
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

// Steps of a ladder, as in engine.Rung.
const (
	stepFull    = "full"
	stepSmaller = "smaller"
	stepRecall  = "recall"
)

// Rungs gives the engines that may answer in a language, best first: at most
// one model or script, then recall. The model is opened if it is not open yet;
// one that fails is passed over. The Why of a rung is a code of this package;
// Reasons tells more.
//
// A model chosen by a person serves in every language.
func (c *Catalog) Rungs(lang string) []engine.Rung {
	c.opening.Lock()
	defer c.opening.Unlock()
	var passed []Reason
	rungs := c.climb(lang, &passed)
	c.mu.Lock()
	c.reasons = passed
	c.mu.Unlock()
	return rungs
}

func (c *Catalog) climb(lang string, passed *[]Reason) []engine.Rung {
	last := engine.Rung{Engine: c.recall, Step: stepRecall}
	if c.script != nil {
		last.Why = string(WhyFailed)
		return []engine.Rung{{Engine: c.script, Step: stepFull}, last}
	}
	for _, name := range c.ladder() {
		if name == string(engine.Recall) {
			break
		}
		if e, ok := c.open(name, lang, passed); ok {
			first := engine.Rung{Engine: e, Step: stepFull}
			if i := slices.IndexFunc(*passed, func(r Reason) bool { return r.Why != WhyLanguage }); i >= 0 {
				first.Step, first.Why = stepSmaller, string((*passed)[i].Why)
			}
			last.Why = string(WhyFailed)
			return []engine.Rung{first, last}
		}
	}
	if len(*passed) > 0 {
		last.Why = string((*passed)[0].Why)
	}
	return []engine.Rung{last}
}

// ladder lists kinds and names, best first.
func (c *Catalog) ladder() []string {
	switch {
	case c.o.Choice != "":
		return []string{c.o.Choice}
	case len(c.o.Ladder) > 0:
		return c.o.Ladder
	}
	return []string{string(engine.GGUF)}
}

// open gives the best engine that an entry of a ladder stands for.
func (c *Catalog) open(name, lang string, passed *[]Reason) (engine.Engine, bool) {
	switch kind := engine.Kind(name); kind {
	case engine.TensorRT:
		return c.gpu(lang, passed)
	case engine.Remote:
		*passed = append(*passed, Reason{name, WhyNotYet, notYet(kind)})
		return nil, false
	case engine.Scripted:
		*passed = append(*passed, Reason{name, WhyUnknown, "scripts are played by --engine only"})
		return nil, false
	}
	models, err := c.models(name)
	if err != nil {
		*passed = append(*passed, Reason{name, WhyFailed, err.Error()})
	}
	if why, detail := c.unable(); why != "" && err == nil && len(models) > 0 {
		*passed = append(*passed, Reason{name, why, detail})
		return nil, false
	}
	for _, m := range models {
		if e, reason := c.model(m, lang, c.o.OpenModel, ""); reason.Why == "" {
			return e, true
		} else {
			*passed = append(*passed, reason)
		}
	}
	if err == nil && len(models) == 0 {
		*passed = append(*passed, c.nothing(name))
	}
	return nil, false
}

// gpu opens the best model that an engine was built of. Which one that is the
// engine itself finds out; a model without one is passed over.
func (c *Catalog) gpu(lang string, passed *[]Reason) (engine.Engine, bool) {
	const name = string(engine.TensorRT)
	if c.o.OpenGPU == nil {
		*passed = append(*passed, Reason{name, WhyNotBuilt, noTensorRT})
		return nil, false
	}
	models, err := c.models(string(engine.GGUF))
	if err != nil {
		*passed = append(*passed, Reason{name, WhyFailed, err.Error()})
	}
	for _, m := range models {
		e, reason := c.model(m, lang, c.o.OpenGPU, name+":")
		if reason.Why == "" {
			return e, true
		}
		*passed = append(*passed, reason)
	}
	if err == nil && len(models) == 0 {
		*passed = append(*passed, c.nothing(string(engine.GGUF)))
	}
	return nil, false
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
func (c *Catalog) model(m Model, lang string, opener func(Model) (engine.Engine, error), kind string) (engine.Engine, Reason) {
	switch {
	case m.Why != "":
		return nil, Reason{m.Name, m.Why, m.Detail}
	case !m.Speaks(lang) && c.o.Choice == "":
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
		script, err := scripted.Open(file)
		c.script = script
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
