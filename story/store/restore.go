package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Restore puts another state in the place of the store in dir: a copy, or a
// dump. It is made beside the store, read back whole, and renamed; what was there
// is put aside among the copies, as it is, whether it can be read or not. It
// gives the name of that; empty when there was none. The store begins another
// life, and is that of the world for, if that is not empty. Errors: ErrLocked;
// ErrForeign, ErrDamaged and ErrDump for what is to be restored, ErrWorld where it
// is of another world, unless any world's is taken.
func Restore(dir, from string, world For) (aside string, err error) {
	if err := os.MkdirAll(filepath.Join(dir, BackupDir), dirMode); err != nil {
		return "", fmt.Errorf("restore store: %w", err)
	}
	file := filepath.Join(dir, File)
	free, err := lockAlone(file)
	if err != nil {
		return "", err
	}
	defer free()
	tmp := fmt.Sprintf("%s%s%d", file, unfinished, os.Getpid())
	defer func() { _ = os.Remove(tmp) }()
	_ = os.Remove(tmp)
	if err := bring(from, tmp, world); err != nil {
		return "", fmt.Errorf("restore %s: %w", from, err)
	}
	if aside, err = setAside(dir, file); err != nil {
		return "", fmt.Errorf("put %s aside: %w", file, err)
	}
	if err := os.Rename(tmp, file); err != nil {
		return aside, fmt.Errorf("put %s in its place: %w", file, err)
	}
	return aside, errors.Join(dropIndex(dir), syncDir(dir))
}

// For is the world that a store is to be restored for, by id. With Any what was
// played in another world is taken too.
type For struct {
	World string
	Any   bool
}

// bring makes a verified store file of a copy or a dump.
func bring(from, to string, world For) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	head := make([]byte, 16)
	n, _ := io.ReadFull(in, head)
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if bytes.HasPrefix(head[:n], []byte(`{"format"`)) {
		err = restoreDump(in, to)
		if dumped, unread := DumpedFrom(from); err == nil && unread == nil && !world.Any && world.World != "" && dumped != "" && dumped != world.World {
			err = &WorldError{from, dumped, world.World}
		}
	} else if m, unread := newestMeta(in); unread == nil && m.size == 0 {
		return fmt.Errorf("%w: %w", ErrForeign, ErrDamaged) // a copy whose head is destroyed looks like it
	} else {
		err = copyFile(in, to)
	}
	if err == nil {
		err = verify(to)
	}
	if err == nil && !world.Any {
		err = ofWorld(to, from, world.World)
	}
	if err == nil {
		err = anew(to, world.World)
	}
	return unwritten(to, err)
}

// ofWorld refuses a file of another world, under the name that a person knows.
func ofWorld(file, from, world string) error {
	db, _, err := openFile(file, true)
	if err != nil {
		return err
	}
	_, err = (&reader{db: db, file: from}).is(world)
	return errors.Join(err, db.Close())
}

func copyFile(in io.Reader, to string) error {
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// lockAlone makes sure that no process holds the store, whatever state its file
// is in, and that none takes it until the lock is given back.
func lockAlone(file string) (free func(), err error) {
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return func() {}, nil
	}
	db, _, err := openFile(file, false)
	var locked *LockedError
	switch {
	case err == nil:
		return func() { _ = db.Close() }, nil
	case errors.As(err, &locked):
		return nil, err
	}
	return func() {}, nil // what nobody can open nobody holds
}

// setAside keeps what is in the store's place under a name of a copy.
func setAside(dir, file string) (string, error) {
	at := time.Now()
	if all := Backups(dir); len(all) > 0 && !at.After(all[0].Made) {
		at = all[0].Made
	}
	to := filepath.Join(dir, BackupDir, backupName(BeforeRestore, 0)(at.Add(time.Millisecond)))
	err := os.Link(file, to) // it stays in its place until the new one takes it
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", nil
	case err == nil:
		return to, nil
	}
	in, err := os.Open(file) // no links on this file system
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }()
	return to, copyFile(in, to)
}
