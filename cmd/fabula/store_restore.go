package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"fabula/story/store"
	"fabula/tui/text/lang"
)

func newStoreRestore(sh *shell) *cobra.Command {
	var newest bool
	var branch string
	c := storeCommand("restore WORLD [FILE]", "Go back to a copy or a dump, or bring a deleted branch back",
		"Put a copy or a dump in the place of the store, once it was read whole; what was\nthere is kept among the copies. --branch brings a deleted branch back, by name or\nid. Without any of it, what there is to go back to is listed.",
		"  fabula store restore fox_lantern\n  fabula store restore fox_lantern --newest\n  fabula store restore fox_lantern --branch hall-1", oneOrTwo("FILE"),
		func(c *cobra.Command, dir string, args []string) error {
			words := &lang.For(sh.lang).Store
			switch {
			case branch != "" && (newest || len(args) > 1):
				return usage("--branch brings one branch back, --newest and FILE a whole store: use one of them")
			case branch != "":
				return restoreBranch(c, words, dir, branch)
			case newest && len(args) > 1:
				return usage("name a FILE, or use --newest, not both")
			case newest:
				file, ok := store.NewestGood(dir)
				if !ok {
					return errors.New(words.NoGoodCopy)
				}
				return restoreStore(c, words, dir, file)
			case len(args) > 1:
				return restoreStore(c, words, dir, args[1])
			}
			return listRestorable(c, words, dir)
		})
	c.Flags().BoolVar(&newest, "newest", false, "go back to the newest copy that is whole")
	c.Flags().StringVar(&branch, "branch", "", "bring this deleted branch back")
	return c
}

func restoreStore(c *cobra.Command, words *lang.Store, dir, file string) error {
	aside, err := store.Restore(dir, file)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), words.Restored+"\n", file)
	if aside != "" {
		fmt.Fprintf(c.OutOrStdout(), words.Aside+"\n", aside)
	}
	return nil
}

func restoreBranch(c *cobra.Command, words *lang.Store, dir, ref string) error {
	s, err := store.Open(dir)
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
