package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/promote"
	"fabula/story/promote/proof"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// promoting is what `promote` was asked for.
type promoting struct {
	node, out string
	dry, json bool
	world     *worlds.World
	words     *lang.Strings
	patch     *promote.Patch
	branch    string
	ids       *export.Ledger
}

func newPromote(sh *shell) *cobra.Command {
	var p promoting
	c := &cobra.Command{
		Use:   "promote WORLD BRANCH@5..9",
		Short: "Turn recorded replies into authored lines: a new plot file",
		Long: "Turn the replies of turns 5 to 9 (or of one, BRANCH@5) into authored lines, as a plot file that adds them to\n" +
			"their nodes. What the player said becomes a choice, there once; where it made a beat happen or took an exit,\n" +
			"the reply becomes a line of that. Conditions are what is known to have held: what came before, who was there,\n" +
			"what unlocks a secret that is told, and the variables whose words stood in the speaker's prompt. Each is\n" +
			"explained in a comment; take out what does not matter.\n\n" +
			"Without --out the file is printed. No file that is there is ever written to, and none is written with which\n" +
			"the world would not load or would have a new error.",
		Example: "  fabula promote my_world door-1@2..4\n  fabula promote my_world door-1@2..4 --out my_world/plot/talk.yaml",
		Args:    exactly("WORLD", "BRANCH@5..9"),
		RunE: func(c *cobra.Command, args []string) error {
			p.words = lang.For(sh.lang)
			if err := p.make(args[0], args[1]); err != nil {
				return err
			}
			if err := p.sound(c); err != nil {
				return err
			}
			return p.write(c)
		},
	}
	c.Flags().StringVar(&p.node, "node", "", "put the lines into this node instead of those where they were said")
	c.Flags().StringVar(&p.out, "out", "", "file to write, which must not be there yet")
	c.Flags().BoolVar(&p.dry, "dry-run", false, "with --out: say what would be written, and write nothing")
	c.Flags().BoolVar(&p.json, "json", false, "one JSON object a line")
	return c
}

// make reads the stretch and makes the patch.
func (p *promoting) make(ref, span string) error {
	w, r, closer, err := openReader(ref)
	if err != nil {
		return err
	}
	defer closer.Close()
	if p.world = w; p.node != "" && w.Script.Node(p.node) == nil {
		return unknownNode(w, p.node)
	}
	name, from, to, err := cutSpan(r, span)
	if err != nil {
		return err
	}
	if p.ids, err = export.OpenLedger(w.StateDir()); err != nil {
		return err
	}
	in, err := export.CollectNumbered(r, w.Script, []string{name}, p.ids)
	if err != nil {
		return err
	}
	p.branch = in.Branches[0].Name
	if to >= len(in.Branches[0].Steps) {
		return usage("%s has turns 0 to %d, there is no %d", p.branch, len(in.Branches[0].Steps)-1, to)
	}
	p.patch, err = promote.Make(promote.Request{
		Script: w.Script, Branch: in.Branches[0], Numbers: in.Numbers, From: from, To: to, Node: p.node,
		Word: func(n promote.Note) string { return p.words.Promoted(n.Code, n.Args) },
	})
	if errors.Is(err, promote.ErrNothing) || errors.Is(err, promote.ErrHeld) {
		if p.patch != nil {
			err = fmt.Errorf("%w%s", err, p.skipped())
		}
		return coded{exitUsage, err}
	}
	return err
}

// skipped words the turns that gave no line, for an error.
func (p *promoting) skipped() string {
	var b strings.Builder
	for _, s := range p.patch.Skipped {
		b.WriteString("\n  " + fmt.Sprintf(p.words.Promote.Turn, s.Turn, p.words.Promoted(s.Why.Code, s.Why.Args)))
	}
	return b.String()
}

func unknownNode(w *worlds.World, node string) error {
	e := &story.NodeError{Node: node}
	for _, n := range w.Script.Nodes {
		e.Nodes = append(e.Nodes, n.ID)
	}
	return e
}

// cutSpan reads BRANCH@5..9 or BRANCH@5.
func cutSpan(r story.Reader, ref string) (branch string, from, to int, err error) {
	i := strings.LastIndexByte(ref, '@')
	if i < 0 {
		return "", 0, 0, usage("%s: which turns? %s@1..3, or %s@2 for one", ref, ref, ref)
	}
	b, err := findBranch(r, ref[:i])
	if err != nil {
		return "", 0, 0, err
	}
	first, last, two := strings.Cut(ref[i+1:], "..")
	if !two {
		last = first
	}
	from, ferr := strconv.Atoi(first)
	to, terr := strconv.Atoi(last)
	if ferr != nil || terr != nil || from < 0 || to < from {
		return "", 0, 0, usage("%s: turns are two numbers, the smaller first: %s@1..3", ref[i+1:], b.Name)
	}
	return string(b.ID), from, to, nil
}

// sound loads the world with the file beside it; a new error is none that it had
// without.
func (p *promoting) sound(c *cobra.Command) error {
	spoils, err := proof.Spoils(p.world, p.free(), p.patch.Text)
	if err != nil || len(spoils) == 0 {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), p.words.Promote.Spoils+"\n", len(spoils))
	for _, f := range spoils {
		what, _ := lang.Finding(f.Code, f.Args, p.words.Code)
		if turn, ok := p.patch.Turn(f.Pos.Line); ok && f.Pos.File == "plot/"+p.free() {
			what = fmt.Sprintf(p.words.Promote.Turn, turn, what)
		}
		fmt.Fprintf(c.ErrOrStderr(), "%s: %s\n", f.Pos, what)
	}
	return errReported
}

// free is the name of the patch in the world's folder, or one like it that no file
// has.
func (p *promoting) free() string {
	stem := strings.TrimSuffix(p.patch.Name, ".yaml")
	if p.inside(p.out) {
		stem = strings.TrimSuffix(filepath.Base(p.out), filepath.Ext(p.out))
	}
	return proof.Free(p.world, stem)
}

// write prints the patch, or writes it to a new file.
func (p *promoting) write(c *cobra.Command) error {
	target := p.out
	if p.dry {
		target = ""
	}
	if p.out != "" && !p.inside(p.out) {
		if err := guard("--out", p.out); err != nil {
			return err
		}
	}
	if p.out != "" {
		if _, err := os.Lstat(p.out); err == nil {
			return usage("%s is there already; no author's file is written to: choose another name", p.out)
		}
	}
	if target != "" {
		if err := createFile(target, p.patch.Text); err != nil {
			return err
		}
		if err := p.ids.Save(); err != nil {
			return err
		}
	}
	if p.json {
		return p.writeJSON(c, target)
	}
	w := p.words.Promote
	if target == "" {
		fmt.Fprintf(c.OutOrStdout(), "%s", p.patch.Text)
	}
	for _, l := range p.patch.Lines {
		fmt.Fprintf(c.ErrOrStderr(), w.Line+"\n", l.ID, l.Turn, l.At)
	}
	if skipped := p.skipped(); skipped != "" {
		fmt.Fprintln(c.ErrOrStderr(), strings.TrimPrefix(skipped, "\n"))
	}
	switch {
	case target != "":
		fmt.Fprintf(c.ErrOrStderr(), w.Wrote+"\n", target, len(p.patch.Lines))
		if !p.inside(target) {
			fmt.Fprintf(c.ErrOrStderr(), w.Outside+"\n", p.world.Name)
		}
	case p.out != "":
		fmt.Fprintf(c.ErrOrStderr(), w.DryRun+"\n", p.out)
	default:
		fmt.Fprintf(c.ErrOrStderr(), w.HowTo+"\n", p.free())
	}
	return nil
}

func (p *promoting) writeJSON(c *cobra.Command, target string) error {
	for _, l := range p.patch.Lines {
		if err := writeJSON(c.OutOrStdout(), struct {
			Event string `json:"event"`
			promote.Line
		}{"line", l}); err != nil {
			return err
		}
	}
	for _, s := range p.patch.Skipped {
		if err := writeJSON(c.OutOrStdout(), struct {
			Event string `json:"event"`
			promote.Skipped
		}{"skipped", s}); err != nil {
			return err
		}
	}
	return writeJSON(c.OutOrStdout(), struct {
		Event   string `json:"event"`
		File    string `json:"file"`
		Written bool   `json:"written"`
		Text    string `json:"text"`
	}{"patch", p.out, target != "", string(p.patch.Text)})
}

// inside reports whether a file is one that the world reads.
func (p *promoting) inside(file string) bool {
	if p.world.Dir == "" {
		return false
	}
	plots, err := filepath.Abs(filepath.Join(p.world.Dir, "plot"))
	at, aerr := filepath.Abs(filepath.Dir(file))
	return err == nil && aerr == nil && plots == at && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(file))
}

// createFile writes a file that is not there yet, whole or not at all.
func createFile(name string, data []byte) error {
	if err := worlds.WriteNew(name, data); errors.Is(err, fs.ErrExist) {
		return usage("%s is there already; no author's file is written to: choose another name", name)
	} else if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
