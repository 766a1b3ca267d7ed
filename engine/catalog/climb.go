package catalog

import (
	"iter"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/engine/ladder"
)

// Rungs gives the engines that may answer, best first: models and scripts, then
// recall. A model is opened when it is asked for, if it is not open yet; one
// that fails, or that is not trusted for now, is passed over. The Why of a rung
// is a code of this package or of engine/ladder; Reasons tells more.
//
// With Ask.Only nothing stands in: there is one rung, which refuses every
// request when that engine cannot be had.
func (c *Catalog) Rungs(a engine.Ask) iter.Seq[engine.Rung] {
	return func(yield func(engine.Rung) bool) {
		defer c.retire()
		u := &climb{c: c, ask: a, yield: yield, given: map[string]bool{}}
		u.down()
	}
}

// down goes from the first entry to recall.
func (u *climb) down() {
	w := u.c.wish(u.ask)
	u.limits = w.Limits
	for i, entry := range slices.Concat(w.Chosen, w.Ladder) {
		u.chosen = i < len(w.Chosen)
		if entry == string(engine.Recall) {
			break
		}
		if !u.entry(entry) {
			return
		}
	}
	switch {
	case u.ask.Only == "" || u.ask.Only == string(engine.Recall):
		u.last()
	case len(u.given) == 0 && u.looked == nil && len(u.passed) > 0:
		u.note()
		u.yield(engine.Rung{Engine: absent{u.passed[len(u.passed)-1]}, Step: engine.StepFull})
	}
}

// climb goes down one ladder for one request.
type climb struct {
	c      *Catalog
	ask    engine.Ask
	limits ladder.Limits
	chosen bool // the entry was asked for by a person
	floor  *Model
	yield  func(engine.Rung) bool
	given  map[string]bool // rungs so far, by their key
	passed []Reason
	// Of a look that opens nothing: what was found, else nil.
	looked *[]Standing
}

func (u *climb) pass(r Reason) {
	u.passed = append(u.passed, r)
	u.look(Standing{Name: r.Engine, Why: r.Why, Args: r.Args, Detail: r.Detail})
}

// give hands out an engine; false when no more are wanted.
func (u *climb) give(s *slot, e engine.Engine) bool {
	r := engine.Rung{Engine: e, Step: engine.StepFull}
	limits := u.limits
	switch i := slices.IndexFunc(u.passed, func(r Reason) bool { return r.Why != WhyLanguage }); {
	case len(u.given) > 0:
		r.Step, r.Why = engine.StepSmaller, string(WhyFailed)
		limits.Load = standby
	case i >= 0:
		r.Step, r.Why, r.Args = engine.StepSmaller, string(u.passed[i].Why), u.passed[i].args()
	}
	u.given[s.key] = true
	if u.looked != nil {
		u.look(Standing{Kind: kindOf(s), Name: s.name, Step: r.Step})
		return true
	}
	r.Guard = u.c.guard(s, limits)
	u.note()
	return u.yield(r) && u.ask.Only == ""
}

// last hands out recall.
func (u *climb) last() {
	r := engine.Rung{Engine: u.c.recall, Step: engine.StepRecall}
	switch {
	case len(u.given) > 0:
		r.Why = string(WhyFailed)
	case len(u.passed) > 0:
		r.Why, r.Args = string(u.passed[0].Why), u.passed[0].args()
	}
	if u.looked != nil {
		u.look(Standing{Kind: engine.Recall, Name: string(engine.Recall), Step: r.Step})
		return
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
	if file, ok := strings.CutPrefix(u.c.scriptCalled(name), string(engine.Scripted)+":"); ok {
		return u.script(u.c.scriptCalled(name), file)
	}
	switch engine.Kind(name) {
	case engine.TensorRT:
		return u.gpu()
	case engine.Remote:
		return u.remote(u.c.servers(name))
	case engine.Scripted:
		u.pass(reason(name, WhyUnknown, "a script is named by scripted:FILE"))
		return true
	}
	if servers := u.c.servers(name); len(servers) > 0 {
		return u.remote(servers)
	}
	models, err := u.c.models(name, u.ask.Language)
	if err != nil {
		u.pass(reason(name, WhyFailed, err.Error()))
		return true
	}
	if len(models) == 0 {
		u.pass(u.c.nothing(name))
		return true
	}
	if why, detail := u.c.unable(); why != "" {
		u.pass(reason(name, why, detail))
		return true
	}
	return u.models(models, opening{open: u.c.o.OpenModel})
}

// gpu gives the models that an engine was built of. Which ones those are the
// engine itself finds out; a model without one is passed over.
func (u *climb) gpu() bool {
	const name = string(engine.TensorRT)
	if u.c.o.OpenGPU == nil {
		u.pass(reason(name, WhyNotBuilt, noTensorRT))
		return true
	}
	models, err := u.c.models(string(engine.GGUF), u.ask.Language)
	switch {
	case err != nil:
		u.pass(reason(name, WhyFailed, err.Error()))
	case len(models) == 0:
		u.pass(u.c.nothing(string(engine.GGUF)))
	}
	return u.models(models, opening{open: u.c.o.OpenGPU, kind: name + ":"})
}

// models opens one model after the other.
func (u *climb) models(models []Model, how opening) bool {
	for _, m := range models {
		switch {
		case u.given[how.key(m)] || !u.chosen && u.floor != nil && rank(m, *u.floor, u.ask.Language) <= 0:
			continue
		case u.chosen && u.floor == nil:
			u.floor = &m
		}
		s, e, r := u.model(m, how)
		if s == nil || e == nil && u.looked == nil {
			u.pass(r)
		} else if !u.give(s, e) {
			return false
		}
	}
	return true
}

// model opens one model, or says why it does not serve.
func (u *climb) model(m Model, how opening) (*slot, engine.Engine, Reason) {
	switch {
	case m.Why != "":
		return nil, nil, reason(m.Name, m.Why, m.Detail)
	case !m.Speaks(u.ask.Language) && !u.chosen:
		return nil, nil, reason(m.Name, WhyLanguage, "speaks "+strings.Join(m.Languages, ", "))
	}
	if u.looked != nil {
		return u.glance(m, how)
	}
	s, e, report := u.c.slot(m, how)
	switch {
	case s == nil:
		return nil, nil, reason(m.Name, WhyFailed, "the catalogue is closed")
	case e == nil:
		return nil, nil, failed(m.Name, report)
	}
	return s, e, Reason{}
}

// script gives the fake that plays a file.
func (u *climb) script(name, file string) bool {
	s, e, err := u.c.script(name, file)
	if err != nil {
		u.pass(reason(name, WhyFailed, err.Error()))
		return true
	}
	if report, up := u.c.health.Up(s.key); !up {
		u.pass(failed(s.name, report))
		return true
	}
	return u.give(s, e)
}
