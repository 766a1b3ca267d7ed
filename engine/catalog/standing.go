package catalog

import (
	"time"

	"fabula/engine"
	"fabula/engine/ladder"
)

// Standing is one rung of a ladder as it stands.
type Standing struct {
	Kind   engine.Kind `json:"kind,omitempty"` // empty: of what was passed over
	Name   string      `json:"name"`
	Step   string      `json:"step,omitempty"` // empty: it does not serve
	Why    Why         `json:"why,omitempty"`  // why not
	Args   []string    `json:"why_args,omitempty"`
	Detail string      `json:"detail,omitempty"`
	Since  time.Time   `json:"since,omitzero"` // when it was moved down
	Check  time.Time   `json:"check,omitzero"` // when it is checked next
}

// Ladder tells how the ladder for somebody stands, best first, and opens
// nothing: whether a model really loads is seen when it answers.
func (c *Catalog) Ladder(a engine.Ask) []Standing {
	var all []Standing
	u := &climb{c: c, ask: a, given: map[string]bool{}, looked: &all}
	u.down()
	return all
}

// look notes what was found where nothing is opened.
func (u *climb) look(s Standing) {
	if u.looked == nil {
		return
	}
	for _, r := range u.c.health.Reports() {
		if r.Name == s.Name && !r.Up {
			s.Since, s.Check = r.Since, r.Check
		}
	}
	*u.looked = append(*u.looked, s)
}

// glance says whether a model would be opened.
func (u *climb) glance(m Model, how opening) (*slot, engine.Engine, Reason) {
	s := &slot{key: how.key(m), name: m.Name, how: how}
	if report, up := u.c.health.Up(s.key); !up {
		return nil, nil, failed(m.Name, report)
	}
	if f := u.c.fits(m, how); f != nil {
		return nil, nil, failed(m.Name, ladder.Report{Code: f.Code, Args: f.Args, Detail: f.Error()})
	}
	return s, nil, Reason{}
}

func kindOf(s *slot) engine.Kind {
	switch {
	case s.how.open == nil:
		return s.engine.Info().Kind
	case s.how.kind != "":
		return engine.TensorRT
	}
	return engine.GGUF
}
