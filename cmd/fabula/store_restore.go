package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"fabula/story/store"
	"fabula/tui/text/lang"
)

func newStoreRestore(sh *shell) *cobra.Command {
	var newest, force bool
	var branch string
	c := storeCommand("restore WORLD [FILE]", "Go back to a copy or a dump, or bring a deleted branch back",
		"Put a copy or a dump in the place of the store, once it was read whole; what was\nthere is kept among the copies. --branch brings a deleted branch back, by name or\nid. What was\nplayed in another world is refused, unless --force is given. Without any of it, what there\nis to go back to is listed.",
		"  fabula store restore fox_lantern\n  fabula store restore fox_lantern --newest\n  fabula store restore fox_lantern --branch hall-1", oneOrTwo("FILE"),
		func(c *cobra.Command, at kept, args []string) error {
			words := &lang.For(sh.lang).Store
			switch {
			case branch != "" && (newest || len(args) > 1):
				return usage("--branch brings one branch back, --newest and FILE a whole store: use one of them")
			case branch != "":
				return restoreBranch(c, words, at, branch)
			case newest && len(args) > 1:
				return usage("name a FILE, or use --newest, not both")
			case newest:
				file, ok := store.NewestGood(at.dir)
				if !ok {
					return errors.New(words.NoGoodCopy)
				}
				return restoreStore(c, words, at, file, force)
			case len(args) > 1:
				return restoreStore(c, words, at, args[1], force)
			}
			return listRestorable(c, words, at.dir)
		})
	c.Flags().BoolVar(&newest, "newest", false, "go back to the newest copy that is whole")
	c.Flags().BoolVar(&force, "force", false, "take what was played in another world")
	c.Flags().StringVar(&branch, "branch", "", "bring this deleted branch back")
	return c
}

func restoreStore(c *cobra.Command, words *lang.Store, at kept, file string, force bool) error {
	aside, err := store.Restore(at.dir, file, store.For{World: at.id, Any: force})
	var other *store.WorldError
	if errors.As(err, &other) {
		return usage("%s holds what was played in the world %s, not in %s; --force takes it all the same", file, other.Found, other.Wanted)
	}
	if errors.Is(err, store.ErrForeign) {
		return usage("%s is neither a dump nor a copy of a store; nothing was changed", file)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), words.Restored+"\n", file)
	if aside != "" {
		fmt.Fprintf(c.OutOrStdout(), words.Aside+"\n", aside)
	}
	return nil
}

func restoreBranch(c *cobra.Command, words *lang.Store, at kept, ref string) error {
	if err := at.mustBePlayed(); err != nil {
		return err
	}
	s, err := store.Open(at.dir, store.WithWorld(at.id))
	if err != nil {
		return err
	}
	b, err := s.Unhide(ref)
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), words.BranchBack+"\n", printable(b.Name))
	return nil
}

// listRestorable lists copies and deleted branches.
func listRestorable(c *cobra.Command, words *lang.Store, dir string) error {
	out := c.OutOrStdout()
	for _, b := range store.Backups(dir) {
		fmt.Fprintf(out, words.CopyLine+"\n", b.File, b.Made.Local().Format("2006-01-02 15:04:05"), megabytes(b.Bytes), words.Whys[b.Why])
	}
	fmt.Fprintln(c.ErrOrStderr(), words.Choose)
	r, closer, err := store.OpenReader(dir)
	if err != nil {
		return err
	}
	defer closer.Close()
	hidden, err := r.Hidden()
	if err != nil {
		return err
	}
	for _, b := range hidden {
		fmt.Fprintf(out, words.HiddenLine+"\n", printable(b.Name), b.ID, b.Hidden.Local().Format("2006-01-02 15:04:05"))
	}
	return nil
}
