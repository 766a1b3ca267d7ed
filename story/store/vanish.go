package store

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// inPlace looks whether the file that is held is still the one that its name
// leads to. On systems where an open file can be deleted, the library would go
// on writing into one that nobody finds again. Everything is copied to where it
// is found, then.
func (s *Store) inPlace() error {
	now, err := os.Stat(s.file)
	if err == nil && os.SameFile(now, s.opened) {
		return nil
	}
	gone := &VanishedError{File: s.file}
	if s.options.rescue == "" {
		return gone
	}
	gone.Rescued, gone.Why = s.rescue()
	s.options.log.Error("store vanished", "file", s.file, "rescued", gone.Rescued, "error", gone.Why)
	return gone
}

// rescue copies what is held to the folder for that, as one file a store that
// is replaced by the next copy.
func (s *Store) rescue() (string, error) {
	if err := os.MkdirAll(s.options.rescue, dirMode); err != nil {
		return "", err
	}
	world := filepath.Base(filepath.Dir(s.file))
	if abs, err := filepath.Abs(s.dir); err == nil {
		world = filepath.Base(abs)
		if world == ".fabula" {
			world = filepath.Base(filepath.Dir(abs))
		}
	}
	to := filepath.Join(s.options.rescue, fmt.Sprintf("%s-%s-%d.db", world, s.opened.ModTime().UTC().Format(time.DateOnly), os.Getpid()))
	return to, writeVerified(to, func(w io.Writer) error { return s.copyTo(w) })
}
