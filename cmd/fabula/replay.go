package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fabula/story"
	"fabula/tui/text"
)

// replayLine is one object of `replay --json`.
type replayLine struct {
	Event       string           `json:"event"`
	N           int              `json:"n"`
	Turn        story.ID         `json:"turn"`
	Alternative story.ID         `json:"alternative"`
	Speaker     string           `json:"speaker"`
	Engine      *string          `json:"engine"` // null: not generated
	Prompt      string           `json:"prompt"` // same, changed
	Changes     []story.Change   `json:"changes,omitempty"`
	Lines       bool             `json:"lines,omitempty"` // chosen from authored lines of a world that was edited since
	Same        *bool            `json:"same"`            // null: not generated
	At          *story.Differing `json:"at,omitempty"`
	Was         string           `json:"was"`
	Is          string           `json:"is,omitempty"`
	Error       string           `json:"error,omitempty"`
}

func newReplay(sh *shell) *cobra.Command {
	var o story.ReplayOptions
	var asJSON bool
	var manifest string
	c := &cobra.Command{
		Use:   "replay WORLD BRANCH[@N]",
		Short: "Generate recorded replies anew and name the first difference",
		Long: `Take the replies of a branch anew, with the same input, state, seed and sampling,
and the world as it now is. Nothing is stored. Every turn starts from what is
recorded above it. The first token that differs is named where the same weights
answer, else the first character. Without --engine each reply is asked of the
engine that gave it. Exit status 3 if anything differs.

With --manifest it takes all branches of an export for quality assurance: files,
world and engine builds that are not as recorded are named first. WORLD may then
be left out for a demo world.`,
		Example: `  fabula replay fox_lantern hall-1
  fabula replay fox_lantern hall-1 --changed        # only what an edit of the world touched
  fabula replay fox_lantern hall-1 --prompts        # what would be sent otherwise; no engine is asked
  fabula replay my_world --manifest qa/manifest.yaml`,
		Args: func(c *cobra.Command, args []string) error {
			if manifest != "" {
				return atMost(1, "WORLD with --manifest")(c, args)
			}
			return exactly("WORLD", "BRANCH[@N]")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if manifest != "" {
				return replayManifest(c, sh, manifest, args, o, asJSON)
			}
			return replay(c, sh, args, o, asJSON)
		},
	}
	c.Flags().StringVar(&o.Engine, "engine", "", "ask this engine instead of the one recorded")
	c.Flags().BoolVar(&o.OnlyChanged, "changed", false, "generate only where the prompt is not what it was, or the world was edited and the reply was chosen from its lines")
	c.Flags().BoolVar(&o.PromptsOnly, "prompts", false, "compare prompts and generate nothing")
	c.Flags().StringVar(&manifest, "manifest", "", "manifest.yaml of 'export --format qa'")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func replay(c *cobra.Command, sh *shell, args []string, options story.ReplayOptions, asJSON bool) (err error) {
	o, err := openForReading(args[0], sh, playFlags{engine: options.Engine})
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, o.Close()) }()
	steps, err := stepsOf(o.session.Reader(), args[1])
	if err != nil {
		return err
	}
	leaf := steps[len(steps)-1]
	only := story.ID("")
	if len(steps) == 1 {
		only = leaf.Alternative.ID
	}
	var sum replaySum
	err = o.session.Replay(c.Context(), leaf.Alternative.ID, only, options, func(r story.Replayed) error {
		sum.add(r)
		if asJSON {
			return writeJSON(c.OutOrStdout(), newReplayLine(r))
		}
		printReplayed(c.OutOrStdout(), r, sh.lang)
		return nil
	})
	if err != nil {
		return err
	}
	if !asJSON {
		sum.told(c.ErrOrStderr(), sh.lang, 0)
	}
	return sum.verdict(options)
}

// replaySum counts what was replayed.
type replaySum struct {
	replies, prompts, differ int
	failed                   error
}

func (s *replaySum) add(r story.Replayed) {
	s.replies++
	if len(r.Changed) > 0 {
		s.prompts++
	}
	if r.Differs != nil {
		s.differ++
	}
	if r.Err != nil && s.failed == nil {
		s.failed = fmt.Errorf("turn %d: %w", r.Depth, r.Err)
	}
}

// verdict: what could not be asked outranks what differs. With --prompts a
// changed prompt is the difference that was asked for.
func (s *replaySum) verdict(o story.ReplayOptions) error {
	switch {
	case s.failed != nil && errors.Is(s.failed, context.Canceled):
		return s.failed
	case s.failed != nil:
		return coded{exitNoEngine, s.failed}
	case s.differ > 0, o.PromptsOnly && s.prompts > 0:
		return errReported
	}
	return nil
}

// told says what was counted, and so many differences besides.
func (s *replaySum) told(w io.Writer, language string, more int) {
	printSaid(w, language, "%s, %s, %s", amount{s.replies, "reply"}, amount{s.prompts, "changed prompt"}, amount{s.differ + more, "difference"})
}

func newReplayLine(r story.Replayed) replayLine {
	line := replayLine{Event: "replay", N: r.Depth, Turn: r.Turn, Alternative: r.Alternative, Speaker: r.Speaker, Prompt: "same",
		Changes: r.Changed, Lines: r.Lines, At: r.Differs, Was: r.Was, Is: r.Is}
	if len(r.Changed) > 0 {
		line.Prompt = "changed"
	}
	if r.Err != nil {
		line.Error = r.Err.Error()
	}
	if r.Asked {
		same := r.Differs == nil && r.Err == nil
		line.Engine, line.Same = &r.Engine, &same
	}
	return line
}

// around is how much of what is the same is shown beside a difference.
const around = 24

// apart gives the part of a text in which it differs from another.
func apart(a, b string) string {
	x, y := []rune(a), []rune(b)
	from := 0
	for from < min(len(x), len(y)) && x[from] == y[from] {
		from++
	}
	to := 0
	for to < min(len(x), len(y))-from && x[len(x)-1-to] == y[len(y)-1-to] {
		to++
	}
	head, tail := max(from-around, 0), min(len(x)-to+around, len(x))
	out := string(x[head:tail])
	if head > 0 {
		out = "…" + out
	}
	if tail < len(x) {
		out += "…"
	}
	return out
}

func printReplayed(w io.Writer, r story.Replayed, language string) {
	verdict := said(language, "same")
	switch d := r.Differs; {
	case r.Err != nil:
		verdict = said(language, "no reply: %s", r.Err)
	case !r.Asked:
		verdict = said(language, "not generated")
	case d != nil && d.Token >= 0:
		verdict = said(language, "differs at token %d: %q was %q", d.Token+1, d.Is, d.Was)
	case d != nil:
		verdict = said(language, "differs at byte %d: %q was %q", d.Byte, d.Is, d.Was)
	}
	printSaid(w, language, "turn %d, %s: %s", r.Depth, printable(r.Speaker), printable(verdict))
	for i, c := range r.Changed {
		sign, shown := "+", c.Text
		if c.Gone {
			sign = "-"
		}
		for j, other := range r.Changed {
			if i != j && other.Kind == c.Kind && other.Source == c.Source && other.Gone != c.Gone {
				shown = apart(c.Text, other.Text)
				break
			}
		}
		fmt.Fprintf(w, "  %s %s %s: %s\n", sign, c.Kind, printable(c.Source), text.Line(shown))
	}
	if r.Differs != nil {
		printSaid(w, language, "  was: %s\n  is:  %s", text.Line(r.Was), text.Line(r.Is))
	}
}
