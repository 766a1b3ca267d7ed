package ladder

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"fabula/engine"
)

// Policy says how soon trust is lost and how it is won back. Zero values mean
// the default in brackets.
type Policy struct {
	Faults  int           // in a row that move a rung down; grave ones do at once [2]
	Checks  int           // good ones in a row that move it up [2]
	Wait    time.Duration // before the first check, and between two good ones [5 s]
	Longest time.Duration // between checks, after doubling [5 min]
	Calm    time.Duration // a rung that falls later than this after it rose waits as if for the first time [10 min]
}

func (p Policy) whole() Policy {
	p.Faults, p.Checks = cmp.Or(p.Faults, 2), cmp.Or(p.Checks, 2)
	p.Wait, p.Longest = cmp.Or(p.Wait, 5*time.Second), cmp.Or(p.Longest, 5*time.Minute)
	p.Calm = cmp.Or(p.Calm, 10*time.Minute)
	return p
}

// Report is the state of one rung.
type Report struct {
	Name   string          `json:"name"`
	Up     bool            `json:"up"`
	Since  time.Time       `json:"since,omitzero"` // of the last move; zero: it never moved
	Faults int             `json:"faults"`         // in a row
	Code   string          `json:"why,omitempty"`  // of the last fault
	Args   []string        `json:"why_args,omitempty"`
	Detail string          `json:"detail,omitempty"`
	Check  time.Time       `json:"check,omitzero"` // when it is checked next; zero: it is up, or no check helps
	Last   *engine.Failure `json:"-"`
}

// Move is one change of trust.
type Move struct {
	Name string
	Up   bool
	Why  *engine.Failure // of a move down
	At   time.Time
}

// Health remembers how rungs did. It is safe for concurrent use; the zero value
// is not ready, see New.
type Health struct {
	policy Policy
	now    func() time.Time
	moved  func(Move)

	mu    sync.Mutex
	rungs map[string]*rung
}

type rung struct {
	Report
	checks int           // good ones in a row
	wait   time.Duration // before the next check
}

// New makes the health of rungs that are all trusted. moved is told of every
// change, outside of locks; nil = nobody. now nil = time.Now.
func New(p Policy, now func() time.Time, moved func(Move)) *Health {
	if now == nil {
		now = time.Now
	}
	if moved == nil {
		moved = func(Move) {}
	}
	return &Health{policy: p.whole(), now: now, moved: moved, rungs: map[string]*rung{}}
}

func (h *Health) rung(name string) *rung {
	r := h.rungs[name]
	if r == nil {
		r = &rung{Report: Report{Name: name, Up: true}}
		h.rungs[name] = r
	}
	return r
}

// Up reports whether a rung is trusted; of one that is not, the report says why.
func (h *Health) Up(name string) (Report, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rung(name)
	return r.Report, r.Up
}

// Fault tells that a rung failed a request.
func (h *Health) Fault(name string, f *engine.Failure) {
	if f.Code == StillLoading {
		return
	}
	h.change(name, func(r *rung, now time.Time) {
		r.Faults++
		r.Last, r.Code, r.Args, r.Detail = f, f.Code, f.Args, f.Error()
		if !r.Up || r.Faults < h.policy.Faults && !grave(f.Code) {
			return
		}
		h.fall(r, now)
	})
}

// fall moves a rung down. One that rose not long ago has to wait twice as long
// as the last time.
func (h *Health) fall(r *rung, now time.Time) {
	if r.wait == 0 || now.Sub(r.Since) > h.policy.Calm {
		r.wait = h.policy.Wait
	} else {
		r.wait = min(2*r.wait, h.policy.Longest)
	}
	r.Up, r.Since, r.checks = false, now, 0
	r.Check = now.Add(r.wait)
	if r.Code == Incompatible {
		r.Check = time.Time{} // only another file helps: see Forget
	}
}

// Served tells that a rung answered a request soundly.
func (h *Health) Served(name string) {
	h.change(name, func(r *rung, _ time.Time) {
		if r.Up {
			r.Faults, r.Last, r.Code, r.Args, r.Detail = 0, nil, "", nil, ""
		}
	})
}

// Checked tells how a check of a rung went that was due.
func (h *Health) Checked(name string, f *engine.Failure) {
	h.change(name, func(r *rung, now time.Time) {
		switch {
		case r.Up:
			return
		case f != nil:
			r.checks = 0
			r.Last, r.Code, r.Args, r.Detail = f, f.Code, f.Args, f.Error()
			r.wait = min(2*r.wait, h.policy.Longest)
			r.Check = now.Add(r.wait)
			if f.Code == Incompatible {
				r.Check = time.Time{}
			}
			return
		}
		if r.checks++; r.checks < h.policy.Checks {
			r.Check = now.Add(h.policy.Wait)
			return
		}
		r.Up, r.Since, r.Check, r.Faults = true, now, time.Time{}, 0
		r.Last, r.Code, r.Args, r.Detail = nil, "", nil, ""
	})
}

// Forget trusts a rung again: what it stands for was replaced.
func (h *Health) Forget(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.rungs, name)
}

// change changes one rung and tells of a move.
func (h *Health) change(name string, how func(*rung, time.Time)) {
	h.mu.Lock()
	r, now := h.rung(name), h.now()
	was := r.Up
	how(r, now)
	m := Move{Name: name, Up: r.Up, Why: r.Last, At: now}
	moved := r.Up != was
	h.mu.Unlock()
	if moved {
		h.moved(m)
	}
}

// Due gives the rungs that are to be checked now, and when to look again; zero:
// none waits for a check.
func (h *Health) Due() (names []string, next time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	for _, name := range slices.Sorted(maps.Keys(h.rungs)) {
		r := h.rungs[name]
		switch {
		case r.Up || r.Check.IsZero():
		case !r.Check.After(now):
			names = append(names, name)
		case next.IsZero() || r.Check.Before(next):
			next = r.Check
		}
	}
	return names, next
}

// Reports gives the state of every rung that was asked of, by name.
func (h *Health) Reports() []Report {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []Report
	for _, name := range slices.Sorted(maps.Keys(h.rungs)) {
		all = append(all, h.rungs[name].Report)
	}
	return all
}
