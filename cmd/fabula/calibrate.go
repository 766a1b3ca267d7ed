package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/engine/gguf/header"
	"fabula/story/lab/calibrate"
	"fabula/story/lab/sets"
	"fabula/story/store"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// calibrateFlags are the flags of calibrate.
type calibrateFlags struct {
	out, model, speak string
	force, asJSON     bool
	work              calibrate.Options
}

func newCalibrate(sh *shell) *cobra.Command {
	var f calibrateFlags
	c := &cobra.Command{
		Use:   "calibrate WORLD",
		Short: "Choose prompts and replies of a world to calibrate INT8 engines with, and a hold-out to judge them on",
		Long: `Choose samples, each a full prompt with its reply, from style samples, authored
lines and what was played: by NPC, stage of the plot, depth of the talk, language,
length and what is special, rare ones over their share; some least like the rest,
some hard. Near-duplicates, simulated and hand-edited replies are left out.

The folder gets manifest.json, samples.jsonl (further draws in samples-2.jsonl …:
engines of three draws tell whether the text or the scheme is to blame) and
holdout.jsonl, which 'drift --set' reads. The same seed and world give the same.`,
		Example: `  fabula calibrate fox_lantern
  fabula calibrate my_world --out int8 --size 512 --model FP16.gguf`,
		Args: exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			if f.work.Size < 8 || f.work.Draws < 1 || f.work.Draws > 16 {
				return usage("--size takes a number from 8, --draws one from 1 to 16")
			}
			return runCalibrate(c, sh, args[0], f)
		},
	}
	c.Flags().StringVar(&f.out, "out", "calibration", "folder to write")
	c.Flags().IntVar(&f.work.Size, "size", 256, "samples of a draw; more where two of each kind need it")
	c.Flags().IntVar(&f.work.Draws, "draws", 3, "how many draws")
	c.Flags().Uint64Var(&f.work.Seed, "seed", 1, "seed of the first draw")
	c.Flags().StringVar(&f.model, "model", "", "note tokeniser and chat template of this model, a name or a file")
	c.Flags().StringVar(&f.speak, "speak", "", "languages, with commas between (default: all of the world)")
	c.Flags().BoolVar(&f.force, "force", false, "replace another set in the folder")
	c.Flags().BoolVar(&f.asJSON, "json", false, "the manifest as one JSON object")
	return c
}

func runCalibrate(c *cobra.Command, sh *shell, world string, f calibrateFlags) error {
	w, err := worlds.Open(world)
	if err != nil {
		return err
	}
	m := &calibrate.Manifest{World: w.Script.ID, Hash: w.Hash, Fabula: version, Seed: f.work.Seed, Sources: calibrate.Counts{}}
	if f.model != "" {
		if err := noteModel(m, f.model); err != nil {
			return err
		}
	}
	samples, err := f.samples(w)
	if err != nil {
		return err
	}
	for _, s := range samples {
		m.Sources[string(s.Source)]++
	}
	for _, n := range w.Script.Nodes {
		f.work.Nodes = append(f.work.Nodes, n.ID)
	}
	set, err := calibrate.Choose(samples, f.work)
	if err != nil {
		return err
	}
	if err := set.Write(f.out, m, f.force); errors.Is(err, calibrate.ErrExists) {
		return usage("%s holds another set; --force replaces it, --out names another folder", f.out)
	} else if err != nil {
		return err
	}
	if f.asJSON {
		return writeJSON(c.OutOrStdout(), struct {
			Event string `json:"event"`
			*calibrate.Manifest
		}{"calibration", m})
	}
	return printCalibration(c.OutOrStdout(), &lang.For(sh.lang).Calibrate, f.out, m)
}

// samples are those of the authored text, and of what was played where anything
// was.
func (f calibrateFlags) samples(w *worlds.World) ([]sets.Sample, error) {
	var o sets.Options
	if f.speak != "" {
		o.Languages = strings.Split(f.speak, ",")
	}
	all, err := sets.Authored(w.Script, o)
	if err != nil {
		return nil, err
	}
	r, closer, err := store.OpenReader(w.StateDir())
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	played, err := sets.Played(r, w.Script, o)
	return append(all, played...), errors.Join(err, closer.Close())
}

// noteModel notes the tokeniser and the template of a model: what its file says of
// them, the list of tokens by its length.
func noteModel(m *calibrate.Manifest, name string) error {
	file, err := modelFile(name)
	if err != nil {
		return err
	}
	h, err := header.Open(file)
	if err != nil {
		return fmt.Errorf("--model %s: %w", name, err)
	}
	var keys []string
	for key := range h.Values {
		if strings.HasPrefix(key, "tokenizer.") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	sum := sha256.New()
	for _, key := range keys {
		fmt.Fprintf(sum, "%s %s\n", key, h.Values[key])
	}
	template := sha256.Sum256([]byte(h.Template()))
	m.Model, m.Tokens, m.Chat = h.Name(), hex.EncodeToString(sum.Sum(nil)), hex.EncodeToString(template[:])
	return nil
}

func printCalibration(w io.Writer, t *lang.Calibrate, dir string, m *calibrate.Manifest) error {
	var b strings.Builder
	for _, d := range m.Draws {
		fmt.Fprintf(&b, t.Draw+"\n", d.ID, d.Samples, d.Frequent, d.Diverse, d.Hard, d.File)
	}
	fmt.Fprintf(&b, t.Holdout+"\n", m.Holdout.ID, m.Holdout.Samples, m.Holdout.File)
	fmt.Fprintf(&b, t.Lengths+"\n", m.Draws[0].Prompts.Median, m.Draws[0].Prompts.Most, m.Draws[0].Replies.Median, m.Draws[0].Replies.Most)
	thin := 0
	for _, s := range m.Strata {
		if s.Draw[0] < 2 {
			thin++
		}
	}
	fmt.Fprintf(&b, t.Strata+"\n", len(m.Strata), thin)
	fmt.Fprintf(&b, t.From+"\n", m.Sources["sample"], m.Sources["line"], m.Sources["branch"], m.Sources["playtest"])
	fmt.Fprintf(&b, t.Left+"\n", m.Left[calibrate.Duplicate], m.Left[calibrate.Simulated], m.Left[calibrate.Edited])
	if m.Sources["branch"] == 0 {
		b.WriteString(t.Unplayed + "\n")
	}
	fmt.Fprintf(&b, t.Next+"\n", dir)
	_, err := io.WriteString(w, b.String())
	return err
}
