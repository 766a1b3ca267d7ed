package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/store"
	"fabula/worlds"
)

// opened is a world ready to be played: its text, store, engines and session.
type opened struct {
	world   *worlds.World
	catalog *catalog.Catalog
	session *story.Session
	wishes  *wishes
	speak   string // what NPCs speak in new playthroughs
	log     *slog.Logger
	logs    io.Closer
}

// playFlags are the flags of every command that makes text.
type playFlags struct {
	engine string
	speak  string
	alike  bool // the language of the interface has no say in what NPCs speak
	node   string
	set    []string
	meterFlags
}

func (f *playFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.engine, "engine", "", "who answers: gguf, tensorrt, recall, remote, scripted:FILE, or a name from 'engines list'; several with commas between are tried in order")
	c.Flags().StringVar(&f.speak, "speak", "", "language the NPCs speak (default: the world's first; in a demo world --lang)")
}

func (f *playFlags) registerStart(c *cobra.Command) {
	c.Flags().StringVar(&f.node, "node", "", "start in this node; the branch is marked forced")
	c.Flags().StringArrayVar(&f.set, "set", nil, "set a state variable at the start, x=v (repeatable)")
}

// openWorld loads a world and opens everything that playing it needs.
func openWorld(ref string, sh *shell, f playFlags) (_ *opened, err error) {
	w, err := worlds.Open(ref)
	if err != nil {
		return nil, err
	}
	logger, logs := openLog(os.Stderr)
	o := &opened{world: w, log: logger, logs: logs}
	defer func() {
		if err != nil {
			o.Close()
		}
	}()
	if o.catalog, err = o.engines(f); err != nil {
		return nil, err
	}
	if o.speak, err = playLanguage(w, f.speak, f.language(sh)); err != nil {
		return nil, err
	}
	tree, err := store.Open(w.StateDir(), store.WithWorld(w.Script.ID), store.WithLog(logger), store.WithRescue(rescueDir()))
	if err != nil {
		return nil, err
	}
	o.session, err = story.New(story.Config{
		Script: w.Script, Store: tree, Engines: f.watch(o.catalog), Language: o.speak, Log: logger,
		Reload: o.reload,
	})
	if err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	return o, nil
}

// engines opens what may answer in the world.
func (o *opened) engines(f playFlags) (*catalog.Catalog, error) {
	var err error
	if o.wishes, err = newWishes(o.world.Script, o.log); err != nil {
		return nil, err
	}
	return openCatalog(f.engine, o.wishes.wish, o.log, f.moved)
}

// openForReading opens a world without taking its store: prompts can be looked
// at while another process plays.
func openForReading(ref string, sh *shell, f playFlags) (*opened, error) {
	w, reader, closer, err := openReader(ref)
	if err != nil {
		return nil, err
	}
	o := &opened{world: w, log: slog.New(slog.DiscardHandler), logs: closer}
	if o.catalog, err = o.engines(f); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	if o.speak, err = playLanguage(w, f.speak, f.language(sh)); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	o.session, err = story.New(story.Config{Script: w.Script, Reader: reader, Engines: o.catalog, Language: o.speak})
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// reload gives the script as it is on disk now; an edit that does not load
// keeps the last good one and says so in the log.
func (o *opened) reload() (*plot.Script, error) {
	next, changed, err := o.world.Reload()
	if err != nil {
		return nil, err
	}
	if changed {
		o.world = next
		o.wishes.script.Store(next.Script)
	}
	return o.world.Script, nil
}

// language is what NPCs speak on a branch.
func (o *opened) language(b story.Branch) string {
	p, err := o.session.Reader().Playthrough(b.Playthrough)
	if err != nil {
		return "" // Say reports what is wrong with the branch
	}
	return p.Language
}

// ready waits until an engine can answer in, where anybody is to: all of those
// that are compared.
func (o *opened) ready(ctx context.Context, speak string, in story.Input, compared ...string) error {
	if in.Text == "" {
		return nil
	}
	for _, name := range compared {
		if err := o.catalog.Check(name); err != nil {
			return err
		}
		if err := o.catalog.Ready(ctx, engine.Ask{Language: speak, Persona: in.To, Only: name}); err != nil {
			return err
		}
	}
	if len(compared) > 0 {
		return nil
	}
	return o.catalog.Ready(ctx, engine.Ask{Language: speak, Persona: in.To})
}

// Close ends the session, the engines and the log, in that order.
func (o *opened) Close() error {
	var errs []error
	if o.session != nil {
		errs = append(errs, o.session.Close())
	}
	if o.catalog != nil {
		errs = append(errs, o.catalog.Close())
		_ = os.Remove(trustFile(os.Getpid())) // seldom there
	}
	if o.logs != nil {
		errs = append(errs, o.logs.Close())
	}
	return errors.Join(errs...)
}

// openReader opens the tree of a world for reading, also while another process
// writes it.
func openReader(ref string) (*worlds.World, story.Reader, io.Closer, error) {
	w, err := worlds.Open(ref)
	if err != nil {
		return nil, nil, nil, err
	}
	r, c, err := store.OpenReader(w.StateDir(), store.WithWorld(w.Script.ID))
	if err != nil {
		return nil, nil, nil, err
	}
	return w, r, c, nil
}

// readStore opens what was played in a world whose manifest may be unreadable.
func readStore(at worlds.Place) (story.Reader, io.Closer, error) {
	id, _ := at.Authored()
	return store.OpenReader(at.StateDir(), store.WithWorld(id))
}

// openTree opens the tree alone: what was played can be read while the world's
// files do not load.
func openTree(ref string) (story.Reader, io.Closer, error) {
	at, err := worlds.Find(ref)
	if err != nil {
		return nil, nil, err
	}
	return readStore(at)
}

// language is that of the interface, as far as it has a say in what NPCs speak.
func (f *playFlags) language(sh *shell) string {
	if f.alike {
		return ""
	}
	return sh.lang
}

// playLanguage chooses what NPCs speak: --speak, else in a demo world the
// interface language, else the world's first.
func playLanguage(w *worlds.World, speak, lang string) (string, error) {
	has := w.Script.Languages
	switch {
	case speak != "" && !slices.Contains(has, speak):
		return "", usage("--speak %s: %s is written in %s", speak, w.Name, strings.Join(has, ", "))
	case speak != "":
		return speak, nil
	case w.Embedded && slices.Contains(has, lang):
		return lang, nil
	default:
		return has[0], nil // a world without a language does not load
	}
}
