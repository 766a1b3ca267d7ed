package main

import (
	"sync"
	"time"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/worker"
	"fabula/tui"
)

// board answers at once who serves in a language; what it says is at most a
// moment old. Asking the catalogue can read files, and a screen must not.
type board struct {
	mu      sync.Mutex
	catalog *catalog.Catalog
	seen    map[string]*posting
}

type posting struct {
	status  tui.Status
	at      time.Time
	reading bool
}

// fresh is how long an answer stays good.
const fresh = 250 * time.Millisecond

func newBoard() *board { return &board{seen: map[string]*posting{}} }

// watch makes c the catalogue that is asked.
func (b *board) watch(c *catalog.Catalog) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.catalog, b.seen = c, map[string]*posting{}
}

// status never blocks.
func (b *board) status(speak string) tui.Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.seen[speak]
	if p == nil {
		p = &posting{status: tui.Status{Name: "…", Loading: true}}
		b.seen[speak] = p
	}
	if b.catalog != nil && !p.reading && time.Since(p.at) > fresh {
		p.reading = true
		go b.read(b.catalog, p, speak)
	}
	return p.status
}

// read asks the catalogue.
func (b *board) read(c *catalog.Catalog, p *posting, speak string) {
	s := tui.Status{}
	for first := range c.Rungs(engine.Ask{Language: speak}) {
		s = describe(first)
		break
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p.status, p.at, p.reading = s, time.Now(), false
}

// describe says who stands on a rung.
func describe(r engine.Rung) tui.Status {
	info := r.Engine.Info()
	s := tui.Status{
		Name: info.Name, Model: info.Model, Speaks: info.Languages, Toy: info.Toy,
		Recall: info.Kind == engine.Recall, Degraded: r.Why != "", Why: r.Why, Args: r.Args,
	}
	if w, ok := r.Engine.(interface{ Status() worker.Status }); ok {
		now := w.Status()
		s.Loading, s.Progress = now.State == worker.Loading || now.State == worker.Waiting, now.Progress
	}
	return s
}
