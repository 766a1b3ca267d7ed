package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fabula/engine/choice"
	"fabula/story"
	"fabula/story/compare"
	"fabula/story/lab/sets"
	"fabula/story/lab/vote"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
	"fabula/worlds"
)

// batchFlags are those of `vote new`.
type batchFlags struct {
	sides, answers string
	names          []string
	turns, votes   int
	margin         float64
	seed           uint64
	json           bool
}

func newVoteNew(sh *shell) *cobra.Command {
	var f batchFlags
	c := &cobra.Command{
		Use:   "new WORLD [A,B… | BRANCH]…",
		Short: "Make a batch to be voted on, and its key",
		Long: `Make a batch to be voted on. The candidates are
  branches:   A,B names two (or more) whose endings are compared; several such
              groups make several scenes, with the same candidate at each place
  --sides:    the replies of each BRANCH as several give them: 'recorded' is what
              is stored, 'now' the same engine with the world as it is now (another
              version of a persona), anything else an engine
  --answers:  files of samples (JSON lines, as 'fabula calibrate' writes them) with
              other replies to the same samples
The first candidate is the reference; the verdict asks of the others whether they
are worse by more than --margin. Number of votes and margin are fixed here, before
the first vote. Nothing is stored in the tree.`,
		Example: `  fabula vote new fox_lantern hall-1,hall-2
  fabula vote new fox_lantern hall-1 --sides recorded,now
  fabula vote new fox_lantern hall-1 hall-2 --sides fp16,int8 --turns 6`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 && (f.answers == "" || len(args) == 0) {
				return exactly("WORLD", "BRANCH")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("seed") {
				f.seed = rand.Uint64()
			}
			return newBatch(c, sh, args[0], args[1:], f)
		},
	}
	c.Flags().StringVar(&f.sides, "sides", "", "who gives the replies: recorded, now, or engines, with commas between")
	c.Flags().StringVar(&f.answers, "answers", "", "files of samples with replies, with commas between, one a candidate")
	c.Flags().StringSliceVar(&f.names, "names", nil, "what the candidates are called in the verdict")
	c.Flags().IntVar(&f.turns, "turns", 8, "turns a scene")
	c.Flags().Float64Var(&f.margin, "margin", 100*vote.DefaultMargin, "by how many points a candidate may lose against the first")
	c.Flags().IntVar(&f.votes, "votes", 0, "decisive votes to be held, a question (default: what 80 % power takes)")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed of all that is drawn by lot (default: drawn)")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a line")
	return c
}

func (f batchFlags) check(candidates int) error {
	switch {
	case f.turns < 1:
		return usage("--turns %d: a scene has one turn or more", f.turns)
	case f.margin <= 0 || f.margin >= 50:
		return usage("--margin %v: it lies between 0 and 50 points", f.margin)
	case candidates < 2:
		return usage("two candidates or more are needed: branches A,B or --sides A,B or --answers A,B")
	case len(f.names) > 0 && len(f.names) != candidates:
		return usage("--names has %d names for %d candidates", len(f.names), candidates)
	}
	return nil
}

// newBatch makes the scenes, then the batch.
func newBatch(c *cobra.Command, sh *shell, ref string, args []string, f batchFlags) (err error) {
	o, err := openForReading(ref, sh, playFlags{engine: askedOf(choice.Names(f.sides))})
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, o.Close()) }()
	s := scenes{o: o, f: f}
	switch {
	case f.answers != "":
		err = s.answered(choice.Names(f.answers))
	case f.sides != "":
		err = s.retold(c, choice.Names(f.sides), args)
	default:
		err = s.endings(args)
	}
	if err == nil {
		err = f.check(len(s.candidates))
	}
	if err != nil {
		return err
	}
	if len(f.names) > 0 {
		s.candidates = f.names
	}
	b, k, err := vote.Make(vote.Plan{World: o.world.Name, Language: s.speaks, Candidates: s.candidates, Scenes: s.scenes,
		Margin: f.margin / 100, Planned: f.votes, Seed: f.seed, Made: time.Now()})
	if err != nil {
		return coded{exitUsage, err}
	}
	folder := vote.Folder(filepath.Join(o.world.StateDir(), vote.Dir))
	if err := folder.Save(b, k); err != nil {
		return err
	}
	return told(c, folder, b, k, s.left, lang.For(sh.lang), f.json)
}

// askedOf gives those of the sides that are engines, as --engine takes them.
func askedOf(sides []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(sides), func(s string) bool { return s == recorded || s == present }), ",")
}

// Sides that are no engines.
const (
	recorded = "recorded"
	present  = "now"
)

// scenes collects what is put to the vote.
type scenes struct {
	o          *opened
	f          batchFlags
	candidates []string
	scenes     []vote.Scene
	speaks     string
	left       int // turns that are not shown
}

// naming names speakers in the language of a branch.
func (s *scenes) naming(path []story.Step) (vote.Naming, error) {
	if s.speaks == "" {
		p, err := s.o.session.Reader().Playthrough(path[0].Turn.Playthrough)
		if err != nil {
			return nil, err
		}
		s.speaks = p.Language
	}
	return speakers(s.o.world, s.speaks), nil
}

func speakers(w *worlds.World, speaks string) vote.Naming {
	word := wording.Wording{Script: w.Script, Text: lang.For(speaks), Speaks: speaks}
	return func(by string) string {
		if by == compare.Player {
			return word.Text.Vote.You
		}
		return word.Name(by)
	}
}

func (s *scenes) endings(groups []string) error {
	for _, g := range groups {
		names := strings.Split(g, ",")
		if s.candidates == nil {
			s.candidates = names
		}
		if len(names) != len(s.candidates) {
			return usage("%s has not as many branches as %s", g, strings.Join(s.candidates, ","))
		}
		var paths [][]story.Step
		for _, n := range names {
			path, _, err := stepsTo(s.o.session.Reader(), n)
			if err != nil {
				return err
			}
			paths = append(paths, path)
		}
		name, err := s.naming(paths[0])
		if err != nil {
			return err
		}
		scene, left := vote.Endings(g, paths, s.f.turns, name)
		s.scenes, s.left = append(s.scenes, scene), s.left+left
	}
	return nil
}

func (s *scenes) retold(c *cobra.Command, sides, branches []string) error {
	s.candidates = sides
	for _, ref := range branches {
		path, _, err := stepsTo(s.o.session.Reader(), ref)
		if err != nil {
			return err
		}
		name, err := s.naming(path)
		if err != nil {
			return err
		}
		var replies []map[story.ID]string
		for _, side := range sides {
			of, err := s.replies(c, side, path)
			if err != nil {
				return err
			}
			replies = append(replies, of)
		}
		at := func(depth int) string { return fmt.Sprintf("%s@%d", ref, depth) }
		s.scenes = append(s.scenes, vote.Retold(at, path, replies, s.f.turns, name)...)
	}
	return nil
}

// replies gives what one side says in every turn of a path.
func (s *scenes) replies(c *cobra.Command, side string, path []story.Step) (map[story.ID]string, error) {
	out := map[story.ID]string{}
	if side == recorded {
		for _, step := range path {
			if step.Alternative.Reply != nil {
				out[step.Alternative.ID] = step.Alternative.Text
			}
		}
		return out, nil
	}
	o := story.ReplayOptions{Engine: side}
	if side == present {
		o.Engine = ""
	}
	err := s.o.session.Replay(c.Context(), path[len(path)-1].Alternative.ID, "", o, func(r story.Replayed) error {
		if r.Err != nil {
			return coded{exitNoEngine, fmt.Errorf("turn %d: %w", r.Depth, r.Err)}
		}
		out[r.Alternative] = r.Is
		return nil
	})
	return out, err
}

func (s *scenes) answered(files []string) error {
	var all [][]sets.Sample
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return coded{exitUsage, err}
		}
		list, err := sets.Read(f, name)
		f.Close()
		if err != nil {
			return coded{exitUsage, err}
		}
		all = append(all, list)
		s.candidates = append(s.candidates, strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)))
	}
	s.speaks = s.o.speak
	if len(all[0]) > 0 {
		s.speaks = all[0][0].Language
	}
	s.scenes = vote.Answered(all, speakers(s.o.world, s.speaks))
	return nil
}

// told says what was made, and what to do with it.
func told(c *cobra.Command, f vote.Folder, b *vote.Batch, k *vote.Key, left int, t *lang.Strings, asJSON bool) error {
	if asJSON {
		return writeJSON(c.OutOrStdout(), votedLine{"batch", b.ID, b.Made, len(b.Items), b.Planned, b.Margin, 0, f.File(b.ID)})
	}
	w := c.OutOrStdout()
	pairs := 0
	for _, o := range k.Items {
		if o.Kind == vote.Pair {
			pairs++
		}
	}
	fmt.Fprintf(w, t.Vote.Made+"\n", b.ID, len(b.Items), pairs, b.Planned)
	notes(w, t.Vote.Equal, k.Equal)
	notes(w, t.Vote.LeftOut, left)
	fmt.Fprintf(w, t.Vote.Mail+"\n", f.File(b.ID))
	_, err := fmt.Fprintf(w, t.Vote.KeyStays+"\n", f.KeyFile(b.ID))
	return err
}

func notes(w io.Writer, format string, n int) {
	if n > 0 {
		fmt.Fprintf(w, format+"\n", n)
	}
}
