package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fabula/engine"
	"fabula/engine/choice"
	"fabula/story"
)

// sayFlags are the flags of one turn without a screen.
type sayFlags struct {
	playFlags
	branch         string
	choose         string
	marks          []string
	seed           uint64
	sandbox        bool
	free, grounded bool
	json           bool

	alternatives int
	ab           string // engines to be compared
	top          int
}

func newSay(sh *shell) *cobra.Command {
	var f sayFlags
	c := &cobra.Command{
		Use:   "say WORLD [NPC [TEXT]]",
		Short: "Take one turn without a screen",
		Long: `Take one turn: say TEXT to NPC, choose an exit (NPC may be
left out), or both. Without --branch a new
playthrough begins; with it the turn goes below the branch's leaf. Speech goes
to stdout, figures and notes to stderr.`,
		Example: `  fabula say fox_lantern laozhou "Who lit the lamp?" --seed 7
  fabula say fox_lantern laozhou "And then?" --branch hall-1
  fabula say fox_lantern laozhou --choose to_kitchen --branch hall-1
  fabula say fox_lantern laozhou "Who lit the lamp?" --ab gguf,recall`,
		Args: func(c *cobra.Command, args []string) error {
			if n := len(args); (n == 1 || n == 2) && f.choose != "" {
				return nil
			}
			return exactly("WORLD", "NPC", "TEXT")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			in := story.Input{Choose: f.choose, Sandbox: f.sandbox, Mark: f.marks}
			if len(args) > 1 {
				in.To = args[1]
			}
			if len(args) == 3 {
				in.Text = args[2]
			}
			return say(c, sh, args[0], in, f)
		},
	}
	f.register(c)
	f.registerStart(c)
	c.Flags().StringVar(&f.branch, "branch", "", "go on below this branch's leaf, or with BRANCH@N below turn N, on a new branch")
	c.Flags().StringArrayVar(&f.marks, "beat", nil, "mark this beat as having happened in TEXT (repeatable)")
	c.Flags().StringVar(&f.choose, "choose", "", "take this exit")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed of the sampler (default: drawn, stored, printed)")
	c.Flags().BoolVar(&f.sandbox, "sandbox", false, "talk to anyone outside the plot: no beats, no exits, a branch of its own")
	c.Flags().BoolVar(&f.free, "free", false, "have the model speak freely, however small it is")
	c.Flags().BoolVar(&f.grounded, "grounded", false, "say only authored lines; the model chooses which (default for models under 1B)")
	c.Flags().IntVar(&f.alternatives, "alternatives", 1, fmt.Sprintf("ask for this many replies at once, up to %d; --seed counts up", story.MostAlternatives))
	c.Flags().StringVar(&f.ab, "ab", "", "compare engines: A,B each answer, from one seed; nothing stands in for them")
	c.Flags().IntVar(&f.top, "top", 0, fmt.Sprintf("keep the likeliest tokens of every step, up to %d", story.MostTop))
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a line")
	return c
}

func say(c *cobra.Command, sh *shell, world string, in story.Input, f sayFlags) (err error) {
	o, err := openWorld(world, sh, f.playFlags)
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, o.Close()) }()
	branch, below, opening, err := f.branchFor(c.Context(), o, in)
	if err != nil {
		return err
	}
	options := story.Options{Count: f.alternatives, Top: f.top, Mode: f.mode(), Engines: choice.Names(f.ab)}
	if c.Flags().Changed("seed") {
		options.Seed = &f.seed
	}
	running, err := o.session.SayAt(c.Context(), branch.ID, below, in, options)
	if err != nil {
		return err
	}
	out := newTeller(c.OutOrStdout(), c.ErrOrStderr(), o.session.Script(), sh.lang, f.json)
	out.speak = o.language(branch)
	if opening != nil && !f.json {
		out.lines(opening.Alternative.Lines)
	}
	for _, r := range running.Beside() { // at once, but told one after the other
		if err = firstError(err, tell(c.Context(), r, out)); c.Context().Err() != nil {
			break
		}
	}
	return err
}

// tell prints a reply as it comes, and where it is stored.
func tell(ctx context.Context, r *story.Running, out *teller) error {
	out.speaker = printable(out.name(r.Snapshot().Speaker)) + ": "
	if err := follow(ctx, r, out); err != nil {
		return err
	}
	b, step, err := r.Wait()
	if err != nil {
		return err
	}
	out.note(b, step)
	return firstError(ctx.Err(), broken(step.Alternative.Reply)) // what came before is stored and shown
}

// mode says whether the model speaks freely.
func (f sayFlags) mode() story.Mode {
	switch {
	case f.free:
		return story.Free
	case f.grounded:
		return story.Grounded
	}
	return story.Auto
}

func (f sayFlags) check() error {
	if f.alternatives < 1 || f.alternatives > story.MostAlternatives {
		return usage("--alternatives %d: 1 to %d can be asked for at once", f.alternatives, story.MostAlternatives)
	}
	switch n := len(choice.Names(f.ab)); {
	case f.ab != "" && (n < 2 || n > story.MostAlternatives):
		return usage("--ab %s: write two engines or more with commas between, as in --ab gguf,recall", f.ab)
	case f.ab != "" && (f.alternatives > 1 || f.engine != ""):
		return usage("--ab names who answers; --engine and --alternatives do not go with it")
	}
	if f.free && f.grounded {
		return usage("--free and --grounded: a reply is one or the other")
	}
	if f.top < 0 || f.top > story.MostTop {
		return usage("--top %d: 0 to %d can be kept", f.top, story.MostTop)
	}
	return nil
}

// broken is the failure of a reply that the engine did not bring to its end:
// a script must not take half a reply for a whole one.
func broken(r *story.Reply) error {
	if r == nil || r.Reason != engine.Fault {
		return nil
	}
	return fmt.Errorf("the engine failed in the middle of the reply: %s; what came is stored, retry it in the workbench", r.Detail)
}

// spot is where a turn goes: below a branch, after a jump from there, or into a
// new playthrough.
type spot struct {
	branch         story.Branch // with onBranch
	below          story.ID     // alternative, with onBranch
	start          story.Start  // with jump, or without onBranch
	onBranch, jump bool
}

// spot reads --branch, --node and --set.
func (f sayFlags) spot(o *opened) (spot, error) {
	start, err := f.start()
	if err != nil || f.branch == "" {
		return spot{start: start}, err
	}
	b, below, err := branchAt(o.session.Reader(), f.branch)
	switch {
	case err != nil:
	case f.node == "" && len(f.set) > 0:
		err = usage("--set begins a playthrough, or goes with --node; a branch has its state")
	case f.node != "" && below != b.Leaf:
		err = usage("--branch %s --node %s: a jump leaves from a branch's end", f.branch, f.node)
	}
	return spot{branch: b, below: below, start: start, onBranch: true, jump: f.node != ""}, err
}

// branchAt reads "BRANCH" or "BRANCH@N": the branch and the alternative that a
// turn goes below.
func branchAt(r story.Reader, ref string) (story.Branch, story.ID, error) {
	name, _, one := cutTurn(ref)
	if _, err := r.Branch(ref); err == nil || !one {
		b, err := findBranch(r, ref)
		return b, b.Leaf, err
	}
	steps, err := stepsOf(r, ref)
	if err != nil {
		return story.Branch{}, "", err
	}
	b, err := findBranch(r, name)
	return b, steps[0].Alternative.ID, err
}

// branchFor makes the branch of a turn, after a dry run of it and once an
// engine can answer, so that what is refused stores nothing. The step is that
// of a new branch.
func (f sayFlags) branchFor(ctx context.Context, o *opened, in story.Input) (_ story.Branch, below story.ID, _ *story.Step, _ error) {
	at, err := f.spot(o)
	if err != nil {
		return story.Branch{}, "", nil, err
	}
	speak := o.speak
	if at.onBranch {
		speak = o.language(at.branch)
	}
	switch {
	case at.jump:
		err = o.session.CheckJump(at.branch.ID, at.start, in)
	case !at.onBranch:
		err = o.session.CheckStart(at.start, in)
	}
	if err == nil {
		err = o.ready(ctx, speak, in, choice.Names(f.ab)...)
	}
	if err == nil {
		err = f.fits(ctx, o, in)
	}
	if err != nil || at.onBranch && !at.jump {
		return at.branch, at.below, nil, err
	}
	begin := func() (story.Branch, story.Step, error) { return o.session.Begin(at.start) }
	if at.jump {
		begin = func() (story.Branch, story.Step, error) { return o.session.Jump(at.branch.ID, at.start) }
	}
	b, step, err := begin()
	return b, b.Leaf, &step, err
}

// longText is the length in bytes from which on a text is measured before
// anything is stored.
const longText = 1000

// fits refuses a text that no prompt has room for.
func (f sayFlags) fits(ctx context.Context, o *opened, in story.Input) error {
	if len(in.Text) < longText {
		return nil
	}
	if _, err := f.look(ctx, o, in, story.Look{}); errors.Is(err, engine.ErrTooLong) {
		return coded{exitUsage, err}
	}
	return nil // Say reports what else is wrong
}

// start reads --node and --set.
func (f sayFlags) start() (story.Start, error) {
	set, err := f.assignments()
	return story.Start{Node: f.node, Set: set, Sandbox: f.sandbox}, err
}

func (f playFlags) assignments() (map[string]string, error) {
	set := map[string]string{}
	for _, pair := range f.set {
		name, value, ok := strings.Cut(pair, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, usage("--set %s: write it as variable=value", pair)
		}
		set[name] = strings.TrimSpace(value)
	}
	return set, nil
}

// follow prints events as they come and ends when the turn is stored.
func follow(ctx context.Context, r *story.Running, out *teller) error {
	stop := context.AfterFunc(ctx, r.Cancel)
	defer stop()
	for n := 0; ; {
		done := false
		select {
		case <-r.Changed():
		case <-r.Done():
			done = true
		}
		events := r.Events(n)
		for _, e := range events {
			if err := out.event(e); err != nil {
				return err
			}
		}
		n += len(events)
		if done {
			return nil
		}
	}
}

// writeJSON prints one object a line without escaping <, > and &.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
