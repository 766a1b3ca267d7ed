package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/recommended"
	"fabula/story/lab/drift"
)

// enginePair is two engines that read; they may be one.
type enginePair struct {
	a, b   drift.Engine
	opened []*catalog.Catalog
}

// openPair opens two engines by their names, or by GGUF files.
func openPair(ctx context.Context, a, b string) (_ *enginePair, err error) {
	p := &enginePair{}
	defer func() {
		if err != nil {
			_ = p.Close()
		}
	}()
	if p.a, err = p.open(ctx, a); err != nil {
		return nil, err
	}
	if p.b = p.a; b == a {
		return p, nil
	}
	p.b, err = p.open(ctx, b)
	return p, err
}

func (p *enginePair) open(ctx context.Context, name string) (drift.Engine, error) {
	dir, name := engineIn(name)
	cat, err := openCatalogIn(dir, name, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return drift.Engine{}, err
	}
	p.opened = append(p.opened, cat)
	ask := engine.Ask{Only: name}
	if err := cat.Ready(ctx, ask); err != nil {
		return drift.Engine{}, err
	}
	for r := range cat.Rungs(ask) {
		if s, ok := r.Engine.(engine.Scorer); ok {
			return drift.Engine{Info: r.Engine.Info(), Scorer: s}, nil
		}
	}
	return drift.Engine{}, usage("%s cannot read texts: only engines that own a model can, gguf and tensorrt", name)
}

// engineIn tells a GGUF file from the name of an engine: the folder in which it
// is the engine of a name.
func engineIn(ref string) (dir, name string) {
	if info, err := os.Stat(ref); err == nil && info.Mode().IsRegular() && strings.EqualFold(filepath.Ext(ref), ".gguf") {
		base := filepath.Base(ref)
		return filepath.Dir(ref), base[:len(base)-len(".gguf")]
	}
	return modelsDir(), ref
}

// speak reports whether both engines are known to speak a language, or say
// nothing of languages.
func (p *enginePair) speak(language string) bool {
	for _, e := range []drift.Engine{p.a, p.b} {
		if len(e.Languages) > 0 && !recommended.Has(e.Languages, language) {
			return false
		}
	}
	return true
}

// Close ends the engines.
func (p *enginePair) Close() error {
	var errs []error
	for _, c := range p.opened {
		errs = append(errs, c.Close())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close engines: %w", err)
	}
	return nil
}
