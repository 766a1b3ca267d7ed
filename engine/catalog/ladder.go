package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/engine/ladder"
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
	WhyNoServer   Why = "no_server"  // no remote server is configured
	WhyUnknown    Why = "unknown"    // a ladder names what is not installed
)

// Reason says why one engine was passed over.
type Reason struct {
	Engine string   `json:"engine"`             // kind or name
	Why    Why      `json:"why"`                // of this package, or a code of engine/ladder
	Detail string   `json:"detail,omitempty"`   // in the words of what failed
	Args   []string `json:"why_args,omitempty"` // what the words of a code of engine/ladder need
}

func reason(name string, why Why, detail string) Reason {
	return Reason{Engine: name, Why: why, Detail: detail}
}

// args are what the words of the reason need.
func (r Reason) args() []string {
	if r.Args != nil {
		return r.Args
	}
	return []string{r.Engine}
}

// failed is the reason of an engine that is not trusted.
func failed(name string, f ladder.Report) Reason {
	return Reason{Engine: name, Why: Why(f.Code), Detail: f.Detail, Args: f.Args}
}

const noTensorRT = "this build has no TensorRT; gguf and recall serve"

func (c *Catalog) nothing(name string) Reason {
	if name == string(engine.GGUF) {
		return reason(name, WhyNoModel, "no model in "+c.o.Dir)
	}
	return reason(name, WhyUnknown, "no model of this name in "+c.o.Dir)
}

// models gives those that an entry names, best for a language first.
func (c *Catalog) models(name, lang string) ([]Model, error) {
	all, err := c.scan()
	if err != nil {
		return nil, err
	}
	if name != string(engine.GGUF) {
		all = slices.DeleteFunc(all, func(m Model) bool { return !m.named(name) })
	}
	slices.SortFunc(all, func(a, b Model) int { return rank(a, b, lang) })
	return all, nil
}

// named says whether a person means the model by name; .gguf may be left out.
func (m Model) named(name string) bool {
	return strings.EqualFold(m.Name, name) || strings.EqualFold(m.Name+extension, name)
}

// Check refuses a kind or name that cannot be had, as far as that is known without
// opening anything: one that is unknown (ErrUnknown), or that this machine or
// build cannot run (engine.ErrUnavailable).
func (c *Catalog) Check(choice string) error {
	if err := c.choose(choice); err != nil {
		return fmt.Errorf("engine %s: %w", choice, err)
	}
	return nil
}

// choose checks a person's choice as far as it can be without opening a model.
func (c *Catalog) choose(choice string) error {
	if file, ok := strings.CutPrefix(choice, string(engine.Scripted)+":"); ok {
		_, _, err := c.script(choice, file)
		return err
	}
	switch engine.Kind(choice) {
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
		return c.chooseServer(choice)
	}
	if len(c.servers(choice)) > 0 {
		return c.chooseServer(choice)
	}
	models, err := c.models(choice, "")
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
	for _, o := range c.o.Remotes {
		names = append(names, o.Name)
	}
	models, _ := c.scan() // an unreadable folder has no names to offer
	for _, m := range models {
		names = append(names, m.Name)
	}
	return names
}
