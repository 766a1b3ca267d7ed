package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// private demands that nobody but its user can read or enter anything below the
// given folders, that something is there, and that no name in it leads out.
func private(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: private FOLDER…")
	}
	for _, dir := range args {
		files := 0
		err := filepath.WalkDir(ts.MkAbs(dir), func(name string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			switch mode := info.Mode(); {
			case mode&os.ModeSymlink != 0:
				ts.Fatalf("%s is a link", name)
			case mode.Perm()&0o077 != 0 && name != ts.MkAbs(dir):
				ts.Fatalf("%s can be read by others: %v", name, mode)
			}
			if !d.IsDir() {
				files++
			}
			return nil
		})
		ts.Check(err)
		if files == 0 {
			ts.Fatalf("nothing is in %s", strings.TrimPrefix(dir, ts.Getenv("WORK")))
		}
	}
}
