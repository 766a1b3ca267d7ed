package story

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// MostAlternatives bounds how many replies one turn may ask for at once.
const MostAlternatives = 8

// MostTop bounds the likely tokens that are kept of every step.
const MostTop = 20

// checked refuses options that no turn can have, and draws the seed that engines
// which are compared share.
func (o Options) checked() (Options, error) {
	if len(o.Engines) > 0 {
		o.Count = len(o.Engines)
		drawn, err := seed(o)
		if err != nil {
			return o, err
		}
		o.Seed = &drawn
	}
	if o.Count < 0 || o.Count > MostAlternatives {
		return o, fmt.Errorf("%d alternatives at once: 1 to %d can be asked for: %w", o.Count, MostAlternatives, ErrNothing)
	}
	return o, nil
}

// nth gives the options of alternative number i of those asked for at once: a
// given seed counts up, so that the same seed brings the same set. Engines that
// are compared have the same seed.
func (o Options) nth(i int) Options {
	if len(o.Engines) > 0 {
		o.Engine = o.Engines[i%len(o.Engines)]
		return o
	}
	if o.Seed != nil && i > 0 {
		seed := *o.Seed + uint64(i)
		o.Seed = &seed
	}
	return o
}

// shelf is where replies that one turn asked for at once are put, in whatever
// order they end. The branch ends at the first of them by number that came to
// text.
type shelf struct {
	mu       sync.Mutex
	branch   Branch
	status   Status
	best     int // number of the reply that the branch ends at
	children []ID
}

// start sets the replies of a plan going, o.Count of them beside each other;
// r shows the first and lives in inner, the others in contexts of their own.
// The claims are given up with the last.
func (s *Session) start(ctx, inner context.Context, r *Running, p plan, o Options, claimed ...ID) {
	n := max(o.Count, 1)
	if p.turn.Speaker == "" {
		n = 1
	}
	if n > 1 { // the rest of the cast cannot have heard all of them
		p.queue = nil
		p.shelf = &shelf{branch: p.branch, status: p.turn.Status, best: n, children: p.turn.Children}
	}
	var left atomic.Int32
	left.Store(int32(n))
	release := func() {
		if left.Add(-1) == 0 {
			s.release(claimed...)
		}
	}
	if n > 1 && len(o.Engines) == 0 {
		p.nth = len(p.turn.Children) + 1
	}
	plans := []plan{p}
	contexts := []context.Context{inner}
	for i := 1; i < n; i++ {
		q := p
		q.alternative, q.number, q.retry, q.home = s.id(), i, true, p.branch
		if p.nth > 0 {
			q.nth = p.nth + i
		}
		own, cancel := context.WithCancel(ctx)
		b := newRunning(cancel, p.branch, p.turn)
		b.show(&q)
		r.beside = append(r.beside, b)
		plans, contexts = append(plans, q), append(contexts, own)
	}
	for i, b := range r.Beside() {
		go s.run(contexts[i], b, plans[i], o.nth(i), release)
	}
}

// show tells of a turn that is stored already.
func (r *Running) show(p *plan) {
	r.update(func(snap *Snapshot) {
		snap.Turn, snap.Branch, snap.Speaker, snap.Lines = p.turn, p.branch, p.turn.Speaker, p.lines
	})
}

// shelve stores a reply and leaves in p branch and turn as they are stored.
func (s *Session) shelve(p *plan, a Alternative, status Status, blobs map[string]string) error {
	sh := p.shelf
	if sh == nil {
		sh = &shelf{branch: p.branch, best: 1, children: p.turn.Children}
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	b := sh.branch
	if b.Touched = s.touch(); status == Finished && (p.number < sh.best || p.again && p.number == sh.best) || sh.status != Finished {
		b.move(a.ID, p.turn.Parent, b.Touched)
	}
	if sh.status == Finished { // a reply beside it is stored: the turn has not failed
		status = Finished
	}
	if err := s.store.Finish(a, status, b, blobs); err != nil {
		s.owe(unstored{a, status, b, blobs})
		return err
	}
	if sh.branch, sh.status = b, status; a.Status == Finished {
		sh.best = min(sh.best, p.number)
	}
	sh.children = append(slices.Clip(sh.children), a.ID)
	slices.Sort(sh.children) // as the store lists them: by when they were asked for
	p.branch, p.turn.Status, p.turn.Lines, p.turn.Children = b, status, nil, sh.children
	return nil
}
