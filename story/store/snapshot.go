package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fabula/story"
)

// askWait is how long a holder may take to begin its answer. A suspended one
// never does.
const askWait = 700 * time.Millisecond

// OpenReader opens the store in dir for reading: the file itself when nobody
// holds it, else a snapshot that the holder serves. A world that was never
// played reads as empty. Close the Closer when done; a snapshot's copy goes
// with it. Of the options WithWorld counts. Errors: as Open; ErrLocked when the
// holder serves no snapshot.
func OpenReader(dir string, with ...Option) (story.Reader, io.Closer, error) {
	var o options
	for _, set := range with {
		set(&o)
	}
	file := filepath.Join(dir, File)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return &reader{file: file}, io.NopCloser(nil), nil
	}
	var err error
	for range tries {
		var r *fileReader
		if r, err = openEither(dir, file); err == nil {
			if _, err = r.is(o.world); err != nil {
				return nil, nil, errors.Join(err, r.Close())
			}
			return r, r, nil
		}
		var locked *LockedError
		if !errors.As(err, &locked) || locked.silent {
			break
		}
	}
	return nil, nil, err
}

// tries is how often a reader asks: a holder may be about to begin or to end.
const tries = 3

// openEither opens the file, or a snapshot of it while it is held.
func openEither(dir, file string) (*fileReader, error) {
	r, err := openReader(file)
	var locked *LockedError
	if !errors.As(err, &locked) {
		return r, err
	}
	snap, err := openSnapshot(readHolder(dir).Socket)
	if err != nil {
		locked.Why, locked.silent = err.Error(), errors.Is(err, os.ErrDeadlineExceeded)
		return nil, locked
	}
	return snap, nil
}

func openReader(file string) (*fileReader, error) {
	db, _, err := openFile(file, true)
	if err != nil {
		return nil, err
	}
	r := &fileReader{reader: reader{db: db, file: file}}
	n, err := r.schema()
	if err == nil && n > Schema {
		err = &SchemaError{File: file, Found: n}
	}
	if err == nil && n < oldest {
		err = fmt.Errorf("store %s has the older schema %d: open the world once with this fabula to upgrade it", file, n)
	}
	if err == nil {
		err = r.walk()
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return r, nil
}

// fileReader is a reader that owns its file.
type fileReader struct {
	reader
	tmp string // removed on Close
}

// Close closes the file and removes a snapshot's copy.
func (r *fileReader) Close() error {
	err := r.db.Close()
	if r.tmp != "" {
		err = errors.Join(err, os.RemoveAll(r.tmp))
	}
	return err
}

func openSnapshot(socket string) (*fileReader, error) {
	if socket == "" {
		return nil, errors.New("it serves no snapshots")
	}
	dir, err := os.MkdirTemp("", "fabula-read-")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, File)
	r, err := fetchFile(socket, file)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	r.tmp = dir
	return r, nil
}

func fetchFile(socket, file string) (*fileReader, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
	if err != nil {
		return nil, err
	}
	err = fetch(socket, f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	return openReader(file)
}
