package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"fabula/story/store"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// rescueDir is where a store goes whose folder vanished while it was open.
func rescueDir() string { return filepath.Join(xdg.DataHome, "fabula", "rescued") }

func newStore(sh *shell) *cobra.Command {
	c := &cobra.Command{
		Use:   "store",
		Short: "Look after the file that keeps what was played",
		Long: fmt.Sprintf(`Look after the file that keeps everything that was played in a world.

A verified copy is made whenever the world is opened for playing and anything
changed since the last one. The newest %d are kept, and the last one of each of
the past %d days and %d weeks. Before an upgrade of the format, and before a
restore, what is there is put aside too.`, store.KeptNewest, store.KeptDays, store.KeptWeeks),
		Example: `  fabula store check fox_lantern
  fabula store backup fox_lantern
  fabula store restore fox_lantern --newest
  fabula store dump fox_lantern > everything.jsonl`,
	}
	c.AddCommand(newStoreCheck(sh), newStoreCompact(sh), newStoreBackup(sh), newStoreRestore(sh), newStoreDump(sh), newStoreSalvage(sh), newStorePurge(sh), newStoreAdopt(sh))
	return c
}

// kept is a world whose store is looked after.
type kept struct {
	worlds.Place
	dir, id string // id is empty where the manifest cannot be read
}

// storeOf finds a world, whether it loads or not. A folder that holds neither a
// manifest nor a store is none.
func storeOf(world string) (kept, error) {
	at, err := worlds.Find(world)
	if err != nil {
		return kept{}, err
	}
	p := kept{Place: at, dir: at.StateDir()}
	var authored bool
	if p.id, authored = at.Authored(); !authored && !p.played() && len(store.Backups(p.dir)) == 0 {
		return kept{}, usage("%s is no world: there is neither a world.yaml nor a store in it", world)
	}
	return p, nil
}

// played reports whether there is a store.
func (p kept) played() bool {
	_, err := os.Lstat(filepath.Join(p.dir, store.File))
	return !errors.Is(err, os.ErrNotExist)
}

// mustBePlayed refuses a world that has no store yet.
func (p kept) mustBePlayed() error {
	if p.played() {
		return nil
	}
	return usage("%s has no store yet: nothing was played in it", p.Name)
}

// storeCommand makes a command on a world that may have no store yet.
func storeCommand(use, short, long, example string, args cobra.PositionalArgs, run func(c *cobra.Command, at kept, args []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long, Example: example, Args: args,
		RunE: func(c *cobra.Command, args []string) error {
			at, err := storeOf(args[0])
			if err != nil {
				return err
			}
			return run(c, at, args)
		},
	}
}

// onStore lets run see worlds that have a store only.
func onStore(run func(c *cobra.Command, at kept, args []string) error) func(*cobra.Command, kept, []string) error {
	return func(c *cobra.Command, at kept, args []string) error {
		if err := at.mustBePlayed(); err != nil {
			return err
		}
		return run(c, at, args)
	}
}

// oneOrTwo takes WORLD and maybe what.
func oneOrTwo(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < 1 {
			return exactly("WORLD")(c, args)
		}
		return atMost(2, "WORLD and "+what)(c, args)
	}
}

// storeProblem and storeReport are the objects of `store check --json`.
type storeProblem struct {
	Event string   `json:"event"`
	Code  string   `json:"code"`
	Args  []string `json:"args"`
	What  string   `json:"what"`
}

type storeReport struct {
	Event        string `json:"event"`
	File         string `json:"file"`
	Schema       int    `json:"schema"`
	Bytes        int64  `json:"bytes"`
	Free         int64  `json:"free_bytes"`
	Playthroughs int    `json:"playthroughs"`
	Branches     int    `json:"branches"`
	Hidden       int    `json:"hidden"`
	Turns        int    `json:"turns"`
	Alternatives int    `json:"alternatives"`
	Blobs        int    `json:"texts"`
	Unfinished   int    `json:"unfinished"`
	Unsealed     int    `json:"unsealed"`
	Backups      int    `json:"backups"`
	Problems     int    `json:"problems"`
}

// storeUnsealed names a record without a checksum.
type storeUnsealed struct {
	Event  string `json:"event"`
	Bucket string `json:"bucket"`
	Key    string `json:"key"`
}

func newStoreCheck(sh *shell) *cobra.Command {
	var asJSON bool
	c := storeCommand("check WORLD", "Read the whole store: pages, ids, hashes",
		"Read the whole store: the pages of the file, every value, whether every id leads\nsomewhere, and whether what was said and prompt texts fit their checksums. Records\nthat an older fabula wrote have none: they are counted, and named by --json. It works\nwhile the world is open elsewhere. Exit status 3 if anything is wrong.",
		"  fabula store check fox_lantern --json", exactly("WORLD"),
		func(c *cobra.Command, at kept, _ []string) error {
			rep, err := store.Check(at.dir)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeStore(c.OutOrStdout(), rep, &lang.For(sh.lang).Store)
			} else {
				printStore(c.OutOrStdout(), rep, &lang.For(sh.lang).Store)
			}
			if err == nil && !rep.Sound() {
				err = errReported
			}
			return err
		})
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func writeStore(w io.Writer, rep store.Report, words *lang.Store) error {
	for _, p := range rep.Problems {
		if err := writeJSON(w, storeProblem{"problem", p.Code, p.Args, words.Problem(p.Code, p.Args)}); err != nil {
			return err
		}
	}
	for _, r := range rep.Unsealed.First {
		if err := writeJSON(w, storeUnsealed{"unsealed", r.Bucket, r.Key}); err != nil {
			return err
		}
	}
	return writeJSON(w, storeReport{"store", rep.File, rep.Schema, rep.Bytes, rep.Free, rep.Playthroughs, rep.Branches, rep.Hidden,
		rep.Turns, rep.Alternatives, rep.Blobs, rep.Unfinished, rep.Unsealed.Count, len(rep.Backups), rep.Count})
}

func printStore(w io.Writer, rep store.Report, words *lang.Store) {
	fmt.Fprintln(w, rep.File)
	for _, p := range rep.Problems {
		fmt.Fprintf(w, "  %s\n", printable(words.Problem(p.Code, p.Args)))
	}
	if more := rep.Count - len(rep.Problems); more > 0 {
		fmt.Fprintf(w, "  "+words.More+"\n", more)
	}
	if rep.Schema > 0 { // it could be read
		fmt.Fprintf(w, words.Counts+"\n", rep.Playthroughs, rep.Branches, rep.Turns, rep.Alternatives, rep.Blobs)
		fmt.Fprintf(w, words.Size+"\n", megabytes(rep.Bytes), megabytes(rep.Free))
	}
	if rep.Hidden > 0 {
		fmt.Fprintf(w, words.Hidden+"\n", rep.Hidden)
	}
	if rep.Unfinished > 0 {
		fmt.Fprintf(w, words.Unfinished+"\n", rep.Unfinished)
	}
	if rep.Unsealed.Count > 0 {
		fmt.Fprintf(w, words.Unsealed+"\n", rep.Unsealed.Count)
	}
	if len(rep.Backups) > 0 {
		fmt.Fprintf(w, words.Copies+"\n", len(rep.Backups), rep.Backups[0].Made.Local().Format("2006-01-02 15:04"))
	} else {
		fmt.Fprintln(w, words.NoCopies)
	}
	switch {
	case rep.Sound() && rep.Schema == 0: // there is no file
		fmt.Fprintln(w, words.NoStore)
	case rep.Sound():
		fmt.Fprintln(w, words.Sound)
	default:
		fmt.Fprintf(w, words.Unsound+"\n", rep.Count)
	}
}

// megabytes words a size.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func newStoreCompact(sh *shell) *cobra.Command {
	return storeCommand("compact WORLD", "Rewrite the store without what nothing uses any more",
		"Rewrite the store without the pages that nothing uses any more, which hold what\nwas changed and purged. The copy is held against the file key by key before it\ntakes its place; stopped at any moment, the one or the other is there.",
		"  fabula store compact fox_lantern", exactly("WORLD"),
		onStore(func(c *cobra.Command, at kept, _ []string) error {
			before, after, err := store.Compact(at.dir)
			if err == nil {
				fmt.Fprintf(c.OutOrStdout(), lang.For(sh.lang).Store.Compacted+"\n", megabytes(before), megabytes(after))
			}
			return err
		}))
}

func newStoreBackup(sh *shell) *cobra.Command {
	return storeCommand("backup WORLD [FILE]", "Copy the store, and read the copy back",
		"Copy the store to FILE, or among its copies, where one made by hand is never taken\naway by age. It works while the world is open elsewhere.",
		"  fabula store backup fox_lantern\n  fabula store backup fox_lantern /media/stick/fox.db", oneOrTwo("FILE"),
		onStore(func(c *cobra.Command, at kept, args []string) error {
			if err := guard("FILE", fileOf(args)); err != nil {
				return err
			}
			file, err := store.Copy(at.dir, fileOf(args))
			if err == nil {
				fmt.Fprintf(c.OutOrStdout(), lang.For(sh.lang).Store.Copied+"\n", file)
			}
			return err
		}))
}

func newStoreDump(sh *shell) *cobra.Command {
	var out string
	c := storeCommand("dump WORLD", "Write the whole store as JSON lines",
		"Write the whole store as JSON lines, which 'restore' reads: the same store, the\nsame bytes. It works while the world is open elsewhere.",
		"  fabula store dump fox_lantern --out fox.jsonl", exactly("WORLD"),
		onStore(func(c *cobra.Command, at kept, _ []string) error {
			if out == "" {
				_, err := store.Dump(at.dir, at.id, c.OutOrStdout())
				return err
			}
			if err := guard("--out", out); err != nil {
				return err
			}
			f, err := os.OpenFile(out, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if err != nil {
				return fmt.Errorf("dump store: %w", err)
			}
			lines, err := store.Dump(at.dir, at.id, f)
			if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
				return errors.Join(err, os.Remove(out))
			}
			fmt.Fprintf(c.ErrOrStderr(), lang.For(sh.lang).Store.Dumped+"\n", lines, out)
			return nil
		}))
	c.Flags().StringVar(&out, "out", "", "write to this new file, not to stdout")
	return c
}

func newStoreSalvage(sh *shell) *cobra.Command {
	return storeCommand("salvage WORLD [FILE]", "Make a new store of what can be read in a damaged one",
		"Make a new store of what can still be read in a damaged one, which is left as it\nis, in FILE or beside it. Then 'restore' puts it in its place.",
		"  fabula store salvage fox_lantern", oneOrTwo("FILE"),
		onStore(func(c *cobra.Command, at kept, args []string) error {
			if err := guard("FILE", fileOf(args)); err != nil {
				return err
			}
			s, err := store.Salvage(at.dir, fileOf(args))
			if err != nil {
				return err
			}
			words, out := &lang.For(sh.lang).Store, c.OutOrStdout()
			fmt.Fprintf(out, words.Salvaged+"\n", s.Turns, s.Alternatives, s.Branches, s.File)
			if s.Lost > 0 {
				fmt.Fprintf(out, words.Lost+"\n", s.Lost)
			}
			if s.Altered > 0 {
				fmt.Fprintf(out, words.Altered+"\n", s.Altered)
			}
			fmt.Fprintf(out, words.ThenRestore+"\n", args[0], s.File)
			return nil
		}))
}

func newStoreAdopt(sh *shell) *cobra.Command {
	return storeCommand("adopt WORLD", "Make the store this world's, after the world was renamed",
		"Make the store that of the world it lies in. A store says which world it is of, and is\nrefused in another: that is a copy that went astray, or a world whose id was changed.",
		"  fabula store adopt salt_ferry", exactly("WORLD"),
		onStore(func(c *cobra.Command, at kept, _ []string) error {
			if at.id == "" {
				return usage("%s does not say which world it is: there is no 'world:' in its world.yaml", at.Name)
			}
			was, err := store.Adopt(at.dir, at.id)
			if err == nil {
				fmt.Fprintf(c.OutOrStdout(), lang.For(sh.lang).Store.Adopted+"\n", at.id, cmp.Or(was, at.id))
			}
			return err
		}))
}

func newStorePurge(sh *shell) *cobra.Command {
	var yes, copies bool
	c := storeCommand("purge WORLD", "Take deleted branches away for good",
		"Take away for good what was deleted: hidden branches, and the turns and replies\nthat led to them and that no other branch shows, with everything below. The file\nis rewritten, so that nothing of it is left in it.",
		"  fabula store purge fox_lantern          # says what would go\n  fabula store purge fox_lantern --yes --copies", exactly("WORLD"),
		onStore(func(c *cobra.Command, at kept, args []string) error {
			p, err := store.Purge(at.dir, !yes, copies)
			if err != nil {
				return err
			}
			words, out := &lang.For(sh.lang).Store, c.OutOrStdout()
			switch {
			case p.Branches == 0 && !yes:
				fmt.Fprintln(out, words.NoneHidden)
			case !yes:
				fmt.Fprintf(out, words.WouldPurge+"\n"+words.PurgeHow+"\n", p.Branches, p.Turns, p.Alternatives, args[0])
			default:
				fmt.Fprintf(out, words.Purged+"\n", p.Branches, p.Turns, p.Alternatives, p.Texts, megabytes(p.Before), megabytes(p.After))
			}
			if yes && len(p.Copies) > 0 {
				fmt.Fprintf(out, words.StillIn+"\n", len(p.Copies))
			}
			return nil
		}))
	c.Flags().BoolVar(&yes, "yes", false, "do it; without, it is only counted")
	c.Flags().BoolVar(&copies, "copies", false, "take the copies made before away too")
	return c
}

// fileOf gives the FILE of "WORLD [FILE]"; empty means that the store chooses.
func fileOf(args []string) string {
	if len(args) < 2 {
		return ""
	}
	return args[1]
}
