// Package store keeps the transcript tree of one world in a bbolt file.
//
//	DIR/fabula.db        the tree; one process at a time holds its lock
//	DIR/holder.json      who holds it: pid, host, socket
//	DIR/snapshot.sock    the holder serves copies to commands that only read
//	DIR/live/TURN.jsonl  a streaming reply, unsynced, until it is stored
//	DIR/backups/         verified copies of the file, see backup.go
//
// A turn costs two Updates: one when the input is stored, one when the reply
// is. Nothing that a method returns aliases the file, and no callback runs
// inside a transaction, so that a reader can never block a writer for long.
// Buckets: meta, playthroughs, turns, alternatives, branches, blobs, facts and
// index (parents, children, last visits, order of storing). Keys are ULIDs, in
// facts "p" and the id of a pinned fact or "s" and the hash of a summary's turns;
// values are JSON with a version field v, ended by a checksum (see seal.go); what
// a token costs is packed (see reply.go).
//
// Check, Compact, Purge, Dump, Restore and Salvage work on a whole store that
// nobody plays in; each writes beside the file and renames.
//
// Non-goals: merging stores, more than one writer, searching by meaning.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// File is the name of the store in its folder.
const File = "fabula.db"

// Schema is the number of the format that this program writes.
const Schema = 3

const (
	lockWait = 200 * time.Millisecond
	// mapSize is reserved address space: while the file is smaller, growing it
	// needs no new mapping, so a writer never waits for readers.
	mapSize = 1 << 30
	growth  = 1 << 20 // bytes by which the file grows

	// A transcript is nobody else's: other users of the machine see nothing.
	fileMode = 0o600
	dirMode  = 0o700
)

var buckets = []string{"meta", "playthroughs", "turns", "alternatives", "branches", "blobs", "facts", "index"}

// Store is the transcript tree of one world, held for writing. It implements
// story.Store.
type Store struct {
	reader
	dir        string
	opened     fs.FileInfo // the file that is held, to notice when it is no longer in its place
	options    options
	holder     *holder
	background sync.WaitGroup // the copy that is made at open
	writes     atomic.Int64
	once       sync.Once
	closed     error
}

// options are what a caller may say about how a store is kept.
type options struct {
	log    *slog.Logger
	rescue string
	world  string
}

// Option changes how a store is kept.
type Option func(*options)

// WithLog tells the log what happens in the background: copies that were made,
// or why one was not.
func WithLog(log *slog.Logger) Option { return func(o *options) { o.log = log } }

// WithRescue names the folder that the whole store is copied to when its own
// folder vanishes while it is open.
func WithRescue(dir string) Option { return func(o *options) { o.rescue = dir } }

var _ story.Store = (*Store)(nil)

// Open holds the store in dir (a world's .fabula folder) for writing, making
// it when there is none. Errors: ErrLocked when another process holds it,
// ErrSchema when a newer program wrote it, ErrDamaged when it cannot be read
// (the file is left as it is), ErrWorld when it is of another world than
// WithWorld names, ErrFilesystem when the folder's file system
// cannot lock or map files, os.ErrPermission where it may not be written. Where
// anything changed since the last copy of the file, one is made in the
// background.
func Open(dir string, with ...Option) (*Store, error) {
	s, err := openWriter(dir, with...)
	if err != nil {
		return nil, err
	}
	s.holder = hold(dir, s.copyTo)
	s.sweep()
	s.backUp()
	return s, nil
}

// openWriter opens the store without announcing it.
func openWriter(dir string, with ...Option) (*Store, error) {
	o := options{log: slog.New(slog.DiscardHandler)}
	for _, set := range with {
		set(&o)
	}
	if err := os.MkdirAll(filepath.Join(dir, "live"), dirMode); err != nil {
		return nil, fmt.Errorf("make store folder: %w: transcripts lie there, so make the world's folder writable, or copy the world to where you may write", err)
	}
	file := filepath.Join(dir, File)
	if err := create(file); err != nil {
		return nil, err
	}
	db, opened, err := openFile(file, false)
	if err != nil {
		return nil, err
	}
	s := &Store{reader: reader{db: db, file: file}, dir: dir, opened: opened, options: o}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// prepare checks the schema, upgrades an older one, and walks the file.
func (s *Store) prepare() error {
	n, err := s.schema()
	if err != nil {
		return err
	}
	switch {
	case n > Schema:
		return &SchemaError{File: s.file, Found: n}
	case n < Schema:
		if err := s.upgrade(n); err != nil {
			return err
		}
	}
	if err := s.walk(); err != nil {
		return err
	}
	return s.belong()
}

// Close stops serving snapshots and gives the lock back. A second Close does
// nothing: by then the files may announce another holder. A file that was
// destroyed under the program can hold a transaction for ever; closing gives up
// on it, so that the program can end.
func (s *Store) Close() error {
	s.once.Do(func() {
		if s.holder != nil {
			s.holder.release()
		}
		s.background.Wait()
		closed := make(chan error, 1)
		go func() { closed <- s.db.Close() }()
		select {
		case s.closed = <-closed:
		case <-time.After(closePatience):
			s.closed = fmt.Errorf("store %s does not close: something still reads it; was the file changed by another program?", s.file)
		}
	})
	return s.closed
}

// closePatience is far more than the longest transaction takes.
const closePatience = 10 * time.Second

// Stats are figures of the file for a person.
type Stats struct {
	File         string
	Bytes        int64
	Writes       int64 // Updates of this process
	Playthroughs int
	Turns        int
	Alternatives int
	Branches     int
	Blobs        int
}

// Stats counts what the store holds.
func (s *Store) Stats() (Stats, error) {
	st := Stats{File: s.file, Writes: s.writes.Load()}
	err := s.view(func(tx *bolt.Tx) error {
		st.Bytes = tx.Size()
		for name, n := range map[string]*int{"playthroughs": &st.Playthroughs, "turns": &st.Turns,
			"alternatives": &st.Alternatives, "branches": &st.Branches, "blobs": &st.Blobs} {
			*n = tx.Bucket([]byte(name)).Stats().KeyN
		}
		return nil
	})
	return st, err
}

// update runs one write transaction in a file that is in its place.
func (s *Store) update(do func(*bolt.Tx) error) error {
	if err := s.inPlace(); err != nil {
		return err
	}
	return s.commit(do)
}

// commit runs one write transaction and turns a panic of the library into an
// error.
func (s *Store) commit(do func(*bolt.Tx) error) error {
	s.writes.Add(1)
	return unwritten(s.file, guard(s.file, func() error { return s.db.Update(do) }))
}
