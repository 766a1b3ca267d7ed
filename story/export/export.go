// Package export turns a script and its transcript tree into files for other
// people's tools. Each format is a subpackage with one pure function from
// Input to Files; same input, same bytes.
//
// Non-goals: choosing branches, reading a store while it is written to.
package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fabula/engine/safefile"
	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/plot"
)

// ErrCannotCarry: a format cannot hold a text; the wrapped error names the line.
var ErrCannotCarry = errors.New("this format cannot carry the text")

// Input is what every format reads.
type Input struct {
	Script       *plot.Script
	Branches     []Branch // selected, oldest first
	Numbers      Numbers  // line numbers over the whole tree
	ApprovedOnly bool
	Named        bool // a person named the branches: none of them is left out
	// Beside holds every alternative of the selected turns that have more than
	// one, oldest first, without token figures and prompts.
	Beside map[story.ID][]story.Alternative
	Cards  map[string]Card // by persona id: what an imported character brought
	Word   Wording         // nil = findings are told by code
	// Mask takes secrets out of what a format packs so that no text is found in
	// the file; nil = nothing is masked.
	Mask func(string) string
}

// Card is what a persona was imported from: its character card and picture,
// both possibly nil.
type Card struct{ JSON, Picture []byte }

// Wording words a finding in an interface language.
type Wording func(lang, code string, args []string) string

// Worded words a finding, or gives its code and arguments.
func (in Input) Worded(lang string, f lint.Finding) string {
	if in.Word != nil {
		return in.Word(lang, f.Code, f.Args)
	}
	return strings.Join(append([]string{f.Code}, f.Args...), " ")
}

// Branch is a selected branch with its path from the opening.
type Branch struct {
	story.Branch
	Language string
	Steps    []story.Step
}

// At names a turn of the branch as every command takes it: BRANCH@n.
func (b Branch) At(t story.Turn) string { return fmt.Sprintf("%s@%d", b.Name, t.Depth) }

// Trial reports whether a branch is nobody's play of the plot: a simulated player
// took it, or it was a try in the sandbox.
func (b Branch) Trial() bool {
	return slices.Contains(b.Tags, story.SimulatedTag) || slices.Contains(b.Tags, story.SandboxTag)
}

// File is one file to be written. Name may hold one folder.
type File struct {
	Name string
	Data []byte
}

// Collect reads the selected branches of a store, or all when refs is empty.
// Lines are numbered as if none had been before. The result aliases nothing in
// the store.
func Collect(r story.Reader, script *plot.Script, refs []string) (Input, error) {
	return CollectNumbered(r, script, refs, NewLedger())
}

// CollectNumbered is Collect where lines have the ids that were given them.
func CollectNumbered(r story.Reader, script *plot.Script, refs []string, ids *Ledger) (Input, error) {
	in := Input{Script: script, Named: len(refs) > 0}
	ids.Authored = func(id string) bool { return script.Line(id) != nil }
	branches, err := choose(r, refs)
	if err != nil {
		return in, err
	}
	for _, b := range branches {
		steps, err := r.Path(b.Leaf)
		if err != nil {
			return in, fmt.Errorf("branch %s: %w", b.Name, err)
		}
		p, err := r.Playthrough(b.Playthrough)
		if err != nil {
			return in, fmt.Errorf("branch %s: %w", b.Name, err)
		}
		in.Branches = append(in.Branches, Branch{Branch: b, Language: p.Language, Steps: steps})
	}
	in.Numbers, in.Beside, err = walk(r, in.turns(), ids)
	return in, err
}

// turns are those of the selected branches.
func (in Input) turns() map[story.ID]bool {
	all := map[story.ID]bool{}
	for _, b := range in.Branches {
		for _, s := range b.Steps {
			all[s.Turn.ID] = true
		}
	}
	return all
}

// choose resolves refs in the order given; without refs, all by age.
func choose(r story.Reader, refs []string) ([]story.Branch, error) {
	if len(refs) == 0 {
		all, err := r.Branches()
		if err != nil {
			return nil, err
		}
		sortByID(all)
		return all, nil
	}
	var chosen []story.Branch
	for _, ref := range refs {
		b, err := r.Branch(ref)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(chosen, func(c story.Branch) bool { return c.ID == b.ID }) {
			chosen = append(chosen, b) // asked for twice, it is still one
		}
	}
	return chosen, nil
}

// Write puts files below dir: each is written beside its target, synced and
// renamed, so that a reader never sees half a file and a failure leaves the
// old one.
func Write(dir string, files []File) error {
	for _, f := range files {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return fmt.Errorf("export %q: it would lie outside of %s", f.Name, dir)
		}
		target := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		if err := safefile.Replace(target, f.Data); err != nil {
			return fmt.Errorf("export %s: %w", f.Name, err)
		}
	}
	return nil
}
