// Package safefile writes files whole or not at all: beside their place, synced,
// and then put there, with the folder synced after, so that neither a kill nor a
// power cut leaves half a file. Files are for their owner alone (0600), also in the
// place of one that was not.
//
// On Windows a file that is in its place is replaced too; folders cannot be synced
// there, which is passed over.
//
// Non-goals: locks, appending, folders as a whole.
package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a file, in the place of what was there. The folder has to exist.
func Replace(name string, data []byte) error {
	return ReplaceBy(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ReplaceBy is Replace for what is too large to be held at once. An error of write
// is given back as it is.
func ReplaceBy(name string, write func(io.Writer) error) error {
	return put(name, write, os.Rename)
}

// Create writes a file that is not there yet; what is there is never touched.
// Errors: fs.ErrExist.
func Create(name string, data []byte) error {
	write := func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
	return put(name, write, func(from, to string) error {
		if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, err := os.Lstat(to); err == nil { // no links on this file system
			return fmt.Errorf("%s: %w", to, fs.ErrExist)
		}
		return os.Rename(from, to)
	})
}

// put writes beside a name and brings that to its place.
func put(name string, write func(io.Writer) error, place func(from, to string) error) error {
	dir, base := filepath.Split(name)
	f, err := os.CreateTemp(filepath.Clean(dir), "."+base+".new.*") // for its owner alone
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone where it was renamed
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := place(f.Name(), name); err != nil {
		return err
	}
	return SyncDir(filepath.Clean(dir))
}

// SyncDir makes names in a folder last. What cannot be synced is passed over: not
// every system and file system can.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}
