package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/personas/source"
	"fabula/story"
	"fabula/story/export/qa"
)

// manifestLine is an object of `replay --manifest --json` beside those of
// `replay`: something recorded that is not so here.
type manifestLine struct {
	Event    string `json:"event"` // manifest
	What     string `json:"what"`  // file, world, branch, engine, reply
	Of       string `json:"of"`
	Recorded string `json:"recorded"`
	Here     string `json:"here"`
}

// replayManifest plays again what an export for quality assurance was made of,
// and names everything that is not as it was, the first difference first.
func replayManifest(c *cobra.Command, sh *shell, file string, args []string, options story.ReplayOptions, asJSON bool) (err error) {
	m, err := readManifest(file)
	if err != nil {
		return err
	}
	ref := m.World
	if len(args) > 0 {
		ref = args[0]
	}
	o, err := openForReading(ref, sh, playFlags{engine: options.Engine})
	if err != nil {
		return fmt.Errorf("the world %s of %s: %w; name its folder: fabula replay WORLD --manifest FILE", m.World, file, err)
	}
	defer func() { err = firstError(err, o.Close()) }()
	r := manifestReplay{c: c, manifest: m, json: asJSON, language: sh.lang, session: o.session}
	if err := r.files(filepath.Dir(file)); err != nil {
		return err
	}
	if err := r.differs("world", m.World, m.Hash, o.world.Hash); err != nil {
		return err
	}
	for _, b := range m.Branches {
		if err := r.branch(b, options); err != nil {
			return err
		}
	}
	r.sum.told(c.ErrOrStderr(), sh.lang, r.other)
	if r.engines > 0 {
		r.toldEngines()
	}
	if r.sum.failed == nil && r.other+r.engines > 0 {
		return errReported
	}
	return r.sum.verdict(options)
}

func readManifest(file string) (qa.Manifest, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return qa.Manifest{}, coded{exitUsage, err}
	}
	m, faults := qa.ReadManifest(source.File{Name: file, Data: data})
	if len(faults) > 0 {
		return m, coded{exitUsage, &configFault{file: file, faults: faults}}
	}
	return m, nil
}

// manifestReplay tells what is not as recorded.
type manifestReplay struct {
	c        *cobra.Command
	manifest qa.Manifest
	json     bool
	language string
	session  *story.Session
	sum      replaySum
	other    int // differences that are neither of a reply nor of who gave it
	engines  int // replies that another engine gave here
}

// differs tells of one thing, if it is not as recorded.
func (r *manifestReplay) differs(what, of, recorded, here string) error {
	if recorded == here {
		return nil
	}
	if what == "engine" {
		r.engines++
	} else {
		r.other++
	}
	if r.json {
		return writeJSON(r.c.OutOrStdout(), manifestLine{"manifest", what, of, recorded, here})
	}
	printSaid(r.c.OutOrStdout(), r.language, "%s %s: recorded %s, here %s", what, printable(of), printable(recorded), printable(here))
	return nil
}

// toldEngines says how many replies another engine gave, and whether that is all.
func (r *manifestReplay) toldEngines() {
	replies := amount{r.engines, "reply"}
	if r.sum.differ+r.other == 0 && r.sum.failed == nil {
		printSaid(r.c.ErrOrStderr(), r.language, "texts the same, another engine (%s)", replies)
		return
	}
	printSaid(r.c.ErrOrStderr(), r.language, "another engine here: %s", replies)
}

// builtAs names an engine and what it was built of, as far as that is known.
func builtAs(name string, b engine.Build) string {
	var of []string
	for _, part := range []string{b.Precision, b.Runtime} {
		if part != "" {
			of = append(of, part)
		}
	}
	if b.BaseHash != "" {
		of = append(of, "weights "+b.BaseHash[:min(len(b.BaseHash), 12)])
	}
	if len(of) == 0 {
		return name
	}
	return name + " (" + strings.Join(of, ", ") + ")"
}

// files compares what lies beside the manifest.
func (r *manifestReplay) files(dir string) error {
	for _, f := range r.manifest.Files {
		here := "missing"
		if filepath.IsLocal(f.File) {
			if data, err := os.ReadFile(filepath.Join(dir, f.File)); err == nil {
				here = qa.Hash(string(data))
			}
		}
		if err := r.differs("file", f.File, f.SHA256, here); err != nil {
			return err
		}
	}
	return nil
}

func (r *manifestReplay) branch(b qa.Recorded, options story.ReplayOptions) error {
	if _, err := r.session.Reader().Alternative(story.ID(b.Leaf)); errors.Is(err, story.ErrNotFound) {
		return r.differs("branch", b.Name, b.Leaf, "not in the store")
	}
	return r.session.Replay(r.c.Context(), story.ID(b.Leaf), "", options, func(again story.Replayed) error {
		r.sum.add(again)
		i := slices.IndexFunc(b.Replies, func(m qa.Made) bool { return m.Alternative == string(again.Alternative) })
		if i < 0 {
			return nil // made since
		}
		made := b.Replies[i]
		of := fmt.Sprintf("%s@%d", b.Name, again.Depth)
		if err := r.differs("reply", of, made.SHA256, qa.Hash(again.Was)); err != nil {
			return err
		}
		if again.Asked && again.Err == nil {
			here, was := again.Build, made.Build()
			here.Threads, was.Threads = 0, 0
			if err := r.differs("engine", of, builtAs(made.Engine, was), builtAs(again.Engine, here)); err != nil {
				return err
			}
		}
		if r.json {
			return writeJSON(r.c.OutOrStdout(), newReplayLine(again))
		}
		printReplayed(r.c.OutOrStdout(), again, r.language)
		return nil
	})
}
