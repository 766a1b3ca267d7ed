package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/choice"
	"fabula/engine/gguf"
	"fabula/engine/ladder"
	"fabula/engine/tensorrt"
	"fabula/engine/worker"
	"fabula/tui/screen/engines"
)

// keeper is the engines.Keeper of a workbench: what it tells is of the catalogue
// that answers there, what it changes is the file that 'engines use' writes.
type keeper struct {
	given string // by --engine

	mu      sync.Mutex
	catalog *catalog.Catalog // nil: no world is open
}

// watch makes c the catalogue that is told of.
func (k *keeper) watch(c *catalog.Catalog) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.catalog = c
}

// check refuses the name of an engine that cannot be had.
func (k *keeper) check(name string) error {
	k.mu.Lock()
	cat := k.catalog
	k.mu.Unlock()
	if cat == nil {
		return nil
	}
	return cat.Check(name)
}

// Stock implements engines.Keeper.
func (k *keeper) Stock(speak string) (engines.Stock, error) {
	k.mu.Lock()
	cat := k.catalog
	k.mu.Unlock()
	if cat == nil {
		return engines.Stock{}, errors.New("no world is open")
	}
	stock := engines.Stock{Free: cat.FreeMemory(), Outranked: k.given, NoBuild: noBuild()}
	file := choice.Open(choicesFile())
	content, err := file.Read()
	if err != nil {
		return stock, err
	}
	stock.Chosen = content.Use
	past, err := file.History()
	if err != nil {
		return stock, err
	}
	for _, p := range slices.Backward(past) {
		stock.Past = append(stock.Past, engines.Change{At: p.At, Did: p.Did})
	}
	ask := engine.Ask{Language: speak}
	for first := range cat.Rungs(ask) {
		stock.Serving = serving(first)
		break
	}
	for _, s := range cat.Ladder(ask) {
		stock.Ladder = append(stock.Ladder, engines.Rung{Kind: s.Kind, Name: s.Name, Step: s.Step, Why: string(s.Why), Args: s.Args})
	}
	stock.Entries, err = entries(cat)
	return stock, err
}

// Use implements engines.Keeper, as 'engines use' does for everyone.
func (k *keeper) Use(name string) error {
	use, err := usable(name)
	if err != nil {
		return err
	}
	return choice.Open(choicesFile()).Change("use "+name, func(c *choice.Content) { c.Pin("", "", use) })
}

// Rollback implements engines.Keeper.
func (k *keeper) Rollback() (string, error) {
	undone, err := choice.Open(choicesFile()).Rollback()
	if errors.Is(err, choice.ErrNoPast) {
		return "", nil
	}
	return undone.Did, err
}

// serving tells of an engine as it is open.
func serving(r engine.Rung) engines.Serving {
	s := engines.Serving{Info: r.Engine.Info(), Step: r.Step}
	_, s.Warms = r.Engine.(engine.Warmer)
	if w, ok := r.Engine.(interface{ Status() worker.Status }); ok {
		now := w.Status()
		s.Loading, s.Load, s.Restarts = now.State == worker.Loading || now.State == worker.Waiting, now.Load, now.Restarts
	}
	return s
}

// entries lists what is installed, built and configured: models, plans, servers,
// authored lines.
func entries(cat *catalog.Catalog) ([]engines.Entry, error) {
	models, err := cat.List()
	if err != nil {
		return nil, err
	}
	var all []engines.Entry
	for _, m := range models {
		all = append(all, engines.Entry{
			Kind: engine.GGUF, Name: m.Name, Use: m.Name, Model: m.Title, Precision: m.Precision, Languages: m.Languages, Toy: m.Toy, Size: m.Size, Needs: m.Needs,
			Window: m.Context, Licence: m.Licence, Runtime: gguf.Runtime(), Version: m.Version, Hash: m.SHA256, Origin: m.Origin, Note: m.Note,
			Why: string(m.Why), Args: m.WhyArgs, Detail: m.Detail,
		})
	}
	for _, l := range planLines() {
		all = append(all, plan(l, models))
	}
	servers, err := remoteLines()
	for _, l := range servers {
		all = append(all, engines.Entry{Kind: l.Kind, Name: l.Name, Use: l.Name, Model: l.Model, Languages: l.Languages, Why: string(l.Why), Origin: l.Detail})
	}
	all = append(all, engines.Entry{Kind: engine.Recall, Name: string(engine.Recall), Use: string(engine.Recall)})
	distrusted(all, cat.Health())
	return all, err
}

// plan tells of an engine that was built. Its replies hold the name of the model
// that it was built from, which the hash of the weights tells.
func plan(l engineLine, models []catalog.Model) engines.Entry {
	e := engines.Entry{
		Kind: l.Kind, Name: cmp.Or(l.Model, l.Detail), Use: l.Name, Model: l.Model, Precision: l.Precision, Why: string(l.Why), Args: l.WhyArgs, Detail: l.Detail,
	}
	file := filepath.Join(enginesDir(), l.Detail)
	if m, err := tensorrt.ReadManifest(file); err == nil {
		e.Window, e.Hash, e.Size, e.Runtime = m.Context, m.BaseHash, m.Plan.Bytes, strings.TrimSpace(m.Library.String()+" "+m.Card.Name)
		if i := slices.IndexFunc(models, func(x catalog.Model) bool { return x.SHA256 != "" && x.SHA256 == m.BaseHash }); i >= 0 {
			e.Name, e.Languages, e.Toy, e.Licence = models[i].Name, models[i].Languages, models[i].Toy, models[i].Licence
		}
	} else if info, err := os.Stat(file); err == nil {
		e.Size = info.Size()
	}
	return e
}

// distrusted notes since when an engine is not trusted, and why.
func distrusted(all []engines.Entry, reports []ladder.Report) {
	for _, r := range reports {
		if r.Up {
			continue
		}
		for i := range all {
			e := &all[i]
			if r.Name != healthKey(e) {
				continue
			}
			e.Since, e.Check = r.Since, r.Check
			e.Why, e.Args, e.Detail = cmp.Or(r.Code, e.Why), r.Args, r.Detail
		}
	}
}

// healthKey names an engine as the catalogue's reports do.
func healthKey(e *engines.Entry) string {
	if e.Kind == engine.GGUF || e.Kind == engine.Recall {
		return e.Name
	}
	return string(e.Kind) + ":" + e.Name
}
